"""Synthetic problems and training sets for the tests of models."""

from importlib import import_module
from pkgutil import iter_modules

import numpy as np

from lexiscope.core.contracts.learner import Fold, Learner, TrainingSet
from lexiscope.learners import models
from lexiscope.learners.problems import AnalogyPairs, Classification, PairRegression

NAMES = [each.name for each in iter_modules(models.__path__) if not each.name.startswith("_")]


def model_class(name):
    module = import_module(f"lexiscope.learners.models.{name}")
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Learner)
        and value.__module__ == module.__name__
    )
    return found


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def words(items=240, dimension=12, classes=2, seed=0, signal=0.7):
    rng = np.random.default_rng(seed)
    gold = rng.permutation(np.arange(items) % classes)
    centres = signal * rng.normal(size=(classes, dimension))
    return Classification(unit(centres[gold] + rng.normal(size=(items, dimension))), gold, classes)


def texts(items=60, classes=2, seed=0, dimension=8):
    """Texts of 4 to 9 tokens; each class has its own words."""
    rng = np.random.default_rng(seed)
    gold = rng.permutation(np.arange(items) % classes)
    vectors = unit(rng.normal(size=(20 * classes, dimension))).astype(np.float32)
    lengths = rng.integers(4, 10, items)
    tokens = np.concatenate(
        [rng.integers(20, size=n) + 20 * label for n, label in zip(lengths, gold, strict=True)]
    )
    ends = np.cumsum(lengths)
    means = np.array([vectors[each].mean(axis=0) for each in np.split(tokens, ends[:-1])])
    return Classification(means.astype(np.float64), gold, classes, tokens, ends, vectors)


def pairs(items=240, dimension=8, seed=0):
    """Ratings depend on some dimensions only, so that cosine is not the best model."""
    rng = np.random.default_rng(seed)
    left, right = (unit(rng.normal(size=(items, dimension))) for _ in range(2))
    gold = (left * right) @ (np.arange(dimension) > 3) + 0.1 * rng.normal(size=items)
    return PairRegression(left, right, 5 + 3 * gold)


def analogies(items=60, dimension=10, candidates=400, seed=0, noise=0.4, relations=2):
    """Targets are rotated sources plus an offset of the relation; the last third is tested."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(candidates, dimension))
    order = rng.permutation(candidates)
    source, target = order[:items], order[items : 2 * items]
    relation = np.arange(items) % relations
    offsets = rng.normal(size=(relations, dimension))
    rotation = np.linalg.qr(np.eye(dimension) + 0.2 * rng.normal(size=(dimension, dimension)))[0]
    rotation *= np.sign(np.diag(rotation))
    moved = vectors[source] @ rotation + offsets[relation]
    vectors[target] = moved + noise * rng.normal(size=moved.shape)
    partner = np.full(items, -1)
    first = 2 * items // 3
    for each in range(relations):
        tested = np.flatnonzero((relation == each) & (np.arange(items) >= first))
        partner[tested] = np.roll(tested, 1)
    return AnalogyPairs(unit(vectors).astype(np.float32), source, target, relation, partner)


def training_set(items, train, seed=0, folds=3, following=20):
    """Random training items; the last third of the items is the test set."""
    pool = np.random.default_rng(seed).permutation(2 * items // 3)
    selected = pool[:train]
    fold = np.arange(train) % folds if folds else None
    inner = tuple(Fold(selected[fold != k], selected[fold == k]) for k in range(folds))
    test = np.arange(2 * items // 3, items)
    return TrainingSet(selected, test, pool[train : train + following], inner)


PROBLEMS = {"words": words, "texts": texts, "pairs": pairs, "analogies": analogies}


def fit(name, problem, sets, fallback=None, seed=0, **settings):
    model = model_class(name)(**settings)
    return model.fit_predict(problem, sets, np.random.default_rng(seed), fallback)
