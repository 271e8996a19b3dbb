"""A plan of models and evaluations from end to end: train, ask, and see what predicts what.

Trained vectors are kept in a folder with their records, answers in the store: the same plan goes on
from there.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lexiscope.bench import backends, recording
from lexiscope.bench.manifest import versions
from lexiscope.bench.plan import Plan, datasets_from, tasks_from, words_of
from lexiscope.bench.planfile import PlanFile
from lexiscope.bench.planned import Texts, train_all
from lexiscope.bench.predicting import (
    Joined,
    Predictions,
    Scored,
    beside,
    joint_orders,
    predictions,
)
from lexiscope.bench.predictionplan import ALL, NotRun, PredictionPlan, Published, at_hand, chains
from lexiscope.bench.results import Results
from lexiscope.bench.run import carry_out
from lexiscope.bench.sources import Reading, embeddings_from
from lexiscope.core.errors import BadUsage
from lexiscope.core.policy import Policy
from lexiscope.core.progress import Progress, silent
from lexiscope.data.library import Library
from lexiscope.stats.correlations import Correlation, Gap, as_far_apart, gap
from lexiscope.store.store import Store

_WIDE = 0.6  # an interval that says little, of the 2 from -1 to 1
_ALPHA = 0.05


class Verdict(NamedTuple):
    """A correlation that a paper prints beside ours, and whether they agree.

    `dimension` is that of our vectors; `apart` is the chance of two as far apart as these, `found`
    the same with every run as a point of its own, `bases` with models that share vectors as one.
    """

    published: Published
    dimension: int
    ours: Correlation
    found: float | None
    points: int
    apart: float | None
    bases: Correlation | None
    verdict: str


class Rival(NamedTuple):
    """How much better the validated evaluation goes with a downstream task than another does.

    `printed` is what the correlations of the paper differ by.
    """

    rival: str
    target: str
    dimension: int
    printed: float | None
    gap: Gap | None

    @property
    def verdict(self) -> str:
        """Whether one of the two is really the better predictor."""
        if self.gap is None:
            return "not known"
        if self.gap.low <= 0 <= self.gap.high:
            return "not told apart"
        return "better" if self.gap.value > 0 else "worse"


@dataclass(frozen=True)
class Validated:
    """Everything that a plan of models and evaluations found."""

    plan: PredictionPlan
    predictions: Predictions
    joined: tuple[Joined, ...]  # the validated evaluation beside the joint order of all tasks
    orders: Mapping[int, tuple[tuple[str, ...], ...]]  # all best joint orders of the models
    verdicts: tuple[Verdict, ...]
    not_run: tuple[NotRun, ...]
    runs: Mapping[int, str]  # of the store, by dimensionality
    manifest: dict[str, Any]
    rivals: tuple[Rival, ...] = ()

    @property
    def dimensions(self) -> list[int]:
        """The dimensionalities, from the least."""
        return [each.dimension for each in self.predictions.scored if each.dimension is not None]

    def scored(self, dimension: int) -> Scored:
        """The scores at a dimensionality."""
        return next(s for s in self.predictions.scored if s.dimension == dimension)

    def to_dict(self) -> dict[str, Any]:
        """One document with stable keys."""
        return {
            "format": "lexiscope prediction 1",
            **self.manifest,
            "scores": [row for each in self.predictions.scored for row in _rows(each)],
            **self.predictions.to_dict(),
            "all": [{**asdict(j), "spearman": j.spearman._asdict()} for j in self.joined],
            "orders": {str(d): [list(o) for o in orders] for d, orders in self.orders.items()},
            "verdicts": [
                {
                    **v._asdict(),
                    "published": asdict(v.published),
                    "ours": v.ours._asdict(),
                    "bases": v.bases and v.bases._asdict(),
                }
                for v in self.verdicts
            ],
            "rivals": [
                {**r._asdict(), "gap": r.gap and r.gap._asdict(), "verdict": r.verdict}
                for r in self.rivals
            ],
            "not_run": [each._asdict() for each in self.not_run],
            "runs": {str(dimension): run for dimension, run in self.runs.items()},
        }


def _rows(scored: Scored) -> list[dict[str, Any]]:
    return [
        {"embedding": name, "model": unit, "dimension": scored.dimension, "evaluation": evaluation,
         "value": value}
        for name, unit, row in zip(scored.embeddings, scored.units, scored.values, strict=True)
        for evaluation, value in zip(scored.evaluations, row.tolist(), strict=True)
    ]  # fmt: skip


class Where(NamedTuple):
    """Where vectors and answers are kept, and who works."""

    folder: Path
    store: str | Path = ":memory:"
    data_dir: str | None = None
    backend: str = "serial"
    jobs: int = 1


def validate(plan: PredictionPlan, where: Where, tell: Progress = silent) -> Validated:
    """Do what a plan says, except what is there already, and say what was found."""
    if where.jobs < 1:
        raise BadUsage(f"The number of jobs must be 1 or more, found {where.jobs}.")
    errand = _Errand(where, uuid.uuid4().hex, tell)
    possible = at_hand(plan, errand.library)
    folder = where.folder / f"{plan.name}-{plan.scale}-{plan.fingerprint}"
    _train(chains(possible, folder), errand)
    with Store(where.store) as store:
        found = {d: _asked(possible, folder, d, store, errand) for d in plan.dimensions}
    return _validated(possible, found, folder)


class _Errand(NamedTuple):
    """Where and for whom a plan is carried out; `number` is its own, as texts may change later."""

    where: Where
    number: str
    tell: Progress

    @property
    def library(self) -> Library:
        return _tools(self.where.data_dir, self.number)[0]


@lru_cache(maxsize=1)
def _tools(data_dir: str | None, errand: str) -> tuple[Library, Texts]:
    """The data at hand and the text that was read last: trainings of one process share both."""
    library = Library(data_dir)
    return library, Texts(library)


def _train(work: Sequence[PlanFile], errand: _Errand) -> None:
    where, total, done = errand.where, sum(len(chain.train) for chain in work), 0
    errand.tell("Trainings", done, total)
    orders = [(chain, where.data_dir, errand.number) for chain in work]
    with closing(backends.named(where.backend)(_trained, orders, where.jobs)) as outcomes:
        for _, number in outcomes:
            done += number
            errand.tell("Trainings", done, total)


def _trained(order: tuple[PlanFile, str | None, str]) -> int:
    """Train a model, and what changes its vectors; the number of trainings comes back."""
    chain, *where = order
    library, texts = _tools(*where)
    return len(list(train_all(chain, library, texts=texts)))


def _asked(
    plan: PredictionPlan, folder: Path, dimension: int, store: Store, errand: _Errand
) -> Results:
    """Every evaluation asked of the embeddings of a dimensionality."""
    asks = [ask for evaluation in plan.evaluations for ask in evaluation.asks]
    tasks = tasks_from([task for task, _ in asks], [])
    names = list(dict.fromkeys(name for _, name in asks))
    datasets, policy = datasets_from(names, tasks, errand.library), Policy()
    places = [str(folder / f"{name}.safetensors") for name in plan.trained(dimension)]
    reading = Reading(library=errand.library)
    embeddings = embeddings_from(places, words_of(datasets, policy), reading)
    order = Plan(embeddings, tasks, datasets, (policy,), plan.seed, comparing=False)

    def told(what: str, done: int, of: int) -> None:
        errand.tell(f"{what}, {dimension} dimensions", done, of)

    return carry_out(order, store, errand.where.backend, errand.where.jobs, told)


def _validated(plan: PredictionPlan, found: Mapping[int, Results], folder: Path) -> Validated:
    scored = [scored_of(plan, dimension, results) for dimension, results in found.items()]
    all_ = predictions(scored)
    joined, orders = [], {}
    for each in scored:
        tasks = [name for name in plan.tasks if name in each.evaluations]
        if len(tasks) > 1 and each.dimension is not None:
            scores = np.stack([each.of(name) for name in tasks], axis=1)
            orders[each.dimension] = tuple(
                tuple(each.members[m] for m in order) for order in joint_orders(scores)[0]
            )
            if plan.validated in each.evaluations:
                joined.append(beside(each, plan.validated, scores))
    failed = [
        NotRun(f"{f.task} on {f.dataset} of {f.embedding}", f.reason)
        for results in found.values()
        for f in results.failures
    ]
    bases = predictions([of_bases(plan, each) for each in scored])
    looked = (_verdict(plan, said, all_, joined, bases) for said in plan.published)
    verdicts = [each for each in looked if each is not None]
    runs = {dimension: results.run for dimension, results in found.items()}
    return Validated(
        plan, all_, tuple(joined), orders, tuple(verdicts), (*plan.not_run, *failed), runs,
        _manifest(plan, found, folder), tuple(_rivals(plan, scored)),
    )  # fmt: skip


def scored_of(plan: PredictionPlan, dimension: int, results: Results) -> Scored:
    """The scores of a dimensionality under the names of the plan; means where it says so."""
    models = plan.trained(dimension)
    columns, left_out = {}, []
    for evaluation in plan.evaluations:
        asked = [results.scores(task, _called(dataset)) for task, dataset in evaluation.asks]
        if all(name in scores for scores in asked for name in models):
            columns[evaluation.name] = [np.mean([s[name] for s in asked]) for name in models]
        else:
            left_out.append(evaluation.name)
    values = np.array(list(columns.values()), np.float64).reshape(len(columns), len(models)).T
    units = tuple(models.values())
    return Scored(tuple(columns), tuple(models), units, values, dimension, tuple(left_out))


def _called(dataset: str) -> str:
    """What results call a dataset: a file goes by its name without folder and ending."""
    return Path(dataset).stem if Path(dataset).is_file() else dataset


def of_bases(plan: PredictionPlan, scored: Scored) -> Scored:
    """The same scores, models that change the vectors of another counted as one with it."""
    bases = {model.name: model.base or model.name for model in plan.models}
    return replace(scored, units=tuple(bases[unit] for unit in scored.units))


def _verdict(
    plan: PredictionPlan,
    said: Published,
    found: Predictions,
    joined: Sequence[Joined],
    bases: Predictions,
) -> Verdict | None:
    """What became of a printed number; None where nothing like it was trained."""
    dimension = said.dimension
    if dimension not in plan.dimensions:
        if said.table == "5":  # which is about each dimensionality by itself
            return None
        dimension = plan.shown_at
    every, points, fewer = None, 0, None
    if said.target == ALL:
        ours = next((j.spearman for j in joined if j.dimension == dimension), None)
    else:
        pair = found.between(said.predictor, said.target, dimension)
        ours = None if pair is None else getattr(pair, said.measure)
        every, points = (None, 0) if pair is None else (pair.as_points, pair.points)
        every = every if said.measure == "pearson" else None
        less = bases.between(said.predictor, said.target, dimension)
        fewer = None if less is None else getattr(less, said.measure)
    if ours is None:
        gone = Correlation(None, None, None, None, 0, "not run")
        return Verdict(said, dimension, gone, None, 0, None, None, "not run")
    apart = as_far_apart(ours, said.value, len(plan.table), said.measure)
    verdict = judged(ours, said.value, apart, fewer)
    return Verdict(said, dimension, ours, every, points, apart, fewer, verdict)


def judged(ours: Correlation, theirs: float, apart: float | None, bases: Correlation | None) -> str:
    """What intervals, and the chance of two numbers so far apart, say about a printed number."""
    if ours.low is None or ours.high is None or apart is None:
        return "not known"
    if _holds(ours, theirs):
        return "agrees" if ours.high - ours.low <= _WIDE else "open"
    chance = apart >= _ALPHA or (bases is not None and _holds(bases, theirs))
    return "possible" if chance else "differs"


def _holds(found: Correlation, value: float) -> bool:
    return found.low is not None and found.high is not None and found.low <= value <= found.high


def _rivals(plan: PredictionPlan, scored: Sequence[Scored]) -> Iterator[Rival]:
    """The validated evaluation against every other that is no downstream task."""
    here = next(each for each in scored if each.dimension == plan.shown_at)
    printed = {(p.predictor, p.target): p.value for p in plan.published if p.measure == "pearson"}
    others = [task for task in plan.tasks if task not in plan.downstream]
    for target in plan.downstream:
        for rival in others:
            names = (plan.validated, rival, target)
            if all(name in here.evaluations for name in names):
                ours, theirs = (printed.get((name, target)) for name in names[:2])
                less = None if ours is None or theirs is None else ours - theirs
                found = gap(*(here.of(name) for name in names))
                yield Rival(rival, target, plan.shown_at, less, found)


def _manifest(plan: PredictionPlan, found: Mapping[int, Results], folder: Path) -> dict[str, Any]:
    first = next(iter(found.values()))
    record = recording.read(folder / f"{next(iter(plan.trained(plan.dimensions[0])))}.safetensors")
    corpus = (record or {}).get("corpus", {})
    return {
        "paper": plan.paper,
        "scale": plan.scale,
        "texts": list(plan.texts),
        "corpus": {name: corpus.get(name) for name in ("tokens", "sentences", "words", "sha256")},
        "dimensions": list(plan.dimensions),
        "runs_of_a_model": plan.runs,
        "seed": plan.seed,
        "models": [asdict(replace(m, settings=dict(m.settings))) for m in plan.models],
        "evaluations": [asdict(e) for e in plan.evaluations],
        "datasets": first.manifest["datasets"],
        "coverage": [
            {"dataset": c.dataset, "used": c.used, "total": c.total}
            for c in first.coverage
            if c.embedding == first.embeddings[0]
        ],
        "intervals": "Fisher (Pearson), Bonett and Wright (Spearman) over models; runs of a model "
        "are one, their mean; level 95 %",
        "versions": versions(),
    }
