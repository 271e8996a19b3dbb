"""Part-of-speech distributions of words, counted in tagged text.

Tsvetkov et al. 2015, section 6, propose such a matrix to evaluate syntactic content.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.formats.tables import unpacked_lines


def tag_proportions(paths: Iterable[Path], min_count: int) -> dict[str, dict[str, float]]:
    """Return the proportion of each tag among the occurrences of each word.

    Words are in lower case; words and tags are in alphabetical order.

    Parameters
    ----------
    paths : iterable of Path
        Tagged texts.
    min_count : int
        Leave out words that occur less often.
    """
    counts: dict[str, Counter[str]] = {}
    for path in paths:
        for word, tag in tokens(path):
            counts.setdefault(word.lower(), Counter())[tag] += 1
    frequent = {word: counts[word] for word in sorted(counts) if counts[word].total() >= min_count}
    if not frequent:
        raise BadData(
            f"No word is tagged {min_count} times or more. Give more text, or --min-count 1."
        )
    return {
        word: {tag: each[tag] / each.total() for tag in sorted(each)}
        for word, each in frequent.items()
    }


def table(found: Mapping[str, Mapping[str, float]]) -> bytes:
    """Return the file of a matrix: a word and a JSON object per line, so that # can be a word."""
    lines = (f"{word}\t{json.dumps(row)}\n" for word, row in found.items())
    return "".join(lines).encode()


def tokens(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the words of a tagged text with their tags.

    The format is word/TAG separated by spaces, or columns with a word and its tag in the first
    two; then all lines must have the same number of columns.
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
                    "Tagged text is word/TAG separated by spaces, or a word and a tag on each line."
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
