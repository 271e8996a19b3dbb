"""From counted words to a corpus: which are kept, in which order, and the text in their places."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.preparation import Preparation
from lexiscope.data.corpora._spool import Spool
from lexiscope.data.corpora._words import Words
from lexiscope.kernels import tokens as kernel

_BLOCK = 1 << 20
_LONGEST = 1024  # bytes of a word in a vector file


class Kept(NamedTuple):
    """The vocabulary, the place of each counted word in it (-1: none), tokens of words too long."""

    words: tuple[str, ...]
    places: NDArray[np.int32]
    too_long: int
    most: int  # how often the most frequent word was seen


class Text(NamedTuple):
    """Tokens as places in the vocabulary, and where sentences and documents start and end."""

    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]  # in tokens
    documents: NDArray[np.int64]  # in sentences


def vocabulary(words: Words, steps: Preparation) -> Kept:
    """The words that the preparation keeps, most frequent first, then by their letters."""
    same = _same_words(words, steps)
    counts = words.counts.copy()
    for number, other in same.items():
        counts[other] += counts[number]
        counts[number] = 0
    long = [number for number in _long(words) if counts[number]]
    too_long = int(counts[long].sum())
    counts[long] = 0
    counts[words.lengths < steps.shortest] = 0
    kept = np.flatnonzero(counts >= steps.minimum)
    spelt = words.spelt(kept)
    order = _order(spelt, counts[kept])[: steps.limit]
    places = np.full(len(words), -1, np.int32)
    places[kept[order]] = np.arange(len(order))
    for number, other in same.items():
        places[number] = places[other]
    chosen = tuple(spelt[place] for place in order.tolist())
    return Kept(chosen, places, too_long, int(counts.max(initial=0)))


def _same_words(words: Words, steps: Preparation) -> dict[int, int]:
    """Words that become another one only when seen as a whole, and that one."""
    become: dict[int, str] = {}
    if steps.lower:  # Σ is ς at the end of a word, İ becomes two characters
        become = {number: words.word(number).lower() for number in words.holding("İΣ")}
    if steps.digits == "seven":
        short = np.flatnonzero(words.lengths == 1).tolist()
        digits = [number for number in short if words.word(number).isdecimal()]
        become |= {number: "7" for number in digits if words.word(number) != "7"}
    return {number: words.number(word) for number, word in become.items()}


def _long(words: Words) -> list[int]:
    """Words that no vector file could hold."""
    perhaps = np.flatnonzero(words.lengths > _LONGEST // 4).tolist()
    return [number for number in perhaps if len(words.word(number).encode()) > _LONGEST]


def _order(spelt: list[str], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    by_letters = np.array(sorted(range(len(spelt)), key=spelt.__getitem__), np.int64)
    return by_letters[np.argsort(-counts[by_letters], kind="stable")]


def text(numbers: NDArray[np.int32], places: NDArray[np.int32]) -> Text:
    """The text in the places of its words; what loses every word is gone."""
    made = Spool(np.int32), Spool(np.int64), Spool(np.int64)
    for cuts in made[1:]:
        cuts.append(np.zeros(1, np.int64))
    before = np.zeros(4, np.int64)
    for at in range(0, len(numbers), _BLOCK):
        block = numbers[at : at + _BLOCK]
        parts = [np.empty(len(block), kind) for kind in (np.int32, np.int64, np.int64)]
        written = kernel.renumber(block, places, before, *parts)
        for spool, part, size in zip(made, parts, written, strict=True):
            spool.append(part[:size])
    return Text(*(spool.finished() for spool in made))
