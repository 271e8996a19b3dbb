"""The line that runs through the house: read, align, cover, answer, measure, interval, store."""

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lexiscope.bench import backends, results
from lexiscope.bench.align import Aligned
from lexiscope.bench.attributes import attributes_from
from lexiscope.bench.cell import Cell, Known, Outcome, again
from lexiscope.bench.compare import Answered, Column, compared
from lexiscope.bench.handing import Handed, Prepared, handed_over
from lexiscope.bench.manifest import manifest, versions
from lexiscope.bench.plan import (
    Plan,
    check,
    datasets_from,
    default_tasks,
    not_at_hand,
    tasks_from,
    words_of,
)
from lexiscope.bench.policies import case_warnings, repeat_warnings, variations
from lexiscope.bench.results import Results
from lexiscope.bench.slices import parts_of
from lexiscope.bench.sources import FEW, Reading, embeddings_from
from lexiscope.core.dataset import Dataset
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, LexiscopeError
from lexiscope.core.policy import CASES, Policy
from lexiscope.core.progress import Progress, silent
from lexiscope.core.result import RANDOM, WITHOUT, Comparison, variant
from lexiscope.core.task import Task
from lexiscope.data.library import Library
from lexiscope.data.vectors import OnError
from lexiscope.store.store import CellRecord, Store


