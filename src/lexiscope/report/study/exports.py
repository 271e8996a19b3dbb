"""A study as CSV, LaTeX and Markdown. Words are untrusted text and are escaped."""

import csv as csv_format
import io

from lexiscope.core.display import guarded, shown
from lexiscope.human.scoring.results import StudyResults
from lexiscope.report.exports.tables import latex_table, markdown_table, markdown_text
from lexiscope.report.study import tables
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
    """Return the scores as a LaTeX table with booktabs."""
    caption = (
        f"{metric(results).capitalize()} of embeddings in a study with {results.judges} judges, "
        "with 95 % confidence intervals over query words and judges."
    )
    return latex_table(tables.score_table(results), caption, "lexiscope-study", names=1)


def markdown(results: StudyResults) -> str:
    """Return the verdict and all tables as Markdown."""
    parts = [tables.score_table(results), tables.comparison_table(results)]
    for by in dict.fromkeys(each.by for each in results.slices):
        chosen = [each for each in results.slices if each.by == by]
        parts.append(tables.slice_table(chosen, by.replace("_", " ")))
    if results.proxies:
        parts.append(tables.proxy_table(results))
    lines = [*verdict_sentences(results), *quality_sentences(results), *results.cautions]
    text = [markdown_text(shown(line, 2000)) for line in lines]
    return "\n\n".join([*text, *map(markdown_table, parts)]) + "\n"
