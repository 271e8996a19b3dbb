"""From stored replies to shares with intervals, facets and comparisons.

Words of one trial share a corpus and a training, so trials are what varies, not words.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from lexiscope.bench.compare import Answered, Column, compared
from lexiscope.bench.manifest import versions
from lexiscope.bench.replies import Reader, Replied, main_probe
from lexiscope.bench.studied import Facet, Found, Studied
from lexiscope.bench.studyplan import Criterion, Model, Probe, StudyPlan
from lexiscope.bench.verdicts import orders, verdicts
from lexiscope.core.errors import Undefined
from lexiscope.core.progress import Progress, silent
from lexiscope.core.result import Comparison
from lexiscope.core.study import NO, YES
from lexiscope.stats.bootstrap import LEVEL, interval
from lexiscope.stats.measures import accuracy
from lexiscope.store.store import Store


def measured(plan: StudyPlan, store: Store, tell: Progress = silent) -> Studied:
    """Read the replies of a finished plan, measure and compare."""
    read = Reader(plan, store)
    found: list[Found] = []
    facets: list[Facet] = []
    comparisons: list[Comparison] = []
    for number, criterion in enumerate(plan.criteria):
        tell("Measuring", number, len(plan.criteria))
        found += _scores(plan, criterion, read)
        facets += _facets(plan, criterion, read)
        comparisons += _compared(plan, criterion, read)
    tell("Measuring", len(plan.criteria), len(plan.criteria))
    return Studied(
        plan,
        tuple(found),
        tuple(facets),
        tuple(verdicts(plan, found, read)),
        tuple(orders(plan, comparisons)),
        tuple(comparisons),
        _manifest(plan, read),
    )


def _scores(plan: StudyPlan, criterion: Criterion, read: Reader) -> Iterator[Found]:
    for probe in plan.probes_of(criterion):
        main = probe == main_probe(plan, probe.name)
        for model in plan.models:
            blank = _blank(criterion, probe, model, main)
            yield share_of(blank, read.over(criterion, probe, model))
            for point in criterion.points if len(criterion.points) > 1 else ():
                column = read.at(criterion, probe, model, point)
                yield share_of(replace(blank, at=point), column)


def _blank(criterion: Criterion, probe: Probe, model: Model, main: bool) -> Found:
    only = criterion.points[0] if len(criterion.points) == 1 else None
    return Found(
        criterion.name, probe.name, probe.label, model.name, only, None, None, None, 0, 0, "", main
    )


def share_of(blank: Found, column: Replied) -> Found:
    """The share of right answers; trials are the units that vary."""
    number = len(np.unique(column.trial))
    blank = replace(blank, trials=number, items=len(column.trial))
    try:
        value = accuracy(column.given, column.gold)
        found = replace(blank, value=value)
        if number < 2:
            raise Undefined("one trial does not say how a score varies")
        low, high = interval(accuracy, column.answers, np.random.default_rng(0))
    except Undefined as reason:
        return replace(blank if not len(column.trial) else found, state=str(reason))
    return replace(found, low=low, high=high)


def _facets(plan: StudyPlan, criterion: Criterion, read: Reader) -> Iterator[Facet]:
    """For each answer: of the words of which it was said, and of those of which it is true."""
    probe = main_probe(plan, "subspace")
    for model in plan.models:
        column, blank = read.over(criterion, probe, model), _blank(criterion, probe, model, True)
        for answer in (YES, NO):
            if not (column.gold == answer).any():
                continue
            accurate = share_of(blank, column.take(column.given == answer))
            consistent = share_of(blank, column.take(column.gold == answer))
            yield Facet(criterion.name, model.name, answer, accurate, consistent)


def _compared(plan: StudyPlan, criterion: Criterion, read: Reader) -> list[Comparison]:
    """Every two models on the same corpora, corrected over the pairs of a criterion."""
    if plan.trials < 2:
        return []
    probe = main_probe(plan, "subspace")
    columns = {model.name: read.over(criterion, probe, model) for model in plan.models}
    first = next(iter(columns.values()))
    column = Column(
        probe.name, probe.label, criterion.name, criterion.grammar.fingerprint,
        probe.settings, accuracy, first.gold, first.trial[:, None],
        [Answered(name, np.arange(len(c.gold)), c.given) for name, c in columns.items()],
        plan.seed,
    )  # fmt: skip
    found = compared([column], len(columns) * (len(columns) - 1) // 2)
    return [replace(c, low=_within(c.low), high=_within(c.high)) for c in found]


def _within(end: float | None) -> float | None:
    """An end of an interval of a difference of shares: beyond 1 nothing is."""
    return None if end is None else max(-1.0, min(1.0, end))


def _manifest(plan: StudyPlan, read: Reader) -> dict[str, Any]:
    """Everything that decides the numbers."""
    return {
        "plan": plan.name,
        "about": plan.about,
        "sentences": plan.sentences,
        "trials": plan.trials,
        "seed": plan.seed,
        "level": LEVEL,
        "interval": "Jeffreys' of a share, for as many words as those at hand are worth: words "
        "of one trial share a corpus and a training, so trials are what varies",
        "tests": "paired; sign flips of trials; Holm over the pairs of models of a criterion",
        "versions": versions(),
        "models": [
            {
                "name": model.name,
                "trainer": model.trainer_name,
                "version": model.trainer.version,
                "kind": model.kind,
                "settings": read.trained(model)["settings"],
            }
            for model in plan.models
        ],
        "criteria": [
            {
                "name": criterion.name,
                "grammar": criterion.grammar.name,
                "about": criterion.grammar.about,
                "sha256": criterion.grammar.fingerprint,
                "question": criterion.grammar.questions[criterion.question].about,
                "held_out": list(criterion.grammar.questions[criterion.question].held_out),
                "sweep": criterion.grammar.sweep.parameter if criterion.grammar.sweep else None,
                "points": list(criterion.points),
            }
            for criterion in plan.criteria
        ],
        "probes": [
            {"study": p.name, "version": p.study.version, "label": p.label, "settings": p.settings}
            for p in plan.probes
        ],
    }
