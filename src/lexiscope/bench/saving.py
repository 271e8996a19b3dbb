"""Making a baseline: a run, and what besides its document belongs into it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench.baseline import answers_of
from lexiscope.bench.checking import Errand
from lexiscope.bench.plan import Plan, datasets_from, default_tasks, tasks_from, words_of
from lexiscope.bench.results import Results
from lexiscope.bench.sources import Reading, embeddings_from
from lexiscope.core.policy import Policy
from lexiscope.store.store import Store


class Made(NamedTuple):
    """A run, and what besides its document belongs into a baseline."""

    results: Results
    answers: list[dict[str, Any]]
    sources: dict[str, str]


def make(
    vectors: Sequence[Any],
    tasks: Sequence[str],
    datasets: Sequence[str],
    errand: Errand,
) -> Made:
    """Ask embeddings, and keep what a baseline needs."""
    chosen, policy = tasks_from(tasks or default_tasks(datasets), []), Policy()
    given = [datasets_from([source], chosen, errand.library)[0] for source in datasets]
    items = datasets_from(given or None, chosen, errand.library)
    places = {
        dataset.fingerprint: source
        for dataset, source in zip(given, datasets, strict=True)
        if Path(source).is_file()
    }
    reading = Reading(library=errand.library)
    embeddings = embeddings_from(list(vectors), words_of(items, policy), reading)
    fitting = tuple(
        (name, task)
        for name, task in chosen
        if tasks or any(isinstance(i, task.reads) for i in items)
    )
    with Store(errand.store) as store:
        results = errand.done(Plan(embeddings, fitting, items, (policy,), 0), store)
        answers = answers_of(store, results.run)
    sources = {item.name: places[item.fingerprint] for item in items if item.fingerprint in places}
    return Made(results, answers, sources)
