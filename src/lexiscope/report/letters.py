"""Compact letter display: two embeddings that share a letter are not significantly different."""

from collections.abc import Sequence
from string import ascii_letters


def letters(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """The letters of each member of the groups; empty if there is nothing to compare."""
    marks: dict[str, str] = {}
    for index, group in enumerate(groups):
        mark = ascii_letters[index] if index < len(ascii_letters) else f"({index + 1})"
        for member in group:
            marks[member] = marks.get(member, "") + mark
    return marks if sum(map(len, groups)) > 1 else {}
