"""Results as a LaTeX table with booktabs."""

import re

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.exports.grid import Cell, Row, grid, legend
from lexiscope.report.numbers import interval, score
from lexiscope.report.sentences import counted

# Brackets and stars have a meaning after a line break, quotes have one for babel.
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "–": r"\textendash{}",
    "†": r"\dag{}",
    "×": r"\texttimes{}",
    "…": r"\ldots{}",
    "�": "?",
}
_TABLE = r"""%% Needs \usepackage{booktabs}; words beyond Latin script need XeLaTeX or LuaLaTeX.
\begin{table}
  \centering
  \caption{%(caption)s}
  \label{tab:lexiscope}
  \begin{tabular}{lll%(columns)s}
    \toprule
    %(head)s \\
    \midrule
    %(rows)s \\
    \bottomrule
  \end{tabular}
\end{table}
"""


def to_latex(results: Results) -> str:
    r"""Format scores as a LaTeX table, one row per evaluation and one column per embedding.

    If coverage differs, scores are those on the shared items. The highest score and all that are
    not significantly different from it are bold, letters mark groups of embeddings that are not
    significantly different. The table needs the package booktabs.

    Parameters
    ----------
    results : Results
        Results of `lexiscope.run`.

    Returns
    -------
    str
        A `table` environment.

    Examples
    --------
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> vectors = {word: [len(word), word.count("a")] for word in pairs.all_words}
    >>> results = lexiscope.run({"spelling": vectors}, "similarity", pairs)
    >>> print(lexiscope.to_latex(results).splitlines()[7].strip())
    Task & Dataset & Metric & spelling \\
    """
    names = [escaped(shown(name)) for name in results.embeddings]
    return _TABLE % {
        "caption": escaped(legend(results)),
        "columns": "r" * len(names),
        "head": " & ".join(["Task", "Dataset", "Metric", *names]),
        "rows": " \\\\\n    ".join(map(_row, grid(results))),
    }


def _row(row: Row) -> str:
    names = [escaped(shown(text)) for text in (row.task, row.dataset, row.metric)]
    if row.items is not None:
        names[1] += rf" {{\scriptsize {counted(row.items, 'shared item')}}}"
    return " & ".join([*names, *map(_cell, row.cells)])


def _cell(cell: Cell | None) -> str:
    text = marked_score(cell)
    if cell is None:
        return text
    limits = "" if cell.low is None else interval(cell.low, cell.high, _score)
    own = "" if cell.own is None else f"own {_score(cell.own)}"
    covered = ", ".join(filter(None, (own, cell.coverage)))
    small = " ".join(filter(None, (limits, covered)))
    return rf"{text} {{\scriptsize {small}}}" if small else text


def marked_score(cell: Cell | None) -> str:
    """A score, bold if no other is significantly better, with letters and dagger; or a dash."""
    if cell is None or cell.value is None:
        return "--"
    text = rf"\textbf{{{_score(cell.value)}}}" if cell.best else _score(cell.value)
    marks = cell.letters + (r"\dag{}" if cell.alone else "")
    return rf"{text}\textsuperscript{{{marks}}}" if marks else text


def _score(value: float | None) -> str:
    """A score with a minus sign of LaTeX."""
    return score(value).replace("-", "$-$")


def escaped(text: str) -> str:
    """Text with all special characters of LaTeX escaped."""
    plain = "".join(_ESCAPES.get(character, character) for character in text)
    return re.sub("-(?=-)", "-{}", plain)  # two hyphens would become a dash
