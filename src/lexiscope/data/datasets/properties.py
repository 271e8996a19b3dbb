"""Words with weighted properties, plain or compressed, in one of three formats.

- a table with a header that names the properties, and a word and its numbers on each line;
- the format of the published matrices: a word, a tab and a JSON object of properties;
- WordNet's list of sense counts, from which supersenses are counted.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from lexiscope.core.datasets.properties import Properties
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data.datasets.formats import supersenses as _supersenses
from lexiscope.data.datasets.formats.columns import number_field, word_field
from lexiscope.data.datasets.formats.tables import Row, is_number, rows_of, unpacked_lines

_MOST = 20_000_000  # non-zero numbers
_MOST_PROPERTIES = 10_000


def read(path: Path, name: str) -> Properties:
    """Read the words of a file with their properties; no word may occur twice."""
    lines = unpacked_lines(path)
    first = next((line for line in lines if line.strip()), "")
    if _supersenses.is_list(first):
        return _dataset(path, name, _supersenses.proportions(path, lines))
    pairs = _objects(path, lines) if _is_object(first) else _table(path, lines)
    found: dict[str, dict[str, float]] = {}
    seen: dict[str, int] = {}
    for line, word, row in pairs:
        if word in found:
            raise BadData(
                f"{path}:{line}: '{shown(word)}' is on line {seen[word]} already. A word must have "
                "one row; add the two rows or delete one."
            )
        found[word], seen[word] = row, line
    return _dataset(path, name, found)


def _dataset(path: Path, name: str, found: dict[str, dict[str, float]]) -> Properties:
    if not found:
        raise BadData(f"{path}: contains no words.")
    numbers = sum(map(len, found.values()))
    if numbers > _MOST or len({p for row in found.values() for p in row}) > _MOST_PROPERTIES:
        raise TooLarge(
            f"{path}: more than {_MOST:,} numbers or {_MOST_PROPERTIES:,} properties. Remove some "
            "of them."
        )
    if all(map(is_number, found)):
        raise BadData(
            f"{path}: the first column has numbers instead of words. Put the words first, and a "
            "header that names the columns."
        )
    if not any(amount for row in found.values() for amount in row.values()):
        raise BadData(f"{path}: no word has a property; all numbers are 0.")
    return Properties.of(name, found)


def _is_object(line: str) -> bool:
    return line.partition("\t")[2].lstrip().startswith("{")


def _objects(path: Path, lines: list[str]) -> Iterator[tuple[int, str, dict[str, float]]]:
    """A word, a tab and a JSON object on each line; here # is an ordinary word."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        word, tab, text = line.partition("\t")
        row = _object(text) if tab and word else None
        if row is None:
            raise BadData(
                f"{path}:{number}: expected a word, a tab and an object of numbers by property "
                f"in JSON, found '{shown(line, 40)}'."
            )
        yield number, word, row


def _object(text: str) -> dict[str, float] | None:
    try:
        found = json.loads(text, parse_constant=_refused, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(map(_is_amount, found.values())):
        return None
    return {key: float(value) for key, value in found.items()}


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _refused(constant: str) -> NoReturn:
    raise ValueError(constant)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a property occurs twice")
    return dict(pairs)


def _table(path: Path, lines: list[str]) -> Iterator[tuple[int, str, dict[str, float]]]:
    found = list(rows_of(path, lines))
    if not found:  # nothing but comments
        return
    header, *table = found
    names = _names(path, header)
    for row in table:
        if len(row.fields) != len(header.fields):
            raise BadData(
                f"{path}:{row.line}: expected a word and {len(names)} numbers, found "
                f"{len(row.fields)} field{'s' * (len(row.fields) != 1)}."
            )
        word = word_field(path, row, 0, "word")
        amounts = (number_field(path, row, column, name) for column, name in enumerate(names, 1))
        yield row.line, word, {n: a for n, a in zip(names, amounts, strict=True) if a}


def _names(path: Path, header: Row) -> list[str]:
    names = header.fields[1:]
    if not names or all(map(is_number, names)):
        raise BadData(
            f"{path}:{header.line}: expected a header that names the properties after the word, "
            f"found '{shown(' '.join(header.fields), 40)}'."
        )
    if not all(names):
        raise BadData(f"{path}:{header.line}: a property has no name.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadData(f"{path}:{header.line}: two properties are called '{shown(twice)}'.")
    return names
