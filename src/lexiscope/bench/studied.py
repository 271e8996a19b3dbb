"""What a sweep found: scores with intervals over trials, what a paper said, who is really better.

Words of one trial share a corpus and a training, so trials are what varies, not words.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.bench.compare import Answered, Column, compared
from lexiscope.bench.manifest import versions
from lexiscope.bench.studyplan import Criterion, Model, Probe, Published, StudyPlan
from lexiscope.bench.sweep import places, probe_id
from lexiscope.core.errors import Undefined
from lexiscope.core.progress import Progress, silent
from lexiscope.core.result import Comparison
from lexiscope.core.study import NO, YES
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import LEVEL, interval
from lexiscope.stats.measures import accuracy
from lexiscope.store.store import Store

_WIDE = 0.3  # an interval that says little
_RARE = 0.05  # share of trials below which an outcome counts as not seen


@dataclass(frozen=True)
class Found:
    """A share of right answers with its interval; `at` is a value of a sweep, None for all."""

    criterion: str
    study: str
    variant: str
    model: str
    at: float | None
    value: float | None
    low: float | None
    high: float | None
    trials: int
    items: int
    state: str = ""
    main: bool = True


@dataclass(frozen=True)
class Facet:
    """How far a model's word on a facet is right (accurate), and how many words carry it."""

    criterion: str
    model: str
    answer: str
    accurate: Found
    consistent: Found


@dataclass(frozen=True)
class Verdict:
    """What a paper said beside what was found, and whether the two agree.

    `alike` is the share of our trials that came out as the paper's, where it had one.
    """

    published: Published
    found: Found
    alike: float | None
    verdict: str


@dataclass(frozen=True)
class Ordered:
    """Two models of which a paper says that the second is better."""

    criterion: str
    worse: str
    better: str
    comparison: Comparison
    verdict: str


@dataclass(frozen=True)
class Studied:
    """Everything that a sweep found, and what it was made with."""

    plan: StudyPlan
    found: tuple[Found, ...]
    facets: tuple[Facet, ...]
    verdicts: tuple[Verdict, ...]
    orders: tuple[Ordered, ...]
    comparisons: tuple[Comparison, ...]
    manifest: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {
            "format": "lexiscope study 1",
            **self.manifest,
            "found": [asdict(each) for each in self.found],
            "facets": [asdict(each) for each in self.facets],
            "verdicts": [asdict(each) for each in self.verdicts],
            "orders": [asdict(each) for each in self.orders],
            "comparisons": [asdict(each) for each in self.comparisons],
        }

    def rows(self, criterion: str, **wanted: Any) -> list[Found]:
        """The scores of a criterion that have these values."""
        return [
            each
            for each in self.found
            if each.criterion == criterion
            and all(getattr(each, name) == value for name, value in wanted.items())
        ]


class _Column(NamedTuple):
    """All replies of a model to one probe at some values of a sweep, trial after trial."""

    asked: NDArray[Any]
    given: NDArray[Any]
    gold: NDArray[Any]
    trial: NDArray[np.int64]

    @property
    def answers(self) -> Answers:
        return Answers(self.given, self.gold, self.trial[:, None])

    def take(self, which: NDArray[np.bool_]) -> "_Column":
        return _Column(*(part[which] for part in self))


def studied(plan: StudyPlan, store: Store, tell: Progress = silent) -> Studied:
    """Read the replies of a finished plan, measure and compare."""
    read = _Reader(plan, store)
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
        tuple(_verdicts(plan, found, read)),
        tuple(_orders(plan, comparisons)),
        tuple(comparisons),
        _manifest(plan, read),
    )


class _Reader:
    """Replies by criterion, probe, model and value of the sweep; each is read once."""

    def __init__(self, plan: StudyPlan, store: Store) -> None:
        self.plan, self._store = plan, store
        self._read: dict[tuple[str, str, str, float | None], _Column] = {}
        self.first: dict[str, str] = {}  # a probe of each model, to learn how it was trained

    def at(self, criterion: Criterion, probe: Probe, model: Model, point: float | None) -> _Column:
        key = criterion.name, probe.label, model.name, point
        if key not in self._read:
            self._read[key] = self._fetched(criterion, probe, model, point)
        return self._read[key]

    def over(self, criterion: Criterion, probe: Probe, model: Model) -> _Column:
        """All values of the sweep; every corpus is a trial of its own."""
        parts = [self.at(criterion, probe, model, point) for point in criterion.points]
        shifted = [p._replace(trial=p.trial + n * self.plan.trials) for n, p in enumerate(parts)]
        return _Column(*map(np.concatenate, zip(*shifted, strict=True)))

    def _fetched(
        self, criterion: Criterion, probe: Probe, model: Model, point: float | None
    ) -> _Column:
        rows: list[tuple[str, str, str]] = []
        trials: list[int] = []
        for place in places(self.plan, criterion, point):
            id_ = probe_id(place, model, criterion.question, probe)
            self.first.setdefault(model.name, id_)
            replies = self._store.replies(id_)
            rows += replies
            trials += [place.number] * len(replies)
        asked, given, gold = (np.array(part, object) for part in zip(*rows, strict=True))
        return _Column(asked, given, gold, np.array(trials, np.int64))

    def trained(self, model: Model) -> dict[str, Any]:
        return self._store.trial(self.first[model.name])


