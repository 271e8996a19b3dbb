"""Features of tokens as arrays: binary attributes from words and parts of speech, and vectors.

The attributes are those of Turian et al. 2010: words in a window of two and word bigrams, parts of
speech up to trigrams. An attribute is one template with one value. The vectors stay one matrix, of
which each token has a row; the window is applied when scores are computed.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadData
from lexiscope.kernels.crf.scores import Sentences

_WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1))
_POS = (
    (-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2),
    (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
)  # fmt: skip

_MULTIPLE = 4  # of the dimension, for the kernels

Integers = NDArray[np.int64]


def encode(words: Sequence[str], pos: Sequence[str], training: int) -> Sentences:
    """Encode sentences without vectors; attributes that occur in no training sentence are left out.

    Parameters
    ----------
    words, pos : sequence of str
        The words and the parts of speech of each sentence, with one space between tokens.
    training : int
        The number of training sentences, which come first.
    """
    starts = _starts(words)
    if len(words) != len(pos) or (starts != _starts(pos)).any():
        raise BadData("A sentence has not as many parts of speech as words.")
    if (np.diff(starts) == 0).any():
        raise BadData(f"Sentence {int(np.argmin(np.diff(starts))) + 1} has no words.")
    table = _attribute_table(words, pos, starts, training)
    ends = np.concatenate([[0], np.cumsum((table >= 0).sum(axis=1))])
    tokens = len(table)
    none = np.zeros((1, 0), np.float32)
    return Sentences(starts, ends, table[table >= 0], np.zeros(tokens, np.int64), none)


def add_vectors(sentences: Sentences, rows: Integers, vectors: Floats) -> Sentences:
    """Add the row of `vectors` (words, dimension) that belongs to each token."""
    padding = -vectors.shape[1] % _MULTIPLE
    padded = np.pad(vectors.astype(np.float32), ((0, 0), (0, padding)))
    return sentences._replace(rows=rows, vectors=padded)


def _starts(lines: Sequence[str]) -> Integers:
    """The index of the first token of each sentence, and the number of tokens."""
    lengths = [len(line.split()) for line in lines]
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _attribute_table(
    words: Sequence[str], pos: Sequence[str], starts: Integers, training: int
) -> NDArray[np.int32]:
    """The attribute of each token by each template (tokens, templates); -1 for none."""
    trained = np.arange(starts[-1]) < starts[training]
    columns, total = [], 0
    for keys in _all_keys(words, pos, starts):
        known = np.unique(keys[(keys >= 0) & trained])
        columns.append(_find(keys, known, total))
        total += len(known)
    return np.stack(columns, axis=1)


def _find(keys: Integers, known: Integers, first: int) -> NDArray[np.int32]:
    """The indices of keys in the sorted `known` keys, counted from `first`; -1 for others."""
    found = np.searchsorted(known, keys)
    is_known = np.append(known, -1)[found] == keys
    return np.where(is_known & (keys >= 0), first + found, -1).astype(np.int32)


def _all_keys(words: Sequence[str], pos: Sequence[str], starts: Integers) -> Iterator[Integers]:
    """Integers that represent the values of each template; -1 for tokens without a value."""
    before, after = _distances(starts)
    for lines, templates in ((words, _WORDS), (pos, _POS)):
        codes = _codes(lines)
        for template in templates:
            inside = (before >= -template[0]) & (after >= template[-1])
            yield _keys(codes, template, np.flatnonzero(inside))
    yield np.where(before == 0, 0, -1)
    yield np.where(after == 0, 0, -1)


def _distances(starts: Integers) -> tuple[Integers, Integers]:
    """The number of tokens of the same sentence before and after each token."""
    lengths, tokens = np.diff(starts), np.arange(starts[-1])
    before = tokens - np.repeat(starts[:-1], lengths)
    return before, np.repeat(lengths, lengths) - before - 1


def _codes(lines: Iterable[str]) -> Integers:
    """A code of each token, equal for equal tokens."""
    index: dict[str, int] = {}
    return np.array([index.setdefault(t, len(index)) for line in lines for t in line.split()])


def _keys(codes: Integers, template: tuple[int, ...], tokens: Integers) -> Integers:
    """Keys of the values of a template at these tokens, and -1 at others."""
    combined = codes[tokens + template[0]]
    for step in template[1:]:
        pairs = combined * (codes.max() + 1) + codes[tokens + step]
        combined = np.unique(pairs, return_inverse=True)[1]  # small again: no overflow
    keys = np.full(len(codes), -1, np.int64)
    keys[tokens] = combined
    return keys
