"""Agreement of a printed number with ours: both are estimates with sampling error.

The sampling error of the paper is derived from what it prints: the number of trials of a
proportion, of models of a correlation, of test items of a score. The confidence interval of the
difference combines the intervals of both numbers (MOVER; Zou and Donner 2008), which is Newcombe's
interval for proportions (1998, method 10) and Zou's for correlations (2007). Two one-sided tests at
5 % show equivalence if the 90 % confidence interval is within a margin (Schuirmann 1987).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, comb, hypot, inf, sqrt, tanh
from typing import NamedTuple, Protocol

import numpy as np

from lexiscope.stats.correlations import (
    MIN_MEMBERS,
    Correlation,
    Kind,
    difference_of_dependent,
    fisher_standard_error,
)
from lexiscope.stats.intervals import CONFIDENCE_LEVEL

EQUIVALENCE_LEVEL = 0.9  # two one-sided tests at 5 %
_PERFECT = 1 - 1e-12
_LARGE_Z = 8.0  # a p-value of 1e-15

Ends = tuple[float, float]


class Sample(Protocol):
    """An estimate with a confidence interval at every level."""

    @property
    def value(self) -> float: ...

    def interval(self, level: float = CONFIDENCE_LEVEL) -> Ends: ...


class Agreement(NamedTuple):
    """Our number minus the printed one, with its 90 % confidence interval.

    `p` is the p-value of the hypothesis that both estimate the same number, `min_p` the smallest
    that the test can give.
    """

    ours: Sample
    paper: Sample
    difference: float
    low: float
    high: float
    p: float
    min_p: float = 0.0


@dataclass(frozen=True)
class ProportionSample:
    """A proportion of `size` independent items; Wilson's interval."""

    value: float
    size: float

    def interval(self, level: float = CONFIDENCE_LEVEL) -> Ends:
        """Return the confidence interval."""
        z2 = _quantile(level) ** 2
        centre = (self.value + z2 / (2 * self.size)) / (1 + z2 / self.size)
        variance = self.value * (1 - self.value) / self.size + z2 / (4 * self.size**2)
        margin = sqrt(z2 * variance) / (1 + z2 / self.size)
        return max(0.0, centre - margin), min(1.0, centre + margin)


@dataclass(frozen=True)
class CorrelationSample:
    """A correlation over `size` independent members; Fisher's interval, or Bonett and Wright's."""

    value: float
    size: int
    kind: Kind

    @property
    def z(self) -> float:
        """The correlation on Fisher's z scale."""
        return atanh(min(_PERFECT, max(-_PERFECT, self.value)))

    @property
    def error(self) -> float:
        """The standard error on Fisher's z scale."""
        return fisher_standard_error(self.value, self.size, self.kind)

    def interval(self, level: float = CONFIDENCE_LEVEL) -> Ends:
        """Return the confidence interval."""
        margin = _quantile(level) * self.error
        return tanh(self.z - margin), tanh(self.z + margin)


@dataclass(frozen=True)
class GapSample:
    """The correlation of one evaluation with a target minus that of a rival; Zou's interval.

    `between` is the correlation of the two evaluations.
    """

    one: CorrelationSample
    other: CorrelationSample
    between: float

    @property
    def value(self) -> float:
        """The difference of the correlations."""
        return self.one.value - self.other.value

    def interval(self, level: float = CONFIDENCE_LEVEL) -> Ends:
        """Return the confidence interval."""
        one, other = (
            Correlation(each.value, *each.interval(level), None, each.size)
            for each in (self.one, self.other)
        )
        found = difference_of_dependent(one, other, self.between)
        return found.low, found.high


@dataclass(frozen=True)
class ScoreSample:
    """A score with a standard error, which may have few degrees of freedom."""

    value: float
    error: float
    freedom: float = inf

    def interval(self, level: float = CONFIDENCE_LEVEL) -> Ends:
        """Return the confidence interval."""
        from scipy.stats import t

        margin = float(t.ppf((1 + level) / 2, self.freedom)) * self.error
        return self.value - margin, self.value + margin


def _quantile(level: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf((1 + level) / 2))


def nearest(value: float, allowed: Ends) -> float:
    """Return the allowed value that is nearest to ours."""
    return min(max(value, allowed[0]), allowed[1])


def _margins(ours: Sample, paper: Sample, level: float) -> Ends:
    """Return how far the interval of the difference extends below and above it (MOVER)."""
    (low, high), (least, most) = (each.interval(level) for each in (ours, paper))
    down = hypot(ours.value - low, most - paper.value)
    up = hypot(high - ours.value, paper.value - least)
    return down, up


def _agreement(ours: Sample, paper: Sample, p: float, min_p: float = 0.0) -> Agreement:
    gap = ours.value - paper.value
    down, up = _margins(ours, paper, EQUIVALENCE_LEVEL)
    return Agreement(ours, paper, gap, gap - down, gap + up, p, min_p)


