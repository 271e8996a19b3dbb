"""A baseline: scores and predictions of the current embedding, as one JSON document.

It is the document of `lexiscope run --json`. `predictions` allow a paired comparison with a new
embedding; `sources` are the files of datasets that are not in the catalogue.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.paths import content
from lexiscope.core.policy import Policy
from lexiscope.core.result import WHOLE

_LARGEST = 1 << 28  # bytes; a million predictions are a tenth of it
NEW_BASELINE = "Make a new baseline: lexiscope check VECTORS --save FILE."

_ENCODABLE = r"^[^\ud800-\udfff]*$"  # JSON can hold half a surrogate pair, UTF-8 cannot
Name = Annotated[str, Meta(min_length=1, max_length=1000, pattern=_ENCODABLE)]
Source = Annotated[str, Meta(max_length=4096, pattern=_ENCODABLE)]
Count = Annotated[int, Meta(ge=0, le=1 << 40)]
Number = Annotated[float, Meta(ge=-1e9, le=1e9)]
Level = Annotated[float, Meta(ge=0.5, le=0.9999)]
Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Plain = bool | int | float | str | None
Ranges = tuple[tuple[Count, Count], ...]  # first and last item, inclusive


@dataclass(frozen=True)
class BaselineScore:
    """A score of the baseline: an entry of `results`."""

    embedding: Name
    task: Name
    variant: Name
    dataset: Name
    metric: Name
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
class StoredPredictions:
    """The predictions of one embedding in one evaluation: an entry of `predictions`."""

    embedding: Name
    variant: Name
    dataset: Name
    items: Literal["all"] | Ranges
    predictions: tuple[str | Number, ...]


@dataclass(frozen=True)
class EmbeddingEntry:
    """An embedding of the baseline; dimension 0: not given."""

    name: Name
    dimension: Count = 0


@dataclass(frozen=True)
class Manifest:
    """The part of the manifest that is needed to repeat the evaluations."""

    seed: Seed
    policy: Policy
    embeddings: tuple[EmbeddingEntry, ...]


@dataclass(frozen=True)
class Document:
    """The part of the file that is read; other keys are ignored."""

    results: tuple[BaselineScore, ...]
    manifest: Manifest
    predictions: tuple[StoredPredictions, ...] = ()
    sources: dict[Name, Source] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class BaselineEvaluation:
    """One evaluation: its score, and the predictions if the file has them."""

    score: BaselineScore
    items: NDArray[np.int64] | None = None
    predictions: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Baseline:
    """The evaluations of one embedding, with policy, seed and the files of datasets."""

    path: str
    embedding: str
    evaluations: tuple[BaselineEvaluation, ...]
    policy: Policy
    seed: int
    sources: Mapping[str, str]
    dimension: int = 0


def read(path: Path, embedding: str | None = None) -> Baseline:
    """Read the baseline of one embedding; without a name, of the only one in the file."""
    document = _converted(path, _decoded(path))
    policy = document.manifest.policy
    if policy.vocabulary == "shared":
        raise BadData(
            f"{path}: was evaluated with a shared vocabulary, which depends on the other "
            f"embeddings of that run, so the evaluation cannot be repeated. {NEW_BASELINE}"
        )
    chosen = _chosen(path, [entry.name for entry in document.manifest.embeddings], embedding)
    evaluations = _evaluations(path, document, chosen)
    seed = document.manifest.seed
    sizes = {entry.name: entry.dimension for entry in document.manifest.embeddings}
    return Baseline(str(path), chosen, evaluations, policy, seed, document.sources, sizes[chosen])


def _decoded(path: Path) -> Any:
    try:
        found = content(path, _LARGEST, "a baseline")
    except OSError as problem:
        raise BadData(f"{path}: cannot be read as a baseline ({problem.strerror}).") from None
    try:
        return json.loads(found, parse_constant=_reject_constant)
    except RecursionError:
        raise BadData(f"{path}: is not a baseline (too deeply nested). {NEW_BASELINE}") from None
    except ValueError as problem:
        raise BadData(f"{path}: is not a JSON document ({problem}). {NEW_BASELINE}") from None


def _reject_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _converted(path: Path, found: Any) -> Document:
    try:
        return msgspec.convert(found, Document)
    except (msgspec.ValidationError, LexiscopeError, UnicodeEncodeError) as problem:
        reason = str(problem).rstrip(".")
        raise BadData(
            f"{path}: is not a baseline that this version can read ({reason}). {NEW_BASELINE}"
        ) from None


def _chosen(path: Path, names: Sequence[str], wanted: str | None) -> str:
    if wanted is not None:
        if wanted not in names:
            raise UnknownName("embedding in the baseline", wanted, names)
        return wanted
    if not names:
        raise BadData(f"{path}: names no embedding. {NEW_BASELINE}")
    if len(names) > 1:
        raise BadUsage(f"{path} contains {', '.join(names)}: choose one with --embedding NAME.")
    return names[0]


def _evaluations(path: Path, document: Document, embedding: str) -> tuple[BaselineEvaluation, ...]:
    rows = [
        row for row in document.results
        if row.embedding == embedding and row.main and row.slice == WHOLE
    ]  # fmt: skip
    if not rows:
        raise BadData(f"{path}: contains no score of {embedding}. {NEW_BASELINE}")
    given = [entry for entry in document.predictions if entry.embedding == embedding]
    for entries in (rows, given):
        keys = [(entry.variant, entry.dataset) for entry in entries]
        if len(set(keys)) < len(keys):
            raise BadData(f"{path}: contains an evaluation of {embedding} twice. {NEW_BASELINE}")
    predictions = {(entry.variant, entry.dataset): entry for entry in given}
    return tuple(
        _evaluation(path, row, predictions.get((row.variant, row.dataset))) for row in rows
    )


def _evaluation(
    path: Path, row: BaselineScore, entry: StoredPredictions | None
) -> BaselineEvaluation:
    where = f"{path}: {row.variant} on {row.dataset}"
    _check_consistency(where, row)
    if entry is None:
        return BaselineEvaluation(row)
    number = len(entry.predictions)
    ranges = ((0, number - 1),) if entry.items == "all" else entry.items
    ordered = all(first <= last + 1 for first, last in ranges)
    disjoint = all(before[1] < after[0] for before, after in pairwise(ranges))
    # The sum is checked before the ranges are expanded: a wrong range may be huge.
    complete = sum(last - first + 1 for first, last in ranges) == number == row.used
    if not (ordered and disjoint and complete) or (ranges and ranges[-1][1] >= row.total):
        raise BadData(f"{where}: items and predictions do not match. {NEW_BASELINE}")
    if len({isinstance(each, str) for each in entry.predictions}) > 1:
        raise BadData(f"{where}: the predictions mix numbers and text. {NEW_BASELINE}")
    expanded = [np.arange(first, last + 1) for first, last in ranges]
    items = np.concatenate([np.empty(0, np.int64), *expanded])
    return BaselineEvaluation(row, items, _array(entry.predictions))


def _check_consistency(where: str, row: BaselineScore) -> None:
    low, high = row.low, row.high
    ordered = low is None or high is None or low <= high
    if row.used > row.total or not ordered or (low is None) != (high is None):
        raise BadData(f"{where}: the score is inconsistent. {NEW_BASELINE}")


def _array(given: Sequence[str | float]) -> NDArray[Any]:
    words = [each for each in given if isinstance(each, str)]
    return word_array(words) if words else np.array(given, np.float64)
