"""The line that runs through the house: read, align, cover, answer, measure, interval, store."""

import hashlib
import json
import os
import platform
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench import backends, results
from lexiscope.bench.align import Aligned, align
from lexiscope.bench.cell import Cell, Outcome, ask
from lexiscope.bench.compare import Asked, Column, compared
from lexiscope.bench.manifest import manifest, versions
from lexiscope.bench.plan import (
    Plan,
    Reading,
    check,
    datasets_from,
    embeddings_from,
    tasks_from,
    words_of,
)
from lexiscope.bench.results import Results
from lexiscope.core.dataset import Dataset
from lexiscope.core.errors import BadUsage
from lexiscope.core.policy import Policy
from lexiscope.core.result import variant
from lexiscope.data.library import Library
from lexiscope.data.vectors import OnError, load, save
from lexiscope.store.store import CellRecord, Store

Progress = Callable[[str, int, int], None]  # what is being done, how many are done, of how many


def run(
    embeddings: Any,
    tasks: Iterable[str] | str | None = None,
    datasets: Sequence[Any] | str | Path | Dataset | None = None,
    *,
    settings: dict[str, Any] | None = None,
    seed: int = 0,
    policy: Policy | None = None,
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
    as {"analogy.solver": "3CosMul"}; a list of values asks once for each. With `store`,
    finished work is kept and not done again; `force` does it again.
    """
    pairs = [_setting(name, value) for name, value in (settings or {}).items()]
    chosen = tasks_from(
        [tasks] if isinstance(tasks, str) else tasks, [p for ps in pairs for p in ps]
    )
    wanted = [datasets] if isinstance(datasets, str | Path | Dataset) else datasets
    library, asked = Library(data_dir), policy or Policy()
    items = datasets_from(wanted, chosen, library)
    if not tasks:  # all tasks means: all that read one of these datasets
        chosen = tuple(pair for pair in chosen if any(isinstance(i, pair[1].reads) for i in items))
    reading = Reading(asked.limit, on_error, library)
    vectors = embeddings_from(embeddings, words_of(items, asked), reading)
    plan = Plan(vectors, chosen, items, asked, seed)
    with Store(store if store is not None else ":memory:") as database:
        return carry_out(plan, database, backend, jobs, progress, force)


def _setting(name: str, value: Any) -> list[tuple[str, str, Any]]:
    task, dot, field = name.partition(".")
    if not dot:
        raise BadUsage(f"A setting is TASK.FIELD, found '{name}'.")
    return [(task, field, v) for v in (value if isinstance(value, list) else [value])]


def carry_out(
    plan: Plan,
    store: Store,
    backend: str = "serial",
    jobs: int = 1,
    progress: Progress | None = None,
    force: bool = False,
) -> Results:
    """Do what a plan says, except what the store has already; then compare."""
    check(plan)
    if jobs < 1:
        raise BadUsage(f"The number of jobs must be 1 or more, found {jobs}.")
    tell = progress or _silent
    tell("Reading and aligning", 0, 1)
    work = _work(plan)
    tell("Reading and aligning", 1, 1)
    run_id = _run_id(plan, work, store)
    store.begin(run_id, plan.seed, plan.policy.as_dict(), manifest(plan, backend, jobs))
    store.enlist(
        run_id, [(w.key, plan.embeddings[w.cell.embedding].name, w.cell.dataset.name) for w in work]
    )
    done = set() if force else store.done(w.key for w in work)
    # By key: embeddings with equal content are asked once.
    todo = list({w.key: w for w in work if w.key not in done}.values())
    failures = _ask_all(plan, todo, store, backend, jobs, tell, force)
    comparisons = _compare(plan, work, store, tell)
    failed = [
        (position, failures[w.key], _variant(w.cell))
        for position, w in enumerate(work)
        if w.key in failures
    ]
    store.conclude(run_id, comparisons, failed)
    return results.read(store, run_id)


def _variant(cell: Cell) -> str:
    return variant(cell.task_name, cell.task.settings, type(cell.task)().settings)


class _Work(NamedTuple):
    cell: Cell
    key: str
    aligned: Aligned


def _work(plan: Plan) -> list[_Work]:
    aligned = align(plan.embeddings, plan.policy)
    shared = ""
    if plan.policy.vocabulary == "shared":
        words = "\0".join(sorted(aligned[0].embedding.words))
        shared = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
    listed = []
    for place, (embedding, part) in enumerate(zip(plan.embeddings, aligned, strict=True)):
        for name, task, dataset in plan.pairs():
            cell = Cell(place, name, task, dataset, plan.policy, plan.seed)
            listed.append(_Work(cell, cell.key(embedding.fingerprint, shared), part))
    return listed


def _run_id(plan: Plan, work: list[_Work], store: Store) -> str:
    """The same plan on the same data is the same run, so that it can go on."""
    if store.path == ":memory:":
        return uuid.uuid4().hex[:12]
    parts = [[w.key, plan.embeddings[w.cell.embedding].name, w.cell.dataset.name] for w in work]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def _ask_all(
    plan: Plan,
    todo: list[_Work],
    store: Store,
    backend: str,
    jobs: int,
    tell: Progress,
    anew: bool,
) -> dict[str, str]:
    """Ask every open cell and store each answer as it comes; returns why cells failed."""
    failures = {}
    spread = backends.named(backend)
    tell("Asking", 0, len(todo))
    if not todo:
        return {}
    with _handed_over(todo, backend) as handed, closing(spread(_asked, handed, jobs)) as outcomes:
        for finished, (number, outcome) in enumerate(outcomes, 1):
            work = todo[number]
            if outcome.failure:
                failures[work.key] = outcome.failure
            else:
                _keep(plan, work, outcome, store, anew)
            tell("Asking", finished, len(todo))
    return failures


def _keep(plan: Plan, work: _Work, outcome: Outcome, store: Store, anew: bool) -> None:
    cell = work.cell
    record = CellRecord(
        work.key, cell.task_name, cell.task.version, cell.task.settings,
        plan.embeddings[cell.embedding].fingerprint, cell.dataset.fingerprint,
        cell.policy.as_dict(), cell.seed, len(outcome.items), len(cell.dataset),
        outcome.missing, outcome.zero, outcome.seconds, versions(),
    )  # fmt: skip
    store.add(record, cell.dataset, outcome.items, outcome.given, outcome.scores, anew)


@dataclass(frozen=True)
class _Handed:
    """A cell as a backend carries it: the embedding itself here, a file for other processes."""

    cell: Cell
    embedding: Aligned | str
    zero: frozenset[str]


@contextmanager
def _handed_over(todo: list[_Work], backend: str) -> Iterator[list[_Handed]]:
    if backend == "serial":
        yield [_Handed(w.cell, w.aligned, w.aligned.zero) for w in todo]
        return
    # Other processes map the vectors from a file: nothing large is sent to them.
    _sweep()
    with tempfile.TemporaryDirectory(prefix=f"{_spool_name()}{os.getpid()}-") as spool:
        paths: dict[int, str] = {}
        for w in todo:
            if id(w.aligned) not in paths:
                paths[id(w.aligned)] = str(Path(spool) / f"{len(paths)}.safetensors")
                save(w.aligned.embedding, paths[id(w.aligned)])
        yield [_Handed(w.cell, paths[id(w.aligned)], w.aligned.zero) for w in todo]


def _asked(handed: _Handed) -> Outcome:
    if isinstance(handed.embedding, str):
        return ask(handed.cell, _mapped(handed.embedding, handed.zero))
    return ask(handed.cell, handed.embedding)


@cache
def _mapped(path: str, zero: frozenset[str]) -> Aligned:
    """A worker keeps what it has mapped; file names of a run's spool are never used again."""
    return Aligned(load(path), zero)


def _sweep() -> None:
    """Remove the spools of runs that were killed: their process is no more."""
    for spool in Path(tempfile.gettempdir()).glob(f"{_spool_name()}*"):
        owner = spool.name.removeprefix(_spool_name()).partition("-")[0]
        if owner.isascii() and owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(spool, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is there, but it is not ours
        return True
    return True


def _spool_name() -> str:
    """How spools of this machine begin: a folder may be shared with others."""
    return f"lexiscope-{hashlib.sha256(platform.node().encode()).hexdigest()[:8]}-"


def _compare(plan: Plan, work: list[_Work], store: Store, tell: Progress) -> list[Any]:
    """Compare all embeddings, column by column, from the stored answers."""
    stored = store.done(w.key for w in work)
    ahead = len(plan.embeddings) * (len(plan.embeddings) - 1) // 2 * len(plan.pairs())
    made = 0

    def tick() -> None:
        nonlocal made
        made += 1
        tell("Comparing", made, ahead)

    def columns() -> Iterator[Column]:
        for name, task, dataset in plan.pairs():
            cells = [
                w for w in work
                if w.cell.task is task and w.cell.dataset is dataset and w.key in stored
            ]  # fmt: skip
            asked = [
                Asked(plan.embeddings[w.cell.embedding].name, *store.answers(w.key)) for w in cells
            ]
            gold = dataset.respelt(plan.policy.spelling).gold
            yield Column(
                name, dataset.name, dataset.fingerprint, task.settings, task.measure, gold,
                dataset.unit, asked, plan.seed,
            )  # fmt: skip

    tell("Comparing", 0, ahead)
    return compared(columns(), ahead, tick)


def _silent(what: str, done: int, of: int) -> None:
    """No one is watching."""
