"""Sets of words and the association tests that compare them, from TOML, JSON or CSV.

TOML and JSON have the same structure:

    [sets]
    flowers = ["aster", "tulip"]
    ...

    [[tests]]
    name = "flowers and insects"
    targets = ["flowers", "insects"]
    attributes = ["pleasant", "unpleasant"]

A CSV file has a word per row: the columns test, role (X, Y, A or B), set and word.
"""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, UnknownName
from lexiscope.core.paths import exists
from lexiscope.data.catalogue import catalogue
from lexiscope.data.datasets.formats.columns import (
    column_index,
    header_names,
    read_table,
    word_field,
)
from lexiscope.data.datasets.formats.tables import text_of
from lexiscope.data.local_data import LocalData

KIND = "word sets"
ROLES = ("X", "Y", "A", "B")
_COLUMNS = ("test", "role", "set", "word")
Two = Annotated[list[str], Meta(min_length=2, max_length=2)]


class WordSet(NamedTuple):
    """Different words with a name."""

    name: str
    words: tuple[str, ...]


class AssociationTest(NamedTuple):
    """Two sets of targets and two sets of attributes."""

    name: str
    targets: tuple[WordSet, WordSet]
    attributes: tuple[WordSet, WordSet]

    @property
    def sets(self) -> tuple[WordSet, WordSet, WordSet, WordSet]:
        """X, Y, A and B."""
        return (*self.targets, *self.attributes)


class _Test(Struct, forbid_unknown_fields=True):
    name: str
    targets: Two
    attributes: Two


class _File(Struct, forbid_unknown_fields=True):
    sets: dict[str, list[str]]
    tests: Annotated[list[_Test], Meta(min_length=1)]


def read_tests(source: str | Path, local_data: LocalData) -> tuple[AssociationTest, ...]:
    """Read association tests from a file, or from the catalogue by name."""
    name = str(source)
    if not exists(source):
        known = [entry.name for entry in catalogue().values() if entry.kind == KIND]
        if name not in known:
            raise UnknownName("file or catalogue entry of word sets", shown(name), known)
        path = local_data.paths(name)[0]
        return _tests(path, _completed(path, name))
    path = Path(source)
    if path.suffix in (".csv", ".tsv"):
        return _from_table(path)
    return _tests(path, _converted(path, _parsed(path)))


def _completed(path: Path, name: str) -> _File:
    """The sets of a published file, which has no tests, with the tests of its paper."""
    from importlib.resources import files as resources

    found = resources("lexiscope.data") / f"{name}_tests.toml"
    tests = tomllib.loads(found.read_text("utf-8"))
    return _converted(path, {"sets": _parsed(path), **tests})


def _parsed(path: Path) -> Any:
    text = text_of(path)
    try:
        return json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as problem:
        kind = "JSON" if path.suffix == ".json" else "TOML"
        raise BadData(f"{path}: is not {kind}: {shown(str(problem), 200)}.") from None


def _converted(path: Path, content: Any) -> _File:
    try:
        return msgspec.convert(content, _File)
    except msgspec.ValidationError as problem:
        raise BadData(
            f"{path}: {shown(str(problem), 200)}. Word sets are a table `sets` of lists of words "
            "and a list `tests` with name, targets and attributes, of two sets each."
        ) from None


def _tests(path: Path, content: _File) -> tuple[AssociationTest, ...]:
    def named(name: str) -> WordSet:
        if name not in content.sets:
            raise UnknownName(f"set in {path}", shown(name), map(shown, content.sets))
        return _word_set(path, name, content.sets[name])

    return tuple(
        _checked(
            path,
            AssociationTest(
                test.name,
                (named(test.targets[0]), named(test.targets[1])),
                (named(test.attributes[0]), named(test.attributes[1])),
            ),
        )
        for test in content.tests
    )


def _word_set(path: Path, name: str, words: list[str]) -> WordSet:
    found = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
    if not found:
        raise BadData(f"{path}: the set '{shown(name)}' has no words.")
    return WordSet(name, found)


def _checked(path: Path, test: AssociationTest) -> AssociationTest:
    for role, (first, second) in (("targets", test.targets), ("attributes", test.attributes)):
        both = [word for word in first.words if word in second.words]
        if both:
            raise BadData(
                f"{path}: '{shown(both[0])}' is in both {role} of the test '{shown(test.name)}'. "
                "Keep it in one set."
            )
    return test


def _from_table(path: Path) -> tuple[AssociationTest, ...]:
    table = read_table(path, "words")
    names = header_names(path, table[0])
    columns = {name: column_index(names, (name,)) for name in _COLUMNS}
    if None in columns.values():
        raise BadData(f"{path}:{table[0].line}: the header must name {', '.join(_COLUMNS)}.")
    tests: dict[str, dict[str, tuple[str, list[str]]]] = {}
    for row in table[1:]:
        test, role, name, word = (
            word_field(path, row, column, what)
            for what, column in columns.items()
            if column is not None
        )
        if role not in ROLES:
            raise BadData(f"{path}:{row.line}: a role is X, Y, A or B, found '{shown(role)}'.")
        kept = tests.setdefault(test, {}).setdefault(role, (name, []))
        if kept[0] != name:
            raise BadData(f"{path}:{row.line}: {role} of '{shown(test)}' has two names.")
        kept[1].append(word)
    return tuple(_from_rows(path, test, sets) for test, sets in tests.items())


def _from_rows(path: Path, name: str, sets: Mapping[str, tuple[str, list[str]]]) -> AssociationTest:
    absent = [role for role in ROLES if role not in sets]
    if absent:
        raise BadData(f"{path}: the test '{shown(name)}' has no words with the role {absent[0]}.")
    x, y, a, b = (_word_set(path, *sets[role]) for role in ROLES)
    return _checked(path, AssociationTest(name, (x, y), (a, b)))
