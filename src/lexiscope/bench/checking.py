"""Is a new embedding really worse than the one in use? The baseline's questions, asked again.

Where the baseline holds its answers, the test is the paired one of a run (`bench/compare.py`);
where it holds scores only, an unpaired one (`bench/unpaired.py`).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench.baseline import ANEW, Baseline, Question, Row
from lexiscope.bench.checked import Check, Checked, Verdict
from lexiscope.bench.compare import Answered, Column, compared, corrected
from lexiscope.bench.plan import Plan, datasets_from, tasks_from, words_of
from lexiscope.bench.results import Results
from lexiscope.bench.rules import judged, rule
from lexiscope.bench.run import carry_out
from lexiscope.bench.sources import Reading, embeddings_from
from lexiscope.bench.stored import columns_of
from lexiscope.bench.unpaired import unpaired
from lexiscope.core.dataset import Dataset
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage, Undefined, UnknownName
from lexiscope.core.progress import Progress
from lexiscope.core.result import Comparison, Result, variant
from lexiscope.core.task import Task
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.store.store import Store

_SAME_SCORE = 1e-6  # libraries of other versions may differ in the last digits


class Errand(NamedTuple):
    """Where data and answers are kept, and how the work is done."""

    library: Library
    store: str = ":memory:"
    jobs: int = 1
    progress: Progress | None = None

    def done(self, plan: Plan, store: Store) -> Results:
        """The results of a plan."""
        backend = "processes" if self.jobs > 1 else "serial"
        return carry_out(plan, store, backend, self.jobs, self.progress)


def check(
    vectors: Sequence[Any],
    baseline: Baseline,
    rules: Sequence[str],
    errand: Errand,
    datasets: Sequence[str] = (),
) -> Check:
    """Ask new embeddings what the baseline was asked; Holm's correction is over all questions.

    `datasets` are files for those that the baseline does not say the place of.
    """
    broken = [rule(text) for text in rules]
    asked = [_anew(question) for question in baseline.questions]
    items = _datasets(baseline, asked, errand.library, datasets)
    reading = Reading(baseline.policy.limit, library=errand.library)
    embeddings = embeddings_from(list(vectors), words_of(items, baseline.policy), reading)
    with Store(errand.store) as store:
        found = [
            pair
            for embedding in embeddings
            for pair in _asked(embedding, baseline, asked, items, errand, store)
        ]
    questions = judged(_compared(found), broken)
    return Check(baseline.path, baseline.embedding, tuple(rules), tuple(questions))


class _Anew(NamedTuple):
    """A question as it can be asked now, or the reason why its scores would not compare."""

    question: Question
    task: Task[Any] | None
    variant: str
    reason: str


def _anew(question: Question) -> _Anew:
    row = question.row
    try:
        settings = [(row.task, name, value) for name, value in row.settings.items()]
        ((name, task),) = tasks_from([row.task], settings)
    except BadUsage as problem:
        return _Anew(question, None, row.variant, f"{problem} {ANEW}")
    label = variant(name, task.settings, type(task)().settings)
    if (task.version, task.measure.name) == (row.task_version, row.measure):
        return _Anew(question, task, label, "")
    was, now = f"{row.measure} {row.task_version}", f"{task.measure.name} {task.version}"
    return _Anew(question, None, label, f"The task has changed ({was}, now {now}). {ANEW}")


def _datasets(
    baseline: Baseline, asked: Sequence[_Anew], library: Library, files: Sequence[str]
) -> tuple[Dataset, ...]:
    found: dict[str, Dataset] = {}
    known = {anew.question.row.dataset for anew in asked}
    for file in files:
        if not {file, Path(file).stem} & known:
            raise UnknownName("dataset in the baseline", file, known)
    for anew in asked:
        row = anew.question.row
        if anew.task is not None and row.dataset not in found:
            source = _source(row.dataset, baseline, files)
            found[row.dataset] = _dataset(source, row, anew.task, library)
        if anew.task is not None:
            _must_be_the_same(found[row.dataset], row, baseline.path)
    return tuple(found.values())


def _dataset(source: str, row: Row, task: Task[Any], library: Library) -> Dataset:
    try:
        (dataset,) = datasets_from([source], [(row.task, task)], library)
    except BadUsage as problem:  # what the baseline asks for, not what a person typed
        raise BadData(str(problem)) from None
    return replace(dataset, name=row.dataset)


def _source(name: str, baseline: Baseline, files: Sequence[str]) -> str:
    """Where a dataset is: a file given now, one the baseline names, or the catalogue."""
    given = [file for file in files if name in (file, Path(file).stem)]
    if given:
        return given[0]
    source = baseline.sources.get(name, "")
    if source and "\0" not in source and Path(source).is_file():
        return source
    if name in catalogue():
        return name
    told = f" ({source} is no file)" if source else ""
    raise BadData(
        f"{baseline.path}: does not say where the dataset '{name}' is{told}. Give its file with "
        "--dataset FILE."
    )


def _must_be_the_same(dataset: Dataset, row: Row, path: str) -> None:
    if (dataset.fingerprint, len(dataset)) != (row.dataset_fingerprint, row.total):
        raise BadData(
            f"The dataset {row.dataset} is not the one of the baseline: sha256 "
            f"{dataset.fingerprint} with {len(dataset):,} items here, {row.dataset_fingerprint} "
            f"with {row.total:,} in {path}."
        )


class _Found(NamedTuple):
    """A question with what the new embedding made of it, before anything is corrected."""

    checked: Checked
    column: Column | None = None  # the answers of both
    scores: tuple[Result, Row] | None = None  # or only the scores


def _asked(
    embedding: Embedding,
    baseline: Baseline,
    asked: Sequence[_Anew],
    items: tuple[Dataset, ...],
    errand: Errand,
    store: Store,
) -> list[_Found]:
    tasks: list[tuple[str, Task[Any]]] = []
    for anew in asked:
        entry = anew.question.row.task, anew.task
        if entry[1] is not None and entry not in tasks:
            tasks.append((entry[0], entry[1]))
    plan = Plan((embedding,), tuple(tasks), items, (baseline.policy,), baseline.seed)
    asked = [_unless_apart(anew, embedding.dimension, baseline.dimension) for anew in asked]
    new = _new(errand.done(plan, store), store, items) if plan.pairs() else _New({}, {}, {}, {})
    return [_found(embedding.name, anew, new, baseline) for anew in asked]


def _unless_apart(anew: _Anew, now: int, before: int) -> _Anew:
    """The question, with a reason where the task does not compare so many dimensions with those."""
    if anew.task is None or not before:
        return anew
    return anew._replace(reason=anew.task.apart(now, before))


def _blank(embedding: str, anew: _Anew) -> Checked:
    row = anew.question.row
    return Checked(
        embedding, anew.variant, row.dataset, row.measure, row.value, None, row.used, 0,
        row.total, 0.0, "not comparable", anew.reason,
    )  # fmt: skip


class _New(NamedTuple):
    """What the new embedding answered, by (task with its settings, dataset)."""

    rows: dict[tuple[str, str], Result]
    failures: dict[tuple[str, str], str]
    seconds: dict[tuple[str, str], float]
    columns: dict[tuple[str, str], Column]


def _new(results: Results, store: Store, items: tuple[Dataset, ...]) -> _New:
    cells = store.cells(results.run)
    return _New(
        {(row.variant, row.dataset): row for row in results.main()},
        {(failure.task, failure.dataset): failure.reason for failure in results.failures},
        {(cell["variant"], cell["dataset_name"]): float(cell["seconds"]) for cell in cells},
        {
            (column.variant, column.dataset): column
            for column, *_ in columns_of(store, cells, results.policy, items)
        },
    )


def _found(embedding: str, anew: _Anew, new: _New, baseline: Baseline) -> _Found:
    """One question, with what there is to compare."""
    row, key = anew.question.row, (anew.variant, anew.question.row.dataset)
    blank, now = _blank(embedding, anew), new.rows.get(key)
    if anew.reason or row.value is None:
        return _Found(
            replace(blank, reason=anew.reason or f"the baseline has no score ({row.state})")
        )
    if key in new.failures:
        return _Found(replace(blank, verdict="not answered", reason=new.failures[key]))
    if now is None:
        return _Found(replace(blank, reason=f"the task has nothing to ask of it now. {ANEW}"))
    checked = replace(blank, now=now.value, used=now.used, seconds=new.seconds[key])
    if now.value is None:
        return _Found(replace(checked, verdict="not answered", reason=now.state))
    if anew.question.given is None:
        return _Found(checked, scores=(now, row))
    return _Found(checked, _beside(new.columns[key], anew.question, baseline))


def _beside(column: Column, question: Question, baseline: Baseline) -> Column:
    """The new answers, then the baseline's, which must give the score that stands beside them."""
    items, given = question.items, question.given
    assert items is not None
    assert given is not None
    row, (new,) = question.row, column.answered
    if not _gives(column, items, given, row.value):
        raise BadData(
            f"{baseline.path}: the answers of {row.variant} on {row.dataset} do not give the score "
            f"beside them, so the file was changed. {ANEW}"
        )
    return column._replace(answered=[new, Answered(baseline.embedding, items, given)])


