"""The catalogue: the datasets and vectors with a name, their licences and their sources."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from types import MappingProxyType
from typing import Any, Literal

from lexiscope.core.errors import UnknownName

OTHER_KINDS = ("norms", "vectors", "corpus", "samples", "lexicon", "wordnet", "thesaurus",
               "word sets")  # fmt: skip


@dataclass(frozen=True)
class File:
    """One file of an entry in one source, with checksum and size.

    `member` is its path in the package, `url` its address; without both, the file is the package.
    """

    name: str
    sha256: str
    size: int
    member: str = ""
    url: str = ""


@dataclass(frozen=True)
class Origin:
    """A source of the files of an entry: members of a package, URLs, or another entry.

    A derived file is computed by `data/derived/RECIPE.py` from the entry `derived_from`; a recipe
    MODULE:VARIANT has several files. Its checksum detects changes of the recipe's output.
    """

    via: Literal["pypi", "npm", "debian", "url", "derived"]
    files: tuple[File, ...]
    package: str = ""
    version: str = ""
    size: int = 0
    derived_from: str = ""
    recipe: str = ""

    def __str__(self) -> str:
        if self.via == "derived":
            return f"derived from {self.derived_from}"
        return (
            self.files[0].url if self.via == "url" else f"{self.via} {self.package} {self.version}"
        )


@dataclass(frozen=True)
class Fillers:
    """The corpus and WordNet from which a table of slot fillers is derived, and its checksum."""

    corpus: str
    wordnet: str
    sha256: str


@dataclass(frozen=True)
class Entry:
    """A dataset, vector file, corpus, lexicon or WordNet with a name.

    `kind` is one of `core.datasets.KINDS` or of `OTHER_KINDS`.
    """

    name: str
    kind: str
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

    @property
    def only_for_curves(self) -> bool:
        """Whether the dataset is for learning curves; a task evaluates it only if it is named."""
        return bool(self.suites) and all(suite.startswith("curves") for suite in self.suites)


Catalogue = MappingProxyType[str, Entry]


@cache
def catalogue() -> Catalogue:
    """Return every entry by name, in the order of the file."""
    import msgspec

    text = (resources("lexiscope.data") / "catalogue.toml").read_text("utf-8")
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    entries = [msgspec.convert({**table, "name": name}, Entry) for name, table in tables.items()]
    return MappingProxyType({entry.name: entry for entry in entries})


@cache
def suites() -> MappingProxyType[str, tuple[Entry, ...]]:
    """Return the entries of every suite, in the order of the catalogue."""
    found: dict[str, tuple[Entry, ...]] = {}
    for entry in catalogue().values():
        for suite in entry.suites:
            found[suite] = (*found.get(suite, ()), entry)
    return MappingProxyType(found)


def chosen(names: Iterable[str]) -> list[Entry]:
    """Return the entries with these names or in these suites, in order and without repeats."""
    known, in_suite = catalogue(), suites()
    found: dict[str, Entry] = {}
    for name in names:
        if name not in known and name not in in_suite:
            raise UnknownName("dataset or suite", name, [*known, *in_suite])
        for entry in [known[name]] if name in known else in_suite[name]:
            found[entry.name] = entry
    return list(found.values())
