"""Are we as sure as we say? p-values when nothing differs, intervals around a known truth.

Each study is made by chance with a truth that is known by construction. Under the null every
p-value must be spread evenly from 0 to 1 (Kolmogorov-Smirnov), and a 95 % interval must hold the
truth in 93 to 97 studies of 100.

    python benchmarks/calibration.py --studies 2000
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

from lexiscope.core.measure import Measure
from lexiscope.core.task import Answers
from lexiscope.stats.bootstrap import interval, mean_of
from lexiscope.stats.measures import accuracy, pearson, spearman
from lexiscope.stats.paired import chance, difference
from lexiscope.stats.queries import spearman_by_query
from lexiscope.stats.randomization import swapped_f1

SWAPS = 999


class Check(NamedTuple):
    """What a scenario showed."""

    name: str
    kind: str
    value: float  # share of truths held, or p of Kolmogorov and Smirnov
    alarms: float | None  # share of p below 5 %
    good: bool


def unrelated_pairs(rng: Generator, items: int = 120) -> tuple[Answers, Answers]:
    """Two equally good embeddings on pairs without a word in common."""
    gold = rng.normal(size=items)
    return tuple(Answers(gold + rng.normal(size=items), gold) for _ in range(2))  # type: ignore[return-value]


def pairs_with_shared_words(
    rng: Generator, words: int = 437, items: int = 353, share: float = 0.5
) -> tuple[Answers, Answers]:
    """As many pairs and words as WordSim-353; half of an embedding's error belongs to words."""
    left = rng.integers(0, words, items)
    units = np.stack([left, (left + rng.integers(1, words, items)) % words], axis=1)
    gold = rng.normal(size=items)

    def answers() -> Answers:
        luck = rng.normal(size=words)[units].sum(axis=1)
        error = np.sqrt(share / 2) * luck + np.sqrt(1 - share) * rng.normal(size=items)
        return Answers(gold + error, gold, units)

    return answers(), answers()


def questions_of_shared_pairs(
    rng: Generator, sections: int = 8, pairs: int = 30
) -> tuple[Answers, Answers]:
    """Every two pairs of a section make a question, as in the Google set; hard pairs are hard."""
    inside = np.array(list(permutations(range(pairs), 2)))
    units = np.concatenate([inside + pairs * section for section in range(sections)])
    ease = rng.normal(size=sections * pairs)

    def answers() -> Answers:
        own = ease + rng.normal(size=len(ease))
        chance = own[units].sum(axis=1) + rng.normal(size=len(units))
        return Answers((chance > 0).astype(float), np.ones(len(units)), units)

    return answers(), answers()


def questions_alone(rng: Generator, items: int = 40_000) -> tuple[Answers, Answers]:
    """Right or wrong with nothing in common; so many that exact p-values have small steps."""
    ease = rng.normal(size=items)
    return tuple(
        Answers((ease + rng.normal(size=items) > 0).astype(float), np.ones(items)) for _ in range(2)
    )  # type: ignore[return-value]


def credit(rng: Generator, items: int = 80, clusters: int | None = None) -> tuple[Answers, Answers]:
    """Partial credit per item, such as purity over repeats; items of a cluster share their luck."""
    shared = rng.normal(size=(2, clusters or 1))[:, np.arange(items) % (clusters or 1)]
    values = rng.normal(size=(2, items)) + (shared if clusters else 0)
    units = (np.arange(items) % clusters)[:, None] if clusters else None
    return tuple(Answers(row, np.zeros(items), units) for row in values)  # type: ignore[return-value]


def _trimmed(given: np.ndarray, gold: np.ndarray) -> float:
    return float(np.sort(given)[3:-3].mean())


MEAN = mean_of("mean")
TRIMMED = Measure(_trimmed, "trimmed_mean")


def p_of(
    measure: Measure, study: Callable[[Generator], tuple[Answers, Answers]], seed: int
) -> float:
    rng = default_rng(seed)
    return chance(measure, *study(rng), rng, SWAPS)


def p_of_f1(seed: int) -> float:
    """Two chunkers, 200 sentences; whole sentences are swapped (Yeh 2000)."""
    rng = default_rng(seed)
    gold = rng.poisson(6, 200) + 1
    ease = rng.beta(8, 2, 200)
    found = [rng.binomial(gold, ease) for _ in range(2)]
    wrong = [rng.poisson(1.0, 200) for _ in range(2)]
    tables = [np.stack([t, w, gold - t], axis=1) for t, w in zip(found, wrong, strict=True)]
    return swapped_f1(*tables, rng, SWAPS).p


