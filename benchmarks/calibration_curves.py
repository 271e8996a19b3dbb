"""Calibration of learning curves: two equally good embeddings on simulated datasets.

Each study simulates a dataset and the features of two embeddings with equal signal and independent
noise, and computes their learning curves with the protocol of `lexiscope curves`: repeated splits,
nested training sets. Reported are the proportion of area comparisons that reject (target: at most
5 %), how often the 95 % band covers the expected score of a new dataset (target: 93 to 97 %), and
how often the interval of the ratio of labels covers 1.

    python benchmarks/calibration_curves.py --studies 1000
"""

import argparse
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.random import Generator, default_rng
from scipy.stats import rankdata

from lexiscope.experiments.curves.best_models import best_curves
from lexiscope.experiments.curves.curve_summary import areas
from lexiscope.experiments.curves.labels import label_summary
from lexiscope.experiments.curves.results import DatasetScores, ModelScores
from lexiscope.learners.splits import held_out_mask, word_disjoint_split
from lexiscope.stats.curves.labels import labels_needed
from lexiscope.stats.curves.repeats import corrected_means

REPEATS = 6
SMALL = (10, 20, 50, 100, 200, 500)
LEVEL = 0.05
FACTORS = (1.0, 0.5, 0.25)  # of the ratio of test items to training items
Predict = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


class Task(NamedTuple):
    """A simulated dataset: gold values, features of two embeddings, and how to learn from them."""

    gold: np.ndarray
    features: tuple[np.ndarray, np.ndarray]
    predict: Predict
    words: np.ndarray | None = None


class Study(NamedTuple):
    """Scores and areas of two embeddings (2, repeats, ...), and the interval of their ratio."""

    scores: np.ndarray
    area: np.ndarray
    test_ratio: float
    ratio: tuple[float, float]


class Calibration(NamedTuple):
    """What the studies of a scenario found.

    `band` is the coverage at the smallest, the middle and the largest training size. `unlimited`
    is the proportion of intervals of the ratio of labels that have a limit on one side at most,
    `width` the median of the upper limit divided by the lower one for the others.
    """

    rejections: float
    area: float
    band: tuple[float, ...]
    ratio: float
    unlimited: float
    width: float


