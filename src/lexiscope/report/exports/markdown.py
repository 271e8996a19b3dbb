"""A Markdown table for an issue or a README."""

import re

from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.report.exports.grid import Cell, grid, legend

# What means something to Markdown or to the HTML it becomes, links without brackets included.
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#!|~$:@])")
_ENTITIES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def to_markdown(results: Results) -> str:
    """A row for each question, a column for each embedding."""
    names = [escaped(shown(name)) for name in results.embeddings]
    head = ["task", "dataset", "measure", *names]
    rows = [
        [escaped(shown(row.task)), escaped(shown(row.dataset)), escaped(row.measure),
         *map(_cell, row.cells)]
        for row in grid(results)
    ]  # fmt: skip
    rule = ["---"] * 3 + ["---:"] * len(names)
    lines = [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
    return "\n".join([*lines, "", legend(results), ""])


def _cell(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return "–"
    score = f"**{cell.value:.3f}**" if cell.best else f"{cell.value:.3f}"
    marks = cell.letters + ("†" if cell.alone else "")
    interval = "" if cell.low is None else f" ({cell.low:.3f} to {cell.high:.3f})"
    interval += f" {cell.lacks}" if cell.lacks else ""
    return f"{score}<sup>{marks}</sup>{interval}" if marks else f"{score}{interval}"


def escaped(text: str) -> str:
    """Text that means nothing to Markdown or HTML."""
    plain = _ACTIVE.sub(r"\\\1", text).translate(_ENTITIES)
    return re.sub(r"(?i)(www)\.", r"\1\.", plain)
