"""A study from end to end: plan, sweep, findings."""

from pathlib import Path
from typing import Any

from lexiscope.bench import studyfile, sweep
from lexiscope.bench.measuring import measured
from lexiscope.bench.studied import Studied
from lexiscope.bench.studyplan import StudyPlan
from lexiscope.core.progress import Progress, silent
from lexiscope.store.store import Store


def reproduce(paper: str, scale: str = "small", **options: Any) -> Studied:
    """What a paper did on made languages, with more trials; see `of_paper` and `carried_out`."""
    return _carried_out(studyfile.of_paper, (paper, scale), options)


def study(grammar: str | Path, **options: Any) -> Studied:
    """A person's own grammar through the same models; see `of_grammar` and `carried_out`."""
    return _carried_out(studyfile.of_grammar, (grammar,), options)


_CARRYING = ("store", "backend", "jobs", "progress")


def _carried_out(planned: Any, named: tuple[Any, ...], options: dict[str, Any]) -> Studied:
    carrying = {name: options.pop(name) for name in _CARRYING if name in options}
    return carried_out(planned(*named, **options), **carrying)


def carried_out(
    plan: StudyPlan,
    store: str | Path = ":memory:",
    backend: str = "serial",
    jobs: int = 1,
    progress: Progress | None = None,
) -> Studied:
    """Do what a plan says, except what the store has already, and say what was found."""
    with Store(store) as database:
        sweep.carry_out(plan, database, backend, jobs, progress or silent)
        return measured(plan, database, progress or silent)
