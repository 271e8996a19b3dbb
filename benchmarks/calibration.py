"""Calibration: tests of equal embeddings, and the coverage of confidence intervals.

Each scenario simulates two equally good embeddings on items with the dependence of real datasets.
Reported are the proportion of tests that reject (target: 3.5 to 6.5 % at the 5 % level; fewer are
marked as conservative), and how often 95 % confidence intervals cover the mean score of the
scenario and the difference 0 (target: 93 to 97 %). Family-wise error rates and false claims of
equivalence must not exceed 5 % by more than the simulation error.

    python benchmarks/calibration.py --samples 2000
"""

import argparse
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng

from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets import Analogies
from lexiscope.core.datasets.base import word_array
from lexiscope.core.decision import DecisionRule
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import Undefined
from lexiscope.evaluation.comparison import (
    EmbeddingPredictions,
    EvaluationPredictions,
    compare,
)
from lexiscope.learners.entity_classifiers import nearest_neighbour_types
from lexiscope.learners.splits import cross_validation_inflation, stratified_folds
from lexiscope.learners.text_classifiers import (
    cross_validated_predictions,
    logistic_regression,
)
from lexiscope.metrics.accuracy import accuracy
from lexiscope.metrics.chunk_f1 import chunk_f1
from lexiscope.metrics.correlation import pearson, spearman
from lexiscope.metrics.multilabel import item_f1
from lexiscope.metrics.purity import adjusted_rand, kmeans_clusters, purity
from lexiscope.metrics.qvec import QvecInput, contributions, standardise
from lexiscope.metrics.ranking import spearman_by_query
from lexiscope.stats.equivalence import equivalence_p_value
from lexiscope.stats.intervals import confidence_interval, mean_metric
from lexiscope.stats.paired import difference, difference_of_models
from lexiscope.tasks.analogy import Analogy

PERMUTATIONS = 999
LEVEL = 0.05
REJECTIONS = (0.035, 0.065)
COVERAGE = (0.93, 0.97)
MEAN = mean_metric("mean")


class Items(NamedTuple):
    """Simulated items, and a function that simulates the predictions of an embedding for them."""

    predict: Callable[[], np.ndarray]
    gold: np.ndarray
    units: np.ndarray | None = None
    strata: np.ndarray | None = None
    inflation: float = 1.0

    def sample(self) -> Predictions:
        """The predictions of one more embedding; all are equally good."""
        return Predictions(self.predict(), self.gold, self.units, self.strata, self.inflation)


class Study(NamedTuple):
    """What one simulated comparison found; NaN where there is no test or interval."""

    p: float
    value: float
    low: float
    high: float
    covers_zero: float


# Items without shared units


def independent_pairs(rng: Generator, items: int = 120, r: float = 0.7) -> Items:
    """Two equally good embeddings on pairs without a word in common."""
    gold = rng.normal(size=items)
    noise = np.sqrt(1 / r**2 - 1)
    return Items(lambda: gold + noise * rng.normal(size=items), gold)


def independent_questions(rng: Generator, items: int, ease: float = 0.0) -> Items:
    """Binary items; some are easy for both embeddings."""
    shared = rng.normal(size=items) + ease
    return Items(lambda: (shared + rng.normal(size=items) > 0).astype(float), np.ones(items))


def credit(rng: Generator, items: int = 80, clusters: int | None = None) -> Items:
    """Partial credit for each item; items of a cluster are correlated."""
    codes = np.arange(items) % (clusters or 1)

    def values() -> np.ndarray:
        own = rng.normal(size=items)
        return own + rng.normal(size=clusters)[codes] if clusters else own

    return Items(values, np.zeros(items), codes[:, None] if clusters else None)


def sentences(rng: Generator, number: int = 200) -> Items:
    """Chunked sentences; a sentence is hard for both taggers."""
    lengths = rng.integers(3, 12, number)
    ease = rng.beta(8, 2, number)
    gold = word_array(" ".join(["B-NP"] * length) for length in lengths)

    def tags() -> np.ndarray:
        rows = (rng.random(length) < each for length, each in zip(lengths, ease, strict=True))
        return word_array(" ".join(np.where(row, "B-NP", "O")) for row in rows)

    return Items(tags, gold)


