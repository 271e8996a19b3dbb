"""Counts and decompositions of small texts, written from the equations, dense throughout."""

import numpy as np

from lexiscope.core.corpus import sentences_of


def pairs_at(corpus, place):
    """How often a word (row) has a word (column) at a place: -1 is just before it."""
    index = {word: row for row, word in enumerate(corpus.vocabulary.words)}
    found = np.zeros((len(index), len(index)))
    for sentence in sentences_of(corpus):
        for at, word in enumerate(sentence):
            if 0 <= at + place < len(sentence):
                found[index[word], index[sentence[at + place]]] += 1
    return found


def counts(corpus, window):
    """How often a word (row) has a word (column) at most `window` places away."""
    return sum(pairs_at(corpus, place) for place in range(-window, window + 1) if place)


def pmi(counts, cds=1.0):
    """Pointwise mutual information; minus infinity for pairs that were never seen."""
    smoothed = counts.sum(axis=0) ** cds
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(counts * smoothed.sum() / np.outer(counts.sum(axis=1), smoothed))
    return np.where(counts > 0, found, -np.inf)


def up(vectors):
    """Vectors whose columns have their largest entry positive: their signs are arbitrary."""
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.sign(vectors[largest, np.arange(vectors.shape[1])])
