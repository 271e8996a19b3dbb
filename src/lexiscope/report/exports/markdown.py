"""Results as a Markdown table, for an issue or a README."""

import re

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.exports.grid import Cell, grid, legend

# Special characters of Markdown and of the HTML it becomes, including those of bare links.
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#!|~$:@])")
_ENTITIES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def to_markdown(results: Results) -> str:
    """Format scores as a Markdown table, one row per evaluation and one column per embedding.

    The highest score among the best is bold, letters mark groups of embeddings that are not
    significantly different. A legend follows the table.

    Parameters
    ----------
    results : Results
        Results of `lexiscope.run`.

    Returns
    -------
    str
        The table and its legend.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> words, rng = sorted(pairs.all_words), np.random.default_rng(0)
    >>> vectors = {name: (words, rng.normal(size=(len(words), 5))) for name in ("old", "new")}
    >>> results = lexiscope.run(vectors, "similarity", pairs)
    >>> print(lexiscope.to_markdown(results).splitlines()[0])
    | task | dataset | metric | old | new |
    """
    names = [escaped(shown(name)) for name in results.embeddings]
    head = ["task", "dataset", "metric", *names]
    rows = [
        [escaped(shown(row.task)), escaped(shown(row.dataset)), escaped(row.metric),
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
    interval += f" {cell.coverage}" if cell.coverage else ""
    return f"{score}<sup>{marks}</sup>{interval}" if marks else f"{score}{interval}"


def escaped(text: str) -> str:
    """Text with all special characters of Markdown and HTML escaped."""
    plain = _ACTIVE.sub(r"\\\1", text).translate(_ENTITIES)
    return re.sub(r"(?i)(www)\.", r"\1\.", plain)
