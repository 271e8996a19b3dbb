"""Claims about correlations between evaluations, compared with our results.

Models that share their vectors are not independent. All standard errors, ours and the paper's, are
therefore those of as many models as share no vectors.
"""

from dataclasses import replace

import numpy as np

from lexiscope.experiments.correlation.plan import ALL
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.papers.agreement import (
    CorrelationSample,
    GapSample,
    compare_correlations,
    compare_gaps,
    correlation_p,
)
from lexiscope.papers.claims import (
    Claim,
    CorrelationClaim,
    PredictorClaim,
    RankingClaim,
    ScoreClaim,
)
from lexiscope.papers.schema import CorrelationPaper
from lexiscope.papers.scores import judge_score, missing, substitutes
from lexiscope.papers.verdicts import Estimate, Verdict, compared, estimate, not_run, unknown
from lexiscope.stats.correlations import MIN_MEMBERS, Correlation, Kind, correlation

ALL_RUNS, BASE_MODELS = "all runs", "base models"  # secondary estimates of a correlation
_TOO_FEW = f"At least {MIN_MEMBERS} models that share no vectors are needed."


def judge(claim: Claim, results: CorrelationResults, paper: CorrelationPaper) -> Verdict:
    """Compare a claim with the results; `decide` judges all claims together."""
    if isinstance(claim, ScoreClaim):
        return judge_score(claim, results, paper)
    if isinstance(claim, CorrelationClaim):
        return _judge_correlation(claim, results, paper)
    if isinstance(claim, PredictorClaim):
        return _judge_predictor(claim, results, paper)
    if isinstance(claim, RankingClaim):
        return _judge_ranking(claim, results)
    raise TypeError(f"a correlation experiment cannot judge {type(claim).__name__}")


def _independent(results: CorrelationResults, dimension: int) -> int:
    """Return the number of models that share no vectors, which is that of the standard errors."""
    found = results.base_correlations.scored
    return next(len(each.model_names) for each in found if each.dimension == dimension)


def _judge_correlation(
    claim: CorrelationClaim, results: CorrelationResults, paper: CorrelationPaper
) -> Verdict:
    dimension = claim.dimension
    if dimension not in results.plan.dimensions:
        if claim.dimension_specific:
            return not_run(claim, f"No vectors with {dimension} dimensions were trained.")
        dimension = results.plan.table_dimension
    found, secondary = _correlations(claim, results, dimension)
    if found is None:
        reason = missing(results, (claim.predictor, claim.target))
        return Verdict(claim, "not run", reason=reason, dimension=dimension)
    note = substitutes(results, paper, (claim.predictor, claim.target))
    verdict = Verdict(claim, "undecided", reason=note, dimension=dimension, secondary=secondary)
    if found.value is None:
        return unknown(verdict, found.state)
    ours = CorrelationSample(found.value, _independent(results, dimension), claim.metric)
    size = min(claim.points, paper.independent_models)
    agreement = compare_correlations(ours, claim.range, size)
    if agreement is None:
        return unknown(replace(verdict, ours=Estimate(found.value, n=ours.size)), _TOO_FEW)
    theirs = estimate(agreement.paper, size)
    verdict = replace(verdict, ours=estimate(ours, ours.size), paper=theirs)
    return compared(verdict, agreement, paper.margins.correlation)


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
        found_of_bases = getattr(bases, claim.metric)
        secondary[BASE_MODELS] = Estimate(found_of_bases.value, n=found_of_bases.number)
    return None if pair is None else getattr(pair, claim.metric), secondary


def _judge_predictor(
    claim: PredictorClaim, results: CorrelationResults, paper: CorrelationPaper
) -> Verdict:
    """Compare the difference of two correlations with that of the printed ones."""
    dimension = results.plan.table_dimension
    names = claim.row, claim.below, claim.column
    scored = results.scored(dimension)
    if not set(names) <= set(scored.evaluations):
        return not_run(claim, missing(results, names))
    columns = dict(zip(names, map(scored.of, names), strict=True))
    found = {pair: correlation(columns[pair[0]], columns[pair[1]], "pearson").value
             for pair in _pairs(names)}  # fmt: skip
    verdict = Verdict(claim, "undecided", dimension=dimension)
    ours = _gap(found, names, _independent(results, dimension))
    theirs = _gap(_printed(paper, names), names, paper.independent_models)
    if ours is None or theirs is None:
        return unknown(verdict, "One of the three correlations of these evaluations is not known.")
    agreement = compare_gaps(ours, theirs)
    if agreement is None:
        return unknown(verdict, _TOO_FEW)
    verdict = replace(verdict, ours=estimate(ours, ours.one.size),
                      paper=estimate(theirs, theirs.one.size))  # fmt: skip
    return compared(verdict, agreement, paper.margins.correlation)


def _pairs(names: tuple[str, str, str]) -> list[tuple[str, str]]:
    """Return predictor and target, rival and target, predictor and rival."""
    predictor, rival, target = names
    return [(predictor, target), (rival, target), (predictor, rival)]


def _printed(
    paper: CorrelationPaper, names: tuple[str, str, str]
) -> dict[tuple[str, str], float | None]:
    """Return the correlations that the paper prints for its tables."""
    printed = {
        frozenset((claim.predictor, claim.target)): claim.range[0]
        for claim in paper.claims
        if isinstance(claim, CorrelationClaim)
        and (claim.metric, claim.dimension) == ("pearson", paper.analysis.dimension)
    }
    return {pair: printed.get(frozenset(pair)) for pair in _pairs(names)}


def _gap(
    found: dict[tuple[str, str], float | None], names: tuple[str, str, str], size: int
) -> GapSample | None:
    one, other, between = (found[pair] for pair in _pairs(names))
    if one is None or other is None or between is None:
        return None
    kind: Kind = "pearson"
    first, second = (CorrelationSample(each, size, kind) for each in (one, other))
    return GapSample(first, second, between)


def _judge_ranking(claim: RankingClaim, results: CorrelationResults) -> Verdict:
    """Judge a printed ranking by its rank correlation with ours."""
    dimension = results.plan.table_dimension
    scored = results.scored(dimension)
    if claim.column not in scored.evaluations:
        return not_run(claim, missing(results, (claim.column,)))
    scores = dict(zip(scored.model_names, scored.of(claim.column).tolist(), strict=True))
    common = [model for model in claim.models if model in scores]
    printed = -np.arange(len(common), dtype=np.float64)
    found = correlation(printed, np.array([scores[model] for model in common]), "spearman")
    size = min(len(common), _independent(results, dimension))
    verdict = Verdict(claim, "undecided", Estimate(found.value, n=size), dimension=dimension)
    if found.value is None or size < MIN_MEMBERS:
        return unknown(verdict, found.state or _TOO_FEW)
    ours = CorrelationSample(found.value, size, "spearman")
    return replace(verdict, ours=estimate(ours, size), p_value=correlation_p(found.value, size))
