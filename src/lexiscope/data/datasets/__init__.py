"""Dataset files: one module per kind, found by the name of the kind.

Each module has `read(path, name)`. Kinds whose published datasets come in several files also have
`read_published(paths, name)`. A module that needs a table of fillers sets `takes_fillers`.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from lexiscope.core.datasets.base import Dataset
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.datasets.diagnosis import diagnose
from lexiscope.data.datasets.formats.columns import LABEL, PHRASE, TEXT, TYPES
from lexiscope.data.datasets.formats.tables import main_separator, text_lines

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
        suggest; if they suggest none, it shows the first line and names headers.
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
    raise (
        diagnose(path, problems, lambda kind, part: read(kind, part, name, fillers))
        or _of_marked(problems, [kind.kind for kind in likely])
        or _unrecognised(path, problems)
    )


def _of_marked(problems: Mapping[str, BadData], likely: Iterable[str]) -> BadData | None:
    """The error of the only kind whose markers the file has."""
    marked = [kind for kind in likely if kind in _MARKERS]
    return problems[marked[0]] if len(marked) == 1 else None


_HEADERS = {
    "pairs": "word1,word2,rating",
    "categories": "word,label",
    "texts": "text,label",
    "analogies": "a,b,c,d",
    "relations": "source,target,relation",
    "entities": "word,types",
    "phrases": "adjective,noun,label",
    "preferences": "head,slot,word,rating",
}


def _unrecognised(path: Path, problems: Mapping[str, BadData]) -> BadData:
    """The error for a file that resembles no kind: its first line, and headers that would do."""
    first, *_ = rows = [line for line in text_lines(path) if line.strip()]
    separator = main_separator(rows)
    if "categories" in problems and first.count(separator or " ") == 1:
        return problems["categories"]
    names = [f"{header} for {kind}" for kind, header in _HEADERS.items() if kind in problems]
    return BadData(
        f"{path}: begins with '{shown(first, 60)}', which no chosen task can read. Add a header "
        f"that names the columns: {'; '.join(names[:4])}."
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
