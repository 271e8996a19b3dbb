"""Papers about learning curves: plans, their execution, and verdicts on claims."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import NotDownloaded, Undefined
from lexiscope.core.estimate import Estimate as Scored
from lexiscope.core.execution import Execution
from lexiscope.core.paths import is_file
from lexiscope.data.catalogue import catalogue
from lexiscope.data.inputs import Inputs
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.correlation.plan import CorrelationPlan, NotRun, fingerprint
from lexiscope.experiments.correlation.run import train_models
from lexiscope.experiments.curves.protocol import Protocol
from lexiscope.experiments.curves.results import CurveResults, DatasetScores
from lexiscope.experiments.curves.run import curve_plan, manifest, measure
from lexiscope.experiments.curves.summary import summarise
from lexiscope.experiments.models import (
    Model,
    Setting,
    check_settings,
    select,
    with_hyperparameters,
)
from lexiscope.learners.splits import corrected_t_test
from lexiscope.papers.claims import Claim, CurveScoreClaim, ModelOrderClaim, RankClaim
from lexiscope.papers.schema import CurvePaper, PretrainedEntry, experiment_models, scale_of
from lexiscope.papers.verdicts import Estimate, Verdict, not_run, unknown

RANK_RULE = "ANOVA"  # that of the paper
_OTHERS = "The other embeddings are not those of the paper, and a rank depends on them."
_RESERVED = {"dimension": "The dimensionality is fixed by the scale."}


@dataclass(frozen=True)
class CurvePaperPlan:
    """The embeddings, datasets and protocol of a paper at a scale.

    `trained` has the models to train; `pretrained` and `datasets` map names of the paper to names
    of the catalogue, the first that is available.
    """

    name: str
    about: str
    trained: CorrelationPlan
    pretrained: dict[str, str]
    datasets: dict[str, tuple[str, ...]]
    supervised: tuple[str, ...]
    protocol: Protocol
    seed: int

    @property
    def models(self) -> tuple[Model, ...]:
        """The models to train."""
        return self.trained.models

    @property
    def downloads(self) -> list[str]:
        """Names of corpora, vectors and datasets, which the catalogue may know."""
        listed = [name for names in self.datasets.values() for name in names]
        found = [*self.trained.texts, *self.pretrained.values(), *listed]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class CurvePaperResults:
    """Learning curves of a paper's embeddings; datasets have the names of the paper.

    `used` are the catalogue names of the datasets, `not_run` says what lacks data.
    """

    plan: CurvePaperPlan
    curves: CurveResults
    measured: tuple[DatasetScores, ...]
    used: dict[str, str]
    not_run: tuple[NotRun, ...]

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers were computed with."""
        return self.curves.manifest

    @property
    def scores(self) -> list[Scored]:
        """The scores of all curves at 100 % of the training items."""
        return [curve.end for curve in self.curves.curves]

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        missing = [each._asdict() for each in self.not_run]
        return {**self.curves.to_dict(), "used": self.used, "not_run": missing}


def plan(
    paper: CurvePaper,
    scale: str = "small",
    *,
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    texts: Sequence[str] = (),
    trials: int | None = None,
    seed: int = 0,
) -> CurvePaperPlan:
    """Return the plan of a paper at a scale, with the choices of a user.

    `models` are names of embeddings, trained or pretrained. `trials` is the number of repeats.
    """
    size = scale_of(paper.scales, scale)
    every = experiment_models(paper.models)
    check_settings(settings, every, reserved=_RESERVED)
    shared = {**paper.hyperparameters, **size.hyperparameters}
    every = [with_hyperparameters(each, shared, settings, every) for each in every]
    named: list[Model | PretrainedEntry] = [*every, *paper.pretrained]
    chosen = {each.name for each in select("model", named, models)}
    trained = tuple(model for model in every if model.name in chosen)
    sources = tuple(texts) or size.texts
    training = CorrelationPlan(
        f"{paper.name}-{scale}", paper.about, sources, (size.dimension,), 1, seed, trained, (), "",
        (), (), size.dimension, fingerprint(sources, seed, every),
    )  # fmt: skip
    return CurvePaperPlan(
        f"{paper.name}-{scale}",
        paper.about,
        training,
        {each.name: each.source for each in paper.pretrained if each.name in chosen},
        {e.name: e.first_of for e in paper.datasets if e.name not in size.leave_out},
        paper.supervised,
        Protocol(
            repeats=size.repeats if trials is None else trials,
            sizes=size.sizes,
            max_items=size.max_items,
        ),
        seed,
    )


