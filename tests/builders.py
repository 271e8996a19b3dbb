"""Tiny data for tests: datasets from rows, embeddings with seeded vectors."""

import numpy as np

from lexiscope.core.corpus import corpus
from lexiscope.core.datasets import Analogies, Categories, Preferences, SynonymQuestions, WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.entities import EntityTypes, entity_columns
from lexiscope.core.datasets.texts import Phrases, Sentences, Texts
from lexiscope.core.embedding import Embedding, embedding
from lexiscope.core.vocabulary import Vocabulary


def word_pairs(*rows, name="pairs"):
    """Pairs from (left, right, rating)."""
    left, right, rating = zip(*rows, strict=True)
    return WordPairs(name, word_array(left), word_array(right), np.array(rating, np.float64))


def analogies(*rows, name="analogies"):
    """Questions from (a, b, c, answer) or (a, b, c, answer, section)."""
    filled = [(*row, "")[:5] for row in rows]
    return Analogies(name, *map(word_array, zip(*filled, strict=True)))


def counted(name, words, vectors, counts):
    """An embedding with counts."""
    return Embedding(name, Vocabulary(tuple(words)), np.array(vectors, np.float32), counts)


def seeded(name, words, seed=0, dimension=8):
    """An embedding with normal vectors."""
    words = list(words)
    return embedding(name, words, np.random.default_rng(seed).normal(size=(len(words), dimension)))


def synthetic_words(number):
    """Distinct lower-case words: w0, w1, ..."""
    return [f"w{place}" for place in range(number)]


def synthetic_pairs(number, words, seed=0, name="pairs"):
    """Rated pairs of different words; ratings have ties."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, words, number)
    right = (left + rng.integers(1, words, number)) % words
    ratings = rng.integers(0, 20, number) / 2
    rows = zip(left.tolist(), right.tolist(), ratings.tolist(), strict=True)
    return word_pairs(*((f"w{a}", f"w{b}", rating) for a, b, rating in rows), name=name)


def synthetic_analogies(number, words, seed=0, name="analogies"):
    """Questions of four different words in two sections, one of them a semantic section."""
    rng = np.random.default_rng(seed)
    rows = [rng.choice(words, 4, replace=False).tolist() for _ in range(number)]
    sections = ("family", "plural")
    return analogies(
        *((*(f"w{word}" for word in row), sections[k % 2]) for k, row in enumerate(rows)), name=name
    )


def synonym_questions(*rows, name="questions"):
    """Synonym questions from (query, first, second, third, fourth, answer)."""
    return SynonymQuestions(name, *map(word_array, zip(*rows, strict=True)))


def categories(name="categories", **words):
    """Words by category: categories(animal="cat dog", drink="tea")."""
    rows = [(word, category) for category, some in words.items() for word in some.split()]
    return Categories(name, *map(word_array, zip(*rows, strict=True)))


def entities(*rows, name="entities", train=None):
    """Entities from (word, "type|type") or (word, "type|type", frequency)."""
    filled = [(row[0], row[1].split("|"), row[2] if len(row) > 2 else np.nan) for row in rows]
    return EntityTypes(name, *entity_columns(filled), train)


def preferences(*rows, name="preferences"):
    """Items from (head, slot, word, rating, "fillers separated by spaces")."""
    head, slot, word, rating, fillers = zip(*rows, strict=True)
    filled = np.empty(len(rows), object)
    filled[:] = [tuple(words.split()) for words in fillers]
    texts = map(word_array, (head, slot, word))
    return Preferences(name, *texts, np.array(rating, np.float64), filled)


def sentences(test, train=None, name="sentences"):
    """Tagged sentences from lists of "word/POS/TAG word/POS/TAG"."""
    learned = None if train is None else sentences(train, None, name)
    rows = [zip(*(token.split("/") for token in line.split()), strict=True) for line in test]
    columns = zip(*(tuple(map(" ".join, row)) for row in rows), strict=True)
    words, pos, tags = map(word_array, columns)
    return Sentences(name, words, words, pos, tags, learned)


def texts(*rows, train=None, dev=None, name="texts"):
    """Texts from (text, label)."""
    return Texts(name, *map(word_array, zip(*rows, strict=True)), train, dev)


def phrases(*rows, name="phrases"):
    """Phrases from (adjective, noun, label)."""
    return Phrases(name, *map(word_array, zip(*rows, strict=True)))


def text(sentences=200, words=40, seed=0, name="text"):
    """A corpus of sentences of 3 to 12 words; a few words are frequent, most are rare."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, words + 1)
    return corpus(
        name,
        [
            [f"w{word}" for word in rng.choice(words, rng.integers(3, 13), p=shares / shares.sum())]
            for _ in range(sentences)
        ],
    )