# Items that share units


def pairs_with_shared_words(
    rng: Generator, words: int = 437, items: int = 353, word_fraction: float = 0.5
) -> Items:
    """As many pairs and words as WordSim-353; part of the error variance belongs to words."""
    left = rng.integers(0, words, items)
    units = np.stack([left, (left + rng.integers(1, words, items)) % words], axis=1)
    gold = rng.normal(size=items)
    return Items(lambda: gold + _effects(rng, units, word_fraction), gold, units)


def preferences(rng: Generator, slots: int = 40, words: int = 60, each: int = 10) -> Items:
    """Plausibility of words as arguments: every slot is rated with some of the words."""
    slot = np.repeat(np.arange(slots), each)
    word = np.concatenate([rng.choice(words, each, replace=False) for _ in range(slots)])
    units = np.stack([slot, slots + word], axis=1)
    gold = rng.normal(size=len(slot))
    return Items(lambda: gold + _effects(rng, units, 0.5), gold, units)


def questions(
    rng: Generator, sections: int = 8, pairs: int = 30, shared: int = 0, spread: float = 0.0
) -> Items:
    """Every two pairs of a section make a question; `shared` second words are those of all pairs.

    Sections differ in difficulty by `spread`, which is the same in every sample.
    """
    rows, strata = [], []
    for section in range(sections):
        first = 1000 * section + np.arange(pairs)
        second = 1000 * section + 500 + np.arange(pairs) % (shared or pairs)
        for one, other in permutations(range(pairs), 2):
            rows.append([first[one], second[one], first[other], second[other]])
            strata.append(section)
    units, codes = np.array(rows), np.array(strata)
    ease = spread * np.linspace(-1, 1, sections)[codes]
    common = _effects(rng, units, 0.5)

    def hits() -> np.ndarray:
        return (ease + common + _effects(rng, units, 0.5) > 0).astype(float)

    return Items(hits, np.ones(len(units)), units, codes if sections > 1 else None)


def synonyms(rng: Generator, items: int = 80, answers: int = 8) -> Items:
    """Synonym questions whose answers recur."""
    units = np.stack([np.arange(items), items + np.arange(items) % answers], axis=1)
    return Items(lambda: (_effects(rng, units, 0.6) + 0.5 > 0).astype(float), np.ones(items), units)


def queries(rng: Generator, number: int, partners: int = 10, shared: bool = False) -> Items:
    """Pairs of a few query words, each with partners of its own, or with common ones."""
    query = np.repeat(np.arange(number), partners)
    partner = number + (np.tile(np.arange(partners), number) if shared else np.arange(len(query)))
    units = np.stack([query, partner], axis=1)
    gold = rng.normal(size=len(query))
    return Items(lambda: gold + _effects(rng, units, 0.3), gold, units)


def _effects(rng: Generator, units: np.ndarray, fraction: float) -> np.ndarray:
    """Normal errors of variance 1; a fraction of it belongs to the units of an item."""
    effects = rng.normal(size=int(units.max()) + 1)[units].sum(axis=1)
    noise = rng.normal(size=len(units))
    return np.sqrt(fraction / units.shape[1]) * effects + np.sqrt(1 - fraction) * noise


# Tasks whose predictions depend on each other


def clusterings(rng: Generator, categories: int = 10, words: int = 10) -> Items:
    """k-means of words in categories that an embedding represents well or badly."""
    codes = np.repeat(np.arange(categories), words)
    gold = np.array([f"c{code:02}" for code in codes])

    def clusters() -> np.ndarray:
        spread = rng.uniform(0.65, 2.6, categories)[codes, None]
        rows = rng.normal(size=(categories, 20))[codes]
        rows = rows + spread * rng.normal(size=(len(codes), 20))
        found = kmeans_clusters(rows.astype(np.float32), categories, rng.integers(1 << 31, size=3))
        return word_array(" ".join(map(str, row)) for row in found.tolist())

    return Items(clusters, gold, codes[:, None])


