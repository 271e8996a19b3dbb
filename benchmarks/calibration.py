"""Calibration: p-values under the null hypothesis, and the coverage of confidence intervals.

Each sample is simulated, so the truth is known by construction. Under the null, p-values must be
uniform (Kolmogorov-Smirnov test), and 95 % confidence intervals must cover the truth in 93 to 97 of
100 samples.

    python benchmarks/calibration.py --samples 2000
"""

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.correlation import pearson, spearman
from lexiscope.metrics.f1 import f1_of_totals
from lexiscope.metrics.ranking import spearman_by_query
from lexiscope.stats.bootstrap import confidence_interval, mean_metric
from lexiscope.stats.paired import difference, p_value
from lexiscope.stats.randomization import permutation_test_of_totals

PERMUTATIONS = 999


class Check(NamedTuple):
    """The result of a scenario."""

    name: str
    kind: str
    value: float  # coverage, or p-value of the Kolmogorov-Smirnov test
    false_positives: float | None  # proportion of p-values below 5 %
    good: bool


def independent_pairs(rng: Generator, items: int = 120) -> tuple[Predictions, Predictions]:
    """Two equally good embeddings on pairs without a word in common."""
    gold = rng.normal(size=items)
    return tuple(Predictions(gold + rng.normal(size=items), gold) for _ in range(2))  # type: ignore[return-value]


def pairs_with_shared_words(
    rng: Generator, words: int = 437, items: int = 353, word_fraction: float = 0.5
) -> tuple[Predictions, Predictions]:
    """As many pairs and words as WordSim-353; half of the error variance belongs to words."""
    left = rng.integers(0, words, items)
    units = np.stack([left, (left + rng.integers(1, words, items)) % words], axis=1)
    gold = rng.normal(size=items)

    def predictions() -> Predictions:
        effects = rng.normal(size=words)[units].sum(axis=1)
        noise = rng.normal(size=items)
        error = np.sqrt(word_fraction / 2) * effects + np.sqrt(1 - word_fraction) * noise
        return Predictions(gold + error, gold, units)

    return predictions(), predictions()


def questions_of_shared_pairs(
    rng: Generator, sections: int = 8, pairs: int = 30
) -> tuple[Predictions, Predictions]:
    """Every two pairs of a section make a question, as in the Google set; some pairs are hard."""
    inside = np.array(list(permutations(range(pairs), 2)))
    units = np.concatenate([inside + pairs * section for section in range(sections)])
    ease = rng.normal(size=sections * pairs)

    def predictions() -> Predictions:
        own = ease + rng.normal(size=len(ease))
        ability = own[units].sum(axis=1) + rng.normal(size=len(units))
        return Predictions((ability > 0).astype(float), np.ones(len(units)), units)

    return predictions(), predictions()


def independent_questions(rng: Generator, items: int = 40_000) -> tuple[Predictions, Predictions]:
    """Independent binary items; so many that exact p-values are almost continuous."""
    ease = rng.normal(size=items)
    return tuple(
        Predictions((ease + rng.normal(size=items) > 0).astype(float), np.ones(items))
        for _ in range(2)
    )  # type: ignore[return-value]


def credit(
    rng: Generator, items: int = 80, clusters: int | None = None
) -> tuple[Predictions, Predictions]:
    """Partial credit per item, such as purity over repeats; items of a cluster are correlated."""
    shared = rng.normal(size=(2, clusters or 1))[:, np.arange(items) % (clusters or 1)]
    values = rng.normal(size=(2, items)) + (shared if clusters else 0)
    units = (np.arange(items) % clusters)[:, None] if clusters else None
    return tuple(Predictions(row, np.zeros(items), units) for row in values)  # type: ignore[return-value]


def _trimmed(predicted: np.ndarray, gold: np.ndarray) -> float:
    return float(np.sort(predicted)[3:-3].mean())


MEAN = mean_metric("mean")
TRIMMED = Metric(_trimmed, "trimmed_mean")


def p_of(
    metric: Metric, sample: Callable[[Generator], tuple[Predictions, Predictions]], seed: int
) -> float:
    rng = default_rng(seed)
    return p_value(metric, *sample(rng), rng, PERMUTATIONS)


def p_of_f1(seed: int) -> float:
    """Two chunkers, 200 sentences; whole sentences are swapped (Yeh 2000)."""
    rng = default_rng(seed)
    gold = rng.poisson(6, 200) + 1
    ease = rng.beta(8, 2, 200)
    found = [rng.binomial(gold, ease) for _ in range(2)]
    wrong = [rng.poisson(1.0, 200) for _ in range(2)]
    tables = [np.stack([t, w, gold - t], axis=1) for t, w in zip(found, wrong, strict=True)]
    return permutation_test_of_totals(*tables, f1_of_totals, rng, PERMUTATIONS)


