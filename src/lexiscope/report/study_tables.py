"""The tables of a study of made languages."""

from typing import Any

from lexiscope.bench.studied import Found, Studied
from lexiscope.core.display import shown
from lexiscope.report.layout import Table
from lexiscope.report.wording import counted, listed

_OPEN = 20  # rows; a longer table is folded


def verdict_sentence(studied: Studied) -> str:
    """How many claims of the paper came out."""
    found = [each.verdict for each in studied.verdicts]
    kinds = [
        word for word in ("agrees", "open", "possible", "differs", "not known") if word in found
    ]
    told = [f"{word} {found.count(word)}" for word in kinds]
    return f"Verdicts on {counted(len(found), 'number')} of the paper: {listed(told)}."


def verdict_table(studied: Studied) -> Table:
    """Paper, ours with interval, verdict: a row for each number of the paper."""
    rows = []
    for each in studied.verdicts:
        said, ours = each.published, each.found
        at = "" if said.at is None else f" at {said.at:g}"
        trials = "" if said.trials is None else f" ({counted(said.trials, 'trial')})"
        rows.append(
            (
                f"{shown(said.criterion)}{at}",
                said.study,
                shown(said.model),
                f"{said.said}{trials}",
                percent(ours.value),
                between(ours),
                percent(each.alike),
                each.verdict,
            )
        )
    head = (
        "criterion", "asked by", "model", "paper", "ours, right", "95 % interval",
        "trials like the paper's", "verdict",
    )  # fmt: skip
    return Table(head, tuple(rows), "The paper's numbers", numeric=(4, 6))


def order_table(studied: Studied) -> Table:
    """The order of robustness that a paper claims, neighbour by neighbour."""
    rows = tuple(
        (
            shown(each.criterion),
            f"{shown(each.worse)} < {shown(each.better)}",
            signed(each.comparison.difference),
            between(each.comparison),
            chance(each.comparison.p_holm),
            each.verdict,
        )
        for each in studied.orders
    )
    head = (
        "criterion",
        "paper's order",
        "better less worse",
        "95 % interval",
        "p (Holm)",
        "verdict",
    )
    return Table(head, rows, "The paper's order of robustness, over all values", numeric=(2, 4))


def score_table(studied: Studied) -> Table:
    """The scores of the main probes: a row for each model, a column for each study."""
    names = list(dict.fromkeys(each.study for each in studied.found if each.main))
    rows = []
    for criterion in studied.plan.criteria:
        for model in studied.plan.models:
            cells = [_whole(studied, criterion.name, model.name, study) for study in names]
            texts = [with_interval(cell) for cell in cells]
            rows.append((shown(criterion.name), shown(model.name), *texts))
    return Table(("criterion", "model", *names), tuple(rows), "Right answers in % (95 % interval)")


def _whole(studied: Studied, criterion: str, model: str, study: str) -> Found | None:
    """The score over all values of a sweep."""
    found = studied.rows(criterion, model=model, study=study, main=True)
    return found[0] if found else None


def curve_table(studied: Studied, criterion: str) -> Table:
    """A figure as a table: a row for each value, a column for each model."""
    rows = [f for f in studied.rows(criterion, study="subspace", main=True) if f.at is not None]
    names = [model.name for model in studied.plan.models]
    points = sorted({f.at for f in rows if f.at is not None})
    cells = {(f.at, f.model): with_interval(f) for f in rows}
    found = next(c for c in studied.plan.criteria if c.name == criterion)
    name = found.grammar.sweep.parameter if found.grammar.sweep else "value"
    body = tuple((f"{p:g}", *(cells.get((p, each), "–") for each in names)) for p in points)
    return Table(
        (shown(name), *map(shown, names)),
        body,
        "The numbers of the figure, in % (95 % interval)",
        numeric=(0,),
    )


def difference_table(studied: Studied) -> Table:
    """Every two models on the same trials, and whether the difference is real."""
    rows = tuple(
        (
            shown(c.dataset),
            f"{shown(c.first)} minus {shown(c.second)}",
            "real" if c.real else "may be chance",
            signed(c.difference),
            between(c),
            chance(c.p),
            chance(c.p_holm),
        )
        for c in studied.comparisons
    )
    head = ("criterion", "models", "verdict", "difference", "95 % interval", "p", "p (Holm)")
    real = sum(c.real for c in studied.comparisons)
    caption = f"{real} of {counted(len(rows), 'difference')} {'is' if real == 1 else 'are'} real"
    return Table(head, rows, caption, folded=len(rows) > _OPEN, numeric=(3, 5, 6))


def facet_table(studied: Studied) -> Table:
    """Precision and recall of every answer."""
    rows = tuple(
        (
            shown(each.criterion),
            shown(each.model),
            each.answer,
            with_interval(each.accurate),
            with_interval(each.consistent),
        )
        for each in studied.facets
    )
    head = ("criterion", "model", "answer", "accurate", "consistent")
    return Table(head, rows, "Both views of every answer, in % (95 % interval)", folded=True)


def variant_table(studied: Studied, criterion: str) -> Table:
    """Shares of right answers under every way of asking, over all values of a sweep."""
    found = studied.rows(criterion)
    names = [model.name for model in studied.plan.models]
    first: dict[tuple[str, str], Found] = {}
    for each in found:
        first.setdefault((each.variant, each.model), each)
    rows = tuple(
        (shown(label, 80), *(with_interval(first.get((label, name))) for name in names))
        for label in dict.fromkeys(each.variant for each in found)
    )
    caption = f"{shown(criterion)}: right answers in % (95 % interval)"
    return Table(("asked by", *map(shown, names)), rows, caption)


def percent(value: float | None) -> str:
    """A share as people read it."""
    return "–" if value is None else f"{100 * value:.1f} %"


def between(item: Any) -> str:
    """The interval of a share or of a difference of shares, or why there is none."""
    if item.low is None or item.high is None:
        return item.state or "–"
    return f"{100 * item.low + 0.0:.1f} to {100 * item.high + 0.0:.1f}"


def with_interval(found: Found | None) -> str:
    """A share in hundredths and its interval, in one cell."""
    if found is None or found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return f"{100 * found.value:.1f}"
    return f"{100 * found.value:.1f} ({100 * found.low:.1f}–{100 * found.high:.1f})"


def signed(value: float | None) -> str:
    """A difference of shares in points."""
    return "–" if value is None else f"{100 * value + 0.0:+.1f}"  # no -0.0


def chance(p: float | None) -> str:
    """A p-value."""
    return "–" if p is None else f"{p:.2g}"
