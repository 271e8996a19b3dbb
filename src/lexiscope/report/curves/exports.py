"""Learning curves as CSV, LaTeX and Markdown. Names are untrusted text and are escaped."""

import csv as csv_format
import io
from typing import Any

from lexiscope.core.display import guarded, shown
from lexiscope.experiments.curves.results import CurveResults
from lexiscope.report.curves import tables
from lexiscope.report.curves.verdict import verdict_sentences
from lexiscope.report.exports.tables import latex_table, markdown_table, markdown_text

_COLUMNS = (
    "embedding", "control", "dataset", "family", "metric", "model", "complexity", "size", "score",
    "low", "high", "state",
)  # fmt: skip


def csv(results: CurveResults) -> str:
    """Return one row for each embedding, dataset, model and training size.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    text = io.StringIO()
    writer = csv_format.writer(text)
    writer.writerow(_COLUMNS)
    for c in results.curves:
        about = (c.embedding, c.control, c.dataset, c.family, c.metric, c.model, c.complexity)
        for size, point in zip(c.sizes, c.points, strict=True):
            values = (size, point.value, point.low, point.high, point.state)
            writer.writerow([_cell(value) for value in (*about, *values)])
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value


def latex(results: CurveResults) -> str:
    """Return the summary of the best models as a LaTeX table with booktabs."""
    table = tables.summary_table(results)
    caption = (
        "Learning curves of the best model of each embedding: area over the logarithm of the "
        f"training size, scores at {tables.start_name(results)} and at {tables.end_name(results)} "
        "of the training items, and area over 30 to 100 %, with 95 % confidence intervals."
    )
    return latex_table(table, caption, "lexiscope-curves")


def markdown(results: CurveResults) -> str:
    """Return the verdict, the summary, labels needed and differences as Markdown tables."""
    parts = [tables.summary_table(results), tables.labels_table(results)]
    if results.ratios:
        parts.append(tables.ratio_table(results))
    if results.compared():
        parts.append(tables.comparison_table(results, "area"))
    lines = [markdown_text(shown(line, 2000)) for line in verdict_sentences(results)]
    for table in parts:
        lines += [f"#### {markdown_text(table.caption)}", markdown_table(table)]
    return "\n\n".join(lines) + "\n"
