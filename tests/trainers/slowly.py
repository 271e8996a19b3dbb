"""Dense reference implementations of counts and decompositions, for small texts."""

import numpy as np

from lexiscope.core.corpus import sentences_of


def pairs_at(corpus, offset):
    """Counts of a word (row) with the word (column) at an offset: -1 is the word before it."""
    index = {word: row for row, word in enumerate(corpus.vocabulary.words)}
    found = np.zeros((len(index), len(index)))
    for sentence in sentences_of(corpus):
        for at, word in enumerate(sentence):
            if 0 <= at + offset < len(sentence):
                found[index[word], index[sentence[at + offset]]] += 1
    return found


def counts(corpus, window):
    """Counts of a word (row) with the words (columns) within the window."""
    return sum(pairs_at(corpus, offset) for offset in range(-window, window + 1) if offset)


def pmi(counts, cds=1.0):
    """Pointwise mutual information; minus infinity for unseen pairs."""
    smoothed = counts.sum(axis=0) ** cds
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(counts * smoothed.sum() / np.outer(counts.sum(axis=1), smoothed))
    return np.where(counts > 0, found, -np.inf)


def positional_ppmi(corpus, window, cds):
    """A block of positive PMI for each position, each row of a block with norm 1 or 0."""
    blocks = []
    for offset in [offset for offset in range(-window, window + 1) if offset]:
        block = np.maximum(pmi(pairs_at(corpus, offset), cds), 0)
        lengths = np.linalg.norm(block, axis=1, keepdims=True)
        blocks.append(np.divide(block, lengths, out=np.zeros_like(block), where=lengths > 0))
    return np.hstack(blocks)


def up(vectors):
    """Flip the arbitrary signs of columns so that the largest entry of each is positive."""
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.sign(vectors[largest, np.arange(vectors.shape[1])])
