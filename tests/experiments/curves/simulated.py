"""Scores of simulated models with known learning curves."""

from collections.abc import Mapping

import numpy as np
from scipy.stats import spearmanr

from lexiscope.experiments.curves.results import DatasetScores, ModelScores

SIZES = (10, 20, 50, 90, 120, 150, 180, 210, 240, 270, 300)
POOL = 300
MODELS = {"majority": "constant", "logistic_regression": "linear", "svm": "non-linear"}


def curve(floor: float, ceiling: float, half: float) -> np.ndarray:
    """Expected scores that rise from `floor` to `ceiling`, half of it at `half` items."""
    sizes = np.array(SIZES, float)
    return floor + (ceiling - floor) * sizes / (sizes + half)


def simulated(
    name: str = "colours",
    embeddings: Mapping[str, float] | None = None,
    family: str = "words",
    repeats: int = 6,
    seed: int = 0,
    items: int = 430,
) -> DatasetScores:
    """A dataset; embeddings map to the number of items at which they learn half of it."""
    rng = np.random.default_rng([seed, len(name)])
    half = (
        {"glove": 20.0, "svd": 120.0, "random vectors": 1e9} if embeddings is None else embeddings
    )
    spearman = family == "pairs"
    gold = rng.normal(size=items) if spearman else np.arange(items) % 2
    tests = tuple(np.sort(rng.permutation(items)[:130]) for _ in range(repeats))
    noise = rng.random((items,))
    entries = [
        _entry(rng, embedding, model, half[embedding], gold, tests, noise, spearman)
        for embedding in half
        for model in MODELS
    ]
    return DatasetScores(
        name, family, "spearman" if spearman else "accuracy", items,
        () if spearman else ("no", "yes"), () if spearman else (items // 2, items // 2), SIZES,
        POOL, tuple(range(3, len(SIZES))), tests, gold, None, 0.0 if spearman else 0.5,
        tuple(entries),
    )  # fmt: skip


def _entry(rng, embedding, model, half, gold, tests, noise, spearman) -> ModelScores:
    best = {"majority": 0.0, "logistic_regression": 0.8, "svm": 0.85}[model]
    expected = curve(0.0, best, half) if spearman else 0.5 + curve(0.0, best - 0.3, half)
    if model == "majority":
        expected = np.zeros(len(SIZES)) if spearman else np.full(len(SIZES), 0.5)
    predicted, scores = [], []
    for test in tests:
        rows = [_predict(rng, gold[test], noise[test], e, spearman, model) for e in expected]
        predicted.append(np.stack(rows))
        scores.append([_score(row, gold[test], spearman) for row in rows])
    bits = np.tile(np.append(np.diff(SIZES) * (1 - expected[1:] / 2), np.nan), (len(tests), 1))
    has_bits = model == "logistic_regression" and not spearman
    validation = np.tile(expected, (len(tests), 1))
    validation[:, 0] = np.nan
    return ModelScores(
        embedding, embedding.startswith("random"), model, MODELS[model], tuple(predicted),
        np.array(scores), validation, bits if has_bits else np.full_like(bits, np.nan),
        tuple(tuple({} for _ in SIZES) for _ in tests),
    )  # fmt: skip


def _predict(rng, gold, noise, expected, spearman, model) -> np.ndarray:
    if model == "majority":
        return np.zeros(len(gold))
    if spearman:
        return gold * expected + np.sqrt(1 - expected**2) * rng.normal(size=len(gold))
    mixed = np.where(rng.random(len(gold)) < 0.5, noise, rng.random(len(gold)))
    return np.where(mixed < expected, gold, 1 - gold)


def _score(predicted, gold, spearman) -> float:
    if not spearman:
        return float(np.mean(predicted == gold))
    return 0.0 if np.ptp(predicted) == 0 else float(spearmanr(predicted, gold).statistic)