def departures(plan: CurvePaperPlan, full: CurvePaperPlan) -> list[str]:
    """Return where a plan departs from that of the paper's scale."""
    found = []
    if plan.trained.texts != full.trained.texts:
        texts = ", ".join(plan.trained.texts), ", ".join(full.trained.texts)
        found.append(f"trained on {texts[0]} instead of {texts[1]}")
    for noun, ours, theirs in (
        ("dimensions", plan.trained.dimension, full.trained.dimension),
        ("repeats", plan.protocol.repeats, full.protocol.repeats),
        ("items per dataset at most", plan.protocol.max_items, full.protocol.max_items),
    ):
        if ours != theirs:
            found.append(f"{ours:,} instead of {theirs:,} {noun}")
    left_out = [name for name in full.datasets if name not in plan.datasets]
    return [*found, f"without {', '.join(left_out)}"] if left_out else found


def execute(
    paper: CurvePaper,
    plan: CurvePaperPlan,
    inputs: Inputs | None,
    execution: Execution,
    folder: str | Path,
) -> CurvePaperResults:
    """Train the embeddings, and measure the learning curves of all of them."""
    inputs = inputs or Inputs()
    used, missing = _available(plan, inputs.local_data)
    embeddings, no_vectors = _embeddings(plan, inputs, execution, folder)
    whole = curve_plan(
        embeddings, list(used.values()), plan.supervised, None, plan.protocol, plan.seed, inputs
    )
    names = list(used)
    whole = replace(
        whole,
        items=tuple(
            replace(items, dataset=name) for items, name in zip(whole.items, names, strict=True)
        ),
    )
    measured = measure(whole, execution)
    found = summarise(measured, seed=plan.seed, progress=execution.progress)
    found = replace(found, manifest=manifest(whole, execution))
    return CurvePaperResults(plan, found, measured, used, (*missing, *no_vectors))


def _available(
    plan: CurvePaperPlan, local_data: LocalData
) -> tuple[dict[str, str], tuple[NotRun, ...]]:
    """The dataset that is used under each name, and which have none."""
    used, missing = {}, []
    for name, choices in plan.datasets.items():
        here = [choice for choice in choices if _is_available(choice, local_data)]
        if here:
            used[name] = here[0]
        else:
            missing.append(NotRun(name, _not_downloaded(choices)))
    if not used:
        raise NotDownloaded(f"No dataset is available. {missing[0].what}: {missing[0].why}")
    return used, tuple(missing)


def _embeddings(
    plan: CurvePaperPlan, inputs: Inputs, execution: Execution, folder: str | Path
) -> tuple[dict[str, str], tuple[NotRun, ...]]:
    """Train, and return the source of every embedding by its name in the paper."""
    found: dict[str, str] = {}
    missing = []
    for name, source in plan.pretrained.items():
        if _is_available(source, inputs.local_data):
            found[name] = source
        else:
            missing.append(NotRun(name, _not_downloaded((source,))))
    vectors = train_models(plan.trained, folder, inputs, execution)
    for trained, model in plan.trained.embeddings(plan.trained.dimension).items():
        found[model] = str(vectors / f"{trained}.safetensors")
    return found, tuple(missing)


def _is_available(name: str, local_data: LocalData) -> bool:
    """Whether a name is a file, or an entry of the catalogue that is available locally."""
    if is_file(name):
        return True
    return name in catalogue() and local_data.is_available(catalogue()[name])


def _not_downloaded(names: Sequence[str]) -> str:
    return (
        f"{' and '.join(names)}: not downloaded. Get it with: lexiscope data get {names[-1]}, or "
        "give the folder that contains it with --data-dir."
    )