def cross_validated_texts(rng: Generator, texts: int = 150, dimension: int = 50) -> Items:
    """Sentiment of texts by cross-validated logistic regression."""
    label = rng.permutation(np.arange(texts) % 2)
    fold = stratified_folds(label, 10, rng)
    signal = (2 * label - 1)[:, None] / np.sqrt(dimension)

    def predicted() -> np.ndarray:
        features = signal + rng.normal(size=(texts, dimension))
        return cross_validated_predictions(logistic_regression(0.01), features, label, fold)

    return Items(predicted, label, inflation=cross_validation_inflation(10))


def entity_types(rng: Generator, entities: int = 150, types: int = 8) -> Items:
    """Types of entities by their nearest neighbour in the other folds."""
    table = rng.random((entities, types)) < 0.25
    table[np.arange(entities), rng.integers(types, size=entities)] = True
    gold = word_array("\t".join(f"t{t}" for t in np.flatnonzero(row)) for row in table)
    fold = rng.permutation(np.arange(entities) % 5)

    def predicted() -> np.ndarray:
        rows = table @ rng.normal(size=(types, 20)) + 1.5 * rng.normal(size=(entities, 20))
        rows, found = rows.astype(np.float32), np.empty(entities, object)
        for number in range(5):
            inside = fold == number
            found[inside] = nearest_neighbour_types(rows[~inside], gold[~inside], rows[inside])
        return found

    return Items(predicted, gold, inflation=cross_validation_inflation(5))


def supersenses(rng: Generator, words: int = 300, signal: float = 0.3) -> Items:
    """QVEC: contributions of words to the alignment of 20 dimensions with 15 properties."""
    amounts = np.eye(15)[rng.integers(15, size=words)]
    amounts = amounts + 0.3 * rng.random(amounts.shape) * (rng.random(amounts.shape) < 0.05)
    weights = signal * default_rng(0).normal(size=(15, 20))  # the same for every sample

    def predicted() -> np.ndarray:
        rows = standardise(amounts @ weights + rng.normal(size=(words, 20)))
        names = tuple(map(str, range(15)))
        return contributions(QvecInput(rows, standardise(amounts), names), "formula", rng)

    return Items(predicted, np.zeros(words))


def solved_analogies(rng: Generator, solver: str, pairs: int = 15, sections: int = 2) -> Items:
    """Analogies by solvers that learn from the other pairs of a section."""
    rows = [
        (f"a{s}.{i}", f"b{s}.{i}", f"a{s}.{j}", f"b{s}.{j}", f"s{s}")
        for s in range(sections)
        for i, j in permutations(range(pairs), 2)
    ]
    items = Analogies("analogies", *map(word_array, zip(*rows, strict=True)))
    words = sorted({word for row in rows for word in row[:4]})
    index = {word: at for at, word in enumerate(words)}

    def predicted() -> np.ndarray:
        table = np.empty((len(words), 15))
        for section in range(sections):
            offset = default_rng(section).normal(size=15)  # the same in every sample
            for pair in range(pairs):
                start = rng.normal(size=15)
                table[index[f"a{section}.{pair}"]] = start
                table[index[f"b{section}.{pair}"]] = start + offset + 1.1 * rng.normal(size=15)
        vectors = embedding("e", words, table.astype(np.float32))
        return Analogy(solver=solver).predict(vectors, items, rng).predicted  # type: ignore[arg-type]

    return Items(predicted, items.answer, items.units, items.strata)


def study(name: str, seed: int) -> Study:
    """Simulate one comparison of a scenario."""
    metric, sample = SCENARIOS[name]
    rng = default_rng([7, seed])
    items = sample(rng)
    first, second = items.sample(), items.sample()
    try:
        found = difference(metric, first, second, rng, PERMUTATIONS)
        p = np.nan if found.p is None else found.p
        none = found.low is None or found.high is None
        zero = np.nan if none else float(found.low <= 0 <= found.high)
    except Undefined:
        p = zero = np.nan
    value = metric(first.predicted, first.gold, first.units)
    try:
        low, high = confidence_interval(metric, first, rng)
    except Undefined:
        low = high = np.nan
    return Study(p, value, low, high, zero)


