"""A baseline: what the embedding in use answered, kept as one JSON document in a repository.

It is the document of `lexiscope run --json`. With `answers` in it a new embedding is compared item
by item, with `sources` it also says where datasets that have no name in the catalogue are.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from lexiscope.core.dataset import word_array
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, TooLarge, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE
from lexiscope.data.files import replacing
from lexiscope.store.store import Store

_LARGEST = 1 << 28  # bytes; the answers to a million questions are a tenth of it
ANEW = "Make the baseline anew: lexiscope check VECTORS --save FILE."

Name = Annotated[str, Meta(min_length=1, max_length=1000)]
Count = Annotated[int, Meta(ge=0, le=1 << 40)]
Number = Annotated[float, Meta(ge=-1e9, le=1e9)]
Level = Annotated[float, Meta(ge=0.5, le=0.9999)]
Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Plain = bool | int | float | str | None
Ranges = tuple[tuple[Count, Count], ...]  # first and last item, both counted


@dataclass(frozen=True)
class Row:
    """A score of the baseline, as `results` has it."""

    embedding: Name
    task: Name
    variant: Name
    dataset: Name
    measure: Name
    slice: Name
    value: Number | None
    low: Number | None
    high: Number | None
    used: Count
    total: Count
    state: str
    settings: dict[str, Plain | tuple[Plain, ...]]
    level: Level
    main: bool
    task_version: int
    dataset_fingerprint: Name


@dataclass(frozen=True)
class Given:
    """The answers of one cell, as `answers` has them."""

    embedding: Name
    variant: Name
    dataset: Name
    items: Literal["all"] | Ranges
    given: tuple[str | Number, ...]


@dataclass(frozen=True)
class Named:
    """An embedding of the baseline; 0 dimensions: the file does not say how many."""

    name: Name
    dimension: Count = 0


@dataclass(frozen=True)
class Manifest:
    """How the baseline was asked."""

    seed: Seed
    policy: Policy
    embeddings: tuple[Named, ...]


@dataclass(frozen=True)
class Document:
    """What of the file is needed; the rest is for people."""

    results: tuple[Row, ...]
    manifest: Manifest
    answers: tuple[Given, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Question:
    """What was asked, its score, and the answers where the file has them."""

    row: Row
    items: NDArray[np.int64] | None = None
    given: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Baseline:
    """One embedding's questions, how they were asked, and where datasets without a name are."""

    path: str
    embedding: str
    questions: tuple[Question, ...]
    policy: Policy
    seed: int
    sources: Mapping[str, str]
    dimension: int = 0


def answers_of(store: Store, run: str) -> list[dict[str, Any]]:
    """The answers of a run under its own policy, one entry per cell, fit for JSON."""
    policy = Policy(**store.run(run)["policy"])
    cells = [cell for cell in store.cells(run) if Policy(**cell["policy"]) == policy]
    return [_entry(cell, *store.answers(cell["id"])) for cell in cells]


def _entry(cell: dict[str, Any], items: NDArray[np.int64], given: NDArray[Any]) -> dict[str, Any]:
    return {
        "embedding": cell["embedding_name"],
        "task": cell["task"],
        "variant": cell["variant"],
        "settings": cell["settings"],
        "dataset": cell["dataset_name"],
        "dataset_fingerprint": cell["dataset"],
        "items": "all" if len(items) == cell["total"] else _ranges(items),
        "given": given.tolist(),
    }


def _ranges(items: NDArray[np.int64]) -> list[list[int]]:
    runs = np.split(items, np.flatnonzero(np.diff(items) != 1) + 1)
    return [[int(run[0]), int(run[-1])] for run in runs if len(run)]


def write(
    path: Path,
    document: Mapping[str, Any],
    answers: Iterable[Mapping[str, Any]],
    sources: Mapping[str, str],
) -> None:
    """Write a run's document with its answers, those of a cell in one line."""
    head = json.dumps({**document, "sources": dict(sources)}, indent=2).removesuffix("\n}")
    lines = ",\n    ".join(json.dumps(entry) for entry in answers)
    with replacing(path) as file:
        file.write(f'{head},\n  "answers": [\n    {lines}\n  ]\n}}\n'.encode())


