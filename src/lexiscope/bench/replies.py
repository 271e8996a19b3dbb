"""The stored replies of a plan, by criterion, probe, model and value of the sweep."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.bench.studyplan import Criterion, Model, Probe, StudyPlan
from lexiscope.bench.sweep import places, probe_id
from lexiscope.core.task import Answers
from lexiscope.store.store import Store


class Replied(NamedTuple):
    """All replies of a model to one probe at some values of a sweep, trial after trial."""

    asked: NDArray[Any]
    given: NDArray[Any]
    gold: NDArray[Any]
    trial: NDArray[np.int64]

    @property
    def answers(self) -> Answers:
        return Answers(self.given, self.gold, self.trial[:, None])

    def take(self, which: NDArray[np.bool_]) -> "Replied":
        return Replied(*(part[which] for part in self))


class Reader:
    """Replies by criterion, probe, model and value of the sweep; each is read once."""

    def __init__(self, plan: StudyPlan, store: Store) -> None:
        self.plan, self._store = plan, store
        self._read: dict[tuple[str, str, str, float | None], Replied] = {}
        self.first: dict[str, str] = {}  # a probe of each model, to learn how it was trained

    def at(self, criterion: Criterion, probe: Probe, model: Model, point: float | None) -> Replied:
        key = criterion.name, probe.label, model.name, point
        if key not in self._read:
            self._read[key] = self._fetched(criterion, probe, model, point)
        return self._read[key]

    def over(self, criterion: Criterion, probe: Probe, model: Model) -> Replied:
        """All values of the sweep; every corpus is a trial of its own."""
        parts = [self.at(criterion, probe, model, point) for point in criterion.points]
        shifted = [p._replace(trial=p.trial + n * self.plan.trials) for n, p in enumerate(parts)]
        return Replied(*map(np.concatenate, zip(*shifted, strict=True)))

    def _fetched(
        self, criterion: Criterion, probe: Probe, model: Model, point: float | None
    ) -> Replied:
        rows: list[tuple[str, str, str]] = []
        trials: list[int] = []
        for place in places(self.plan, criterion, point):
            id_ = probe_id(place, model, criterion.question, probe)
            self.first.setdefault(model.name, id_)
            replies = self._store.replies(id_)
            rows += replies
            trials += [place.number] * len(replies)
        asked, given, gold = (np.array(part, object) for part in zip(*rows, strict=True))
        return Replied(asked, given, gold, np.array(trials, np.int64))

    def trained(self, model: Model) -> dict[str, Any]:
        return self._store.trial(self.first[model.name])


def main_probe(plan: StudyPlan, study: str) -> Probe:
    """The probe of a study on which a verdict rests: the first."""
    return next(probe for probe in plan.probes if probe.name == study)