def _gives(column: Column, items: Any, given: Any, value: float | None) -> bool:
    kinds = {array.dtype.kind for array in (given, column.answered[0].given)}
    if len(kinds) > 1 or (column.measure.per_run and not _are_clusters(given)):
        return False
    units = None if column.units is None else column.units[items]
    try:
        found = column.measure(given, column.gold[items], units)
    except (Undefined, ValueError):
        return False
    return value is not None and math.isclose(found, value, abs_tol=_SAME_SCORE)


def _are_clusters(given: Any) -> bool:
    """Numbers of clusters as text, as many for each item, none above the number of items."""
    if not all(re.fullmatch(r"(\d{1,9}( \d{1,9})*)?", text, re.ASCII) for text in given):
        return False
    rows = [[int(number) for number in text.split()] for text in given if text]
    return len(set(map(len, rows))) == 1 and max(map(max, rows)) < len(given)


def _compared(found: Sequence[_Found]) -> list[Checked]:
    """The questions with their differences, corrected together."""
    paired = iter(compared([f.column for f in found if f.column is not None], len(found)))
    made = [
        next(paired) if f.column is not None else f.scores and unpaired(*f.scores) for f in found
    ]
    right = iter(corrected([comparison for comparison in made if comparison is not None]))
    return [
        f.checked if comparison is None else _told(f.checked, next(right))
        for f, comparison in zip(found, made, strict=True)
    ]


def _told(checked: Checked, comparison: Comparison) -> Checked:
    if not comparison.difference and comparison.p is not None:
        return replace(checked, comparison=comparison, verdict="not told apart")
    if comparison.p is None or comparison.difference is None:
        return replace(checked, comparison=comparison, reason=comparison.state)
    verdict: Verdict = "really worse" if comparison.difference < 0 else "really better"
    return replace(
        checked, comparison=comparison, verdict=verdict if comparison.real else "not told apart"
    )
