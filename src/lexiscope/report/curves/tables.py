"""Tables of learning curves, for the page, the terminal and Markdown."""

from collections.abc import Sequence
from math import isinf

from lexiscope.core.display import shown
from lexiscope.experiments.curves.results import (
    BEST_OF_CLASS,
    Curve,
    CurveResults,
    DatasetSummary,
    LabelsNeeded,
    Quantity,
    RankRule,
    Spread,
)
from lexiscope.report.curves.verdict import ratio_text
from lexiscope.report.layout import Table
from lexiscope.report.numbers import (
    MISSING,
    count,
    interval_of,
    p_value,
    percent,
    score,
    signed,
    significant,
    with_interval,
)
from lexiscope.report.sentences import counted

_FOLDED = 20  # rows; longer tables are folded


def start_name(results: CurveResults) -> str:
    """Name the training size of the first scores: 30 %, or the smallest size."""
    return "30 %" if all(_has(each, 30) for each in results.datasets) else "min size"


def end_name(results: CurveResults) -> str:
    """Name the training size of the last scores: 100 %, or the largest size."""
    return "100 %" if all(_has(each, 100) for each in results.datasets) else "max size"


def _has(about: DatasetSummary, percent: int) -> bool:
    return round(about.pool * percent / 100) in about.sizes


def summary_table(results: CurveResults) -> Table:
    """Area, score at 30 % and score at 100 % of the best model, by dataset and embedding."""
    rows = tuple(
        (
            shown(curve.dataset),
            shown(curve.embedding) + (" (control)" if curve.control else ""),
            with_interval(curve.area),
            with_interval(curve.start),
            with_interval(curve.end),
            with_interval(curve.paper_area),
        )
        for about in results.datasets
        for curve in results.of_model(about.dataset)
    )
    at = (f"at {start_name(results)}", f"at {end_name(results)}")
    head = ("dataset", "embedding", "area", *at, "area, 30 to 100 %")
    return Table(head, rows, "Best model: area and scores (95 % CI)", len(rows) > 2 * _FOLDED)


def short_table(results: CurveResults) -> Table:
    """Area, score at 30 % and at 100 % in narrow columns."""
    rows = tuple(
        (
            shown(curve.dataset, 16),
            shown(curve.embedding, 16),
            score(curve.area.value),
            interval_of(curve.area, _short),
            score(curve.start.value),
            score(curve.end.value),
            labels_text(results, curve),
        )
        for about in results.datasets
        for curve in results.of_model(about.dataset)
    )
    at = (name.removesuffix(" size") for name in (start_name(results), end_name(results)))
    head = ("dataset", "embedding", "area", "95 % CI", *at, "labels")
    return Table(head, rows, "Best model of each embedding", numeric=(2, 3, 4, 5, 6))


def _short(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}"


def labels_text(results: CurveResults, curve: Curve) -> str:
    """The labels that an embedding needs on the dataset of a curve."""
    wanted = (curve.dataset, curve.embedding)
    found = (each for each in results.labels if (each.dataset, each.embedding) == wanted)
    return next(map(size_text, found), MISSING)


def size_text(found: LabelsNeeded) -> str:
    """A number of labels: 120, or ≤ 10, or > 700."""
    sign = {"at most": "≤ ", "at least": "> "}.get(found.bound, "")
    return f"{sign}{count(round(found.value))}"


def labels_table(results: CurveResults) -> Table:
    """The labels that every embedding needs to reach the target."""
    rows = tuple(
        (
            shown(each.dataset),
            score(each.target),
            shown(each.embedding) + (" (control)" if each.control else ""),
            size_text(each),
            label_limits(each),
        )
        for each in results.labels
    )
    head = ("dataset", "target", "embedding", "labels needed", "95 % CI")
    return Table(head, rows, "Labels needed to reach the target score", numeric=(1, 3, 4))


def label_limits(found: LabelsNeeded) -> str:
    """The interval of a number of labels; a limit that is not known is left out."""
    low, high = (count(round(end)) if not isinf(end) else "" for end in (found.low, found.high))
    if found.low == 0 and isinf(found.high):
        return "not known"
    if found.low == 0:
        return f"at most {high}"
    return f"at least {low}" if isinf(found.high) else f"{low} to {high}"


def ratio_table(results: CurveResults) -> Table:
    """The ratio of labels of every two embeddings."""
    rows = tuple(
        (
            shown(each.dataset),
            f"{shown(each.first)} needs {ratio_text(each)}",
            "different" if each.decided else "undecided",
        )
        for each in results.ratios
    )
    caption = "Ratio of labels needed (95 % CI)"
    return Table(("dataset", "labels", "outcome"), rows, caption, len(rows) > _FOLDED)


def comparison_table(results: CurveResults, quantity: Quantity) -> Table:
    """The comparisons of every two embeddings by area or at 100 %."""
    found = results.compared(quantity)
    rows = tuple(
        (
            shown(each.dataset),
            f"{shown(each.first)} minus {shown(each.second)}",
            each.outcome,
            signed(each.value),
            interval_of(each, signed),
            p_value(each.p),
            p_value(each.p_holm),
            p_value(each.p_equivalence),
        )
        for each in found
    )
    head = (
        "dataset", "embeddings", "outcome", "difference", "95 % CI", "p", "p (Holm)",
        "p (equivalence)",
    )  # fmt: skip
    number = sum(each.outcome == "different" for each in found)
    what = "areas" if quantity == "area" else "scores with the largest training set"
    caption = f"{number} of {counted(len(found), 'difference')} of {what} are significant"
    return Table(head, rows, caption, len(rows) > _FOLDED, (3, 5, 6, 7))


