"""Dataset files: one module per kind, found by the name of the kind.

Each module has `read(path, name)`. Kinds whose published datasets come in several files also have
`read_published(paths, name)`. A module that needs a table of fillers sets `takes_fillers`.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from lexiscope.core.datasets.base import Dataset
from lexiscope.core.errors import BadData


def read(kind: str, path: Path, name: str, fillers: Path | None = None) -> Dataset:
    """Read a file as a dataset of this kind.

    Parameters
    ----------
    kind : str
        One of `lexiscope.core.datasets.KINDS`.
    path : Path
        The file.
    name : str
        The name of the dataset.
    fillers : Path, optional
        Table of typical fillers, for selectional preferences only.
    """
    module = _reader(kind)
    options = {"fillers": fillers} if getattr(module, "takes_fillers", False) else {}
    dataset: Dataset = module.read(path, name, **options)
    return dataset


def read_any(
    kinds: Iterable[type[Dataset]], path: Path, name: str, fillers: Path | None = None
) -> Dataset:
    """Read a file as the first of these kinds that accepts it, strict formats first.

    Raises
    ------
    BadData
        If no kind accepts the file; the message has the reason for each kind.
    """
    problems: list[tuple[str, BadData]] = []
    for kind in by_priority(kinds):
        try:
            return read(kind.kind, path, name, fillers)
        except BadData as problem:
            problems.append((kind.kind, problem))
    if len({str(problem) for _, problem in problems}) == 1:
        raise problems[0][1]
    reasons = " ".join(f"As {kind}: {problem}" for kind, problem in problems)
    raise BadData(f"{path}: none of the chosen tasks can read it. {reasons}")


def by_priority(kinds: Iterable[type[Dataset]]) -> tuple[type[Dataset], ...]:
    """Return the distinct kinds in the order in which a file is read, strict formats first."""
    return tuple(sorted(dict.fromkeys(kinds), key=lambda kind: kind.read_priority))


def read_published(
    kind: str, paths: Sequence[Path], name: str, fillers: Path | None = None
) -> Dataset:
    """Read a dataset of the catalogue from its files in their published form."""
    module = _reader(kind)
    if not hasattr(module, "read_published"):
        return read(kind, paths[0], name, fillers)
    dataset: Dataset = module.read_published(paths, name)
    return dataset


def _reader(kind: str) -> ModuleType:
    return import_module(f"lexiscope.data.datasets.{kind.replace(' ', '_')}")
