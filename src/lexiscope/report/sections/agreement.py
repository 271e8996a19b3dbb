"""Do the questions agree on the order of the embeddings? (Schnabel et al. 2015, section 7)"""

from collections.abc import Sequence
from itertools import combinations
from math import isnan

from lexiscope.bench.agreement import FEWEST, Agreement
from lexiscope.bench.agreement import agreement as found_agreement
from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.report.charts import heat
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.wording import counted

_TITLE = "Do the questions agree?"
_NO_NUMBER = (
    "There is no single number for the quality of an embedding: what is best for one question "
    "need not be best for another."
)
_SAME = 1 - 1e-9  # a correlation of 1, give or take rounding


def agreement(results: Results) -> Section:
    """Rank correlations between questions over the embeddings."""
    found = found_agreement(results)
    if found is None:
        return Section(_TITLE, (_NO_NUMBER, _why_none(results)))
    matrix = [[None if isnan(cell) else cell for cell in row] for row in found.matrix.tolist()]
    names = [f"{shown(task)}, {shown(dataset)}" for task, dataset in found.questions]
    about = "Spearman's correlation between the scores of every two questions over the embeddings."
    figure = Figure(
        "Rank correlation between questions", heat(names, matrix, about), _table(names, matrix)
    )
    text = (_NO_NUMBER, _sentence(matrix, found), *_few(found))
    return Section(_TITLE, text, (figure,))


def _why_none(results: Results) -> str:
    number = len(results.embeddings)
    if number < FEWEST:
        return (
            f"{counted(number, 'embedding')} can be put in so few orders that agreement would say "
            f"nothing; it is given from {FEWEST} embeddings on."
        )
    return "Fewer than two questions have a score for every embedding, so none can be compared."


def _sentence(matrix: Sequence[Sequence[float | None]], found: Agreement) -> str:
    pairs = [matrix[i][j] for i, j in combinations(range(len(matrix)), 2)]
    known = [cell for cell in pairs if cell is not None]
    other = sum(cell < _SAME for cell in known)
    against = sum(cell < 0 for cell in known)
    puts = "puts" if other == 1 else "put"
    text = (
        f"{other:,} of {counted(len(known), 'pair')} of questions {puts} the "
        f"{found.embeddings} embeddings in a different order"
    )
    return f"{text}, {against:,} of them rather in the opposite one." if against else f"{text}."


def _few(found: Agreement) -> tuple[str, ...]:
    if found.embeddings > 5:
        return ()
    told = f"With {found.embeddings} embeddings a correlation is a coarse number, and the order "
    return (f"{told}may itself rest on differences that are not real.",)


def _table(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> Table:
    head = ("question", *(str(place) for place in range(1, len(names) + 1)))
    body = tuple(
        (f"{place}  {name}", *("–" if cell is None else f"{cell:.2f}" for cell in row))
        for place, (name, row) in enumerate(zip(names, matrix, strict=True), 1)
    )
    numeric = tuple(range(1, len(names) + 1))
    return Table(head, body, "The numbers of the figure", folded=True, numeric=numeric)