SCENARIOS: dict[str, tuple[Metric, Callable[[Generator], Items]]] = {
    "accuracy, 30 independent items": (accuracy, partial(independent_questions, items=30)),
    "accuracy, 100 independent items": (accuracy, partial(independent_questions, items=100)),
    "accuracy near 1, 80 independent items": (
        accuracy,
        partial(independent_questions, items=80, ease=1.8),
    ),
    "mean, 8 independent items": (MEAN, partial(credit, items=8)),
    "mean, 80 independent items": (MEAN, credit),
    "mean, 200 items in 20 clusters": (MEAN, partial(credit, items=200, clusters=20)),
    "Spearman, 5 independent pairs": (spearman, partial(independent_pairs, items=5)),
    "Spearman, 10 independent pairs": (spearman, partial(independent_pairs, items=10)),
    "Spearman, 25 independent pairs": (spearman, partial(independent_pairs, items=25)),
    "Spearman, 120 independent pairs": (spearman, independent_pairs),
    "Pearson, 10 independent pairs": (pearson, partial(independent_pairs, items=10)),
    "Pearson, 120 independent pairs": (pearson, independent_pairs),
    "Spearman, 65 pairs of 48 words": (
        spearman,
        partial(pairs_with_shared_words, words=48, items=65),
    ),
    "Spearman, 353 pairs of 437 words": (spearman, pairs_with_shared_words),
    "Spearman, 353 pairs of 437 words, no word effects": (
        spearman,
        partial(pairs_with_shared_words, word_fraction=0.0),
    ),
    "Spearman, 3,000 pairs of 751 words": (
        spearman,
        partial(pairs_with_shared_words, words=751, items=3000),
    ),
    "Pearson, 353 pairs of 437 words": (pearson, pairs_with_shared_words),
    "preference: Spearman, 40 slots, 60 words": (spearman, preferences),
    "analogy: 1 section of 12 pairs": (accuracy, partial(questions, sections=1, pairs=12)),
    "analogy: 3 sections of 10 pairs": (accuracy, partial(questions, sections=3, pairs=10)),
    "analogy: 8 sections of 30 pairs": (accuracy, questions),
    "analogy: 6 sections of 15 pairs, fixed difficulty": (
        accuracy,
        partial(questions, sections=6, pairs=15, spread=2.0),
    ),
    "analogy: 3 sections, 18 pairs share 6 second words": (
        accuracy,
        partial(questions, sections=3, pairs=18, shared=6),
    ),
    "analogy, 3CosAvg": (accuracy, partial(solved_analogies, solver="3CosAvg")),
    "analogy, LRCos": (accuracy, partial(solved_analogies, solver="LRCos")),
    "synonymy: 80 questions, 8 recurring answers": (accuracy, synonyms),
    "synonymy: 80 questions, 20 recurring answers": (accuracy, partial(synonyms, answers=20)),
    "ranking: 3 query words": (spearman_by_query, partial(queries, number=3)),
    "ranking: 10 query words": (spearman_by_query, partial(queries, number=10)),
    "ranking: 20 query words with common partners": (
        spearman_by_query,
        partial(queries, number=20, shared=True),
    ),
    "ranking: 300 pairs of 60 words": (
        spearman_by_query,
        partial(pairs_with_shared_words, words=60, items=300),
    ),
    "categorization: purity, 10 categories": (purity, clusterings),
    "categorization: purity, 6 categories": (purity, partial(clusterings, categories=6)),
    "categorization: adjusted Rand, 10 categories": (adjusted_rand, clusterings),
    "categorization: adjusted Rand, 20 categories": (
        adjusted_rand,
        partial(clusterings, categories=20),
    ),
    "QVEC, 300 words, weak signal": (MEAN, partial(supersenses, signal=0.1)),
    "QVEC, 300 words": (MEAN, supersenses),
    "QVEC, 1,000 words": (MEAN, partial(supersenses, words=1000)),
    "chunking: F1, 200 sentences": (chunk_f1, sentences),
    "sentiment: 150 texts, 10 folds, 50 dimensions": (accuracy, cross_validated_texts),
    "sentiment: 150 texts, 10 folds, 10 dimensions": (
        accuracy,
        partial(cross_validated_texts, dimension=10),
    ),
    "entity typing: 150 entities, nearest neighbour": (item_f1, entity_types),
}
SLOW = ("analogy, 3CosAvg", "analogy, LRCos", "categorization", "QVEC", "sentiment", "typing")


