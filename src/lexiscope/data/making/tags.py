"""A matrix of words and parts of speech, counted in tagged text.

Tsvetkov et al. 2015, section 6, name such a matrix for what vectors know of syntax.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._tables import unpacked_lines


def shares(paths: Iterable[Path], fewest: int) -> dict[str, dict[str, float]]:
    """The share of every tag that each word has, for words that are tagged often enough.

    Words are in lower case and in alphabetical order, as the tags are.
    """
    counts: dict[str, Counter[str]] = {}
    for path in paths:
        for word, tag in tokens(path):
            counts.setdefault(word.lower(), Counter())[tag] += 1
    often = {word: counts[word] for word in sorted(counts) if counts[word].total() >= fewest}
    if not often:
        raise BadData(f"No word is tagged {fewest} times or more. Give more text, or --fewest 1.")
    return {
        word: {tag: each[tag] / each.total() for tag in sorted(each)}
        for word, each in often.items()
    }


def table(found: Mapping[str, Mapping[str, float]]) -> bytes:
    """The file of a matrix, a word and an object on each line: # may be a word."""
    lines = (f"{word}\t{json.dumps(row)}\n" for word, row in found.items())
    return "".join(lines).encode()


def tokens(path: Path) -> Iterator[tuple[str, str]]:
    """The words of a tagged text with their tags.

    Either word/TAG between spaces, or a word and its tag in the first two columns of a line; then
    all lines have as many columns.
    """
    lines = unpacked_lines(path)
    first = next(line for line in lines if line.strip()).split()
    slashed = 2 * sum("/" in token for token in first) > len(first)
    for number, line in enumerate(lines, 1):
        uneven = not slashed and len(line.split()) not in (0, len(first))
        for word, tag in _slashed(line) if slashed else _columns(line):
            if not word or not tag or "\t" in word or uneven:
                raise BadData(
                    f"{path}:{number}: expected a word and its tag, found '{shown(line, 40)}'. "
                    "Tagged text is word/TAG between spaces, or a word and a tag on each line."
                )
            yield word, tag


def _slashed(line: str) -> Iterator[tuple[str, str]]:
    for token in line.split():
        word, _, tag = token.rpartition("/")
        yield word, tag


def _columns(line: str) -> Iterator[tuple[str, str]]:
    fields = line.split()
    if fields:
        yield fields[0], fields[1] if len(fields) > 1 else ""
