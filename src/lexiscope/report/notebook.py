"""Results in a notebook: a small card with the verdict and one table.

All style is inline and follows the colours of the notebook, light or dark.
"""

from collections.abc import Iterable, Sequence
from html import escape

from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Bar, Grid, GridCell, Table
from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.sections.overview import grid, legend

_LINE = "1px solid rgba(128,128,128,.35)"
_ACCENT = "#2b7cd3"
_CARD = (
    f"border:{_LINE};border-left:4px solid {_ACCENT};border-radius:6px;padding:.7em 1em;"
    "max-width:70em;font:14px/1.45 system-ui,sans-serif;overflow-x:auto"
)
_CELL = (
    "padding:.25em .7em .25em 0;text-align:left;background:none;color:inherit;"
    "font-variant-numeric:tabular-nums"
)
_ROWS = 30


def html(results: Results) -> str:
    """A card with the verdict, and the grid of scores with intervals and groups."""
    if not results.evaluations:
        return card(recommendation_sentences(results))
    found = grid(results.leaderboard)
    note = legend(results, results.leaderboard, is_shaded=False)
    return card(recommendation_sentences(results), _grid(found), note)


def card(sentences: Sequence[str], body: str = "", note: str = "") -> str:
    """Sentences, the first in bold, above a table in HTML and a small note."""
    first, *rest = sentences
    texts = [f'<p style="margin:0 0 .3em;font-weight:600">{escape(first)}</p>']
    texts += [f'<p style="margin:0 0 .3em">{escape(each)}</p>' for each in rest]
    small = "margin:.4em 0 0;font-size:12px;opacity:.75"
    after = f'<p style="{small}">{escape(note)}</p>' if note else ""
    return f'<div style="{_CARD}">{"".join(texts)}{body}{after}</div>'


def table_card(sentences: Sequence[str], table: Table) -> str:
    """A card with sentences and a table; of a long table only the first rows."""
    head = "".join(_cell("th", escape(name), "font-weight:600") for name in table.head)
    rows = [_row(_cell("td", escape(cell)) for cell in row) for row in table.rows[:_ROWS]]
    more = len(table.rows) - _ROWS
    note = f"{more} more rows are in the report." if more > 0 else ""
    return card(sentences, _table(_row([head]), rows), note)


def _grid(found: Grid) -> str:
    names = [f"{c.name} ({c.group})" if c.group else c.name for c in found.columns]
    head = [_cell("th", escape(name), "font-weight:600") for name in (found.corner, *names)]
    rows, group = [], ""
    for row in found.rows:
        if row.group != group:
            group = row.group
            span = f' colspan="{len(names) + 1}"'
            rows.append(_row([_cell("th", escape(group), "font-weight:400;opacity:.75", span)]))
        cells = (_cell("td", "–") if cell is None else _score(cell) for cell in row.cells)
        rows.append(_row([_cell("th", escape(row.name), "font-weight:600"), *cells]))
    return _table(_row(head), rows)


def _score(cell: GridCell) -> str:
    weight = "font-weight:700" if cell.best else "font-style:italic;opacity:.8" * _is_hollow(cell)
    small = "font-weight:400;font-size:10px;opacity:.75"
    letters = f'<sup style="{small}">{escape(cell.letters)}</sup>'
    text = f"{escape(cell.score)}{letters if cell.letters else ''}{_bar(cell.bar, cell.best)}"
    return _cell("td", text, weight, f' title="{escape(cell.about)}"')


def _is_hollow(cell: GridCell) -> bool:
    return cell.bar is not None and cell.bar.hollow


def _bar(found: Bar | None, is_best: bool) -> str:
    """A point on its interval, below the score."""
    if found is None:
        return ""
    colour = _ACCENT if is_best else "rgba(128,128,128,.9)"
    fill = "transparent" if found.hollow else colour
    line = ""
    if found.low is not None and found.high is not None:
        ends = f"left:{found.low}%;right:{100 - found.high:.2f}%"
        line = (
            f'<span style="position:absolute;top:3px;height:2px;background:{colour};{ends}"></span>'
        )
    dot = (
        f"position:absolute;top:1px;width:4px;height:4px;margin-left:-3px;border-radius:50%;"
        f"border:1px solid {colour};background:{fill};left:{found.value}%"
    )
    box = "position:relative;display:block;height:8px;min-width:5em"
    return f'<span style="{box}">{line}<span style="{dot}"></span></span>'


def _table(head: str, rows: Iterable[str]) -> str:
    style = "border-collapse:collapse;margin:.5em 0 0;border:0;color:inherit;font-size:13px"
    return f'<table style="{style}"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'


def _row(cells: Iterable[str]) -> str:
    return f'<tr style="background:none">{"".join(cells)}</tr>'


def _cell(tag: str, content: str, style: str = "", more: str = "") -> str:
    line = f"border:0;border-bottom:{_LINE}"
    return f'<{tag}{more} style="{_CELL};{line};{style}">{content}</{tag}>'
