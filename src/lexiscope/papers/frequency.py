"""What the vectors of a paper's models encode of word frequency, and claims about it.

All runs of a model get the same words and folds. The error of a statistic has two parts: over
words or queries, which the runs share, and between runs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot, inf, log10, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.datasets.word_pairs import WordPairs
from lexiscope.core.errors import NotDownloaded
from lexiscope.core.seeding import generator
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.resolve import resolve_datasets
from lexiscope.experiments.correlation.plan import CorrelationPlan, NotRun
from lexiscope.experiments.inspection.frequencies import frequencies_of
from lexiscope.experiments.inspection.neighbour_ranks import neighbour_ranks
from lexiscope.experiments.inspection.probe import frequency_probe
from lexiscope.experiments.inspection.results import FrequencyProbe, NeighbourRanks, ProbePoint
from lexiscope.papers.agreement import ScoreErrors, compare_scores
from lexiscope.papers.claims import FrequencyAccuracyClaim, FrequencyOrderClaim, PowerLawClaim
from lexiscope.papers.schema import InspectionEntry
from lexiscope.papers.verdicts import (
    Estimate,
    Margins,
    Verdict,
    compared,
    estimate,
    not_run,
    unknown,
)
from lexiscope.stats.intervals import NORMAL_QUANTILE

CHANCE = 0.5
_CENT = 100.0
LOWEST, INVERSE = "at the lowest threshold", "neighbour rank on corpus rank"


@dataclass(frozen=True)
class FrequencyRun:
    """The frequency probe and the neighbour ranks of one run of a model."""

    model: str
    run: int
    probe: FrequencyProbe
    neighbours: NeighbourRanks

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        about = {"model": self.model, "run": self.run}
        return {
            **about,
            "probe": self.probe.to_dict(),
            "neighbours": self.neighbours.to_dict(),
        }


@dataclass(frozen=True)
class Frequency:
    """The inspected runs of all models; `missing` says what could not be measured."""

    thresholds: tuple[int, ...] = ()
    runs: tuple[FrequencyRun, ...] = ()
    missing: tuple[NotRun, ...] = ()

    @property
    def models(self) -> list[str]:
        """The names of the models, in order."""
        return list(dict.fromkeys(each.model for each in self.runs))

    def of(self, model: str) -> list[FrequencyRun]:
        """Return the runs of a model."""
        return [each for each in self.runs if each.model == model]


def measure(
    entry: InspectionEntry, plan: CorrelationPlan, folder: Path, inputs: Inputs
) -> Frequency:
    """Inspect every run of every model, with the counts of its training corpus."""
    embeddings = plan.embeddings(plan.table_dimension)
    paths = [str(folder / f"{name}.safetensors") for name in embeddings]
    queries, missing = _queries(entry.queries, plan, inputs)
    found = []
    for each in embeddings_from(paths, reading=Reading(local_data=inputs.local_data)):
        known = frequencies_of(each, None, "")
        probed = frequency_probe(
            each, known, generator(plan.seed, "inspection", "probe"), entry.thresholds
        )
        rng = generator(plan.seed, "inspection", "neighbours")
        near = neighbour_ranks(each, known, queries, rng, entry.neighbours)
        run = int(each.name.rpartition("-")[2])
        found.append(FrequencyRun(embeddings[each.name], run, probed, near))
    return Frequency(entry.thresholds, tuple(found), missing)


def _queries(
    name: str, plan: CorrelationPlan, inputs: Inputs
) -> tuple[tuple[str, ...], tuple[NotRun, ...]]:
    """Return the words of a dataset as the texts write them."""
    try:
        (pairs,) = resolve_datasets([name], [WordPairs], inputs.local_data)
    except NotDownloaded as reason:
        return (), (NotRun("neighbour ranks", str(reason)),)
    return tuple(sorted(set(map(plan.policy.normalise, pairs.all_words)))), ()


@dataclass(frozen=True)
class Statistic:
    """The values of a statistic in all runs, and its standard error over words or queries."""

    values: tuple[float, ...]
    error: float

    @property
    def value(self) -> float:
        """The mean of the runs."""
        return float(np.mean(self.values))

    @property
    def between_runs(self) -> float:
        """The standard deviation between runs; 0 of a single run."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else 0.0

    def minus(self, other: "Statistic") -> "Difference":
        """Return the difference of two statistics, as if they were independent."""
        return Difference(self.value - other.value, (self, other))

    def above(self, value: float) -> "Difference":
        """Return the difference from a constant."""
        return Difference(self.value - value, (self,))


@dataclass(frozen=True)
class Difference:
    """A difference of statistics, tested with Welch and Satterthwaite's degrees of freedom."""

    value: float
    parts: tuple[Statistic, ...]

    @property
    def error(self) -> float:
        """The standard error."""
        runs = [each.between_runs / sqrt(len(each.values)) for each in self.parts]
        return hypot(*runs, *(each.error for each in self.parts))

    @property
    def freedom(self) -> float:
        """Only the variances between runs are uncertain."""
        uncertain = sum(
            (each.between_runs**2 / len(each.values)) ** 2 / (len(each.values) - 1)
            for each in self.parts
            if each.between_runs
        )
        return self.error**4 / uncertain if uncertain else inf

    def tested(self) -> tuple[Estimate, float]:
        """Return the estimate with its 95 % confidence interval, and the two-sided p-value."""
        from scipy.stats import t

        if not self.error:
            return Estimate(self.value, n=self.runs, state="no variance"), float(not self.value)
        half = float(t.ppf(0.975, self.freedom)) * self.error
        p = float(2 * t.sf(abs(self.value) / self.error, self.freedom))
        return Estimate(self.value, self.value - half, self.value + half, self.runs), p

    @property
    def runs(self) -> int:
        """The number of runs of the first part."""
        return len(self.parts[0].values)


