"""Agreement of evaluations on the ranking of embeddings: Schnabel et al. 2015, section 5."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.evaluation.analysis.score_table import complete_scores
from lexiscope.evaluation.run_data import RunData

MIN_MEMBERS = 3  # two have only one ranking and its reverse


class Agreement(NamedTuple):
    """Spearman's correlation between the scores of every two evaluations, over embeddings.

    NaN where all embeddings have the same score in an evaluation.
    """

    evaluations: list[tuple[str, str]]
    matrix: NDArray[np.float64]
    embeddings: int


def agreement(results: RunData) -> Agreement | None:
    """How far evaluations agree on the ranking; None with too few embeddings or evaluations."""
    found = complete_scores(results, results.embeddings)
    if len(found.embeddings) < MIN_MEMBERS or len(found.evaluations) < 2:
        return None
    matrix = rank_correlations(found.values.T)
    return Agreement(found.evaluations, matrix, len(found.embeddings))


def rank_correlations(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's correlation of every two rows of scores (evaluations, embeddings)."""
    from scipy.stats import rankdata

    ranks = rankdata(scores, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.atleast_2d(np.corrcoef(ranks))
