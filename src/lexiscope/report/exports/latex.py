"""Results as a LaTeX table with booktabs."""

import re

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.exports.grid import Cell, Row, grid, legend

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

    The highest score among the best is bold, letters mark groups of embeddings that are not
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
    >>> import numpy as np
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> words, rng = sorted(pairs.all_words), np.random.default_rng(0)
    >>> vectors = {name: (words, rng.normal(size=(len(words), 5))) for name in ("old", "new")}
    >>> results = lexiscope.run(vectors, "similarity", pairs)
    >>> print(lexiscope.to_latex(results).splitlines()[7].strip())
    Task & Dataset & Metric & old & new \\
    """
    names = [escaped(shown(name)) for name in results.embeddings]
    return _TABLE % {
        "caption": escaped(legend(results)),
        "columns": "r" * len(names),
        "head": " & ".join(["Task", "Dataset", "Metric", *names]),
        "rows": " \\\\\n    ".join(map(_row, grid(results))),
    }


def _row(row: Row) -> str:
    names = (escaped(shown(text)) for text in (row.task, row.dataset, row.metric))
    return " & ".join([*names, *map(_cell, row.cells)])


def _cell(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return "--"
    score = _number(cell.value)
    score = rf"\textbf{{{score}}}" if cell.best else score
    marks = cell.letters + (r"\dag{}" if cell.alone else "")
    score = rf"{score}\textsuperscript{{{marks}}}" if marks else score
    small = [] if not cell.coverage else [cell.coverage]
    if cell.low is not None and cell.high is not None:
        small.insert(0, f"{_number(cell.low)} to {_number(cell.high)}")
    return rf"{score} {{\scriptsize {' '.join(small)}}}" if small else score


def _number(value: float) -> str:
    return f"{value:.3f}" if value >= 0 else f"$-${-value:.3f}"


def escaped(text: str) -> str:
    """Text with all special characters of LaTeX escaped."""
    plain = "".join(_ESCAPES.get(character, character) for character in text)
    return re.sub("-(?=-)", "-{}", plain)  # two hyphens would become a dash
