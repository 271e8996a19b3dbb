"""Sections on the learning curves of a paper."""

from lexiscope.core.display import shown
from lexiscope.papers.curves import CurvePaperResults
from lexiscope.report.curves import sections, tables
from lexiscope.report.layout import Section, Table

QUESTION = sections.QUESTION


def lead(results: CurvePaperResults) -> str:
    """Return what was measured."""
    return sections.lead(results.curves)


def summary(results: CurvePaperResults) -> list[Section]:
    """Return the sections of every report."""
    found = results.curves
    parts = (tables.rank_table(found, "ANOVA"), tables.change_table(found))
    listed = [
        Section("Ranks", (), parts),
        Section("Scores of the best models", (), (tables.summary_table(found),)),
    ]
    if results.not_run:
        listed.append(Section("Not run", (), (_not_run(results),)))
    return listed


def details(results: CurvePaperResults) -> list[Section]:
    """Return the sections of the page and of Markdown only."""
    return sections.sections(results.curves)


def provenance(results: CurvePaperResults) -> Section:
    """Return the datasets that are used under the names of the paper."""
    rows = tuple((shown(name), shown(used)) for name, used in results.used.items())
    return Section("Datasets", (), (Table(("name", "catalogue"), rows, "Datasets"),))


def _not_run(results: CurvePaperResults) -> Table:
    rows = tuple((shown(each.what), shown(each.why, 300)) for each in results.not_run)
    return Table(("what", "why"), rows, "Not run")