def run(
    embeddings: Any,
    tasks: Iterable[str] | str | None = None,
    datasets: Sequence[Any] | str | Path | Dataset | None = None,
    *,
    settings: dict[str, Any] | None = None,
    seed: int = 0,
    policy: Policy | None = None,
    policies: bool = False,
    by: Iterable[str] | str = (),
    frequencies: str | Path | None = None,
    fillers: str | Path | None = None,
    store: str | Path | None = None,
    backend: str = "serial",
    jobs: int = 1,
    on_error: OnError = "stop",
    data_dir: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Results:
    """Ask embeddings the tasks on the datasets; every score comes with an interval.

    `embeddings`: a path, a catalogue name, an object, a list of these, or a dict of names to
    these. `tasks` and `datasets` default to all that are at hand. `settings` are task settings
    as {"analogy.solver": "3CosMul"}; a list of values asks once for each. `policies` also asks
    under every other vocabulary policy. `by` breaks scores down: "frequency", "occurrences",
    "pos", "concreteness"; `frequencies` is a table of words and counts for the first two,
    `fillers` one of slots and their typical words for selectional preference. With `store`,
    finished work is kept and not done again; `force` does it again.
    """
    _must_make_sense(policy, seed, datasets)
    wanted = [datasets] if isinstance(datasets, str | Path | Dataset) else datasets
    named = [tasks] if isinstance(tasks, str) else tasks
    chosen = tasks_from(named or default_tasks(wanted), settings_from(settings or {}))
    library, asked = Library(data_dir), policy or Policy()
    items = datasets_from(wanted, chosen, library, fillers)
    if not tasks:  # all tasks means: all that read one of these datasets
        chosen = tuple(pair for pair in chosen if any(isinstance(i, pair[1].reads) for i in items))
    absent = not_at_hand(chosen, items) if tasks else []
    reading = Reading(asked.limit, on_error, library)
    words = words_of(items, asked)
    if policies:  # an encoder is asked for the other spellings too, the policy's own first
        others = [words_of(items, replace(asked, case=case)) for case in CASES]
        words = list(dict.fromkeys([*words, *chain(*others)]))
    vectors = embeddings_from(embeddings, words, reading)
    broken_down = [by] if isinstance(by, str) else list(by)
    attributes = attributes_from(broken_down, vectors[0], asked, library, frequencies)
    kinds = variations(asked, vectors) if policies else (asked,)
    plan = Plan(vectors, chosen, items, kinds, seed, attributes, tuple(absent))
    with Store(store if store is not None else ":memory:") as database:
        return carry_out(plan, database, backend, jobs, progress, force)


def _must_make_sense(policy: Any, seed: Any, datasets: Any) -> None:
    """Arguments of a kind that would only fail further down, without saying why."""
    if policy is not None and not isinstance(policy, Policy):
        raise BadUsage(f"policy is a lexiscope.Policy, found {type(policy).__name__}.")
    if not isinstance(seed, int):
        raise BadUsage(f"seed is a whole number, found {type(seed).__name__}.")
    if isinstance(datasets, list | tuple) and not datasets:
        raise BadUsage("datasets is an empty list. Leave it out to ask all that are at hand.")
    if hasattr(datasets, "columns") and not isinstance(datasets, Dataset):
        raise BadUsage("A table is no dataset yet: write it with to_csv() and give the path.")


def settings_from(settings: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Settings as (task, field, value), one for each of several values."""
    found = []
    for name, value in settings.items():
        task, dot, field = name.partition(".")
        if not dot:
            raise BadUsage(f"A setting is TASK.FIELD, found '{name}'.")
        found += [(task, field, v) for v in (value if isinstance(value, list) else [value])]
    return found


def carry_out(
    plan: Plan,
    store: Store,
    backend: str = "serial",
    jobs: int = 1,
    progress: Progress | None = None,
    force: bool = False,
) -> Results:
    """Do what a plan says, except what the store has already; then compare and break down."""
    check(plan)
    if jobs < 1:
        raise BadUsage(f"The number of jobs must be 1 or more, found {jobs}.")
    errand = _Errand(plan, store, backend, jobs, progress or silent, force)
    errand.tell("Reading and aligning", 0, 1)
    prepared = Prepared(plan.embeddings)
    for place in range(len(plan.embeddings)):  # what is wrong with an embedding is said at once
        prepared.aligned(place, plan.policy)
    errand.tell("Reading and aligning", 1, 1)
    work = _work(plan)
    run_id = _run_id(plan, work, store)
    warnings = case_warnings(plan.embeddings, plan.datasets, plan.policy) + repeat_warnings(
        plan.datasets, plan.policy
    )
    warnings += [f"{e.name}: {text}" for e in plan.embeddings for text in e.repairs if text == FEW]
    warnings += plan.absent
    about = {**manifest(plan, backend, jobs), "warnings": warnings}
    store.begin(run_id, plan.seed, plan.policy.as_dict(), about)
    store.enlist(run_id, [(w.key, _asked_name(plan, w.cell), w.cell.dataset.name) for w in work])
    failures = _ask_all(errand, prepared, work)
    comparisons = _all_compared(errand, prepared, work) if plan.comparing else []
    failed = [
        (position, failures[w.key], _variant(w.cell))
        for position, w in enumerate(work)
        if w.key in failures
    ]
    store.conclude(run_id, comparisons, failed)
    if plan.attributes:
        store.describe(run_id, parts_of(store, run_id, plan.attributes, errand.tell))
    return results.read(store, run_id)


def _all_compared(errand: "_Errand", prepared: Prepared, work: "list[_Work]") -> list[Comparison]:
    own = [w for w in work if w.cell.policy == errand.plan.policy and not w.cell.control]
    found = _compare(errand, prepared, own)
    return found + _against_controls(errand, prepared, work)


class _Errand(NamedTuple):
    plan: Plan
    store: Store
    backend: str
    jobs: int
    tell: Progress
    anew: bool


class _Work(NamedTuple):
    cell: Cell
    key: str


def _variant(cell: Cell) -> str:
    return variant(cell.task_name, cell.task.settings, type(cell.task)().settings)


def _work(plan: Plan) -> list[_Work]:
    """Every cell, the plan's own policy first, so that others can take over its answers."""
    return [
        _Work(cell, _key(plan, cell))
        for policy in plan.policies
        for place in range(len(plan.embeddings))
        for name, task, dataset in plan.pairs()
        for cell in [Cell(place, name, task, dataset, policy, plan.seed)]
    ] + [_Work(cell, _key(plan, cell)) for cell in _controls(plan)]


def _controls(plan: Plan) -> list[Cell]:
    """What stands beside tasks that learn, under the run's own policy."""
    places = range(len(plan.embeddings))
    learning = [pair for pair in plan.pairs() if pair[1].learns and plan.comparing]
    nothing = [Cell(0, *pair, plan.policy, plan.seed, "none") for pair in learning]
    return nothing + [
        Cell(place, *pair, plan.policy, plan.seed, "random")
        for place in places
        for pair in learning
    ]


def _asked_name(plan: Plan, cell: Cell) -> str:
    """Who answers: an embedding, random vectors in its stead, or no vectors."""
    if cell.control == "none":
        return WITHOUT
    name = plan.embeddings[cell.embedding].name
    return f"{RANDOM}{name}" if cell.control else name


def _fingerprint(plan: Plan, cell: Cell) -> str:
    return "" if cell.control == "none" else plan.embeddings[cell.embedding].fingerprint


def _key(plan: Plan, cell: Cell) -> str:
    if cell.control == "none":
        return cell.key("", "")
    everyone = sorted(embedding.fingerprint for embedding in plan.embeddings)
    # A shared vocabulary depends on all embeddings of the run.
    shared = " ".join(everyone) if cell.policy.vocabulary == "shared" else ""
    return cell.key(plan.embeddings[cell.embedding].fingerprint, shared)


def _run_id(plan: Plan, work: list[_Work], store: Store) -> str:
    """The same plan on the same data is the same run, so that it can go on."""
    if store.path == ":memory:":
        return uuid.uuid4().hex[:12]
    parts: list[Any] = [[w.key, _asked_name(plan, w.cell), w.cell.dataset.name] for w in work]
    if plan.attributes:
        parts.append([attribute.title for attribute in plan.attributes])
    if not plan.comparing:
        parts.append("scores only")
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def _ask_all(errand: _Errand, prepared: Prepared, work: list[_Work]) -> dict[str, str]:
    """Ask every open cell and store each answer as it comes; returns why cells failed."""
    done = set() if errand.anew else errand.store.done(w.key for w in work)
    # By key: embeddings with equal content are asked once.
    todo = list({w.key: w for w in work if w.key not in done}.values())
    errand.tell("Asking", 0, len(todo))
    own = errand.plan.policy
    first = [w for w in todo if w.cell.policy == own]
    first.sort(key=lambda w: w.cell.control != "none")  # counts of words can take the longest
    failures = _ask_some(errand, prepared, [Handed(w.cell, None) for w in first], first, 0, todo)
    later = [w for w in todo if w.cell.policy != own]
    left = [w for w in later if not _repeated(errand, prepared, w)]
    handed = [Handed(w.cell, _known(errand, w.cell)) for w in left]
    before = len(todo) - len(left)
    if len(left) < len(later):
        errand.tell("Asking", before, len(todo))
    return failures | _ask_some(errand, prepared, handed, left, before, todo)


def _repeated(errand: _Errand, prepared: Prepared, work: _Work) -> bool:
    """Whether the cell came out the same under the run's own policy, and was stored again."""
    own = errand.plan.policy
    key = _key(errand.plan, replace(work.cell, policy=own))
    try:
        if not errand.store.done([key]) or not prepared.same(work.cell, own):
            return False
    except LexiscopeError:  # said when the cell is asked
        return False
    errand.store.repeat(key, work.key, work.cell.policy.as_dict())
    return True


def _known(errand: _Errand, cell: Cell) -> Known | None:
    """What was said under the run's own policy, where only unknown words are treated otherwise."""
    own = errand.plan.policy
    key = _key(errand.plan, replace(cell, policy=own))
    only_unknown = replace(cell.policy, unknown="skip") == own
    if not only_unknown or cell.policy.unknown != "zero" or not errand.store.done([key]):
        return None
    return Known(*errand.store.answers(key))


def _ask_some(
    errand: _Errand,
    prepared: Prepared,
    handed: list[Handed],
    work: list[_Work],
    before: int,
    todo: list[_Work],
) -> dict[str, str]:
    failures: dict[str, str] = {}
    if not work:
        return failures
    spread = backends.named(errand.backend)
    with (
        handed_over(prepared, errand.plan.embeddings, handed, errand.backend) as over,
        closing(spread(*over, errand.jobs)) as outcomes,
    ):
        for finished, (number, outcome) in enumerate(outcomes, before + 1):
            if outcome.failure:
                failures[work[number].key] = outcome.failure
            else:
                _keep(errand, work[number], outcome)
            errand.tell("Asking", finished, len(todo))
    return failures


def _keep(errand: _Errand, work: _Work, outcome: Outcome) -> None:
    cell = work.cell
    record = CellRecord(
        work.key, cell.task_name, cell.task.version, cell.task.settings,
        _fingerprint(errand.plan, cell), cell.dataset.fingerprint,
        cell.policy.as_dict(), cell.seed, len(outcome.items), len(cell.dataset),
        outcome.missing, outcome.zero, outcome.seconds, versions(), _variant(cell),
        cell.task.measure.name, cell.control, *(outcome.running or (None, None)),
    )  # fmt: skip
    errand.store.add(
        record, cell.dataset, outcome.items, outcome.given, outcome.scores, errand.anew,
        outcome.labels,
    )  # fmt: skip


def _compare(errand: _Errand, prepared: Prepared, work: list[_Work]) -> list[Comparison]:
    """Compare all embeddings, column by column, from the stored answers."""
    number = len(errand.plan.embeddings)
    ahead = number * (number - 1) // 2 * len(errand.plan.pairs())
    made = 0

    def tick() -> None:
        nonlocal made
        made += 1
        errand.tell("Comparing", made, ahead)

    errand.tell("Comparing", 0, ahead)
    return compared(_columns(errand, prepared, work), ahead, tick)


def _against_controls(errand: _Errand, prepared: Prepared, work: list[_Work]) -> list[Comparison]:
    """Every embedding against its controls; corrected by themselves, apart from the others."""
    stored = errand.store.done(w.key for w in work)
    here = [w for w in work if w.key in stored and w.cell.policy == errand.plan.policy]
    pairs = [
        (ours, control)
        for control in (w for w in here if w.cell.control)
        for ours in here
        if not ours.cell.control and _controls_it(control.cell, ours.cell)
    ]
    columns = (_column_of_two(errand, prepared, *pair) for pair in pairs)
    found = compared(columns, len(pairs))
    return [
        replace(comparison, control=control.cell.control)
        for comparison, (_, control) in zip(found, pairs, strict=True)
    ]


def _controls_it(control: Cell, cell: Cell) -> bool:
    same = control.task is cell.task and control.dataset is cell.dataset
    return same and (control.control == "none" or control.embedding == cell.embedding)


def _column_of_two(errand: _Errand, prepared: Prepared, ours: _Work, control: _Work) -> Column:
    plan, cells = errand.plan, [ours.cell, control.cell]
    answered = [
        Answered(_asked_name(plan, w.cell), *errand.store.answers(w.key)) for w in (ours, control)
    ]
    if ours.cell.task.joint:
        answered = _together(prepared, cells, answered)
    return _column(plan, ours.cell.task_name, ours.cell.task, ours.cell.dataset, answered)


def _column(
    plan: Plan, name: str, task: Task[Any], dataset: Dataset, answered: list[Answered]
) -> Column:
    spelt = dataset.spelt(plan.policy)
    label = variant(name, task.settings, type(task)().settings)
    return Column(
        name, label, dataset.name, dataset.fingerprint, task.settings, task.measure, spelt.gold,
        spelt.units, answered, plan.seed, task.joint, _apart(task, plan.embeddings),
    )  # fmt: skip


def _columns(errand: _Errand, prepared: Prepared, work: list[_Work]) -> Iterator[Column]:
    plan = errand.plan
    stored = errand.store.done(w.key for w in work)
    for name, task, dataset in plan.pairs():
        cells = [
            w for w in work
            if w.cell.task is task and w.cell.dataset is dataset and w.key in stored
        ]  # fmt: skip
        answered = [
            Answered(plan.embeddings[w.cell.embedding].name, *errand.store.answers(w.key))
            for w in cells
        ]
        if task.joint:
            answered = _together(prepared, [w.cell for w in cells], answered)
        yield _column(plan, name, task, dataset, answered)


def _apart(task: Task[Any], embeddings: Sequence[Embedding]) -> dict[frozenset[str], str]:
    """Which embeddings the task does not compare, and why."""
    return {
        frozenset((one.name, other.name)): reason
        for one, other in combinations(embeddings, 2)
        if (reason := task.apart(one.dimension, other.dimension))
    }


def _together(prepared: Prepared, cells: list[Cell], answered: list[Answered]) -> list[Answered]:
    """The answers to the items that all embeddings could be asked, asked again if they differ."""
    everyone = [set(a.items.tolist()) for a in answered] or [set()]
    common = np.array(sorted(set.intersection(*everyone)), np.int64)
    if not len(common) or all(len(a.items) == len(common) for a in answered):
        return answered
    try:
        return [
            Answered(a.embedding, common, again(cell, _aligned(prepared, cell), common))
            for cell, a in zip(cells, answered, strict=True)
        ]
    except LexiscopeError:  # too little in common: the comparison says so
        return answered


def _aligned(prepared: Prepared, cell: Cell) -> Aligned:
    return prepared.aligned(cell.embedding, cell.policy)