def point_table(curves: Sequence[Curve], caption: str) -> Table:
    """The data of a chart of curves: a row for each curve and size."""
    rows = tuple(
        (shown(c.dataset), c.model, shown(c.embedding), count(size), with_interval(point))
        for c in curves
        for size, point in zip(c.sizes, c.points, strict=True)
    )
    head = ("dataset", "model", "embedding", "training items", "score (95 % CI)")
    return Table(head, rows, caption, folded=True, numeric=(3,))


def model_table(results: CurveResults, dataset: str) -> Table:
    """All models of a dataset: score at 30 % and 100 %, and area."""
    curves = [c for c in results.curves if c.dataset == dataset]
    rows = tuple(
        (
            shown(c.embedding),
            c.model,
            c.complexity if c.model not in BEST_OF_CLASS else "selected",
            with_interval(c.area),
            with_interval(c.start),
            with_interval(c.end),
        )
        for c in curves
    )
    at = (f"at {start_name(results)}", f"at {end_name(results)}")
    head = ("embedding", "model", "class", "area", *at)
    return Table(head, rows, f"{shown(dataset)}: all models (95 % CI)", folded=True)


def spread_text(found: Spread) -> str:
    """A mean with its standard deviation: 2.09 ± 1.76."""
    sd = "" if found.sd is None else f" ± {found.sd:.2f}"
    return f"{found.mean:.2f}{sd}"


def rank_table(results: CurveResults, rule: RankRule) -> Table:
    """Mean ranks at 30 %, at 100 % and by area, over all datasets and by family."""
    rows = tuple(
        (
            each.family,
            shown(each.embedding),
            *(spread_text(getattr(each, at)) for at in ("start", "end", "area")),
            count(each.datasets),
        )
        for each in results.mean_ranks
        if each.rule == rule
    )
    at = (f"rank at {start_name(results)}", f"rank at {end_name(results)}")
    head = ("family", "embedding", *at, "rank by area", "datasets")
    about = {
        "corrected t-test": "number of significantly better embeddings",
        "ANOVA": "greedy ANOVA groups, as in the paper",
    }
    caption = f"Mean rank ± standard deviation over datasets: {about[rule]}"
    return Table(head, rows, caption, numeric=(2, 3, 4, 5))


def change_table(results: CurveResults) -> Table:
    """The mean absolute change of rank between 30 and 100 %."""
    rows = tuple(
        (each.rule, each.family, spread_text(each.change), count(each.datasets))
        for each in results.rank_changes
    )
    head = ("rule", "family", "change", "datasets")
    caption = (
        f"Mean absolute change of rank from {start_name(results)} to {end_name(results)} "
        "(± standard deviation over datasets)"
    )
    return Table(head, rows, caption, numeric=(2, 3))


def gap_table(results: CurveResults) -> Table:
    """The mean normalised difference of non-linear and linear models."""
    rows = tuple(
        (
            shown(each.embedding),
            signed(each.mean.value),
            interval_of(each.mean, signed),
            count(each.datasets),
        )
        for each in results.mean_gaps
        if not each.control
    )
    head = ("embedding", "mean", "95 % CI over datasets", "datasets")
    return Table(head, rows, "Best non-linear minus best linear, normalised", numeric=(1, 3))


def length_table(results: CurveResults) -> Table:
    """The online description length of the labels."""
    rows = tuple(
        (
            shown(each.dataset),
            shown(each.embedding) + (" (control)" if each.control else ""),
            each.model,
            with_interval(each.per_label),
            with_interval(each.ratio, _short),
            f"{each.bits.value:,.0f}",
        )
        for each in results.description_lengths
    )
    head = ("dataset", "embedding", "model", "bits per label", "compression", "bits")
    caption = "Online description length of the labels (95 % CI)"
    return Table(head, rows, caption, len(rows) > _FOLDED, (5,))


def loss_table(results: CurveResults) -> Table:
    """The expected loss of every embedding."""
    rows = tuple(
        (
            shown(each.embedding) + (" (control)" if each.control else ""),
            score(each.loss.value),
            interval_of(each.loss),
            count(each.datasets),
        )
        for each in results.losses
    )
    head = ("embedding", "expected loss", "95 % CI", "datasets")
    return Table(head, rows, "Expected loss: 1 minus the weighted mean score", numeric=(1, 3))


def dataset_table(results: CurveResults) -> Table:
    """Size, classes and balance of every dataset."""
    rows = tuple(
        (
            shown(each.dataset),
            each.family,
            each.metric,
            count(each.items),
            _balance(each.classes, each.balance),
            percent(each.chance) if each.chance else MISSING,
            count(each.pool),
            significant(each.test_items, 4),
            count(each.repeats),
        )
        for each in results.datasets
    )
    head = (
        "dataset", "family", "metric", "items", "classes", "most frequent class", "training items",
        "test items", "repeats",
    )  # fmt: skip
    return Table(head, rows, "Datasets", numeric=(3, 5, 6, 7, 8))


def _balance(classes: Sequence[str], balance: Sequence[int]) -> str:
    if not classes:
        return MISSING
    named = [f"{shown(c)} {count(n)}" for c, n in zip(classes, balance, strict=False)]
    return ", ".join(named[:6]) + (f", {len(named) - 6} more" if len(named) > 6 else "")
