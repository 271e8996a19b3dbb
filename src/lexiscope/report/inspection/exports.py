"""An inspection as CSV, LaTeX and Markdown. Words are untrusted text and are escaped."""

import csv as csv_format
import io
from collections.abc import Iterator
from typing import Any

from lexiscope.core.display import guarded, shown
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.results import InspectionResults
from lexiscope.report.exports.tables import latex_table, markdown_table, markdown_text
from lexiscope.report.inspection import tables
from lexiscope.report.inspection.verdict import cautions, verdict_sentences

_COLUMNS = ("embedding", "quantity", "at", "value", "low", "high")


def csv(results: InspectionResults) -> str:
    """Return one row for each embedding, quantity and point of its curve.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    text = io.StringIO()
    writer = csv_format.writer(text)
    writer.writerow(_COLUMNS)
    for row in _rows(results):
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _rows(results: InspectionResults) -> Iterator[tuple[Any, ...]]:
    for each in results.embeddings:
        named: list[tuple[str, Any, Estimate]] = []
        for point in each.probe.points:
            named.append(("probe accuracy", point.threshold, point.accuracy))
            named.append(("probe accuracy, permuted labels", point.threshold, point.control))
        named += [
            ("corpus rank", point.neighbour_rank, point.corpus_rank)
            for point in each.neighbours.points
        ]
        named.append(("exponent", "", each.neighbours.exponent))
        named.append(("inverse exponent", "", each.neighbours.inverse_exponent))
        named += [(point.metric, point.words, point.value) for point in each.shape]
        if each.norms:
            named.append(("norm and frequency, Spearman", "", each.norms.correlation))
            named += [("mean norm", band.band, band.norm) for band in each.norms.bands]
        named += [("effect size d", test.test, test.effect_size) for test in each.bias]
        named += [
            (f"transform {found.transform}", f"{found.task} on {found.dataset}", found.difference)
            for found in results.transforms
            if found.embedding == each.embedding
        ]
        for name, at, found in named:
            yield each.embedding, name, at, found.value, found.low, found.high


def latex(results: InspectionResults) -> str:
    """Return the summary as a LaTeX table with booktabs."""
    caption = (
        "Inspection: highest accuracy of a linear frequency probe, exponent of corpus rank over "
        "neighbour rank, and properties of the space of all words."
    )
    return latex_table(tables.summary_table(results), caption, "lexiscope-inspection", names=1)


def markdown(results: InspectionResults) -> str:
    """Return the verdict and all tables as Markdown."""
    parts = [
        tables.summary_table(results), tables.probe_table(results), tables.fit_table(results),
        tables.shape_table(results), tables.norm_table(results), tables.agreement_curves(results),
        tables.transform_table(results), tables.bias_table(results), tables.source_table(results),
    ]  # fmt: skip
    sentences = [*cautions(results), *verdict_sentences(results)]
    lines = [markdown_text(shown(line, 2000)) for line in sentences]
    for table in parts:
        if table.rows:
            lines += [f"#### {markdown_text(table.caption or 'Summary')}", markdown_table(table)]
    return "\n\n".join(lines) + "\n"
