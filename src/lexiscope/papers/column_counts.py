"""In how many columns of a table a model is best or worst, in the paper and here.

Only columns with the paper's own dataset count, in both: two datasets have no score in common. The
sampling error of a count is that of its scores, by a parametric bootstrap that treats them as
independent.
"""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.seeding import generator
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.papers.agreement import ScoreErrors, compare_scores
from lexiscope.papers.claims import ColumnCountClaim, ScoreClaim
from lexiscope.papers.schema import ScorePaper
from lexiscope.papers.verdicts import Estimate, Verdict, compared, not_run
from lexiscope.stats.intervals import NORMAL_QUANTILE

Floats = NDArray[np.float64]
DRAWS = 2_000
MARGIN = 1.0  # columns


class _Scores(NamedTuple):
    """Scores (models, columns) with their standard errors; the row of the model of the claim."""

    values: Floats
    errors: Floats
    row: int


def judge_count(
    claim: ColumnCountClaim, results: CorrelationResults, paper: ScorePaper, columns: list[str]
) -> Verdict:
    """Compare the counts of a model over `columns`, those with the paper's own dataset."""
    models = [model.name for model in paper.models]
    ours = _ours(claim, results, models, columns)
    theirs = None if ours is None else _theirs(claim, paper, models, columns, ours.errors)
    if ours is None or theirs is None:
        return not_run(claim, "Some models have no score in some columns.")
    sign = 1 if claim.statistic == "best" else -1
    rng = generator(results.plan.seed, "column counts", claim.row)
    value, printed = (float(best_columns(sign * e.values, e.row)) for e in (ours, theirs))
    found = _drawn(ours, sign, rng)
    errors = ScoreErrors(
        float(found.std(ddof=1)), float(_drawn(theirs, sign, rng).std(ddof=1)), 0.0, 1, 0.0
    )
    low, high = np.quantile(found, [0.025, 0.975])
    estimate = Estimate(value, float(low), float(high), len(columns))
    verdict = Verdict(
        claim, "undecided", estimate, dimension=results.plan.table_dimension,
        reason=f"On the {len(columns)} columns with the paper's dataset, in the paper {printed:g}.",
        paper=Estimate(printed, n=len(columns)), secondary=_every_column(claim, results, models),
    )  # fmt: skip
    if not errors.ours and not errors.items:
        return verdict
    return compared(verdict, compare_scores(value, printed, errors), MARGIN)


def best_columns(scores: Floats, row: int) -> int:
    """In how many columns a row is above all others; a shared first rank does not count.

    >>> best_columns(np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]]), 0)
    1
    """
    others = np.delete(scores, row, axis=0)
    return int((scores[row] > others.max(axis=0)).sum())


def _drawn(scores: _Scores, sign: int, rng: Generator) -> Floats:
    noise = rng.standard_normal((DRAWS, *scores.values.shape)) * scores.errors
    drawn = sign * (scores.values + noise)
    return np.array([best_columns(each, scores.row) for each in drawn], np.float64)


def _ours(
    claim: ColumnCountClaim, results: CorrelationResults, models: list[str], columns: list[str]
) -> _Scores | None:
    dimension = results.plan.table_dimension
    found = [[results.score(model, name, dimension) for name in columns] for model in models]
    if not columns or any(each is None for row in found for each in row):
        return None
    values = np.array([[100 * each.value for each in row if each] for row in found])
    errors = np.array(
        [[50 * ((e.high or 0) - (e.low or 0)) / NORMAL_QUANTILE for e in row if e] for row in found]
    )
    return _Scores(values, errors, models.index(claim.row))


def _theirs(
    claim: ColumnCountClaim,
    paper: ScorePaper,
    models: list[str],
    columns: list[str],
    errors: Floats,
) -> _Scores | None:
    """The printed scores; their errors are taken to be those of ours."""
    printed = {
        (each.row, each.column): each.range[0]
        for each in paper.claims
        if isinstance(each, ScoreClaim)
    }
    if any((model, name) not in printed for model in models for name in columns):
        return None
    values = np.array([[printed[model, name] for name in columns] for model in models])
    return _Scores(values, errors, models.index(claim.row))


def _every_column(
    claim: ColumnCountClaim, results: CorrelationResults, models: list[str]
) -> dict[str, Estimate]:
    """Our count over all columns, substitutes included."""
    names = [each.members for each in results.plan.evaluations if each.name == claim.average]
    columns = list(names[0]) if names else []
    found = _ours(claim, results, models, columns)
    if found is None:
        return {}
    sign = 1 if claim.statistic == "best" else -1
    value = float(best_columns(sign * found.values, found.row))
    return {f"all {len(columns)} columns, with substitutes": Estimate(value, n=len(columns))}
