"""The report on learning curves: HTML page, terminal and exports."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexiscope.core.display import shown
from lexiscope.experiments.curves.results import SHARED_WORDS, CurveResults
from lexiscope.report.console import console, view
from lexiscope.report.curves import sections, tables
from lexiscope.report.curves.exports import csv, latex, markdown
from lexiscope.report.curves.verdict import (
    control_sentences,
    ratio_sentence,
    verdict_sentences,
)
from lexiscope.report.numbers import score

if TYPE_CHECKING:
    from lexiscope.report.layout import Table

__all__ = ["csv", "figures", "latex", "markdown", "page", "show", "terminal"]

_RATIOS = 6  # sentences
_TARGETS = 4  # datasets


def page(results: CurveResults) -> str:
    """Return the report as one HTML page that needs no network."""
    from lexiscope import __version__
    from lexiscope.report.page import Heading, rendered

    version = results.manifest.get("versions", {}).get("lexiscope", __version__)
    heading = Heading(
        "Lexiscope: learning curves", sections.QUESTION, sections.lead(results), version
    )
    return rendered(heading, sections.sections(results))


def figures(results: CurveResults, folder: str | Path, ending: str) -> list[Path]:
    """Write all figures of the page to a folder, as ".svg" or ".png" files."""
    from lexiscope.report.exports.figures import write_figures

    return write_figures(sections.sections(results), folder, ending)


def show(results: CurveResults) -> None:
    """Print the table of best models, ratios of labels, warnings and the verdict."""
    out = console()
    for part in terminal(results):
        out.print(part)


def terminal(results: CurveResults) -> list[Any]:
    """Return what a terminal of 80 columns shows, as renderables of rich; the verdict is last."""
    from rich.text import Text

    found: list[Any] = [_view(tables.short_table(results))]
    target = "Labels: training size at which the best model reaches the target score ("
    targets = [f"{score(d.target)} on {shown(d.dataset)}" for d in results.datasets[:_TARGETS]]
    targets += ["..."] if len(results.datasets) > _TARGETS else []
    lines = [f"{target}{', '.join(targets)})."] if results.labels else []
    lines += [ratio_sentence(each) for each in results.ratios[:_RATIOS]]
    more = len(results.ratios) - _RATIOS
    if more > 0:
        lines.append(f"{more} more ratios of labels are in the report.")
    lines += [f"Warning: {shown(warning, 400)}" for warning in results.warnings]
    reported = any(SHARED_WORDS in warning for warning in results.warnings)
    if sections.shares_words(results) and not reported:
        lines.append(f"Warning: {sections.SHARED_WORDS}")
    lines += control_sentences(results)
    lines += verdict_sentences(results)
    return found + [Text(line) for line in lines]


def _view(table: "Table") -> Any:
    return view(table, min(table.numeric, default=len(table.head)))
