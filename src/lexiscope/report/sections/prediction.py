"""What predicts your task? (Tsvetkov et al. 2015, section 5)"""

from lexiscope.bench.predicting import of_results
from lexiscope.bench.results import Results
from lexiscope.report.layout import Section
from lexiscope.report.predicting import heat_of, joined_table, left_out, sentences
from lexiscope.stats.correlations import FEWEST

_HOW = (
    "An evaluation predicts another if embeddings that score higher on the one score higher on the "
    "other. Trainings that differ in their seed only count as one embedding, their mean. Intervals "
    "are Fisher's (Pearson) and those of Bonett and Wright (Spearman); with few embeddings they "
    "are wide, and one embedding can make a correlation: the table says which."
)
_JOINT = "Each evaluation beside Kemeny's joint order of all the others"


def prediction(results: Results) -> Section | None:
    """Correlations between evaluations with their intervals; None where nothing can be said."""
    found = of_results(results)
    scored = [s for s in found.scored if len(s.members) >= FEWEST and len(s.evaluations) > 1]
    if not scored:
        return None
    parts = [heat_of(found, each) for each in scored]
    joint = [joined_table(found.joined, _JOINT)] if found.joined else []
    text = (*sentences(found), _HOW, *left_out(found))
    return Section("What predicts your task?", text, (*parts, *joint))
