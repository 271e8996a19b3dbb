"""The report on consistency: HTML page, terminal and exports."""

from pathlib import Path
from typing import Any

from lexiscope.core.display import shown
from lexiscope.experiments.consistency.results import ConsistencyResults
from lexiscope.report.consistency import sections, tables
from lexiscope.report.consistency.exports import csv, latex, markdown
from lexiscope.report.consistency.verdict import (
    left_out_sentence,
    stability_sentences,
    term_sentences,
    verdict_sentences,
)
from lexiscope.report.console import console, view

__all__ = ["csv", "figures", "latex", "markdown", "page", "show", "terminal"]

_LEGEND = (
    "cosine: mean over the pairs of samples of a term. null: samples of different terms of similar "
    "frequency. excess: cosine minus null. rank: median over terms of the rank of the other sample "
    "among the background vectors. Without the mean direction of all terms: ident., terms whose "
    "other sample is nearer than that of every other term; learn., learnable terms."
)


def page(results: ConsistencyResults) -> str:
    """Return the report as one HTML page that needs no network."""
    from lexiscope import __version__
    from lexiscope.report.page import Heading, rendered

    version = results.manifest.get("versions", {}).get("lexiscope", __version__)
    heading = Heading("Lexiscope: consistency", sections.QUESTION, sections.lead(results), version)
    return rendered(heading, sections.sections(results))


def figures(results: ConsistencyResults, folder: str | Path, ending: str) -> list[Path]:
    """Write all figures of the page to a folder, as ".svg" or ".png" files."""
    from lexiscope.report.exports.figures import write_figures

    return write_figures(sections.sections(results), folder, ending)


def show(results: ConsistencyResults) -> None:
    """Print the summary of the models, warnings and the verdict."""
    out = console()
    for part in terminal(results):
        out.print(part)


def terminal(results: ConsistencyResults) -> list[Any]:
    """Return what a terminal of 80 columns shows, as renderables of rich; the verdict is last."""
    from rich.text import Text

    table = tables.short_table(results)
    lines = [_LEGEND] if table.rows else []
    if results.left_out:
        lines.append(left_out_sentence(results))
    lines += [f"Note: {shown(note, 400)}" for note in results.notes]
    lines += [f"Warning: {shown(warning, 400)}" for warning in results.warnings]
    for each in results.models:
        lines += term_sentences(results, each)
    lines += stability_sentences(results)
    lines += verdict_sentences(results)
    return [view(table, min(table.numeric))] * bool(table.rows) + [Text(line) for line in lines]