# Procedures over several comparisons


def family_wise(seed: int) -> float:
    """Whether any of the comparisons of four equal embeddings on three datasets is significant."""
    rng = default_rng([8, seed])
    evaluations = []
    for name, metric, sample in (
        ("pairs", spearman, partial(pairs_with_shared_words, words=60, items=65)),
        ("questions", accuracy, partial(independent_questions, items=30)),
        ("categories", purity, partial(clusterings, categories=8)),
    ):
        items = sample(rng)
        every = np.arange(len(items.gold))
        predictions = [EmbeddingPredictions(f"e{k}", every, items.predict()) for k in range(4)]
        evaluations.append(
            EvaluationPredictions(
                name, name, name, name, {}, metric, items.gold, items.units, predictions, seed
            )
        )
    return float(any(c.significant for c in compare(evaluations, 18)))


def equivalence(seed: int, items: int = 100, margin: float = 0.3) -> float:
    """Whether two embeddings that differ by exactly the margin are called equivalent."""
    rng = default_rng([9, seed])
    values = rng.normal(size=(2, items))
    first, second = Predictions(values[0] + margin, values[0]), Predictions(values[1], values[0])
    found = difference(MEAN, first, second, rng, 9)
    p = equivalence_p_value(found.value, found.error or 0.0, found.degrees_of_freedom, margin)
    return float(p < LEVEL)


def equivalence_of_hits(
    seed: int, items: int, discordant: float, margin: float, units: int | None = None
) -> float:
    """Whether two embeddings whose accuracies differ by exactly the margin are called equivalent.

    `discordant` is the expected proportion of items that are correct for one embedding only. If
    there are units, half of the items of some units are discordant, in the same direction.
    """
    rng = default_rng([11, seed])
    codes = np.arange(items) % units if units else np.arange(items)
    rate = 2 * discordant if units else discordant
    signs = np.where(rng.random(items) < (1 + margin / discordant) / 2, 1, -1)
    sign = (signs * (rng.random(items) < rate))[codes]
    if units:
        sign = sign * (rng.random(items) < 0.5)
    rows = [np.where(sign == side, "wrong", "correct") for side in (-1, 1)]
    evaluation = EvaluationPredictions(
        "synonymy", "synonymy", "synonyms", "synonyms", {}, accuracy, np.full(items, "correct"),
        codes[:, None] if units else None,
        [EmbeddingPredictions(f"e{k}", np.arange(items), row) for k, row in enumerate(rows)], seed,
    )  # fmt: skip
    (found,) = compare([evaluation], 1, DecisionRule(margin=margin))
    return float(found.p_equivalence is not None and found.p_equivalence < LEVEL)


def runs(seed: int, number: int = 3, items: int = 100) -> float:
    """Whether two equal models are different; a training run changes the quality of a model."""
    rng = default_rng([10, seed])
    ease = rng.normal(size=items)

    def model() -> list[Predictions]:
        qualities = 0.4 * rng.normal(size=number)
        return [
            Predictions((ease + quality + rng.normal(size=items) > 0) * 1.0, np.ones(items))
            for quality in qualities
        ]

    found = difference_of_models(accuracy, model(), model())
    return float(found.p is not None and found.p < LEVEL)