NULL: dict[str, Callable[[int], float]] = {
    "exact McNemar: accuracy, items alone": partial(p_of, accuracy, questions_alone),
    "t over recurring pairs: accuracy of analogies": partial(
        p_of, accuracy, questions_of_shared_pairs
    ),
    "sign flips: a mean, items alone": partial(p_of, MEAN, credit),
    "sign flips of units: a mean, 20 units": partial(
        p_of, MEAN, partial(credit, items=200, clusters=20)
    ),
    "swaps: Spearman, pairs alone": partial(p_of, spearman, unrelated_pairs),
    "swaps: Pearson, pairs alone": partial(p_of, pearson, unrelated_pairs),
    "t over recurring words: Spearman": partial(p_of, spearman, pairs_with_shared_words),
    "t over recurring words: Pearson": partial(p_of, pearson, pairs_with_shared_words),
    "t over recurring words that bring no luck: Spearman": partial(
        p_of, spearman, partial(pairs_with_shared_words, share=0.0)
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
    "swaps: any measure (a trimmed mean)": partial(p_of, TRIMMED, partial(credit, items=31)),
    "swaps of sentences: F1": p_of_f1,
}


def rank_correlation(r: float) -> float:
    """Spearman's rho of two normal variables with Pearson's r."""
    return float(6 / np.pi * np.arcsin(r / 2))


R = 1 / np.sqrt(2)  # of gold and gold + an error of the same size


def holds(
    measure: Measure,
    truth: float,
    study: Callable[[Generator], tuple[Answers, Answers]],
    seed: int,
) -> float:
    rng = default_rng(seed)
    low, high = interval(measure, study(rng)[0], rng)
    return float(low <= truth <= high)


def holds_nothing(
    measure: Measure, study: Callable[[Generator], tuple[Answers, Answers]], seed: int
) -> float:
    """Whether the interval of a difference holds 0 when nothing differs."""
    rng = default_rng(seed)
    found = difference(measure, *study(rng), rng, 9)
    return float(found.low <= 0 <= found.high)


def shares(rng: Generator, items: int, share: float) -> tuple[Answers, Answers]:
    """Right with a known chance."""
    hits = (rng.random(items) < share).astype(float)
    return Answers(hits, np.ones(items)), Answers(hits, np.ones(items))


TRUTH: dict[str, Callable[[int], float]] = {
    "accuracy, 100 items alone": partial(
        holds, accuracy, 0.6, partial(shares, items=100, share=0.6)
    ),
    "accuracy near 1, 80 items alone": partial(
        holds, accuracy, 0.9, partial(shares, items=80, share=0.9)
    ),
    "accuracy of questions that share pairs": partial(
        holds, accuracy, 0.5, questions_of_shared_pairs
    ),
    "a mean over 80 items": partial(holds, MEAN, 0.0, credit),
    "Spearman, 120 pairs alone": partial(holds, spearman, rank_correlation(R), unrelated_pairs),
    "Pearson, 120 pairs alone": partial(holds, pearson, R, unrelated_pairs),
    "Spearman, 353 pairs of 437 words": partial(
        holds, spearman, rank_correlation(R), pairs_with_shared_words
    ),
    "Pearson, 353 pairs of 437 words": partial(holds, pearson, R, pairs_with_shared_words),
    "Spearman, 3,000 pairs of 751 words": partial(
        holds,
        spearman,
        rank_correlation(R),
        partial(pairs_with_shared_words, words=751, items=3000),
    ),
    "difference of Spearman, 353 pairs of 437 words": partial(
        holds_nothing, spearman, pairs_with_shared_words
    ),
    "difference of Spearman by query, 300 pairs of 60 words": partial(
        holds_nothing, spearman_by_query, partial(pairs_with_shared_words, words=60, items=300)
    ),
    "difference of Spearman, 120 pairs alone": partial(holds_nothing, spearman, unrelated_pairs),
    "difference of accuracy, questions that share pairs": partial(
        holds_nothing, accuracy, questions_of_shared_pairs
    ),
    "difference of means, 80 items": partial(holds_nothing, MEAN, credit),
}


def under_the_null(name: str, ps: np.ndarray) -> Check:
    """Whether the p-values are spread evenly."""
    from scipy.stats import kstest

    p = float(kstest(ps, "uniform").pvalue)
    return Check(name, "p of KS", p, float(np.mean(ps < 0.05)), p > 0.01)


def around_the_truth(name: str, held: np.ndarray) -> Check:
    """Whether the interval holds the truth as often as it says."""
    share = float(held.mean())
    return Check(name, "coverage", share, None, 0.93 <= share <= 0.97)


def checks(studies: int, jobs: int, only: str = "") -> list[Check]:
    """Every scenario whose name holds `only`, on so many studies."""
    found = []
    with ProcessPoolExecutor(jobs) as pool:
        for table, judge in ((NULL, under_the_null), (TRUTH, around_the_truth)):
            for name, study in table.items():
                if only in name:
                    values = np.array(list(pool.map(study, range(studies), chunksize=20)))
                    found.append(judge(name, values))
                    print(_line(found[-1]), flush=True)
    return found


def _line(check: Check) -> str:
    alarms = "" if check.alarms is None else f"   p < 0.05 in {check.alarms:.1%}"
    mark = "good" if check.good else "BAD "
    return f"{mark}  {check.kind:<9} {check.value:7.4f}  {check.name}{alarms}"


def main() -> int:
    """Run every scenario and say how many fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of a scenario's name")
    options = parser.parse_args()
    found = checks(options.studies, options.jobs, options.only)
    bad = sum(not check.good for check in found)
    print(
        f"{len(found) - bad} of {len(found)} as they should be, {options.studies:,} studies each."
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
