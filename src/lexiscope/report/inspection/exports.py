"""An inspection as CSV, LaTeX and Markdown. Words are untrusted text and are escaped."""

import csv as csv_format
import io
from collections.abc import Iterator
from itertools import chain
from typing import Any

from lexiscope.core.display import guarded, shown
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.results import Inspected, InspectionResults
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


_Row = tuple[str, Any, Estimate]


def _rows(results: InspectionResults) -> Iterator[tuple[Any, ...]]:
    for each in results.embeddings:
        parts = _probe(each), _neighbours(each), _space(each), _bias(each), _map(each)
        for name, at, found in chain(*parts, _transforms(results, each.embedding)):
            yield each.embedding, name, at, *found.ends
    for pair in results.agreement:
        name = f"{pair.first} and {pair.second}"
        for point in pair.points:
            yield name, "linear CKA", point.words, *point.cka.ends
            yield name, "neighbour Jaccard", point.words, *point.jaccard.ends


def _probe(each: Inspected) -> Iterator[_Row]:
    for point in each.probe.points:
        yield "probe accuracy", point.threshold, point.accuracy
        yield "probe accuracy, permuted labels", point.threshold, point.control
        yield "probe accuracy, deviation over folds", point.threshold, Estimate(point.spread)
        yield "weights, cosine with next", point.threshold, Estimate(point.next_direction)
        yield "weights, cosine with itself", point.threshold, Estimate(point.same_direction)


def _neighbours(each: Inspected) -> Iterator[_Row]:
    found = each.neighbours
    for point in found.points:
        yield "corpus rank", point.neighbour_rank, point.corpus_rank
    yield "exponent", "", found.exponent
    yield "coefficient", "", Estimate(found.coefficient)
    yield "inverse exponent", "", found.inverse_exponent
    yield "inverse coefficient", "", Estimate(found.inverse_coefficient)
    yield "R squared", "", Estimate(found.r_squared)
    yield "corpus rank of random words", "", Estimate(found.random_rank)


def _space(each: Inspected) -> Iterator[_Row]:
    for point in each.shape:
        yield point.metric, point.words, point.value
    if each.norms:
        yield "norm and frequency, Spearman", "", each.norms.correlation
        for band in each.norms.bands:
            yield "mean norm", band.band, band.norm


def _bias(each: Inspected) -> Iterator[_Row]:
    for test in each.bias:
        yield "effect size d", test.test, test.effect_size
        yield "WEAT p (one-sided)", test.test, Estimate(test.p)
        for side, value in zip("AB", test.norm_distances or (), strict=False):
            yield f"RND to {side}", test.test, Estimate(value)


def _map(each: Inspected) -> Iterator[_Row]:
    for point in each.map.points:
        yield f"map x ({each.map.projection})", point.word, Estimate(point.x)
        yield f"map y ({each.map.projection})", point.word, Estimate(point.y)
        yield f"map {each.source.unit}", point.word, Estimate(point.frequency)


def _transforms(results: InspectionResults, embedding: str) -> Iterator[_Row]:
    for found in results.transforms:
        if found.embedding == embedding:
            at = f"{found.task} on {found.dataset}"
            yield f"transform {found.transform}", at, found.difference
            yield f"transform {found.transform}, p (Holm)", at, Estimate(found.p_holm)
    for after in results.transform_probes:
        if after.embedding == embedding:
            for point in after.probe.points:
                yield f"probe accuracy after {after.transform}", point.threshold, point.accuracy


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
        tables.transform_table(results), tables.probe_change_table(results),
        tables.bias_table(results), tables.source_table(results),
    ]  # fmt: skip
    sentences = [*cautions(results), *verdict_sentences(results)]
    lines = [markdown_text(shown(line, 2000)) for line in sentences]
    for table in parts:
        if table.rows:
            lines += [f"#### {markdown_text(table.caption or 'Summary')}", markdown_table(table)]
    return "\n\n".join(lines) + "\n"