def compare_proportions(
    accuracies: Sequence[float], words: float, printed: Ends, trials: int
) -> Agreement:
    """Compare the accuracies of our trials, of `words` test words each, with a printed range.

    The words of a trial are dependent. The effective number of words per trial follows from the
    variance between our trials, and is assumed for the trials of the paper too; without any error,
    or with errors only, it is 1. Fisher's exact test is of these effective numbers. No p-value is
    smaller than that of a permutation of whole trials.
    """
    from scipy.stats import fisher_exact

    value, number = float(np.mean(accuracies)), len(accuracies)
    size = effective_words(accuracies, words)
    ours = ProportionSample(value, number * size)
    paper = ProportionSample(nearest(value, printed), trials * size)
    p = float(fisher_exact([_counts(ours), _counts(paper)])[1])
    min_p = 1 / comb(number + trials, trials)
    return _agreement(ours, paper, max(p, min_p), min_p)


def effective_words(accuracies: Sequence[float], words: float) -> float:
    """Compute the effective number of independent words per trial (Korn and Graubard 1998).

    It is smaller if few trials have errors, or few have correct predictions, because the variance
    between trials is then uncertain.

    >>> effective_words([0.5] * 10 + [0.75] * 30 + [1.0] * 10, 4)  # vary less than independent ones
    4
    >>> effective_words([0.0, 1.0, 0.0, 1.0], 4)
    1.0
    """
    from scipy.stats import t

    each, value = np.asarray(accuracies), float(np.mean(accuracies))
    freedom = min(np.count_nonzero(each < 1), np.count_nonzero(each > 0)) - 1
    if freedom < 1:
        return 1.0
    variance = float(np.var(each, ddof=1))
    uncertain = (_quantile(CONFIDENCE_LEVEL) / t.ppf((1 + CONFIDENCE_LEVEL) / 2, freedom)) ** 2
    size = value * (1 - value) / variance * float(uncertain) if variance else words
    return max(1.0, min(words, size))


def _counts(sample: ProportionSample) -> Ends:
    """Return whole numbers of correct and of wrong items."""
    size = max(1, int(sample.size + 1e-9))
    right = round(sample.value * size)
    return right, size - right


def compare_correlations(ours: CorrelationSample, printed: Ends, size: int) -> Agreement | None:
    """Compare our correlation with a printed one over `size` independent models.

    None if there are too few models for a standard error.
    """
    if min(ours.size, size) < MIN_MEMBERS:
        return None
    paper = CorrelationSample(nearest(ours.value, printed), size, ours.kind)
    return _agreement(ours, paper, _normal_p(ours.z - paper.z, hypot(ours.error, paper.error)))


def correlation_p(value: float, size: int) -> float:
    """Compute the p-value of a correlation over `size` independent members (t test)."""
    from scipy.stats import t

    bounded = min(_PERFECT, abs(value))
    return float(2 * t.sf(bounded * sqrt((size - 2) / (1 - bounded**2)), size - 2))


def compare_gaps(ours: GapSample, paper: GapSample) -> Agreement | None:
    """Compare our difference of two correlations with a printed one.

    The p-value is that of the widest confidence interval of the difference that excludes 0.
    """
    from scipy.optimize import brentq
    from scipy.stats import norm

    if min(ours.one.size, paper.one.size) < MIN_MEMBERS:
        return None
    gap = ours.value - paper.value

    def beyond(z: float) -> float:
        down, up = _margins(ours, paper, 1 - 2 * float(norm.sf(z)))
        return abs(gap) - (down if gap > 0 else up)

    if not gap:
        return _agreement(ours, paper, 1.0)
    z = brentq(beyond, 0.0, _LARGE_Z) if beyond(_LARGE_Z) < 0 else _LARGE_Z
    return _agreement(ours, paper, float(2 * norm.sf(z)))


def _normal_p(gap: float, error: float) -> float:
    from scipy.stats import norm

    return float(2 * norm.sf(abs(gap) / error))


@dataclass(frozen=True)
class ScoreErrors:
    """The standard errors of a score: over test items, and over the `runs` of a model.

    `items` is None where the paper's number of test items is not known.
    """

    ours: float
    items: float | None
    between_runs: float
    runs: int
    rounding: float


def compare_scores(value: float, printed: float, errors: ScoreErrors) -> Agreement:
    """Compare the mean score of our runs with a printed score of one run."""
    from scipy.stats import t

    mean, single = errors.between_runs / sqrt(errors.runs), errors.between_runs
    freedom = _freedom(errors)
    ours = ScoreSample(value, hypot(errors.ours, mean), freedom)
    theirs = hypot(errors.items or 0.0, single, errors.rounding)
    paper = ScoreSample(printed, theirs, freedom)
    p = float(2 * t.sf(abs(value - printed) / hypot(ours.error, paper.error), freedom))
    return _agreement(ours, paper, p)


def _freedom(errors: ScoreErrors) -> float:
    """Degrees of freedom after Satterthwaite: only the variance between runs is uncertain."""
    runs = errors.between_runs**2 * (1 + 1 / errors.runs)
    total = errors.ours**2 + (errors.items or 0.0) ** 2 + errors.rounding**2 + runs
    return inf if not runs else (errors.runs - 1) * (total / runs) ** 2
