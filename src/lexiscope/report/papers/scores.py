"""Sections on the scores of trained models, without correlations between evaluations."""

from lexiscope.core.display import shown
from lexiscope.papers.scores import ScoreResults
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import count, interval_of, p_value, points, signed_points
from lexiscope.report.papers.correlation import not_run_table, score_table

QUESTION = "How do models score in every evaluation?"


def summary(results: ScoreResults) -> list[Section]:
    """Return the sections of every report."""
    tables = tuple(score_table(results, dimension) for dimension in results.dimensions)
    sections = [Section("Scores", (), tables)]
    if results.not_run or results.failures:
        sections.append(Section("Not run", (), (not_run_table(results),)))
    return sections


def details(results: ScoreResults) -> list[Section]:
    """Return the sections of the page and of Markdown only."""
    if not results.comparisons:
        return []
    return [Section("Differences between models", (), (comparison_table(results),))]


def comparison_table(results: ScoreResults) -> Table:
    """Return the paired comparisons of models, not corrected."""
    rows = tuple(
        (
            shown(c.dataset),
            f"{shown(c.first)} minus {shown(c.second)}",
            signed_points(c.difference),
            interval_of(c, points),
            p_value(c.p),
            count(c.items),
        )
        for c in results.comparisons
    )
    head = ("evaluation", "models", "difference", "95 % CI", "p", "items")
    return Table(head, rows, "Paired tests of models, not corrected", numeric=(2, 4, 5))
