"""Tables and sentences about which evaluation predicts which."""

from collections.abc import Sequence
from itertools import combinations

from lexiscope.bench.predicting import Joined, Pair, Predictions, Scored
from lexiscope.core.display import shown
from lexiscope.report.charts import heat
from lexiscope.report.layout import Figure, Table
from lexiscope.report.wording import counted, listed
from lexiscope.stats.correlations import FEWEST, Correlation

_NAMED = 3  # predictors in one sentence


def valued(value: float | None) -> str:
    """A correlation."""
    return "–" if value is None else f"{value:+.2f}"


def between(found: Correlation) -> str:
    """The interval of a correlation, or why there is none."""
    if found.low is None or found.high is None:
        return found.state or "–"
    return f"{found.low:+.2f} to {found.high:+.2f}"


def both(found: Correlation) -> str:
    """A correlation and its interval in one cell."""
    if found.value is None:
        return found.state or "–"
    return f"{valued(found.value)} ({between(found)})"


def pair_table(pairs: Sequence[Pair], caption: str = "", folded: bool = False) -> Table:
    """A row for each two evaluations: correlations with intervals, and what they hang on."""
    rows = tuple(
        (
            "all" if each.dimension is None else str(each.dimension),
            shown(each.first),
            shown(each.second),
            valued(each.pearson.value),
            between(each.pearson),
            valued(each.spearman.value),
            between(each.spearman),
            "–" if each.p_holm is None else f"{each.p_holm:.2g}",
            _hangs(each),
            each.verdict,
        )
        for each in pairs
    )
    head = (
        "D", "evaluation", "target", "Pearson", "95 % interval", "Spearman", "95 % interval",
        "p (Holm)", "hangs most on", "verdict",
    )  # fmt: skip
    return Table(head, rows, caption, folded=folded, numeric=(0, 3, 5, 7))


def _hangs(pair: Pair) -> str:
    return "–" if pair.without is None else f"{shown(pair.hinge)} ({valued(pair.without)} without)"


def joined_table(joined: Sequence[Joined], caption: str) -> Table:
    """A row for each evaluation: how far its order is the one that fits the others best."""
    rows = tuple(
        (
            "all" if each.dimension is None else str(each.dimension),
            shown(each.evaluation),
            valued(each.spearman.value),
            between(each.spearman),
            _best_orders(each),
        )
        for each in joined
    )
    head = ("D", "evaluation", "Spearman", "95 % interval", "best orders of the others")
    return Table(head, rows, caption, numeric=(0, 2))


def _best_orders(joined: Joined) -> str:
    if joined.method == "borda":
        return "by Borda's points"
    if joined.orders == 1:
        return "1"
    return f"{joined.orders:,}: {valued(joined.least)} to {valued(joined.most)}"


def heat_of(found: Predictions, scored: Scored) -> Figure:
    """Pearson's correlations of every two evaluations as coloured squares."""
    names = scored.evaluations
    matrix: list[list[float | None]] = [[1.0] * len(names) for _ in names]
    for i, j in combinations(range(len(names)), 2):
        pair = found.between(names[i], names[j], scored.dimension)
        matrix[i][j] = matrix[j][i] = None if pair is None else pair.pearson.value
    number = counted(len(scored.members), "embedding")
    about = f"Pearson's correlation between every two evaluations over {number}."
    where = "" if scored.dimension is None else f", {scored.dimension} dimensions"
    pairs = [p for p in found.pairs if p.dimension == scored.dimension]
    table = pair_table(pairs, "Every two evaluations", folded=True)
    return Figure(
        f"What predicts what{where}", heat([shown(n) for n in names], matrix, about), table
    )


def left_out(found: Predictions) -> list[str]:
    """Which evaluations could not be looked at."""
    return [
        "Left out, because not all embeddings have a score that can be compared: "
        f"{listed([shown(name) for name in each.left_out])}."
        for each in found.scored
        if each.left_out
    ]


def sentences(found: Predictions, target: str | None = None) -> list[str]:
    """What can be said, dimensionality by dimensionality."""
    return [text for scored in found.scored for text in _said(found, scored, target)]


def _said(found: Predictions, scored: Scored, target: str | None) -> list[str]:
    number, runs = len(scored.members), len(scored.embeddings)
    where = "" if scored.dimension is None else f" of {scored.dimension} dimensions"
    merged = f" ({runs} runs)" if runs > number else ""
    pairs = [p for p in found.pairs if p.dimension == scored.dimension]
    if target is not None:
        pairs = [p for p in found.of(target) if p.dimension == scored.dimension]
    sure = [p for p in pairs if p.verdict == "predicts"]
    opposite = sum(p.verdict == "predicts the opposite" for p in pairs)
    about = f"Over {counted(number, 'embedding')}{merged}{where}"
    if number < FEWEST:
        return [f"{about} no correlation has an interval; at least {FEWEST} are needed."]
    if target is None:
        goes = "go" if len(sure) != 1 else "goes"
        turned = f", and {opposite} against each other" if opposite else ""
        return [
            f"{about}, {len(sure)} of {counted(len(pairs), 'pair')} of evaluations {goes} "
            f"together{turned} beyond chance (Pearson, Holm, 5 %)."
        ]
    names = [f"{shown(p.first)} ({both(p.pearson)})" for p in sure[:_NAMED]]
    if not names:
        return [f"{about}, no evaluation is known to predict {shown(target)}."]
    predict = "predicts" if len(names) == 1 else "predict"
    return [f"{about}, {listed(names)} {predict} {shown(target)}."]
