"""A new baseline: the results of a run, its predictions, and the files of its datasets."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.data.atomic_write import replacing
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.resolve import resolve, words_of
from lexiscope.evaluation.results import Results
from lexiscope.evaluation.run import execute_in
from lexiscope.store.store import Store


class NewBaseline(NamedTuple):
    """The results of a run, its predictions, and the files of its datasets by name."""

    results: Results
    predictions: list[dict[str, Any]]
    sources: dict[str, str]


def create_baseline(
    vectors: Sequence[Any],
    tasks: Sequence[str],
    datasets: Sequence[str],
    inputs: Inputs,
    execution: Execution,
    language: str = "",
) -> NewBaseline:
    """Evaluate embeddings, and keep what a baseline needs."""
    local_data, policy = inputs.local_data, Policy(language=language)
    given = [resolve(tasks, [source], [], local_data)[1][0] for source in datasets]
    chosen, items = resolve(tasks, given, [], local_data, language=policy.language)
    files = {
        dataset.fingerprint: source
        for dataset, source in zip(given, datasets, strict=True)
        if Path(source).is_file()
    }
    reading = Reading(local_data=local_data)
    embeddings = embeddings_from(list(vectors), words_of(items, policy), reading)
    plan = Plan(embeddings, chosen, items, (policy,), 0)
    with Store(execution.store) as store:
        results = execute_in(store, plan if tasks else plan.applicable(), execution)
        predictions = predictions_of(store, results.run)
    sources = {item.name: files[item.fingerprint] for item in items if item.fingerprint in files}
    return NewBaseline(results, predictions, sources)


def predictions_of(store: Store, run: str) -> list[dict[str, Any]]:
    """The predictions of a run under its own policy, one entry for each cell, ready for JSON."""
    policy = Policy(**store.run(run)["policy"])
    cells = [cell for cell in store.cells(run) if Policy(**cell["policy"]) == policy]
    return [_entry(cell, *store.predictions(cell["id"])) for cell in cells]


def _entry(
    cell: dict[str, Any], items: NDArray[np.int64], predicted: NDArray[Any]
) -> dict[str, Any]:
    return {
        "embedding": cell["embedding_name"],
        "task": cell["task"],
        "variant": cell["variant"],
        "settings": cell["settings"],
        "dataset": cell["dataset_name"],
        "dataset_fingerprint": cell["dataset"],
        "items": "all" if len(items) == cell["total"] else _ranges(items),
        "predictions": predicted.tolist(),
    }


def _ranges(items: NDArray[np.int64]) -> list[list[int]]:
    """Consecutive items as [first, last]."""
    runs = np.split(items, np.flatnonzero(np.diff(items) != 1) + 1)
    return [[int(run[0]), int(run[-1])] for run in runs if len(run)]


def write_baseline(
    path: Path,
    document: Mapping[str, Any],
    predictions: Iterable[Mapping[str, Any]],
    sources: Mapping[str, str],
) -> None:
    """Write the document of a run with its predictions, one line for each cell."""
    head = json.dumps({**document, "sources": dict(sources)}, indent=2).removesuffix("\n}")
    lines = ",\n    ".join(json.dumps(entry) for entry in predictions)
    with replacing(path) as file:
        file.write(f'{head},\n  "predictions": [\n    {lines}\n  ]\n}}\n'.encode())
