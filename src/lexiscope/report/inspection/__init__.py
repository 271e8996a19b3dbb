"""The report on an inspection: HTML page, terminal and exports."""

from pathlib import Path
from typing import Any

from lexiscope.experiments.inspection.results import InspectionResults
from lexiscope.report.console import console, view
from lexiscope.report.inspection import sections, tables
from lexiscope.report.inspection.exports import csv, latex, markdown
from lexiscope.report.inspection.verdict import cautions, verdict_sentences

__all__ = ["csv", "figures", "latex", "markdown", "page", "show", "terminal"]


def page(results: InspectionResults) -> str:
    """Return the report as one HTML page that needs no network."""
    from lexiscope import __version__
    from lexiscope.report.page import Heading, rendered

    version = results.manifest.get("versions", {}).get("lexiscope", __version__)
    heading = Heading("Lexiscope: inspection", sections.QUESTION, sections.lead(results), version)
    return rendered(heading, sections.sections(results))


def figures(results: InspectionResults, folder: str | Path, ending: str) -> list[Path]:
    """Write all figures of the page to a folder, as ".svg" or ".png" files."""
    from lexiscope.report.exports.figures import write_figures

    return write_figures(sections.sections(results), folder, ending)


def show(results: InspectionResults) -> None:
    """Print a summary and the verdict."""
    out = console()
    for part in terminal(results):
        out.print(part)


def terminal(results: InspectionResults) -> list[Any]:
    """Return what a terminal of 80 columns shows, as renderables of rich; the verdict is last."""
    from rich.text import Text

    parts: list[Any] = [view(tables.summary_table(results), 1)]
    shown = [tables.agreement_table(results), tables.transform_table(results)]
    parts += [view(table, 2) for table in shown if table.rows]
    lines = [*(f"Warning: {each}" for each in cautions(results)), *verdict_sentences(results)]
    return parts + [Text(line) for line in lines]
