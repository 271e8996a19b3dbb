"""Do different evaluations put embeddings in the same order? Schnabel et al. 2015, section 7."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.bench.results import Results

FEWEST = 3  # embeddings; two have only one order and its reverse


class Agreement(NamedTuple):
    """Spearman's correlation between the scores of every two questions over the embeddings.

    NaN where a question gives all embeddings the same score.
    """

    questions: list[tuple[str, str]]
    matrix: NDArray[np.float64]
    embeddings: int


def agreement(results: Results) -> Agreement | None:
    """How far the questions agree on the order of the embeddings; None below three of them."""
    table = {
        column: {r.embedding: r.value for r in results.main() if (r.variant, r.dataset) == column}
        for column in results.columns
    }
    names = results.embeddings
    whole = {
        column: [scores[name] for name in names]
        for column, scores in table.items()
        if all(scores.get(name) is not None for name in names) and not results.refused(*column)
    }
    if len(names) < FEWEST or len(whole) < 2:
        return None
    return Agreement(list(whole), _correlations(np.array(list(whole.values()), float)), len(names))


def _correlations(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.stats import rankdata

    ranks = rankdata(scores, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.atleast_2d(np.corrcoef(ranks))
