"""The power of designs as a table of 80 columns, with the smallest design that suffices."""

from lexiscope.core.display import shown
from lexiscope.human.power.settings import PowerCell, PowerResults
from lexiscope.report.console import console, print_lines
from lexiscope.report.layout import Table
from lexiscope.report.numbers import count, whole_percent
from lexiscope.report.sentences import counted
from lexiscope.report.study.overview import wrapped

_WIDTH = 80


def show(results: PowerResults) -> None:
    """Print the power of all designs; the smallest one that suffices is last."""
    out = console(_WIDTH)
    print_lines(out, heading(results))
    print_lines(out, table_lines(results))
    print_lines(out, conclusion(results))


def table_lines(results: PowerResults) -> list[str]:
    """One design per line."""
    priced = any(cell.cost is not None for cell in results.cells)
    lines = [
        "query  judges                            " + priced * "          " + "         95 % CI",
        "words per item  items judges judgments  hours"
        + priced * f" {'cost, ' + shown(results.currency, 3):>10}" + "  power   (Monte Carlo)",
    ]  # fmt: skip
    return [*lines, *(_line(cell, priced) for cell in results.cells), ""]


def _line(cell: PowerCell, priced: bool) -> str:
    cost = f" {cell.cost or 0.0:>10,.2f}" if priced else ""
    return (
        f"{cell.queries:>5,} {cell.judges_per_item:>8,} {cell.items:>6,} {cell.judges:>6,} "
        f"{cell.judgments:>9,} {cell.hours:>6,.1f}{cost}  {cell.power.value:>5.2f}   "
        f"{cell.power.low or 0.0:.2f} to {cell.power.high or 0.0:.2f}"
    )


def design_table(results: PowerResults) -> Table:
    """The designs in the order of `results.cells`."""
    rows = tuple(
        (
            *map(count, (cell.queries, cell.judges_per_item, cell.items, cell.judgments)),
            f"{cell.power.value:.2f}",
            f"{cell.power.low or 0.0:.2f} to {cell.power.high or 0.0:.2f}",
        )
        for cell in results.cells
    )
    head = ("query words", "judges per item", "items", "judgments", "power", "95 % CI")
    return Table(head, rows, "Power (Monte Carlo)", numeric=(0, 1, 2, 3, 4))


def heading(results: PowerResults) -> list[str]:
    """What is assumed."""
    used, how = results.settings, results.settings.behaviour
    metric = "win ratio" if results.kind == "comparison" else "precision"
    better = shown(used.better) or "one embedding"
    text = (
        f"Power to detect that the {metric} of {better} is {used.difference:g} above that of the "
        f"{counted(results.embeddings - 1, 'other embedding')}: the proportion of these pairs "
        "that differ significantly after Holm's correction over all pairs, in "
        f"{counted(used.replicates, 'simulation')} of each design."
    )
    assumed = (
        f"Assumed: standard deviations of {how.item_effect:g} between items and "
        f"{how.judge_effect:g} between judges on the logit scale, {whole_percent(how.lapse)} "
        f"lapses, {whole_percent(how.opt_out)} opt-outs, {used.seconds_per_item:g} seconds per "
        "item. The intervals are Monte Carlo error, not doubt about these assumptions."
    )
    return [*wrapped([text, assumed]), ""]


def conclusion(results: PowerResults) -> list[str]:
    """The smallest design that reaches the power."""
    target, best = whole_percent(results.settings.target), results.smallest
    if best is None:
        return wrapped([f"No design reaches a power of {target}. Try more judges or query words."])
    text = (
        f"Fewest judgments for a power of {target}: {counted(best.queries, 'query word')} and "
        f"{counted(best.judges_per_item, 'judge')} per item, which is "
        f"{counted(best.judgments, 'judgment')} by {counted(best.judges, 'judge')} in "
        f"{best.hours:.1f} hours{_costs(best, results)}."
    )
    return wrapped([text])


def _costs(cell: PowerCell, results: PowerResults) -> str:
    if cell.cost is None:
        return ""
    return f", {cell.cost:,.2f} {shown(results.currency, 8)}"
