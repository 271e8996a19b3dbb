"""Results in a notebook: the comparable scores and the recommendation as HTML."""

from html import escape

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.comparable_scores import comparable_scores
from lexiscope.report.numbers import fraction, score
from lexiscope.report.recommendation import recommendation_sentences

_HEAD = (
    "embedding", "task", "dataset", "metric", "score", "95 % interval", "own items", "coverage",
    "group",
)  # fmt: skip


def html(results: Results) -> str:
    """A table with the comparable scores, the highest first, and the recommendation."""
    rows = [
        (
            shown(row.embedding), shown(each.task), shown(each.dataset), each.metric,
            score(row.value), row.interval, score(row.own.value),
            fraction(row.own.used, row.own.total), row.letters,
        )
        for each in (comparable_scores(results, *names) for names in results.evaluations)
        for row in each.scores
    ]  # fmt: skip
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{_cells('th', _HEAD)}</tr></thead><tbody>{body}</tbody></table>"
    return table + "".join(f"<p>{escape(each)}</p>" for each in recommendation_sentences(results))


def _cells(tag: str, values: tuple[str, ...]) -> str:
    return "".join(f"<{tag}>{escape(value)}</{tag}>" for value in values)