def logistic(x: np.ndarray, y: np.ndarray, test: np.ndarray, _: np.ndarray) -> np.ndarray:
    """Logistic regression with an L2 penalty, by Newton's method."""
    weights, penalty = np.zeros(x.shape[1] + 1), np.full(x.shape[1] + 1, 1.0)
    penalty[-1] = 1e-3
    rows = np.hstack([x, np.ones((len(x), 1))])
    for _step in range(25):
        p = 1 / (1 + np.exp(-rows @ weights))
        gradient = rows.T @ (p - y) + penalty * weights
        hessian = (rows * (p * (1 - p))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return (np.hstack([test, np.ones((len(test), 1))]) @ weights > 0).astype(np.int64)


def ridge(x: np.ndarray, y: np.ndarray, test: np.ndarray, _: np.ndarray) -> np.ndarray:
    """Ridge regression of ratings."""
    centre = y.mean()
    return centre + test @ np.linalg.solve(x.T @ x + 5 * np.eye(x.shape[1]), x.T @ (y - centre))


def first_feature(x: np.ndarray, y: np.ndarray, test: np.ndarray, _: np.ndarray) -> np.ndarray:
    """A constant model: the prediction is the first feature, as a cosine is."""
    return test[:, 0]


def classes(
    rng: Generator,
    items: int,
    dimension: int,
    signal: float,
    shared: float = 0.0,
    weaker: float = 1.0,
) -> Task:
    """Two classes with Gaussian features; `shared` is the variance that both embeddings share.

    The signal of the second embedding is multiplied by `weaker`.
    """
    gold = rng.permutation(np.arange(items) % 2)
    common = rng.normal(size=(items, dimension))

    def features(strength: float) -> np.ndarray:
        direction = np.full(dimension, strength / np.sqrt(dimension))
        own = rng.normal(size=(items, dimension))
        noise = np.sqrt(shared) * common + np.sqrt(1 - shared) * own
        return (2 * gold - 1)[:, None] * direction + noise

    return Task(gold, (features(signal), features(signal * weaker)), logistic)


def pairs(rng: Generator, items: int, words: int, constant: bool, dimension: int = 20) -> Task:
    """Rated word pairs; half of the error of an embedding belongs to words."""
    left = rng.integers(0, words, items)
    both = np.stack([left, (left + rng.integers(1, words, items)) % words], axis=1)
    gold = rng.normal(size=items)

    def features() -> np.ndarray:
        effect = rng.normal(size=(words, dimension))
        noise = (effect[both[:, 0]] + effect[both[:, 1]]) / 2 + rng.normal(
            size=(items, dimension)
        ) / np.sqrt(2)
        if constant:
            return gold[:, None] + noise[:, :1]
        return gold[:, None] * 0.25 + noise

    return Task(gold, (features(), features()), first_feature if constant else ridge, both)


def splits(task: Task, rng: Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Shuffled training items and test items of each repeat."""
    found = []
    for _ in range(REPEATS):
        if task.words is None:
            mask = held_out_mask(task.gold, 0.3, rng)
            train, test = np.flatnonzero(~mask), np.flatnonzero(mask)
        else:
            train, test, _excluded = word_disjoint_split(task.words, 0.2, rng)
        found.append((rng.permutation(train), test))
    return found


def scored(task: Task, rng: Generator) -> DatasetScores:
    """The learning curves of both embeddings."""
    found = splits(task, rng)
    pool = min(len(train) for train, _ in found)
    fractions = [round(pool * tenth / 10) for tenth in range(3, 11)]
    sizes = tuple(sorted({size for size in SMALL if size < fractions[0]} | set(fractions)))
    spearman = task.words is not None
    entries = []
    for number, features in enumerate(task.features):
        predicted = tuple(
            np.stack([
                task.predict(features[train[:size]], task.gold[train[:size]], features[test], test)
                for size in sizes
            ])
            for train, test in found
        )  # fmt: skip
        scores = np.array([
            [_score(row, task.gold[test], spearman) for row in rows]
            for rows, (_, test) in zip(predicted, found, strict=True)
        ])  # fmt: skip
        entries.append(
            ModelScores(
                f"embedding {number}",
                False,
                "model",
                "linear",
                predicted,
                scores,
                np.zeros_like(scores),
                np.full_like(scores, np.nan),
                (),
            )
        )
    return DatasetScores(
        "simulated", "pairs" if spearman else "words", "spearman" if spearman else "accuracy",
        len(task.gold), () if spearman else ("no", "yes"), (), sizes, pool,
        tuple(sizes.index(size) for size in fractions), tuple(test for _, test in found),
        task.gold, task.words, 0.0, tuple(entries),
    )  # fmt: skip


def _score(predicted: np.ndarray, gold: np.ndarray, spearman: bool) -> float:
    if not spearman:
        return float(np.mean(predicted == gold))
    if np.ptp(predicted) == 0:
        return 0.0
    return float(np.corrcoef(rankdata(predicted), rankdata(gold))[0, 1])


def study(simulate: Callable[[Generator], Task], seed: int) -> Study:
    """Simulate and analyse one dataset."""
    rng = default_rng(seed)
    found = scored(simulate(rng), rng)
    scores = np.stack([each.scores for each in found.entries])
    needed = label_summary(found, best_curves(found), None, seed, resamples=400)
    ratio = needed.ratios[0]
    area = np.stack([areas(found, each) for each in scores])
    return Study(scores, area, found.test_ratio, (ratio.low, ratio.high))


def calibration(studies: list[Study], factor: float = 1.0) -> Calibration:
    """Rejection rate and coverage, with the ratio of test to training items times `factor`."""
    area = np.stack([each.area for each in studies])  # (studies, 2, repeats)
    middle = studies[0].scores.shape[2] // 2
    points = np.stack([each.scores[:, :, [0, middle, -1]] for each in studies])
    ratios = factor * np.array([each.test_ratio for each in studies])
    rejected = [
        corrected_means(own[0] - own[1], ratio).p_value() < LEVEL
        for own, ratio in zip(area, ratios, strict=True)
    ]
    limits = np.array([each.ratio for each in studies])
    unlimited = (limits[:, 0] == 0) | np.isinf(limits[:, 1])
    closed = limits[~unlimited]
    return Calibration(
        float(np.mean(rejected)),
        float(_coverage(area[:, 0], ratios, area.mean()).item()),
        tuple(_coverage(points[:, 0], ratios, points.mean(axis=(0, 1, 2))).tolist()),
        float(np.mean((limits[:, 0] <= 1) & (limits[:, 1] >= 1))),
        float(np.mean(unlimited)),
        float(np.median(closed[:, 1] / closed[:, 0])) if len(closed) else np.nan,
    )


def _coverage(values: np.ndarray, ratios: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """How often the intervals of means over repeats contain the mean over all studies."""
    found = []
    for own, ratio in zip(values, ratios, strict=True):
        low, high = corrected_means(own, ratio).interval()
        found.append((low <= truth) & (truth <= high))
    return np.mean(found, axis=0)


SCENARIOS: dict[str, Callable[[Generator], Task]] = {
    "300 words, 20 dimensions": partial(classes, items=300, dimension=20, signal=1.0),
    "300 words, 20 dimensions, shared noise": partial(
        classes, items=300, dimension=20, signal=1.0, shared=0.5
    ),
    "300 words, 100 dimensions": partial(classes, items=300, dimension=100, signal=1.2),
    "120 words, 20 dimensions": partial(classes, items=120, dimension=20, signal=1.0),
    "1,000 words, 50 dimensions": partial(classes, items=1000, dimension=50, signal=0.8),
    "400 pairs, constant model": partial(pairs, items=400, words=500, constant=True),
    "400 pairs, ridge regression": partial(pairs, items=400, words=500, constant=False),
}


def ratio_coverage(
    simulate: Callable[[Generator], Task], target: float, seeds: Iterable[int]
) -> tuple[float, float]:
    """The true ratio of labels of unequal embeddings, and how often the interval covers it.

    The truth is the ratio for the mean curves over all studies.
    """
    found = [_limits(simulate, target, seed) for seed in seeds]
    means = np.mean([scores.mean(axis=1) for scores, _, _ in found], axis=0)
    needed = labels_needed(found[0][1], means, np.full(2, target))
    truth = float(needed.low[0] / needed.low[1])
    return truth, float(np.mean([low <= truth <= high for _, _, (low, high) in found]))


def _limits(
    simulate: Callable[[Generator], Task], target: float, seed: int
) -> tuple[np.ndarray, np.ndarray, tuple[float, float]]:
    rng = default_rng(seed)
    found = scored(simulate(rng), rng)
    ratio = label_summary(found, best_curves(found), target, seed, resamples=400).ratios[0]
    limits = ratio.low, ratio.high
    if ratio.first != found.embeddings[0]:
        limits = 1 / ratio.high, (1 / ratio.low if ratio.low else np.inf)
    scores = np.stack([each.scores for each in found.entries])
    return scores, np.array(found.sizes, float), limits


# Unequal embeddings, with the target score of the labels needed.
UNEQUAL: dict[str, tuple[Callable[[Generator], Task], float]] = {
    "300 words, 20 dimensions, weaker signal": (
        partial(classes, items=300, dimension=20, signal=1.3, weaker=0.8), 0.78,
    ),
    "1,000 words, 50 dimensions, weaker signal": (
        partial(classes, items=1000, dimension=50, signal=1.2, weaker=0.8), 0.78,
    ),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    print("| scenario | factor | area rejects | area covered | band | ratio | unlimited | width |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with ProcessPoolExecutor(chosen.processes) as pool:
        for name, simulate in SCENARIOS.items():
            if chosen.only not in name:
                continue
            seeds = range(chosen.studies)
            studies = list(pool.map(partial(study, simulate), seeds, chunksize=10))
            for factor in FACTORS:
                print(row(name, factor, calibration(studies, factor)), flush=True)
    for name, (simulate, target) in UNEQUAL.items():
        if chosen.only in name:
            truth, covered = ratio_coverage(simulate, target, range(chosen.studies))
            print(f"{name}: ratio of labels {truth:.2f}, covered in {100 * covered:.1f} %")


def row(name: str, factor: float, found: Calibration) -> str:
    """A row of the table."""
    band = " / ".join(f"{100 * each:.1f}" for each in found.band)
    return (
        f"| {name} | {factor:g} | {100 * found.rejections:.1f} | {100 * found.area:.1f} | {band} | "
        f"{100 * found.ratio:.1f} | {100 * found.unlimited:.1f} | {found.width:.1f} |"
    )


if __name__ == "__main__":
    main()