PROCEDURES: dict[str, Callable[[int], float]] = {
    "family-wise error: 18 comparisons of four embeddings": family_wise,
    "equivalence claimed at the margin": equivalence,
    **{
        f"equivalence at {margin:.0%}, {items} items, {rate:.0%} discordant": partial(
            equivalence_of_hits, items=items, discordant=rate, margin=margin
        )
        for items, margin, rate in (
            (30, 0.1, 0.1),
            (30, 0.1, 0.2),
            (100, 0.05, 0.06),
            (100, 0.1, 0.12),
            (100, 0.1, 0.2),
            (400, 0.02, 0.02),
            (400, 0.02, 0.03),
            (400, 0.05, 0.06),
            (400, 0.05, 0.2),
        )
    },
    "equivalence at 5%, 400 items of 100 units, 6% discordant": partial(
        equivalence_of_hits, items=400, discordant=0.06, margin=0.05, units=100
    ),
    "models with three runs each": runs,
}


class Check(NamedTuple):
    """The result of a scenario; each rate is NaN where it does not apply."""

    name: str
    rejections: float
    score_coverage: float
    difference_coverage: float
    untested: float
    studies: int

    @property
    def good(self) -> bool:
        """Whether no test rejects too often and no interval covers too rarely.

        Rates outside the target by less than two standard errors of the simulation are good.
        """
        slack = 2 * np.sqrt(0.05 * 0.95 / self.studies)
        rates_high = self.rejections > REJECTIONS[1] + slack
        too_narrow = min(self.score_coverage, self.difference_coverage) < COVERAGE[0] - slack
        return not rates_high and not too_narrow

    @property
    def conservative(self) -> bool:
        """Whether tests reject too rarely, or intervals cover too often."""
        widest = np.nanmax([self.score_coverage, self.difference_coverage, 0.0])
        return self.rejections < REJECTIONS[0] or widest > COVERAGE[1]


def check(name: str, studies: list[Study]) -> Check:
    """Summarise the studies of a scenario; the truth is the mean score over all of them."""
    table = np.array(studies, np.float64)
    p, value, low, high, zero = table.T
    truth = value.mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # means of nothing
        rejections = float(np.nanmean(np.where(np.isnan(p), np.nan, p < LEVEL)))
        covered = float(
            np.nanmean(np.where(np.isnan(low), np.nan, (low <= truth) & (truth <= high)))
        )
        return Check(
            name, rejections, covered, float(np.nanmean(zero)), float(np.isnan(p).mean()), len(p)
        )


def checks(samples: int, slow_samples: int, jobs: int, only: str = "") -> list[Check]:
    """Simulate every scenario whose name contains `only`."""
    found = []
    with ProcessPoolExecutor(jobs) as pool:
        for name in SCENARIOS:
            if only in name:
                number = slow_samples if any(slow in name for slow in SLOW) else samples
                work = pool.map(partial(study, name), range(number), chunksize=10)
                found.append(check(name, list(work)))
                print(_line(found[-1]), flush=True)
        for name, procedure in PROCEDURES.items():
            if only in name:
                rates = np.array(list(pool.map(procedure, range(samples), chunksize=10)))
                found.append(Check(name, float(np.mean(rates)), np.nan, np.nan, 0.0, len(rates)))
                print(_line(found[-1]), flush=True)
    return found


def _line(check: Check) -> str:
    def rate(value: float) -> str:
        return "     -" if np.isnan(value) else f"{value:6.1%}"

    mark = "BAD " if not check.good else "cons" if check.conservative else "good"
    rates = " ".join(
        rate(each) for each in (check.rejections, check.score_coverage, check.difference_coverage)
    )
    note = f"  (no test in {check.untested:.0%})" if check.untested else ""
    return f"{mark} {rates}  {check.name}{note}"


def main() -> int:
    """Run every scenario and report how many fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--slow-samples", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="part of a scenario's name")
    options = parser.parse_args()
    print("     reject  score   diff.  scenario")
    found = checks(options.samples, options.slow_samples, options.jobs, options.only)
    bad = sum(not each.good for each in found)
    careful = sum(each.good and each.conservative for each in found)
    print(f"{len(found) - bad} of {len(found)} scenarios pass, {careful} of them conservative.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
