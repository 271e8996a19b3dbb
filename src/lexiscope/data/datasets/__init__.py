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
from lexiscope.data.datasets.diagnosis import diagnose
from lexiscope.data.datasets.formats.columns import LABEL, PHRASE, TEXT, TYPES

_HEAD_BYTES = 1 << 16
# Text without which a file cannot be of a kind: one string of each group, in the first lines or in
# the file name. Such files are not parsed as this kind; the readers still decide.
_MARKERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "sentences": (("test", "dev"),),  # in the name: the training file is named after it
    "texts": (TEXT, LABEL),
    "phrases": tuple((column,) for column in PHRASE),
    "entities": ((*TYPES, "/m/"),),  # or FIGMENT's identifiers
}


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
        If no kind accepts the file. The message is that of the kind that the header or most rows
        suggest; if they suggest none, it has the reason for each kind.
    """
    problems: dict[str, BadData] = {}
    ordered = by_priority(kinds)
    likely = [kind for kind in ordered if _has_markers(kind.kind, path)]
    # The others cannot accept the file; they are only read for the reasons in the error.
    for kind in (*likely, *(kind for kind in ordered if kind not in likely)):
        try:
            return read(kind.kind, path, name, fillers)
        except BadData as problem:
            problems[kind.kind] = problem
    if len({str(problem) for problem in problems.values()}) == 1:
        raise next(iter(problems.values()))
    raise diagnose(path, problems, lambda kind, part: read(kind, part, name, fillers)) or BadData(
        f"{path}: none of the chosen tasks can read it. "
        + " ".join(f"As {kind}: {problem}" for kind, problem in problems.items())
    )


def _has_markers(kind: str, path: Path) -> bool:
    """Whether a file contains what every file of this kind contains."""
    if kind not in _MARKERS:
        return True
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:  # the reader reports it
        return True
    text = (path.name if kind == "sentences" else head).casefold()
    return all(any(marker in text for marker in group) for group in _MARKERS[kind])


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
