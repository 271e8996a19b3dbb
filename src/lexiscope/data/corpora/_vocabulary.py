"""Selects the vocabulary of a corpus from word counts, and encodes the text with it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data.corpora._spool import Spool
from lexiscope.data.corpora._word_counts import Words
from lexiscope.kernels.parsing import tokens as kernel

_BLOCK = 1 << 20
_LONGEST = 1024  # bytes of a word


class VocabularySelection(NamedTuple):
    """The selected vocabulary."""

    words: tuple[str, ...]
    indices: NDArray[np.int32]  # of each counted word in the vocabulary, -1: left out
    too_long: int  # tokens of words that are too long
    highest_count: int


class EncodedText(NamedTuple):
    """Tokens as vocabulary indices, and the boundaries of sentences and documents."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]  # in tokens
    documents: NDArray[np.int64]  # in sentences


def select(words: Words, steps: Preprocessing) -> VocabularySelection:
    """Select the words that the preprocessing keeps, sorted by count, then alphabetically."""
    same = _same_words(words, steps)
    counts = words.counts.copy()
    for number, other in same.items():
        counts[other] += counts[number]
        counts[number] = 0
    long = [number for number in _long(words) if counts[number]]
    too_long = int(counts[long].sum())
    counts[long] = 0
    counts[words.lengths < steps.min_length] = 0
    kept = np.flatnonzero(counts >= steps.min_count)
    texts = words.words(kept)
    order = _order(texts, counts[kept])[: steps.limit]
    indices = np.full(len(words), -1, np.int32)
    indices[kept[order]] = np.arange(len(order))
    for number, other in same.items():
        indices[number] = indices[other]
    chosen = tuple(texts[index] for index in order.tolist())
    return VocabularySelection(chosen, indices, too_long, int(counts.max(initial=0)))


def _same_words(words: Words, steps: Preprocessing) -> dict[int, int]:
    """Words that normalisation maps to another word only as a whole, and that word."""
    become: dict[int, str] = {}
    if steps.lower:  # Σ is ς at the end of a word, İ becomes two characters
        become = {number: words.word(number).lower() for number in words.containing("İΣ")}
    if steps.digits == "seven":
        short = np.flatnonzero(words.lengths == 1).tolist()
        digits = [number for number in short if words.word(number).isdecimal()]
        become |= {number: "7" for number in digits if words.word(number) != "7"}
    return {number: words.number(word) for number, word in become.items()}


def _long(words: Words) -> list[int]:
    """Words that are too long for a vector file."""
    candidates = np.flatnonzero(words.lengths > _LONGEST // 4).tolist()
    return [number for number in candidates if len(words.word(number).encode()) > _LONGEST]


def _order(texts: list[str], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    alphabetical = np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)
    return alphabetical[np.argsort(-counts[alphabetical], kind="stable")]


def encode(numbers: NDArray[np.int32], indices: NDArray[np.int32]) -> EncodedText:
    """Encode the text with vocabulary indices; empty sentences and documents are dropped."""
    spools = Spool(np.int32), Spool(np.int64), Spool(np.int64)
    for boundaries in spools[1:]:
        boundaries.append(np.zeros(1, np.int64))
    before = np.zeros(4, np.int64)
    for at in range(0, len(numbers), _BLOCK):
        block = numbers[at : at + _BLOCK]
        parts = [np.empty(len(block), kind) for kind in (np.int32, np.int64, np.int64)]
        written = kernel.encode_block(block, indices, before, *parts)
        for spool, part, size in zip(spools, parts, written, strict=True):
            spool.append(part[:size])
    return EncodedText(*(spool.finished() for spool in spools))
