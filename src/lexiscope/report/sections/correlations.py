"""Correlations between evaluations over the embeddings (Tsvetkov et al. 2015, section 5)."""

from lexiscope.evaluation.results import Results
from lexiscope.report.correlation_tables import (
    consensus_table,
    correlation_figure,
    left_out,
    sentences,
)
from lexiscope.report.layout import Section
from lexiscope.stats.correlations import MIN_MEMBERS

_METHOD = (
    "One evaluation predicts another if embeddings that score higher on the one also score higher "
    "on the other. Trainings that differ only in their seed count as one embedding with the mean "
    "score. Intervals are those of Fisher (Pearson) and of Bonett and Wright (Spearman). With few "
    "embeddings the intervals are wide, and a single embedding can cause a correlation: the table "
    "names the most influential one."
)
_CONSENSUS = "Each evaluation against the Kemeny consensus ranking of all others"


def correlations(results: Results) -> Section | None:
    """Correlations with their intervals; None with too few embeddings or evaluations."""
    found = results.correlations
    scored = [
        s for s in found.scored if len(s.model_names) >= MIN_MEMBERS and len(s.evaluations) > 1
    ]
    if not scored:
        return None
    figures = [correlation_figure(found, each) for each in scored]
    consensus = [consensus_table(found.consensus, _CONSENSUS)] if found.consensus else []
    text = (*sentences(found), _METHOD, *left_out(found))
    return Section(
        "Correlations between evaluations", text, (*figures, *consensus), folded=True,
        abstract="which evaluations predict which",
    )  # fmt: skip
