"""Consistency as CSV, LaTeX and Markdown. Terms are untrusted text and are escaped."""

import csv as csv_format
import io
import re
from typing import Any

from lexiscope.core.display import shown
from lexiscope.experiments.consistency.results import ConsistencyResults
from lexiscope.report.consistency import tables
from lexiscope.report.consistency.verdict import verdict_sentences
from lexiscope.report.exports.latex import escaped as latex_escaped
from lexiscope.report.exports.markdown import escaped as markdown_escaped
from lexiscope.report.exports.spreadsheet import guarded
from lexiscope.report.layout import Table

_COLUMNS = (
    "model", "split", "term", "frequency", "background_count", "samples", "sentences", "verdict",
    "cosine", "rank", "worst_rank", "null", "excess", "centred", "limit", "p", "identified",
    "reciprocal_rank", "drift_cosine", "drift_rank", "state",
)  # fmt: skip
_LATEX = r"""%% Needs \usepackage{booktabs}; names beyond Latin script need XeLaTeX or LuaLaTeX.
\begin{table}
  \centering
  \caption{%(caption)s}
  \label{tab:lexiscope-consistency}
  \begin{tabular}{%(columns)s}
    \toprule
    %(head)s \\
    \midrule
    %(rows)s \\
    \bottomrule
  \end{tabular}
\end{table}
"""


def csv(results: ConsistencyResults) -> str:
    """Return one row for each model, split and term.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    text = io.StringIO()
    writer = csv_format.writer(text)
    writer.writerow(_COLUMNS)
    for each in results.terms:
        writer.writerow([_cell(getattr(each, name)) for name in _COLUMNS])
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return guarded(value) if isinstance(value, str) else value


def latex(results: ConsistencyResults) -> str:
    """Return the summary of all models as a LaTeX table with booktabs."""
    table = tables.summary_table(results)
    caption = (
        "Consistency of vectors from samples of a text: mean cosine over terms, cosine between "
        "samples of different terms of similar frequency, their difference, and rank of the other "
        "sample among the background vectors, with 95 % confidence intervals."
    )
    return _LATEX % {
        "caption": latex_escaped(caption),
        "columns": "ll" + "r" * (len(table.head) - 2),
        "head": " & ".join(map(latex_escaped, table.head)),
        "rows": " \\\\\n    ".join(" & ".join(map(_latex_cell, row)) for row in table.rows),
    }


def _latex_cell(text: str) -> str:
    """A cell with LaTeX's minus sign in numbers."""
    return re.sub(r"(?<![\w-])-(?=\d)", "$-$", latex_escaped(text))


def markdown(results: ConsistencyResults) -> str:
    """Return the verdict, the summary, the differences and the terms as Markdown tables."""
    parts = [
        tables.summary_table(results), tables.variant_table(results),
        tables.learnable_table(results),
    ]  # fmt: skip
    if results.comparisons:
        parts.append(tables.comparison_table(results))
    lines = [_safe(shown(line, 2000)) for line in verdict_sentences(results)]
    for table in parts:
        lines += [f"#### {_safe(table.caption)}", _markdown(table)]
    return "\n\n".join(lines) + "\n"


def _markdown(table: Table) -> str:
    rule = ["---:" if index in table.numeric else "---" for index in range(len(table.head))]
    rows = [list(map(_safe, row)) for row in (table.head, *table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def _safe(text: str) -> str:
    """Text with Markdown syntax escaped."""
    # Round brackets make a link only behind square ones, which are escaped.
    return markdown_escaped(text).replace("\\(", "(").replace("\\)", ")")