def read(path: Path, embedding: str | None = None) -> Baseline:
    """The baseline of one embedding; of the only one in the file when none is named."""
    document = _converted(path, _decoded(path))
    policy = document.manifest.policy
    if policy.vocabulary == "shared":
        raise BadData(
            f"{path}: was asked with a shared vocabulary, which depends on the other embeddings "
            f"of that run, so it cannot be asked again. {ANEW}"
        )
    chosen = _chosen(path, [entry.name for entry in document.manifest.embeddings], embedding)
    questions = _questions(path, document, chosen)
    seed = document.manifest.seed
    sizes = {entry.name: entry.dimension for entry in document.manifest.embeddings}
    return Baseline(str(path), chosen, questions, policy, seed, document.sources, sizes[chosen])


def _decoded(path: Path) -> Any:
    try:
        if path.stat().st_size > _LARGEST:
            raise TooLarge(f"{path}: is larger than {_LARGEST >> 20} MB, which no baseline is.")
        content = path.read_bytes()
    except OSError as problem:
        raise BadData(f"{path}: cannot be read as a baseline ({problem.strerror}).") from None
    try:
        return json.loads(content, parse_constant=_refused)
    except RecursionError:
        raise BadData(f"{path}: is not a baseline (too deeply nested). {ANEW}") from None
    except ValueError as problem:
        raise BadData(f"{path}: is not a JSON document ({problem}). {ANEW}") from None


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _converted(path: Path, found: Any) -> Document:
    try:
        return msgspec.convert(found, Document)
    except (msgspec.ValidationError, LexiscopeError) as problem:
        told = str(problem).rstrip(".")
        raise BadData(
            f"{path}: is not a baseline that this version can read ({told}). {ANEW}"
        ) from None


def _chosen(path: Path, names: Sequence[str], wanted: str | None) -> str:
    if wanted is not None:
        if wanted not in names:
            raise UnknownName("embedding in the baseline", wanted, names)
        return wanted
    if not names:
        raise BadData(f"{path}: names no embedding. {ANEW}")
    if len(names) > 1:
        raise BadUsage(f"{path} holds {', '.join(names)}: choose one with --embedding NAME.")
    return names[0]


def _questions(path: Path, document: Document, embedding: str) -> tuple[Question, ...]:
    rows = [
        row for row in document.results
        if row.embedding == embedding and row.main and row.slice == WHOLE
    ]  # fmt: skip
    if not rows:
        raise BadData(f"{path}: holds no score of {embedding}. {ANEW}")
    given = [entry for entry in document.answers if entry.embedding == embedding]
    for entries in (rows, given):
        keys = [(entry.variant, entry.dataset) for entry in entries]
        if len(set(keys)) < len(keys):
            raise BadData(f"{path}: holds a question of {embedding} twice. {ANEW}")
    answers = {(entry.variant, entry.dataset): entry for entry in given}
    return tuple(_question(path, row, answers.get((row.variant, row.dataset))) for row in rows)


def _question(path: Path, row: Row, entry: Given | None) -> Question:
    where = f"{path}: {row.variant} on {row.dataset}"
    _must_be_possible(where, row)
    if entry is None:
        return Question(row)
    number = len(entry.given)
    ranges = ((0, number - 1),) if entry.items == "all" else entry.items
    rising = all(first <= last + 1 for first, last in ranges)
    apart = all(before[1] < after[0] for before, after in pairwise(ranges))
    # The sum is looked at before the ranges are spelt out: a range may be a lie.
    whole = sum(last - first + 1 for first, last in ranges) == number == row.used
    if not (rising and apart and whole) or (ranges and ranges[-1][1] >= row.total):
        raise BadData(f"{where}: the items do not fit the answers. {ANEW}")
    if len({isinstance(answer, str) for answer in entry.given}) > 1:
        raise BadData(f"{where}: the answers are numbers and words mixed. {ANEW}")
    spelt = [np.arange(first, last + 1) for first, last in ranges]
    items = np.concatenate([np.empty(0, np.int64), *spelt])
    return Question(row, items, _column(entry.given))


def _must_be_possible(where: str, row: Row) -> None:
    low, high = row.low, row.high
    ordered = low is None or high is None or low <= high
    if row.used > row.total or not ordered or (low is None) != (high is None):
        raise BadData(f"{where}: the score contradicts itself. {ANEW}")


def _column(given: Sequence[str | float]) -> NDArray[Any]:
    words = [answer for answer in given if isinstance(answer, str)]
    return word_array(words) if words else np.array(given, np.float64)
