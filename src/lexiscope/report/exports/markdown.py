"""Results as a Markdown table, for an issue or a README."""

import re

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.exports.grid import Cell, Row, grid, legend
from lexiscope.report.numbers import MISSING, interval, score
from lexiscope.report.sentences import counted

# Special characters of Markdown and of the HTML it becomes, including those of bare links.
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#!|~$:@])")
_ENTITIES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def to_markdown(results: Results) -> str:
    """Format scores as a Markdown table, one row per evaluation and one column per embedding.

    If coverage differs, scores are those on the shared items. The highest score and all that are
    not significantly different from it are bold, letters mark groups of embeddings that are not
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
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> vectors = {word: [len(word), word.count("a")] for word in pairs.all_words}
    >>> results = lexiscope.run({"spelling": vectors}, "similarity", pairs)
    >>> print(lexiscope.to_markdown(results).splitlines()[0])
    | task | dataset | metric | spelling |
    """
    names = [escaped(shown(name)) for name in results.embeddings]
    head = ["task", "dataset", "metric", *names]
    rows = [
        [escaped(shown(row.task)), _dataset(row), escaped(row.metric), *map(_cell, row.cells)]
        for row in grid(results)
    ]
    rule = ["---"] * 3 + ["---:"] * len(names)
    lines = [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
    return "\n".join([*lines, "", legend(results), ""])


def _dataset(row: Row) -> str:
    name = escaped(shown(row.dataset))
    return name if row.items is None else f"{name}, {counted(row.items, 'shared item')}"


def _cell(cell: Cell | None) -> str:
    if cell is None or (cell.value is None and cell.own is None):
        return MISSING
    text = f"**{score(cell.value)}**" if cell.best else score(cell.value)
    marks = cell.letters + ("†" if cell.alone else "")
    marked = f"{text}<sup>{marks}</sup>" if marks else text
    limits = "" if cell.low is None else f"({interval(cell.low, cell.high)})"
    own = "" if cell.own is None else f"own {score(cell.own)}"
    covered = ", ".join(filter(None, (own, cell.coverage)))
    return " ".join(filter(None, (marked, limits, covered)))


def escaped(text: str) -> str:
    """Text with all special characters of Markdown and HTML escaped."""
    plain = _ACTIVE.sub(r"\\\1", text).translate(_ENTITIES)
    return re.sub(r"(?i)(www)\.", r"\1\.", plain)
