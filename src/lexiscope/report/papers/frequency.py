"""Sections on word frequency in the vectors of a paper's models."""

from collections.abc import Sequence
from itertools import pairwise

from lexiscope.core.display import shown
from lexiscope.papers.frequency import CHANCE, Frequency, FrequencyRun
from lexiscope.report.inspection.charts import Point, curve
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import MISSING, count, points, score, with_interval

_PROBE = (
    "Logistic regression predicts from the unit vector of a word whether it is frequent: whether "
    "it occurs at least as often in the training corpus as the threshold says. Every threshold has "
    "the same number of frequent and of rare words, so the chance level is 50 %. Five-fold "
    "cross-validation.",
    "The weight vector turns with the threshold. Its cosine with the weight vector of the next "
    "threshold is compared with the cosine of two weight vectors of one threshold; both pairs are "
    "trained on different words.",
)
_RANKS = (
    "The mean corpus rank of the neighbours of the query words, by neighbour rank, on logarithmic "
    "axes. The exponents are slopes of least-squares fits in both directions; the product of the "
    "two slopes is R². Intervals are over query words.",
)


def sections(found: Frequency) -> list[Section]:
    """Return the figures of the first run of each model; empty without inspection."""
    if not found.runs:
        return []
    first = [found.of(model)[0] for model in found.models]
    return [
        Section("Word frequency in the vectors", _PROBE, (probe_figure(first), turning(first))),
        Section("Corpus rank of neighbours", _RANKS, (rank_figure(first), exponents(found))),
    ]


def probe_figure(runs: Sequence[FrequencyRun]) -> Figure:
    """Return the accuracy of the probe by threshold."""
    drawn = [
        Point(each.model, p.threshold, *p.accuracy.ends) for each in runs for p in each.probe.points
    ]
    about = "Accuracy of predicting from its vector whether a word is frequent, by threshold."
    titles = ("threshold (occurrences in the corpus)", "accuracy with 95 % confidence interval")
    chart = curve(drawn, [each.model for each in runs], titles, about, rule=CHANCE)
    return Figure("Accuracy of the frequency probe", chart, probe_table(runs))


def probe_table(runs: Sequence[FrequencyRun]) -> Table:
    """Return the accuracies in percent, a row for each model."""
    thresholds = sorted({p.threshold for each in runs for p in each.probe.points})
    rows = []
    for each in runs:
        at = {point.threshold: point for point in each.probe.points}
        cells = [with_interval(at[t].accuracy, points) if t in at else MISSING for t in thresholds]
        rows.append((shown(each.model), *cells))
    words = {point.words for each in runs for point in each.probe.points}
    sizes = ", ".join(map(count, sorted(words)))
    caption = (
        f"Accuracy in percent (95 % CI) by threshold, first run of each model, {sizes} words at "
        "every threshold"
    )
    return Table(("model", *map(count, thresholds)), tuple(rows), caption)


def turning(runs: Sequence[FrequencyRun]) -> Table:
    """Return the cosines between weight vectors of successive thresholds."""
    thresholds = sorted({p.threshold for each in runs for p in each.probe.points})
    head = [f"{count(one)} to {count(two)}" for one, two in pairwise(thresholds)]
    rows = tuple((shown(each.model), *_turns(each)) for each in runs)
    caption = "Cosine with the weight vector of the next threshold (of two of the same threshold)"
    return Table(("model", *head), rows, caption)


def _turns(each: FrequencyRun) -> list[str]:
    return [
        f"{score(point.next_direction)} ({score(point.same_direction)})"
        for point in each.probe.points[:-1]
    ]


def rank_figure(runs: Sequence[FrequencyRun]) -> Figure:
    """Return the mean corpus rank of neighbours by neighbour rank."""
    drawn = [
        Point(each.model, p.neighbour_rank, *p.corpus_rank.ends)
        for each in runs
        for p in each.neighbours.points
    ]
    about = "Mean corpus rank of the neighbours of query words, by neighbour rank."
    titles = ("neighbour rank", "mean corpus rank with 95 % confidence interval")
    chart = curve(drawn, [each.model for each in runs], titles, about, log_y=True)
    return Figure("Corpus rank by neighbour rank", chart, rank_table(runs))


def rank_table(runs: Sequence[FrequencyRun]) -> Table:
    """Return the mean corpus ranks, a column for each model."""
    at = {each.model: {p.neighbour_rank: p for p in each.neighbours.points} for each in runs}
    ranks = sorted({rank for found in at.values() for rank in found})
    rows = tuple(
        (count(rank), *(_rank(found[rank].corpus_rank.value) if rank in found else MISSING
                        for found in at.values()))
        for rank in ranks
    )  # fmt: skip
    head = ("neighbour rank", *map(shown, at))
    caption = "Mean corpus rank of neighbours, first run of each model"
    return Table(head, rows, caption, folded=True, numeric=tuple(range(len(head))))


def _rank(value: float | None) -> str:
    return MISSING if value is None else f"{value:,.0f}"


def exponents(found: Frequency) -> Table:
    """Return the power laws of every run, in both directions of the fit."""
    rows = tuple(
        (
            shown(each.model),
            str(each.run),
            count(each.neighbours.queries),
            with_interval(each.neighbours.exponent),
            _rank(each.neighbours.coefficient),
            with_interval(each.neighbours.inverse_exponent),
            score(each.neighbours.r_squared),
            _rank(each.neighbours.random_rank),
        )
        for each in found.runs
    )
    head = (
        "model", "run", "queries", "exponent: corpus rank on neighbour rank", "coefficient",
        "exponent: neighbour rank on corpus rank", "R²", "corpus rank of random words",
    )  # fmt: skip
    return Table(head, rows, "Power laws (95 % CI over query words)", numeric=(1, 2, 4, 6, 7))
