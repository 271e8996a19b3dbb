"""Balanced sets of words in two classes."""

from collections.abc import Callable, Iterable

from lexiscope.data.derived._hash_order import hash_order

OTHER = "other"


def matched(
    members: Iterable[str], others: Iterable[str], band: Callable[[str], int], label: str, most: int
) -> list[tuple[str, ...]]:
    """Return members of a class with as many other words, each pair in one frequency band.

    Frequency therefore does not predict the class.

    Parameters
    ----------
    members, others : iterable of str
        The words to choose from.
    band : callable
        Gives the frequency band of a word.
    label : str
        The label of the members; it also determines the order in which words are chosen.
    most : int
        The largest number of words of each class.

    Returns
    -------
    list of (word, label), in alphabetical order
    """
    by_band: dict[int, list[str]] = {}
    for word in reversed(hash_order(others, f"not {label}")):
        by_band.setdefault(band(word), []).append(word)
    rows: list[tuple[str, ...]] = []
    for word in hash_order(members, label):
        free = by_band.get(band(word))
        if free and len(rows) < 2 * most:
            rows += [(word, label), (free.pop(), OTHER)]
    return sorted(rows)
