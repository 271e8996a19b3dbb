"""Agreement between evaluations on the ranking of the embeddings.

Schnabel et al. 2015, section 5.
"""

from collections.abc import Sequence
from itertools import combinations
from math import isnan

from lexiscope.evaluation.analysis.agreement import MIN_MEMBERS, Agreement
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import heat_map
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import correlation, count
from lexiscope.report.sentences import counted, evaluation_name

_TITLE = "Agreement between evaluations"
_NO_SINGLE_SCORE = (
    "No single score measures the quality of an embedding: the best embedding of one evaluation "
    "need not be the best of another."
)
_SAME = 1 - 1e-9  # a correlation of 1, up to rounding


def agreement(results: Results) -> Section:
    """Rank correlations between evaluations over the embeddings."""
    found = results.agreement
    if found is None:
        why = _why_none(results)
        return Section(_TITLE, (_NO_SINGLE_SCORE, why), folded=True, abstract="too few to rank")
    return rank_agreement(found, [evaluation_name(*each) for each in found.evaluations])


def rank_agreement(found: Agreement, names: Sequence[str]) -> Section:
    """Rank correlations between evaluations with these names."""
    matrix = [[None if isnan(cell) else cell for cell in row] for row in found.matrix.tolist()]
    about = "Spearman correlation between the scores of every two evaluations over the embeddings."
    chart = heat_map(names, matrix, about)
    figure = Figure("Rank correlation between evaluations", chart, _table(names, matrix))
    text = (_NO_SINGLE_SCORE, _sentence(matrix, found), *_few(found))
    return Section(_TITLE, text, (figure,), folded=True, abstract=_abstract(found))


def _abstract(found: Agreement) -> str:
    return f"rank correlations of {counted(len(found.evaluations), 'evaluation')}"


def _why_none(results: Results) -> str:
    number = len(results.embeddings)
    if number < MIN_MEMBERS:
        return (
            f"With {counted(number, 'embedding')} a rank correlation is not informative; at least "
            f"{MIN_MEMBERS} embeddings are needed."
        )
    return "Fewer than two evaluations have comparable scores for all embeddings."


def _sentence(matrix: Sequence[Sequence[float | None]], found: Agreement) -> str:
    pairs = [matrix[i][j] for i, j in combinations(range(len(matrix)), 2)]
    known = [cell for cell in pairs if cell is not None]
    different = sum(cell < _SAME for cell in known)
    negative = sum(cell < 0 for cell in known)
    verb = "ranks" if different == 1 else "rank"
    text = (
        f"{count(different)} of {counted(len(known), 'pair')} of evaluations {verb} the "
        f"{found.embeddings} embeddings differently"
    )
    return (
        f"{text}; {count(negative)} of them are negatively correlated." if negative else f"{text}."
    )


def _few(found: Agreement) -> tuple[str, ...]:
    if found.embeddings > 5:
        return ()
    return (
        f"With {found.embeddings} embeddings a rank correlation is imprecise, and the rankings may "
        "rest on differences that are not significant.",
    )


def _table(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> Table:
    head = ("evaluation", *(str(number) for number in range(1, len(names) + 1)))
    body = tuple(
        (f"{number}  {name}", *map(correlation, row))
        for number, (name, row) in enumerate(zip(names, matrix, strict=True), 1)
    )
    numeric = tuple(range(1, len(names) + 1))
    return Table(head, body, "Data of the figure", folded=True, numeric=numeric)
