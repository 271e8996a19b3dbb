"""The datasets of a baseline: where they are, and whether their content is the same."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.paths import is_file
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData
from lexiscope.evaluation.resolve import resolve_datasets
from lexiscope.regression.baseline import Baseline, BaselineScore


def read_datasets(
    baseline: Baseline,
    tasks: Iterable[tuple[BaselineScore, Task[Any] | None]],
    local_data: LocalData,
    files: Sequence[str],
) -> tuple[Dataset, ...]:
    """The datasets of the evaluations that can be repeated.

    `files` are the paths of datasets that the baseline has no path for.
    """
    known = {each.score.dataset for each in baseline.evaluations}
    for file in files:
        if not {file, Path(file).stem} & known:
            raise UnknownName("dataset in the baseline", file, known)
    found: dict[str, Dataset] = {}
    for score, task in tasks:
        if task is None:
            continue
        if score.dataset not in found:
            source = _source(score.dataset, baseline, files)
            found[score.dataset] = _dataset(source, score, task, local_data)
        _check_content(found[score.dataset], score, baseline.path)
    return tuple(found.values())


def _source(name: str, baseline: Baseline, files: Sequence[str]) -> str:
    """The file given now, the one of the baseline, or the catalogue name."""
    given = [file for file in files if name in (file, Path(file).stem)]
    if given:
        return given[0]
    source = baseline.sources.get(name, "")
    if source and is_file(source):
        return source
    if name in catalogue():
        return name
    missing = f" ({shown(source)} does not exist)" if source else ""
    raise BadData(
        f"{baseline.path}: has no path for the dataset '{name}'{missing}. Give its file with "
        "--dataset FILE."
    )


def _dataset(source: str, score: BaselineScore, task: Task[Any], local_data: LocalData) -> Dataset:
    try:
        (dataset,) = resolve_datasets([source], [task.dataset], local_data)
    except BadUsage as problem:  # the name is from the baseline, not from the command line
        raise BadData(str(problem)) from None
    return replace(dataset, name=score.dataset)


def _check_content(dataset: Dataset, score: BaselineScore, path: str) -> None:
    if (dataset.fingerprint, len(dataset)) != (score.dataset_fingerprint, score.total):
        raise BadData(
            f"The dataset {score.dataset} differs from that of the baseline: sha256 "
            f"{dataset.fingerprint} with {len(dataset):,} items here, {score.dataset_fingerprint} "
            f"with {score.total:,} in {path}."
        )