NULL: dict[str, Callable[[int], float]] = {
    "exact McNemar: accuracy, independent items": partial(p_of, accuracy, independent_questions),
    "t over recurring pairs: accuracy of analogies": partial(
        p_of, accuracy, questions_of_shared_pairs
    ),
    "sign flips: mean, independent items": partial(p_of, MEAN, credit),
    "sign flips of units: mean, 20 units": partial(
        p_of, MEAN, partial(credit, items=200, clusters=20)
    ),
    "permutations: Spearman, independent pairs": partial(p_of, spearman, independent_pairs),
    "permutations: Pearson, independent pairs": partial(p_of, pearson, independent_pairs),
    "t over recurring words: Spearman": partial(p_of, spearman, pairs_with_shared_words),
    "t over recurring words: Pearson": partial(p_of, pearson, pairs_with_shared_words),
    "t over recurring words without word effects: Spearman": partial(
        p_of, spearman, partial(pairs_with_shared_words, word_fraction=0.0)
    ),
    "t over recurring words: Spearman, 3,000 pairs of 751": partial(
        p_of, spearman, partial(pairs_with_shared_words, words=751, items=3000)
    ),
    "t over recurring words: Spearman by query": partial(
        p_of, spearman_by_query, partial(pairs_with_shared_words, words=60, items=300)
    ),
    "t over recurring words: Spearman by query, 3,000 pairs of 751": partial(
        p_of, spearman_by_query, partial(pairs_with_shared_words, words=751, items=3000)
    ),
    "permutations: any metric (a trimmed mean)": partial(p_of, TRIMMED, partial(credit, items=31)),
    "permutations of sentences: F1": p_of_f1,
}


def rank_correlation(r: float) -> float:
    """Spearman's rho of two normal variables with Pearson's r."""
    return float(6 / np.pi * np.arcsin(r / 2))


R = 1 / np.sqrt(2)  # of gold and gold + an error of the same size


def covers(
    metric: Metric,
    truth: float,
    sample: Callable[[Generator], tuple[Predictions, Predictions]],
    seed: int,
) -> float:
    rng = default_rng(seed)
    low, high = confidence_interval(metric, sample(rng)[0], rng)
    return float(low <= truth <= high)


def covers_zero(
    metric: Metric, sample: Callable[[Generator], tuple[Predictions, Predictions]], seed: int
) -> float:
    """Whether the interval of a difference covers 0 under the null."""
    rng = default_rng(seed)
    found = difference(metric, *sample(rng), rng, 9)
    return float(found.low <= 0 <= found.high)


def binary(rng: Generator, items: int, accuracy: float) -> tuple[Predictions, Predictions]:
    """Independent items that are right with a known probability."""
    hits = (rng.random(items) < accuracy).astype(float)
    return Predictions(hits, np.ones(items)), Predictions(hits, np.ones(items))


TRUTH: dict[str, Callable[[int], float]] = {
    "accuracy, 100 independent items": partial(
        covers, accuracy, 0.6, partial(binary, items=100, accuracy=0.6)
    ),
    "accuracy near 1, 80 independent items": partial(
        covers, accuracy, 0.9, partial(binary, items=80, accuracy=0.9)
    ),
    "accuracy of questions that share pairs": partial(
        covers, accuracy, 0.5, questions_of_shared_pairs
    ),
    "mean over 80 items": partial(covers, MEAN, 0.0, credit),
    "Spearman, 120 independent pairs": partial(
        covers, spearman, rank_correlation(R), independent_pairs
    ),
    "Pearson, 120 independent pairs": partial(covers, pearson, R, independent_pairs),
    "Spearman, 353 pairs of 437 words": partial(
        covers, spearman, rank_correlation(R), pairs_with_shared_words
    ),
    "Pearson, 353 pairs of 437 words": partial(covers, pearson, R, pairs_with_shared_words),
    "Spearman, 3,000 pairs of 751 words": partial(
        covers,
        spearman,
        rank_correlation(R),
        partial(pairs_with_shared_words, words=751, items=3000),
    ),
    "difference of Spearman, 353 pairs of 437 words": partial(
        covers_zero, spearman, pairs_with_shared_words
    ),
    "difference of Spearman by query, 300 pairs of 60 words": partial(
        covers_zero, spearman_by_query, partial(pairs_with_shared_words, words=60, items=300)
    ),
    "difference of Spearman, 120 independent pairs": partial(
        covers_zero, spearman, independent_pairs
    ),
    "difference of accuracy, questions that share pairs": partial(
        covers_zero, accuracy, questions_of_shared_pairs
    ),
    "difference of means, 80 items": partial(covers_zero, MEAN, credit),
}


def under_the_null(name: str, ps: np.ndarray) -> Check:
    """Check that the p-values are uniform."""
    from scipy.stats import kstest

    p = float(kstest(ps, "uniform").pvalue)
    return Check(name, "p of KS", p, float(np.mean(ps < 0.05)), p > 0.01)


def of_intervals(name: str, covered: np.ndarray) -> Check:
    """Check that the intervals have their nominal coverage."""
    coverage = float(covered.mean())
    return Check(name, "coverage", coverage, None, 0.93 <= coverage <= 0.97)


def checks(samples: int, jobs: int, only: str = "") -> list[Check]:
    """Simulate every scenario whose name contains `only`."""
    found = []
    with ProcessPoolExecutor(jobs) as pool:
        for table, judge in ((NULL, under_the_null), (TRUTH, of_intervals)):
            for name, scenario in table.items():
                if only in name:
                    values = np.array(list(pool.map(scenario, range(samples), chunksize=20)))
                    found.append(judge(name, values))
                    print(_line(found[-1]), flush=True)
    return found


def _line(check: Check) -> str:
    rate = check.false_positives
    below = "" if rate is None else f"   p < 0.05 in {rate:.1%}"
    mark = "good" if check.good else "BAD "
    return f"{mark}  {check.kind:<9} {check.value:7.4f}  {check.name}{below}"


def main() -> int:
    """Run every scenario and report how many fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of a scenario's name")
    options = parser.parse_args()
    found = checks(options.samples, options.jobs, options.only)
    bad = sum(not check.good for check in found)
    print(f"{len(found) - bad} of {len(found)} scenarios pass, {options.samples:,} samples each.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
