"""Scores with confidence intervals, significance groups and ranks."""

from collections.abc import Iterable, Sequence

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.comparable_scores import EvaluationScores, comparable_scores
from lexiscope.evaluation.results import Results
from lexiscope.report.charts import forest, forest_of_shared_items
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import comparable_interval, fraction, score
from lexiscope.report.sentences import counted, disjoint_intervals, min_coverage, rank_range

_OPEN = 12  # rows; longer tables are folded
_SENTENCES = 5


def scores(results: Results) -> Section:
    """The scores of every task."""
    found: dict[str, list[EvaluationScores]] = {}
    for task, dataset in results.evaluations:
        found.setdefault(task, []).append(comparable_scores(results, task, dataset))
    figures = [_figure(results, task, each) for task, each in found.items()]
    abstract = "with ranks and coverage; charts as SVG and PNG"
    text = _text(results, found.values())
    return Section("Score tables", text, tuple(figures), folded=True, abstract=abstract)


def _text(results: Results, found: Iterable[Sequence[EvaluationScores]]) -> tuple[str, ...]:
    disjoint = disjoint_intervals(results)
    more = len(disjoint) - _SENTENCES
    text = [
        "Points are scores, lines their 95 % confidence intervals over items.",
        "In the tables, embeddings that share a letter (group) are not significantly different on "
        "that dataset. The rank is the range of ranks that the significant differences allow. "
        "Intervals are not corrected for multiple comparisons, letters and ranks are.",
        *disjoint[:_SENTENCES],
        *([f"{counted(more, 'more pair')} of intervals like this."] if more > 0 else []),
    ]
    if any(each.differs for evaluations in found for each in evaluations):
        text.insert(
            1,
            "If coverage differs, scores on own items are not comparable. Filled points and the "
            "first score of a table are on the shared items: those that all embeddings with a "
            f"coverage of at least {min_coverage(results.rule)} cover. Hollow points are on the "
            "own items of an embedding that covers other items.",
        )
    return tuple(text)


def _figure(results: Results, task: str, found: Sequence[EvaluationScores]) -> Figure:
    differs = any(each.differs for each in found)
    if differs:
        spec = forest_of_shared_items(found, results.embeddings)
    else:
        spec = forest([row.own for each in found for row in each.scores], results.embeddings)
    return Figure(shown(task), spec, _table(found, differs))


def _table(found: Sequence[EvaluationScores], differs: bool) -> Table:
    body = tuple(line for each in found for line in _lines(each, differs))
    metric = found[0].metric
    shared = (f"{metric}, shared items", "95 % interval", "own items")
    values = shared if differs else (metric, "95 % interval")
    head = ("dataset", "embedding", *values, "coverage", "group", "rank")
    numeric = (2, 4, 5) if differs else (2, 4)
    return Table(head, body, "Data of the figure", len(body) > _OPEN, numeric)


def _lines(found: EvaluationScores, differs: bool) -> list[tuple[str, ...]]:
    """A line for each embedding, the highest comparable score first."""
    return [
        (
            shown(found.dataset),
            shown(row.embedding),
            score(row.value),
            comparable_interval(row),
            *((score(row.own.value),) if differs else ()),
            fraction(row.own.used, row.own.total),
            row.letters,
            rank_range(row.rank),
        )
        for row in found.scores
    ]
