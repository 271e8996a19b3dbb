"""From stored predictions to accuracies with intervals, facets and comparisons.

The words of one trial share a corpus and a training, so the trial is the sampling unit, not the
word.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.probe import NO, YES
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.core.progress import Progress, silent
from lexiscope.core.result import Comparison
from lexiscope.core.versions import versions
from lexiscope.evaluation.comparison import (
    EmbeddingPredictions,
    EvaluationPredictions,
    compare,
    without_counts,
)
from lexiscope.experiments.models import Model
from lexiscope.experiments.synthetic.plan import Criterion, SpaceProbe, SyntheticPlan
from lexiscope.experiments.synthetic.results import Facet, ProbeScore, SyntheticResults
from lexiscope.experiments.synthetic.sweep import probe_id, trials_at
from lexiscope.metrics.accuracy import accuracy
from lexiscope.stats.intervals import CONFIDENCE_LEVEL, confidence_interval
from lexiscope.store.store import Store


class ProbeColumn(NamedTuple):
    """All predictions of a model under one probe, trial after trial (items,)."""

    items: NDArray[Any]
    predicted: NDArray[Any]
    gold: NDArray[Any]
    trial: NDArray[np.int64]

    @property
    def predictions(self) -> Predictions:
        """The predictions with the trial as sampling unit."""
        return Predictions(self.predicted, self.gold, self.trial[:, None])

    @property
    def trial_accuracies(self) -> tuple[float, ...]:
        """The accuracy of each trial."""
        correct = self.predicted == self.gold
        return tuple(float(correct[self.trial == n].mean()) for n in np.unique(self.trial))

    def take(self, which: NDArray[np.bool_]) -> "ProbeColumn":
        """Return some of the items."""
        return ProbeColumn(*(part[which] for part in self))


class PredictionReader:
    """Reads predictions by criterion, probe, model and value of the sweep, each once."""

    def __init__(self, plan: SyntheticPlan, store: Store) -> None:
        self.plan, self._store = plan, store
        self._columns: dict[tuple[str, str, str, float | None], ProbeColumn] = {}
        self._probes: dict[str, str] = {}  # one probe of each model, to look up its training

    def at(
        self, criterion: Criterion, probe: SpaceProbe, model: Model, point: float | None
    ) -> ProbeColumn:
        """Return the predictions at one value of the sweep."""
        key = criterion.name, probe.label, model.name, point
        if key not in self._columns:
            self._columns[key] = self._read(criterion, probe, model, point)
        return self._columns[key]

    def over(self, criterion: Criterion, probe: SpaceProbe, model: Model) -> ProbeColumn:
        """Return the predictions at all values of the sweep; every corpus is a separate trial."""
        parts = [self.at(criterion, probe, model, point) for point in criterion.points]
        shifted = [p._replace(trial=p.trial + n * self.plan.trials) for n, p in enumerate(parts)]
        return ProbeColumn(*map(np.concatenate, zip(*shifted, strict=True)))

    def training(self, model: Model) -> dict[str, Any]:
        """Return the stored record of a training of a model."""
        return self._store.trial(self._probes[model.name])

    def _read(
        self, criterion: Criterion, probe: SpaceProbe, model: Model, point: float | None
    ) -> ProbeColumn:
        rows: list[tuple[str, str, str]] = []
        trials: list[int] = []
        for trial in trials_at(self.plan, criterion, point):
            id_ = probe_id(trial, model, criterion.target, probe)
            self._probes.setdefault(model.name, id_)
            stored = self._store.probe_predictions(id_)
            rows += stored
            trials += [trial.number] * len(stored)
        items, predicted, gold = (np.array(part, object) for part in zip(*rows, strict=True))
        return ProbeColumn(items, predicted, gold, np.array(trials, np.int64))


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
        for model in plan.models:
            blank = _blank(plan, criterion, probe, model)
            yield accuracy_of(blank, read.over(criterion, probe, model))
            for point in criterion.points if len(criterion.points) > 1 else ():
                column = read.at(criterion, probe, model, point)
                yield accuracy_of(replace(blank, at=point), column)


def _blank(
    plan: SyntheticPlan, criterion: Criterion, probe: SpaceProbe, model: Model
) -> ProbeScore:
    main = probe == plan.main_probe(probe.name)
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
    probe = plan.first_probe
    for model in plan.models:
        column, blank = read.over(criterion, probe, model), _blank(plan, criterion, probe, model)
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
    probe = plan.first_probe
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
    found = map(without_counts, compare([column], len(columns) * (len(columns) - 1) // 2))
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
