"""Groups of embeddings as letters: two with a letter in common cannot be told apart."""

from collections.abc import Sequence
from string import ascii_letters


def letters(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """The letters of each member; none where there is nothing to tell apart."""
    marks: dict[str, str] = {}
    for place, group in enumerate(groups):
        mark = ascii_letters[place] if place < 52 else f"({place + 1})"
        for member in group:
            marks[member] = marks.get(member, "") + mark
    return marks if sum(map(len, groups)) > 1 else {}
