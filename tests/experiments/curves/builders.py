"""Small synthetic embeddings and datasets for tests of learning curves."""

import numpy as np

from lexiscope.core.datasets import Categories, Relations, Texts, WordPairs
from lexiscope.core.datasets.base import word_array


def words(number):
    return [f"word{n}" for n in range(number)]


def embedding(number=90, dimension=8, signal=2.0, seed=0, classes=2):
    """Words in classes that alternate, each class with a random centre."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(classes, dimension))
    centres *= signal / np.linalg.norm(centres, axis=1, keepdims=True)
    codes = np.arange(number) % classes
    return words(number), centres[codes] + rng.normal(size=(number, dimension))


def categories(number=90, classes=2, name="classes"):
    labels = [f"class{n % classes}" for n in range(number)]
    return Categories(name, word_array(words(number)), word_array(labels))


def pairs(vectors, number=120, seed=0):
    """Pairs whose rating is their cosine, with noise."""
    names, matrix = vectors
    rng = np.random.default_rng(seed)
    left, right = rng.integers(0, len(names), (2, number))
    right = np.where(left == right, (right + 1) % len(names), right)
    units = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    ratings = np.einsum("ij,ij->i", units[left], units[right]) + rng.normal(size=number) * 0.1
    columns = (word_array(np.array(names, object)[side]) for side in (left, right))
    return WordPairs("pairs", *columns, ratings)


def relations(number=60):
    """word0 : word1, word2 : word3, ..."""
    names = words(number)
    source, target = word_array(names[::2]), word_array(names[1::2])
    return Relations("relations", source, target, word_array(["next"] * len(source)))


def texts(number=60):
    """Texts of two classes: words with even or with odd numbers."""
    names, rng = words(40), np.random.default_rng(0)
    rows = [" ".join(rng.choice(names[n % 2 :: 2], 4)) for n in range(number)]
    return Texts("texts", word_array(rows), word_array([f"class{n % 2}" for n in range(number)]))
