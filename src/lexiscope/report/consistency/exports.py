"""Consistency as CSV, LaTeX and Markdown. Terms are untrusted text and are escaped."""

import csv as csv_format
import io
from typing import Any

from lexiscope.core.display import guarded, shown
from lexiscope.experiments.consistency.results import ConsistencyResults
from lexiscope.report.consistency import tables
from lexiscope.report.consistency.verdict import label, verdict_sentences
from lexiscope.report.exports.tables import latex_table, markdown_table, markdown_text

_COLUMNS = (
    "model", "split", "term", "frequency", "background_count", "samples", "sentences", "verdict",
    "cosine", "rank", "worst_rank", "null", "excess", "centred", "limit", "p", "identified",
    "reciprocal_rank", "drift_cosine", "drift_rank", "state",
)  # fmt: skip


def csv(results: ConsistencyResults) -> str:
    """Return one row for each model, split and term.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    text = io.StringIO()
    writer = csv_format.writer(text)
    writer.writerow(_COLUMNS)
    for each in results.terms:
        writer.writerow([_cell(getattr(each, name)) for name in _COLUMNS])
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return guarded(value) if isinstance(value, str) else value


def latex(results: ConsistencyResults) -> str:
    """Return the summary of all models as a LaTeX table with booktabs."""
    table = tables.summary_table(results)
    caption = (
        "Consistency of vectors from samples of a text: mean cosine over terms, cosine between "
        "samples of different terms of similar frequency, their difference, and rank of the other "
        "sample among the background vectors, with 95 % confidence intervals."
    )
    return latex_table(table, caption, "lexiscope-consistency")


def markdown(results: ConsistencyResults) -> str:
    """Return the verdict and all tables of the page but settings as Markdown."""
    splits = dict.fromkeys(each.split for each in results.models)
    groups = dict.fromkeys(each.by for each in results.slices)
    parts = [
        tables.summary_table(results), tables.variant_table(results),
        tables.learnable_table(results), tables.comparison_table(results),
        *(tables.size_table(results, split) for split in splits),
        *(tables.size_difference_table(results, split) for split in splits),
        *(tables.slice_table([s for s in results.slices if s.by == by], f"By {by} (95 % CI)")
          for by in groups),
        tables.drift_table(results), tables.stability_table(results),
        *(tables.neighbour_table(results, each) for each in results.models),
        *(tables.term_table(results.of_model(each.model, each.split), f"Terms, {label(each)}")
          for each in results.models),
        tables.left_out_table(results),
    ]  # fmt: skip
    parts = [table for table in parts if table.rows]
    lines = [markdown_text(shown(line, 2000)) for line in verdict_sentences(results)]
    for table in parts:
        lines += [f"#### {markdown_text(table.caption)}", markdown_table(table)]
    return "\n\n".join(lines) + "\n"
