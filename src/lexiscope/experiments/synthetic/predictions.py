"""The stored predictions of a plan, by criterion, probe, model and value of the sweep."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.task import Predictions
from lexiscope.experiments.models import Model
from lexiscope.experiments.synthetic.plan import Criterion, SpaceProbe, SyntheticPlan
from lexiscope.experiments.synthetic.sweep import probe_id, trials_at
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
