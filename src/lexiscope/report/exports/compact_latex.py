"""Results as a LaTeX table that fits the text width: scores and their marks, without intervals."""

from collections.abc import Iterator, Sequence

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.exports.grid import Row, compact_legend, grid
from lexiscope.report.exports.latex import escaped, marked_score

_WIDTH = 78  # characters of \footnotesize in the text width of the class article
_SCORE = 6  # characters of a score with its marks, at least
_GAP = 2  # characters between two columns
_LONGEST = 30  # characters of a name; a longer one is cut
_TABLE = r"""%% Needs \usepackage{booktabs}; words beyond Latin script need XeLaTeX or LuaLaTeX.
\begin{table}
  \centering
  \footnotesize
  \setlength{\tabcolsep}{4pt}
  \caption{%(caption)s}
  \label{tab:lexiscope}
%(parts)s
\end{table}
"""
_PART = r"""  \begin{tabular}{l%(columns)s}
    \toprule
    %(head)s \\
    \midrule
    %(rows)s \\
    \bottomrule
  \end{tabular}"""


def to_compact_latex(results: Results) -> str:
    r"""Format scores as a LaTeX table that fits `\textwidth`.

    As `to_latex`, but without intervals, coverage and own scores. Embeddings that do not fit next
    to each other follow in further parts of the table. It needs the package booktabs.

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
    >>> print(lexiscope.to_compact_latex(results).splitlines()[9].strip())
    Dataset & spelling \\
    """
    rows = grid(results)
    names = [shown(name, _LONGEST) for name in results.embeddings]
    labels = max((len(shown(row.dataset, _LONGEST)) for row in rows), default=0)
    parts = (_part(rows, names, chosen) for chosen in _blocks(names, labels))
    legend = escaped(compact_legend(results))
    return _TABLE % {"caption": legend, "parts": "\n\n  \\medskip\n".join(parts)}


def _blocks(names: Sequence[str], labels: int) -> Iterator[list[int]]:
    """The embeddings that fit next to each other."""
    block: list[int] = []
    room = _WIDTH - labels
    for index, name in enumerate(names):
        needed = max(len(name), _SCORE) + _GAP
        if block and needed > room:
            yield block
            block, room = [], _WIDTH - labels
        block.append(index)
        room -= needed
    yield block


def _part(rows: Sequence[Row], names: Sequence[str], chosen: Sequence[int]) -> str:
    lines: list[str] = []
    previous: tuple[str, str] | None = None
    for row in rows:
        heading = (row.task, row.metric)
        if heading != previous:
            text = escaped(shown(f"{row.task} ({row.metric})"))
            lines.append(rf"\multicolumn{{{len(chosen) + 1}}}{{l}}{{\emph{{{text}}}}}")
        previous = heading
        scores = [marked_score(row.cells[index]) for index in chosen]
        lines.append(" & ".join([rf"\quad {escaped(shown(row.dataset, _LONGEST))}", *scores]))
    return _PART % {
        "columns": "r" * len(chosen),
        "head": " & ".join(["Dataset", *(escaped(names[index]) for index in chosen)]),
        "rows": " \\\\\n    ".join(lines),
    }