def judge_accuracy(claim: FrequencyAccuracyClaim, found: Frequency, margins: Margins) -> Verdict:
    """Compare the lowest accuracy over a range of thresholds with a printed range."""
    runs = found.of(claim.row)
    points = _points(runs, lambda point: claim.lowest <= point.threshold <= claim.highest)
    if not points:
        return not_run(claim, _no_threshold(runs))
    lowest = lowest_accuracy(points)
    errors = ScoreErrors(lowest.error, None, lowest.between_runs, len(runs), 1 / sqrt(12))
    printed = min(max(lowest.value, claim.range[0]), claim.range[1])
    agreement = compare_scores(lowest.value, printed, errors)
    every = _points(runs, lambda _: True)
    lowest_of_all = f"{LOWEST}, {every[0][0].threshold:,}"
    used = [points[0][0].threshold, points[-1][0].threshold]
    verdict = Verdict(
        claim,
        "undecided",
        estimate(agreement.ours, len(runs)),
        f"Our thresholds: {used[0]:,} to {used[1]:,}.",
        paper=estimate(agreement.paper, 0, "rounding only"),
        secondary={lowest_of_all: _accuracies(every[0]).above(0.0).tested()[0]},
    )
    return compared(verdict, agreement, margins.score)


def judge_order(claim: FrequencyOrderClaim, found: Frequency) -> Verdict:
    """Judge whether frequency is predicted above chance, or the better the higher the threshold."""
    names = [name for name in (claim.row, claim.below) if name]
    tables = [_points(found.of(name), lambda _: True) for name in names]
    if not all(tables):
        return not_run(claim, _no_threshold(found.of(claim.row)))
    if claim.statistic == "above chance":
        difference = lowest_accuracy(tables[0]).above(_CENT * CHANCE)
    elif len(tables[0]) < 2:
        return not_run(claim, "A slope needs two thresholds.")
    else:
        one, *rest = map(slope, tables)
        difference = one.minus(rest[0]) if rest else one.above(0.0)
    ours, p = difference.tested()
    verdict = Verdict(claim, "undecided", ours, p_value=p)
    return verdict if ours.low is not None else unknown(verdict, ours.state)


def judge_power_law(claim: PowerLawClaim, found: Frequency, margins: Margins) -> Verdict:
    """Compare the exponent of a model with the printed one."""
    runs = found.of(claim.row)
    known = [each.neighbours for each in runs if each.neighbours.exponent.value is not None]
    if not known or len(known) < len(runs):
        reasons = [each.why for each in found.missing] or [r.neighbours.state for r in runs]
        return not_run(claim, next(iter(reasons), "") or f"{claim.row} was not inspected.")
    ours = _exponents([each.exponent for each in known])
    theirs = ours.error * sqrt(known[0].queries / claim.queries)
    errors = ScoreErrors(ours.error, theirs, ours.between_runs, len(runs), 0.01 / sqrt(12))
    agreement = compare_scores(ours.value, claim.range[0], errors)
    inverse = _exponents([each.inverse_exponent for each in known]).above(0.0).tested()[0]
    verdict = Verdict(
        claim,
        "undecided",
        estimate(agreement.ours, len(runs)),
        paper=estimate(agreement.paper, claim.queries),
        secondary={INVERSE: inverse},
    )
    return compared(verdict, agreement, margins.exponent)


def _exponents(found: Sequence[Any]) -> Statistic:
    errors = [(each.high - each.low) / (2 * NORMAL_QUANTILE) for each in found]
    return Statistic(tuple(each.value for each in found), float(np.mean(errors)))


Points = list[tuple[ProbePoint, ...]]  # one entry per threshold, with the points of all runs


def _points(runs: Sequence[FrequencyRun], wanted: Callable[[ProbePoint], bool]) -> Points:
    """Return the points of all runs at the thresholds that are wanted."""
    kept = [[point for point in each.probe.points if wanted(point)] for each in runs]
    return list(zip(*kept, strict=True)) if kept else []


def _accuracies(points: Sequence[ProbePoint]) -> Statistic:
    """Return the accuracy at one threshold, in percent."""
    values = tuple(_CENT * (point.accuracy.value or 0.0) for point in points)
    widths = [(point.accuracy.high or 0.0) - (point.accuracy.low or 0.0) for point in points]
    return Statistic(values, _CENT * float(np.mean(widths)) / (2 * NORMAL_QUANTILE))


def lowest_accuracy(points: Points) -> Statistic:
    """Return the accuracy, in percent, at the threshold with the lowest mean over runs."""
    return min(map(_accuracies, points), key=lambda each: each.value)


def slope(points: Points) -> Statistic:
    """Return the least-squares slope of the accuracy, in percentage points, on log10(threshold).

    The samples of different thresholds share few words, so their errors count as independent.
    """
    found = list(map(_accuracies, points))
    x = np.array([log10(each[0].threshold) for each in points])
    weights = (x - x.mean()) / np.sum((x - x.mean()) ** 2)
    values = weights @ np.array([each.values for each in found])
    errors = np.array([each.error for each in found])
    return Statistic(tuple(values.tolist()), float(np.sqrt(np.sum((weights * errors) ** 2))))


def _no_threshold(runs: Sequence[FrequencyRun]) -> str:
    if not runs:
        return "The model was not inspected."
    return runs[0].probe.state or "No threshold of this range has enough words on both sides."
