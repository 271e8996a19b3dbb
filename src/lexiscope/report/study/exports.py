"""A study as CSV, LaTeX and Markdown. Words are untrusted text and are escaped."""

import csv as csv_format
import io
import re

from lexiscope.core.display import guarded, shown
from lexiscope.human.scoring.results import StudyResults
from lexiscope.report.exports.tables import latex_table, markdown_table, markdown_text
from lexiscope.report.layout import Table
from lexiscope.report.study.sections import every_table
from lexiscope.report.study.verdict import metric, quality_sentences, verdict_sentences

_COLUMNS = ("item", "query", "rank", "embedding", "ratings", "score")


def csv(results: StudyResults) -> str:
    """Return one row for each item and embedding.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    text = io.StringIO()
    writer = csv_format.writer(text)
    writer.writerow(_COLUMNS)
    for each in results.items:
        row = [getattr(each, name) for name in _COLUMNS]
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def latex(results: StudyResults) -> str:
    """Return all tables for LaTeX with booktabs: scores, breakdowns, differences and judges."""
    scores, *others = every_table(results)
    caption = (
        f"{metric(results).capitalize()} of embeddings in a study with {results.judges} judges, "
        "with 95 % confidence intervals over query words and judges."
    )
    parts = [latex_table(scores, caption, "lexiscope-study", names=1)]
    parts += [
        latex_table(table, table.caption, f"lexiscope-study-{_slug(table.caption)}", names=1)
        for table in others
    ]
    return "\n".join(parts)


def markdown(results: StudyResults) -> str:
    """Return the verdict and all tables as Markdown."""
    lines = [*verdict_sentences(results), *quality_sentences(results), *results.cautions]
    parts = [markdown_text(shown(line, 2000)) for line in lines]
    for table in every_table(results):
        parts += [f"**{markdown_text(table.caption)}**", markdown_table(table)]
    return "\n\n".join(parts) + "\n"


def table_files(results: StudyResults) -> dict[str, bytes]:
    """Return every table as a CSV file, by file name."""
    return {
        f"{number:02d}-{_slug(table.caption)}.csv": _table_csv(table)
        for number, table in enumerate(every_table(results), 1)
    }


def _table_csv(table: Table) -> bytes:
    text = io.StringIO()
    writer = csv_format.writer(text)
    for row in (table.head, *table.rows):
        writer.writerow(map(guarded, row))
    return text.getvalue().encode("utf-8-sig", "replace")


def _slug(caption: str) -> str:
    """A caption as part of a name: without its remark on intervals."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\(.*?\)", "", caption.casefold()))
    return "-".join(words)[:60]
