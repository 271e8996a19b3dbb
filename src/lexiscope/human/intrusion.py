"""Items of the intrusion task: a query word, its nearest neighbours and an intruder.

Human raters have to find the intruder. Schnabel et al. 2015, section 4: the mean frequency of the
query and its two nearest neighbours is computed. Among the neighbours of the query from rank 100
onwards, the first word whose frequency is within 500 of the mean is the intruder. The paper does
not say what happens if there is none: here the item is `Undefined`.

Words are vocabulary indices, and counts are their frequencies in the training corpus.
"""

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown as displayed
from lexiscope.core.errors import BadUsage, Undefined

Indices = NDArray[np.int64]

FIRST_RANK = 100
MAX_COUNT_DIFFERENCE = 500


def candidates(
    shown: Sequence[int],
    neighbours: Indices,
    words: Sequence[str],
    counts: NDArray[np.int64] | None,
    max_count_difference: float = MAX_COUNT_DIFFERENCE,
) -> Indices:
    """Find all words that can be the intruder, nearest first.

    Raises `Undefined` if there is none. No candidate is a variant of a word that is shown (case,
    hyphens, plural -s or -es).

    Parameters
    ----------
    shown
        The query and its nearest neighbours, as they are shown to raters.
    neighbours
        All neighbours of the query by descending similarity; -1 where there are no more.
    words
        The vocabulary.
    counts
        The frequency of each word of the vocabulary; 0 where it is unknown.
    max_count_difference
        The largest difference of a candidate's frequency from the mean of the shown words.
    """
    known = _check_counts(counts)
    average = float(np.mean(known[list(shown)]))
    ranked = neighbours[FIRST_RANK - 1 :]
    ranked = ranked[ranked >= 0]  # -1 where a vocabulary has fewer words
    ranked = ranked[known[ranked] > 0]
    ranked = ranked[np.abs(known[ranked] - average) <= max_count_difference]
    taken = [words[index] for index in shown]
    found = [index for index in ranked.tolist() if not _any_variant(words[index], taken)]
    if not found:
        raise Undefined(
            f"no neighbour of '{displayed(taken[0])}' from rank {FIRST_RANK} on occurs "
            f"{average:,.0f} ± {max_count_difference:,.0f} times and is not one of the words shown"
        )
    return np.array(found, np.int64)


def first_intruder(
    shown: Sequence[int],
    neighbours: Indices,
    words: Sequence[str],
    counts: NDArray[np.int64] | None,
    max_count_difference: float = MAX_COUNT_DIFFERENCE,
) -> int:
    """Return the intruder of the paper: the nearest candidate."""
    return int(candidates(shown, neighbours, words, counts, max_count_difference)[0])


def are_variants(one: str, other: str) -> bool:
    """Return whether two words differ in case, hyphens, or a plural -s or -es only.

    >>> are_variants("Box", "boxes"), are_variants("box", "fox")
    (True, False)
    """
    ours, theirs = sorted((_letters(one), _letters(other)), key=len)
    return theirs in (ours, ours + "s", ours + "es")


def _any_variant(word: str, others: Sequence[str]) -> bool:
    return any(are_variants(word, other) for other in others)


def _letters(word: str) -> str:
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(filter(str.isalnum, folded)) or folded


def _check_counts(counts: NDArray[np.int64] | None) -> NDArray[np.int64]:
    if counts is None:
        raise BadUsage(
            "Intruders need word frequencies of the training corpus. Use vectors that have them."
        )
    # Some libraries write descending numbers if they have no counts.
    if (
        len(counts) > 2
        and counts[0] - counts[-1] == len(counts) - 1
        and (np.diff(counts) < 0).all()
    ):
        raise BadUsage(
            "These counts fall by one from word to word, so they are no frequencies. "
            "Use vectors with word frequencies of the training corpus."
        )
    return counts