def judge(claim: Claim, results: CurvePaperResults, paper: CurvePaper) -> Verdict:
    """Compare a claim with the results; `decide` judges all claims together."""
    if isinstance(claim, RankClaim):
        return _judge_rank(claim, results)
    if isinstance(claim, CurveScoreClaim):
        return _judge_score(claim, results, paper)
    if isinstance(claim, ModelOrderClaim):
        return _judge_order(claim, results, paper)
    raise TypeError(f"an experiment on learning curves cannot judge {type(claim).__name__}")


def _judge_rank(claim: RankClaim, results: CurvePaperResults) -> Verdict:
    """Show our mean rank; it is not comparable, because the competing embeddings differ."""
    found = next(
        (each for each in results.curves.mean_ranks
         if (each.rule, each.family, each.embedding) == (RANK_RULE, claim.family, claim.row)),
        None,
    )  # fmt: skip
    if found is None:
        return not_run(claim, f"{claim.row}: no ranks on these datasets.")
    spread = getattr(found, claim.column)
    error = None if spread.sd is None else spread.sd / np.sqrt(found.datasets)
    ours = Estimate(spread.mean, n=found.datasets)
    if error and found.datasets > 1:
        from scipy.stats import t

        width = float(t.ppf(0.975, found.datasets - 1) * error)
        ours = Estimate(spread.mean, spread.mean - width, spread.mean + width, found.datasets)
    return unknown(Verdict(claim, "undecided", ours), _OTHERS)


def _judge_score(claim: CurveScoreClaim, results: CurvePaperResults, paper: CurvePaper) -> Verdict:
    """Show the best score over embeddings; substitutes are not judged."""
    curves = [
        curve for curve in results.curves.of_model(claim.row, claim.column) if not curve.control
    ]
    if not curves:
        return not_run(claim, _missing(results, claim.row))
    best = max(curves, key=lambda curve: getattr(curve, claim.at).value or 0.0)
    found: Scored = getattr(best, claim.at)
    value, low, high = (None if v is None else 100 * v for v in found.ends)
    size = best.sizes[-1] if claim.at == "end" else best.sizes[_start(results, claim.row)]
    reason = f"{best.embedding}. {_substitute(results, paper, claim.row) or _OTHERS}"
    return unknown(Verdict(claim, "undecided", Estimate(value, low, high, size)), reason)


def _start(results: CurvePaperResults, dataset: str) -> int:
    return next(each.start for each in results.measured if each.dataset == dataset)


def _judge_order(claim: ModelOrderClaim, results: CurvePaperResults, paper: CurvePaper) -> Verdict:
    """Judge the difference of two models at 100 %, the mean over embeddings in each repeat."""
    found = next((each for each in results.measured if each.dataset == claim.column), None)
    if found is None:
        return not_run(claim, _missing(results, claim.column))
    differences = _differences(found, claim.row, claim.below)
    if differences is None:
        return not_run(claim, f"{claim.row} or {claim.below} was not trained.")
    try:
        test = corrected_t_test(differences, found.pool, round(found.test_size))
    except Undefined as problem:
        mean = Estimate(100 * float(differences.mean()), n=found.repeats)
        return unknown(Verdict(claim, "undecided", mean), f"{problem}.")
    ours = Estimate(100 * test.value, 100 * test.low, 100 * test.high, found.repeats)
    verdict = Verdict(claim, "undecided", ours, p_value=test.p)
    used = _substitute(results, paper, claim.column)
    return unknown(verdict, used) if used else verdict


def _differences(found: DatasetScores, first: str, second: str) -> Floats | None:
    """The difference of two models in each repeat, the mean over embeddings."""
    rows = {
        model: np.array([e.scores[:, -1] for e in found.entries
                         if e.model == model and not e.control])
        for model in (first, second)
    }  # fmt: skip
    if not all(len(each) for each in rows.values()):
        return None
    return np.asarray((rows[first] - rows[second]).mean(axis=0))


def _missing(results: CurvePaperResults, dataset: str) -> str:
    reasons = {each.what: each.why for each in results.not_run}
    return reasons.get(dataset, f"{dataset}: not part of this scale.")


def _substitute(results: CurvePaperResults, paper: CurvePaper, dataset: str) -> str:
    wanted = next(each.first_of[0] for each in paper.datasets if each.name == dataset)
    used = results.used.get(dataset)
    if used in (None, wanted):
        return ""
    return f"Measured on a substitute: {used} instead of {wanted}."
