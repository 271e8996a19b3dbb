"""Which word does not belong? Intruders among a query and its nearest neighbours.

Schnabel et al. 2015, section 4: the average count of the query and its two nearest neighbours is
taken; walking down the query's neighbours from rank 100, the first word whose count lies within
500 of it is the intruder. The paper leaves open what happens when there is none: the item is then
`Undefined`, and the band is never widened without a word.

Words are rows of a vocabulary, counts their occurrences in the training text.
"""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.display import shown as displayed
from lexiscope.core.errors import BadUsage, Undefined

Places = NDArray[np.int64]

START = 100
BAND = 500


class Item(NamedTuple):
    """Words in the order in which a person sees them, and where among them the intruder stands."""

    words: tuple[str, ...]
    intruder: int


def candidates(
    shown: Sequence[int],
    neighbours: Places,
    words: Sequence[str],
    counts: NDArray[np.int64] | None,
    band: float = BAND,
) -> Places:
    """All words that may be the intruder, nearest first; never none.

    `shown` are the query and its shown neighbours, `neighbours` the query's, nearest first. No
    candidate is a shown word, or one of them in other letters (case, hyphens, plural -s or -es).
    """
    known = _counted(counts)
    average = float(np.mean(known[list(shown)]))
    walk = neighbours[START - 1 :]
    walk = walk[walk >= 0]  # -1 where a vocabulary has fewer words
    walk = walk[np.abs(known[walk] - average) <= band]
    taken = [words[place] for place in shown]
    found = [place for place in walk.tolist() if not _any_like(words[place], taken)]
    if not found:
        raise Undefined(
            f"no neighbour of '{displayed(taken[0])}' from rank {START} on occurs "
            f"{average:,.0f} ± {band:,.0f} times and is not one of the words shown"
        )
    return np.array(found, np.int64)


def first_intruder(
    shown: Sequence[int],
    neighbours: Places,
    words: Sequence[str],
    counts: NDArray[np.int64] | None,
) -> int:
    """The intruder of the paper: the nearest candidate."""
    return int(candidates(shown, neighbours, words, counts)[0])


def drawn_intruder(
    shown: Sequence[int],
    neighbours: Places,
    words: Sequence[str],
    counts: NDArray[np.int64] | None,
    rng: Generator,
) -> int:
    """Any candidate: an embedding then gains nothing from a bad list at rank 100."""
    return int(rng.choice(candidates(shown, neighbours, words, counts)))


def item(shown: Sequence[int], intruder: int, words: Sequence[str], rng: Generator) -> Item:
    """The shown words and the intruder in a random order."""
    order = rng.permutation([*shown, intruder]).tolist()
    return Item(tuple(words[place] for place in order), order.index(intruder))


def alike(one: str, other: str) -> bool:
    """Whether two words are one word in other letters: case, hyphens, plural -s or -es."""
    ours, theirs = sorted((_letters(one), _letters(other)), key=len)
    return theirs in (ours, ours + "s", ours + "es")


def _any_like(word: str, others: Sequence[str]) -> bool:
    return any(alike(word, other) for other in others)


def _letters(word: str) -> str:
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(filter(str.isalnum, folded)) or folded


def _counted(counts: NDArray[np.int64] | None) -> NDArray[np.int64]:
    if counts is None:
        raise BadUsage("Intruders need counts of the training text. Give vectors that have them.")
    # Some libraries number the words downwards where a file has no counts.
    if (
        len(counts) > 2
        and counts[0] - counts[-1] == len(counts) - 1
        and (np.diff(counts) < 0).all()
    ):
        raise BadUsage(
            "These counts fall by one from word to word, so they are made up. "
            "Give vectors with counts of the training text."
        )
    return counts
