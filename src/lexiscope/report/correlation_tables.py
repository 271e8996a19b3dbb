"""Tables and sentences about correlations between evaluations."""

from collections.abc import Sequence
from itertools import combinations

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.correlation import Consensus, Correlations, Pair, ScoreTable
from lexiscope.report.charts import heat_map
from lexiscope.report.layout import Figure, Table
from lexiscope.report.numbers import (
    MISSING,
    correlation,
    count,
    interval_of,
    p_value,
    with_interval,
)
from lexiscope.report.sentences import counted, listed
from lexiscope.stats.correlations import MIN_MEMBERS

_NAMED = 3  # predictors in one sentence
_SHORT_HEAD = (
    "evaluation", "target", "Pearson, 95 % interval", "p (Holm)", "verdict",
    "Spearman, 95 % interval", "most influential point",
)  # fmt: skip


def pair_table(pairs: Sequence[Pair], caption: str = "", folded: bool = False) -> Table:
    """A row for each two evaluations: correlations, intervals and the most influential point."""
    rows = tuple(
        (
            _dimension(each),
            shown(each.first),
            shown(each.second),
            correlation(each.pearson.value),
            interval_of(each.pearson, correlation),
            correlation(each.spearman.value),
            interval_of(each.spearman, correlation),
            p_value(each.p_holm),
            _influential(each),
            each.verdict,
        )
        for each in pairs
    )
    head = (
        "D", "evaluation", "target", "Pearson", "95 % interval", "Spearman",
        "95 % interval", "p (Holm)", "most influential point", "verdict",
    )  # fmt: skip
    return Table(head, rows, caption, folded=folded, numeric=(0, 3, 5, 7))


def short_pair_table(pairs: Sequence[Pair], in_full: bool = True) -> Table:
    """The same for a terminal: each correlation with its interval in one column.

    Not `in_full`, only Pearson correlations and p-values.
    """
    several = len({each.dimension for each in pairs}) > 1
    columns = several + (len(_SHORT_HEAD) if in_full else _SHORT_HEAD.index("p (Holm)") + 1)
    rows = tuple(
        (
            *([_dimension(each)] if several else []),
            shown(each.first),
            shown(each.second),
            with_interval(each.pearson, correlation),
            p_value(each.p_holm),
            each.verdict,
            with_interval(each.spearman, correlation),
            _influential(each),
        )[:columns]
        for each in pairs
    )
    head = (*(["D"] if several else []), *_SHORT_HEAD)[:columns]
    return Table(head, rows, numeric=(3 + several,))


def strongest(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs with significant correlations first, and within these the highest first."""

    def rank(pair: Pair) -> tuple[bool, float]:
        value = pair.pearson.value
        return not pair.verdict.startswith("predicts"), 0.0 if value is None else -abs(value)

    return sorted(pairs, key=rank)


def _dimension(found: Pair | Consensus) -> str:
    return "all" if found.dimension is None else str(found.dimension)


def _influential(pair: Pair) -> str:
    if pair.without is None:
        return MISSING
    return f"{shown(pair.influential)} ({correlation(pair.without)} without)"


def consensus_table(consensus: Sequence[Consensus], caption: str) -> Table:
    """A row for each evaluation: its correlation with the consensus ranking of the others."""
    rows = tuple(
        (
            _dimension(each),
            shown(each.evaluation),
            correlation(each.spearman.value),
            interval_of(each.spearman, correlation),
            _optimal_rankings(each),
        )
        for each in consensus
    )
    head = (
        "D",
        "evaluation",
        "Spearman",
        "95 % interval",
        "optimal rankings of the others",
    )
    return Table(head, rows, caption, numeric=(0, 2))


def _optimal_rankings(consensus: Consensus) -> str:
    if consensus.method == "borda":
        return "Borda count"
    if consensus.orders == 1:
        return "1"
    extremes = f"{correlation(consensus.least)} to {correlation(consensus.most)}"
    return f"{count(consensus.orders)}: {extremes}"


def correlation_figure(found: Correlations, scored: ScoreTable) -> Figure:
    """Pearson correlations of every two evaluations as a heat map."""
    names = scored.evaluations
    matrix: list[list[float | None]] = [[1.0] * len(names) for _ in names]
    for i, j in combinations(range(len(names)), 2):
        pair = found.between(names[i], names[j], scored.dimension)
        matrix[i][j] = matrix[j][i] = None if pair is None else pair.pearson.value
    number = counted(len(scored.model_names), "embedding")
    about = f"Pearson correlation between every two evaluations over {number}."
    where = "" if scored.dimension is None else f", {scored.dimension} dimensions"
    pairs = [p for p in found.pairs if p.dimension == scored.dimension]
    table = pair_table(pairs, "Every two evaluations", folded=True)
    return Figure(
        f"Correlations between evaluations{where}",
        heat_map([shown(n) for n in names], matrix, about),
        table,
    )


def left_out(found: Correlations) -> list[str]:
    """Which evaluations are left out."""
    return [
        "Left out, because not all embeddings have a comparable score: "
        f"{listed([shown(name) for name in each.left_out])}."
        for each in found.scored
        if each.left_out
    ]


def sentences(found: Correlations, target: str | None = None) -> list[str]:
    """What was found, a sentence for each dimensionality."""
    return [text for scored in found.scored for text in _sentences(found, scored, target)]


def _sentences(found: Correlations, scored: ScoreTable, target: str | None) -> list[str]:
    number, runs = len(scored.model_names), len(scored.embeddings)
    where = "" if scored.dimension is None else f" of {scored.dimension} dimensions"
    merged = f" ({runs} runs)" if runs > number else ""
    pairs = found.pairs if target is None else found.of(target)
    pairs = [p for p in pairs if p.dimension == scored.dimension]
    positive = [p for p in pairs if p.verdict == "predicts"]
    about = f"Over {counted(number, 'embedding')}{merged}{where}"
    if number < MIN_MEMBERS:
        return [f"{about} no correlation has an interval; at least {MIN_MEMBERS} are needed."]
    if target is None:
        return [f"{about}, {_significant(pairs, positive)}"]
    names = [
        f"{shown(p.first)} ({with_interval(p.pearson, correlation)})" for p in positive[:_NAMED]
    ]
    if not names:
        return [f"{about}, no evaluation significantly predicts {shown(target)}."]
    verb = "predicts" if len(names) == 1 else "predict"
    return [f"{about}, {listed(names)} significantly {verb} {shown(target)}."]


def _significant(pairs: Sequence[Pair], positive: Sequence[Pair]) -> str:
    negative = sum(p.verdict == "predicts the opposite" for p in pairs)
    opposite = f", and {negative} significantly negatively" if negative else ""
    verb = "is" if len(positive) == 1 else "are"
    return (
        f"{len(positive)} of {counted(len(pairs), 'pair')} of evaluations {verb} significantly "
        f"positively correlated{opposite} (Pearson, Holm, 5 % level)."
    )
