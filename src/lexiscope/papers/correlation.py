"""Papers that correlate evaluations over models: plans, and verdicts on their claims."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from lexiscope.core.execution import Execution
from lexiscope.data.inputs import Inputs
from lexiscope.experiments.correlation.plan import (
    ALL,
    CorrelationPlan,
    Evaluation,
    fingerprint,
)
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.experiments.correlation.run import run
from lexiscope.experiments.models import (
    Model,
    Setting,
    check_settings,
    with_bases,
    with_hyperparameters,
)
from lexiscope.papers.claims import (
    ALPHA,
    Claim,
    CorrelationClaim,
    Estimate,
    PredictorClaim,
    RankingClaim,
    ScoreClaim,
    Verdict,
    judge_correlation,
    judge_order,
    judge_score,
    not_run,
)
from lexiscope.papers.schema import (
    CorrelationPaper,
    CorrelationScale,
    EvaluationEntry,
    experiment_models,
    scale_of,
)
from lexiscope.stats.correlations import Correlation, correlation, correlation_difference_p

ALL_RUNS, BASE_MODELS = "all runs", "base models"  # secondary estimates of a correlation
_RESERVED = {
    "dimension": "The dimensionality is chosen with --dimension, not with --set.",
    "space": "The space of the vectors is fixed: downstream tasks use the input vectors.",
    "base": "The base of a model is fixed by the paper.",
    "lexicon": "The lexicon of a model is fixed by the paper.",
}


def plan(
    paper: CorrelationPaper,
    scale: str = "small",
    *,
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    texts: Sequence[str] = (),
    dimensions: Sequence[int] = (),
    trials: int | None = None,
    seed: int = 0,
) -> CorrelationPlan:
    """Return the plan of a paper at a scale, with the choices of a user.

    `texts` replace the corpora of the scale. `trials` is the number of runs of each model that
    depends on a random seed.
    """
    size = scale_of(paper.scales, scale)
    every = _models(paper, size, settings)
    sources = tuple(texts) or size.texts
    about = paper.analysis
    return CorrelationPlan(
        f"{paper.name}-{scale}",
        paper.about,
        sources,
        tuple(sorted(set(dimensions or size.dimensions))),
        size.runs if trials is None else trials,
        seed,
        tuple(with_bases(every, models)),
        tuple(_evaluation(entry) for entry in paper.evaluations),
        about.predictor,
        about.tasks,
        about.downstream,
        about.dimension,
        fingerprint(sources, seed, every),
    )


def _models(
    paper: CorrelationPaper, scale: CorrelationScale, settings: Sequence[Setting]
) -> list[Model]:
    models = experiment_models(paper.models, scale.models)
    check_settings(settings, models, reserved=_RESERVED)
    shared = {**paper.hyperparameters, **scale.hyperparameters}
    return [with_hyperparameters(each, shared, settings) for each in models]


def _evaluation(entry: EvaluationEntry) -> Evaluation:
    parts = entry.first_of or entry.mean_of
    return Evaluation(entry.name, parts, bool(entry.first_of), entry.percent)


def execute(
    plan: CorrelationPlan, inputs: Inputs | None, execution: Execution, folder: str | Path
) -> CorrelationResults:
    """Run the experiment."""
    return run(plan, folder, inputs, execution)


def judge(claim: Claim, results: CorrelationResults, paper: CorrelationPaper) -> Verdict:
    """Judge a claim by the results."""
    if isinstance(claim, ScoreClaim):
        return _judge_score(claim, results)
    if isinstance(claim, CorrelationClaim):
        return _judge_correlation(claim, results, len(paper.models))
    if isinstance(claim, PredictorClaim):
        return _judge_predictor(claim, results)
    if isinstance(claim, RankingClaim):
        return _judge_ranking(claim, results)
    raise TypeError(f"a correlation experiment cannot judge {type(claim).__name__}")


def _judge_score(claim: ScoreClaim, results: CorrelationResults) -> Verdict:
    dimension = results.plan.table_dimension
    found = results.score(claim.row, claim.column, dimension)
    if found is None:
        reason = _missing(results, (claim.column,), (claim.row,))
        return not_run(claim, reason)
    unit = 100.0 if _evaluation_of(results, claim.column).percent else 1.0
    low, high = (None if end is None else unit * end for end in (found.low, found.high))
    ours = Estimate(unit * found.value, low, high, found.runs)
    word = judge_score(claim, ours, rounding=0.05)
    reason = "There is no confidence interval for this score." if word == "unknown" else ""
    return Verdict(claim, word, ours, reason, dimension)


def _evaluation_of(results: CorrelationResults, name: str) -> Evaluation:
    return next(each for each in results.plan.evaluations if each.name == name)


def _missing(
    results: CorrelationResults, evaluations: Sequence[str], models: Sequence[str] = ()
) -> str:
    """Return why a model or an evaluation has no scores."""
    reasons = dict(results.not_run)
    known = [evaluation.name for evaluation in results.plan.evaluations]
    for name in models:
        if name not in [model.name for model in results.plan.models]:
            return f"{name}: {reasons.get(name, 'the model was not selected.')}"
    for name in evaluations:
        if name not in known and name != ALL:
            return f"{name}: {reasons.get(name, 'the evaluation is not part of the plan.')}"
    return "Some models have no score in this evaluation."


def _judge_correlation(
    claim: CorrelationClaim, results: CorrelationResults, models: int
) -> Verdict:
    dimension = claim.dimension
    if dimension not in results.plan.dimensions:
        if claim.dimension_specific:
            return not_run(claim, f"No vectors with {dimension} dimensions were trained.")
        dimension = results.plan.table_dimension
    found, secondary = _correlations(claim, results, dimension)
    if found is None:
        reason = _missing(results, (claim.predictor, claim.target))
        return Verdict(claim, "not run", reason=reason, dimension=dimension)
    printed = claim.range[0]
    p_value = correlation_difference_p(found, printed, models, claim.metric)
    ours = _estimate(found)
    word = judge_correlation(printed, ours, p_value, secondary.get(BASE_MODELS))
    reason = found.state if word == "unknown" else ""
    return Verdict(claim, word, ours, reason, dimension, p_value, secondary=secondary)


def _correlations(
    claim: CorrelationClaim, results: CorrelationResults, dimension: int
) -> tuple[Correlation | None, dict[str, Estimate]]:
    """Return our correlation, and the same with other choices of points."""
    if claim.target == ALL:
        found = (each for each in results.consensus if each.dimension == dimension)
        return next((each.spearman for each in found), None), {}
    names = claim.predictor, claim.target
    pair = results.correlations.between(*names, dimension)
    bases = results.base_correlations.between(*names, dimension)
    secondary = {}
    if pair is not None and claim.metric == "pearson" and pair.as_points is not None:
        secondary[ALL_RUNS] = Estimate(pair.as_points, n=pair.points)
    if bases is not None:
        secondary[BASE_MODELS] = _estimate(getattr(bases, claim.metric))
    return None if pair is None else getattr(pair, claim.metric), secondary


def _estimate(found: Correlation) -> Estimate:
    return Estimate(found.value, found.low, found.high, found.number, found.state)


def _judge_predictor(claim: PredictorClaim, results: CorrelationResults) -> Verdict:
    wanted = claim.row, claim.below, claim.column
    found = next((each for each in results.differences if each[:3] == wanted), None)
    if found is None:
        return not_run(claim, _missing(results, wanted))
    if found.gap is None:
        reason = "The correlations have no confidence intervals."
        return Verdict(claim, "unknown", reason=reason, dimension=found.dimension)
    number = len(results.scored(found.dimension).model_names)
    ours = Estimate(found.gap.value, found.gap.low, found.gap.high, number)
    word = judge_order(ours.value, not ours.contains(0.0))
    return Verdict(claim, word, ours, dimension=found.dimension)


def _judge_ranking(claim: RankingClaim, results: CorrelationResults) -> Verdict:
    """Judge a printed ranking by its rank correlation with ours."""
    dimension = results.plan.table_dimension
    scored = results.scored(dimension)
    if claim.column not in scored.evaluations:
        return not_run(claim, _missing(results, (claim.column,)))
    scores = dict(zip(scored.model_names, scored.of(claim.column).tolist(), strict=True))
    common = [model for model in claim.models if model in scores]
    printed = -np.arange(len(common), dtype=np.float64)
    found = correlation(printed, np.array([scores[model] for model in common]), "spearman")
    ours = _estimate(found)
    word = judge_order(found.value, None if found.p is None else found.p < ALPHA)
    return Verdict(claim, word, ours, found.state, dimension, found.p)
