"""A table of the report in Markdown and in LaTeX, with its cells escaped."""

import re

from lexiscope.report.exports.latex import escaped as latex_escaped
from lexiscope.report.exports.markdown import escaped as markdown_escaped
from lexiscope.report.layout import Table

_LATEX = r"""%% Needs \usepackage{booktabs}; names beyond Latin script need XeLaTeX or LuaLaTeX.
\begin{table}
  \centering
  \caption{%(caption)s}
  \label{tab:%(label)s}
  \begin{tabular}{%(columns)s}
    \toprule
    %(head)s \\
    \midrule
    %(rows)s \\
    \bottomrule
  \end{tabular}
\end{table}
"""


def latex_table(table: Table, caption: str, label: str, names: int = 2) -> str:
    """Return a table with booktabs; the first `names` columns are aligned to the left."""
    return _LATEX % {
        "caption": latex_escaped(caption),
        "label": label,
        "columns": "l" * names + "r" * (len(table.head) - names),
        "head": " & ".join(map(latex_escaped, table.head)),
        "rows": " \\\\\n    ".join(" & ".join(map(_latex_cell, row)) for row in table.rows),
    }


def _latex_cell(text: str) -> str:
    """A cell with LaTeX's minus sign in numbers."""
    return re.sub(r"(?<![\w-])-(?=\d)", "$-$", latex_escaped(text))


def markdown_table(table: Table) -> str:
    """Return a table in Markdown."""
    rule = ["---:" if index in table.numeric else "---" for index in range(len(table.head))]
    rows = [list(map(markdown_text, row)) for row in (table.head, *table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def markdown_text(text: str) -> str:
    """Return text with Markdown syntax escaped."""
    # Round brackets make a link only behind square ones, which are escaped.
    return markdown_escaped(text).replace("\\(", "(").replace("\\)", ")")