def main_probe(plan: StudyPlan, study: str) -> Probe:
    """The probe of a study on which a verdict rests: the first."""
    return next(probe for probe in plan.probes if probe.name == study)


def _scores(plan: StudyPlan, criterion: Criterion, read: _Reader) -> Iterator[Found]:
    for probe in plan.probes_of(criterion):
        main = probe == main_probe(plan, probe.name)
        for model in plan.models:
            blank = _blank(criterion, probe, model, main)
            yield _measured(blank, read.over(criterion, probe, model))
            for point in criterion.points if len(criterion.points) > 1 else ():
                column = read.at(criterion, probe, model, point)
                yield _measured(replace(blank, at=point), column)


def _blank(criterion: Criterion, probe: Probe, model: Model, main: bool) -> Found:
    only = criterion.points[0] if len(criterion.points) == 1 else None
    return Found(
        criterion.name, probe.name, probe.label, model.name, only, None, None, None, 0, 0, "", main
    )


def _measured(blank: Found, column: _Column) -> Found:
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


def _facets(plan: StudyPlan, criterion: Criterion, read: _Reader) -> Iterator[Facet]:
    """For each answer: of the words of which it was said, and of those of which it is true."""
    probe = main_probe(plan, "subspace")
    for model in plan.models:
        column, blank = read.over(criterion, probe, model), _blank(criterion, probe, model, True)
        for answer in (YES, NO):
            if not (column.gold == answer).any():
                continue
            accurate = _measured(blank, column.take(column.given == answer))
            consistent = _measured(blank, column.take(column.gold == answer))
            yield Facet(criterion.name, model.name, answer, accurate, consistent)


def _verdicts(plan: StudyPlan, found: Sequence[Found], read: _Reader) -> Iterator[Verdict]:
    criteria = {criterion.name: criterion for criterion in plan.criteria}
    models = {model.name: model for model in plan.models}
    for published in plan.published:
        if published.criterion not in criteria or published.model not in models:
            continue
        criterion = criteria[published.criterion]
        if published.at is not None and published.at not in criterion.points:
            continue
        probe = main_probe(plan, published.study)
        ours = next(f for f in found if _matches(f, published, probe))
        point = published.at if published.at is not None else criterion.points[0]
        column = read.at(criterion, probe, models[published.model], point)
        alike = _alike(column, published) if published.trials == 1 else None
        yield Verdict(published, ours, alike, _verdict(ours, published, alike))


def _matches(found: Found, published: Published, probe: Probe) -> bool:
    return (found.criterion, found.model, found.variant, found.at) == (
        published.criterion, published.model, probe.label, published.at
    )  # fmt: skip


def _alike(column: _Column, published: Published) -> float:
    """The share of trials whose share of right answers is what the paper says."""
    hits = column.given == column.gold
    shares = np.array([hits[column.trial == trial].mean() for trial in np.unique(column.trial)])
    near = 1e-9
    same = (shares >= published.least - near) & (shares <= published.most + near)
    return float(same.mean())


def _verdict(ours: Found, published: Published, alike: float | None) -> str:
    """Whether the two agree; the report explains the words."""
    if ours.value is None:
        return "not known"
    low, high = (ours.value if end is None else end for end in (ours.low, ours.high))
    if low <= published.most and high >= published.least:
        return "agrees" if high - low <= _WIDE else "open"
    return "possible" if alike is not None and alike >= _RARE else "differs"


def _compared(plan: StudyPlan, criterion: Criterion, read: _Reader) -> list[Comparison]:
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


def _orders(plan: StudyPlan, comparisons: Sequence[Comparison]) -> Iterator[Ordered]:
    """What was found of every two neighbours of an order that a paper claims."""
    pairs = {(c.dataset, c.first, c.second): c for c in comparisons}
    for criterion, models in plan.orders:
        for worse, better in pairwise(models):
            found = pairs.get((criterion, better, worse))
            if found is None and (criterion, worse, better) in pairs:
                found = _turned(pairs[criterion, worse, better])
            if found is not None:
                yield Ordered(criterion, worse, better, found, _order_verdict(found))


def _turned(found: Comparison) -> Comparison:
    """The same comparison seen from the other side."""
    minus: Callable[[float | None], float | None] = lambda x: None if x is None else -x  # noqa: E731
    return replace(
        found, first=found.second, second=found.first, difference=minus(found.difference),
        low=minus(found.high), high=minus(found.low),
    )  # fmt: skip


def _order_verdict(found: Comparison) -> str:
    if found.difference is None or not found.real:
        return "not told apart"
    return "agrees" if found.difference > 0 else "differs"


def _manifest(plan: StudyPlan, read: _Reader) -> dict[str, Any]:
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
