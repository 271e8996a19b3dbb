"""From stored predictions to accuracies with intervals, facets and comparisons.

The words of one trial share a corpus and a training, so the trial is the sampling unit, not the
word.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from lexiscope.core.contracts.probe import NO, YES
from lexiscope.core.errors import Undefined
from lexiscope.core.progress import Progress, silent
from lexiscope.core.result import Comparison
from lexiscope.core.versions import versions
from lexiscope.evaluation.comparison import EmbeddingPredictions, EvaluationPredictions, compare
from lexiscope.experiments.models import Model
from lexiscope.experiments.synthetic.plan import Criterion, SpaceProbe, SyntheticPlan
from lexiscope.experiments.synthetic.predictions import PredictionReader, ProbeColumn
from lexiscope.experiments.synthetic.results import Facet, ProbeScore, SyntheticResults
from lexiscope.metrics.accuracy import accuracy
from lexiscope.stats.bootstrap import CONFIDENCE_LEVEL, confidence_interval
from lexiscope.store.store import Store

MAIN = "subspace"  # the probe that facets and comparisons are about


def score(plan: SyntheticPlan, store: Store, progress: Progress = silent) -> SyntheticResults:
    """Score and compare the stored predictions of a finished plan."""
    read = PredictionReader(plan, store)
    scores: list[ProbeScore] = []
    facets: list[Facet] = []
    comparisons: list[Comparison] = []
    for number, criterion in enumerate(plan.criteria):
        progress("Scoring", number, len(plan.criteria))
        scores += _scores(plan, criterion, read)
        facets += _facets(plan, criterion, read)
        comparisons += _compared(plan, criterion, read)
    progress("Scoring", len(plan.criteria), len(plan.criteria))
    about = _manifest(plan, read)
    return SyntheticResults(plan, tuple(scores), tuple(facets), tuple(comparisons), about)


def _scores(
    plan: SyntheticPlan, criterion: Criterion, read: PredictionReader
) -> Iterator[ProbeScore]:
    for probe in plan.probes_of(criterion):
        main = probe == plan.main_probe(probe.name)
        for model in plan.models:
            blank = _blank(criterion, probe, model, main)
            yield accuracy_of(blank, read.over(criterion, probe, model))
            for point in criterion.points if len(criterion.points) > 1 else ():
                column = read.at(criterion, probe, model, point)
                yield accuracy_of(replace(blank, at=point), column)


def _blank(criterion: Criterion, probe: SpaceProbe, model: Model, main: bool) -> ProbeScore:
    only = criterion.points[0] if len(criterion.points) == 1 else None
    return ProbeScore(
        criterion.name, probe.name, probe.label, model.name, only, None, None, None, 0, 0, "", main
    )


def accuracy_of(blank: ProbeScore, column: ProbeColumn) -> ProbeScore:
    """Fill in the accuracy and its interval; the trial is the sampling unit."""
    each = column.trial_accuracies
    blank = replace(blank, trials=len(each), items=len(column.trial), trial_accuracies=each)
    try:
        found = replace(blank, value=accuracy(column.predicted, column.gold))
        if len(each) < 2:
            raise Undefined("one trial is not enough for an interval")
        low, high = confidence_interval(accuracy, column.predictions, np.random.default_rng(0))
    except Undefined as reason:
        return replace(blank if not len(column.trial) else found, state=str(reason))
    return replace(found, low=low, high=high)


def _facets(plan: SyntheticPlan, criterion: Criterion, read: PredictionReader) -> Iterator[Facet]:
    """Score each class twice: over the words with this prediction, and over its true words."""
    probe = plan.main_probe(MAIN)
    for model in plan.models:
        column, blank = read.over(criterion, probe, model), _blank(criterion, probe, model, True)
        for label in (YES, NO):
            if not (column.gold == label).any():
                continue
            accurate = accuracy_of(blank, column.take(column.predicted == label))
            consistent = accuracy_of(blank, column.take(column.gold == label))
            yield Facet(criterion.name, model.name, label, accurate, consistent)


def _compared(
    plan: SyntheticPlan, criterion: Criterion, read: PredictionReader
) -> list[Comparison]:
    """Compare all pairs of models on the same corpora, with Holm's correction per criterion."""
    if plan.trials < 2:
        return []
    probe = plan.main_probe(MAIN)
    columns = {model.name: read.over(criterion, probe, model) for model in plan.models}
    first = next(iter(columns.values()))
    column = EvaluationPredictions(
        probe.name, probe.label, criterion.name, criterion.grammar.fingerprint,
        probe.settings, accuracy, first.gold, first.trial[:, None],
        [
            EmbeddingPredictions(name, np.arange(len(c.gold)), c.predicted)
            for name, c in columns.items()
        ],
        plan.seed,
    )  # fmt: skip
    found = compare([column], len(columns) * (len(columns) - 1) // 2)
    return [replace(c, low=_clipped(c.low), high=_clipped(c.high)) for c in found]


def _clipped(end: float | None) -> float | None:
    """Clip an end of the interval of a difference of proportions to -1 to 1."""
    return None if end is None else max(-1.0, min(1.0, end))


def _manifest(plan: SyntheticPlan, read: PredictionReader) -> dict[str, Any]:
    """Record everything that determines the numbers."""
    return {
        "plan": plan.name,
        "about": plan.about,
        "sentences": plan.sentences,
        "trials": plan.trials,
        "seed": plan.seed,
        "level": CONFIDENCE_LEVEL,
        "interval": "Jeffreys interval of a proportion with the effective sample size: the words "
        "of a trial share a corpus and a training, so the trial is the sampling unit",
        "tests": "paired; sign flips of whole trials; Holm's correction over the pairs of models "
        "of a criterion",
        "versions": versions(),
        "models": [
            {
                "name": model.name,
                "trainer": model.trainer_name,
                "version": model.trainer.version,
                "family": model.family,
                "settings": read.training(model)["settings"],
            }
            for model in plan.models
        ],
        "criteria": [_about_criterion(criterion) for criterion in plan.criteria],
        "probes": [
            {"probe": p.name, "version": p.probe.version, "label": p.label, "settings": p.settings}
            for p in plan.probes
        ],
    }


def _about_criterion(criterion: Criterion) -> dict[str, Any]:
    grammar = criterion.grammar
    target = grammar.targets[criterion.target]
    return {
        "name": criterion.name,
        "grammar": grammar.name,
        "about": grammar.about,
        "sha256": grammar.fingerprint,
        "target": target.about,
        "held_out": list(target.held_out),
        "sweep": grammar.sweep.parameter if grammar.sweep else None,
        "points": list(criterion.points),
    }
