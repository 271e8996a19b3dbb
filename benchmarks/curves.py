"""Learning curves: the models of `lexiscope curves` and scikit-learn's GridSearchCV.

The same splits, folds and grids, one thread, seconds of processor time. The data are synthetic:
two overlapping classes of words, and pairs whose ratings depend on some dimensions. Both select
between a model and its fallback on the folds. Agreement is that of the models themselves, without
fallback.

Forests do less work than in the plain protocol: on the folds they have 50 trees instead of 100,
and a forest that loses on the folds is not trained again. A separate line has 100 trees on the
folds. Their random numbers differ, so their predictions differ, too.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, SVR
from threadpoolctl import threadpool_limits

import clock
from lexiscope.core.contracts.learner import Fold, Learner, Outcome, TrainingSet
from lexiscope.learners.problems import Classification, PairRegression

_ITEMS, _TEST, _DIMENSION = 600, 180, 100
_PERCENT = range(30, 101, 10)
_WORDS = ("logistic_regression", "svm", "random_forest", "naive_bayes", "nearest_neighbours")
_PAIRS = ("cosine", "ridge", "svr", "forest_regression")

Problem = Classification | PairRegression
Outcomes = dict[tuple[str, int], Outcome]


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a result per family and model, and for all models of a family."""
    sets = _training_sets()
    with threadpool_limits(1):
        for family, names, problem in (("words", _WORDS, _words()), ("pairs", _PAIRS, _pairs())):
            own: Outcomes = {}
            their: Outcomes = {}
            total = {"ours": np.zeros(rounds), "plain": np.zeros(rounds)}
            for name in names:
                ours = partial(_ours, _learner(name), name, problem, sets, own)
                seconds = _in_turns(
                    rounds, ours=ours, plain=partial(_plain, name, problem, sets, their)
                )
                for side, values in seconds.items():
                    total[side] += values
                agreement = _agreement(name, problem, sets)
                yield _line(f"{family}, {name}", seconds) | agreement
                if "forest" in name:
                    equal = _learner(name, fold_trees=100)
                    ours = partial(_ours, equal, name, problem, sets, dict(own))
                    again = _in_turns(rounds, ours=ours)
                    yield _line(f"{family}, {name}, 100 trees on the folds", seconds | again)
            yield _line(f"{family}, all models", {k: v.tolist() for k, v in total.items()})


def _in_turns(rounds: int, **runners: Callable[[], None]) -> dict[str, list[float]]:
    """The processor seconds of each runner, interleaved by round, after one run without timing."""
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for number in range(rounds + 1):
        for name, runner in runners.items():
            start = time.process_time()
            runner()
            if number:
                seconds[name].append(time.process_time() - start)
    return seconds


def _line(what: str, seconds: dict[str, list[float]]) -> dict[str, Any]:
    return {
        "what": f"learning curve, {what}",
        "ours_seconds": clock.rounded(seconds["ours"]),
        "sklearn_seconds": clock.rounded(seconds["plain"]),
        "times_faster": clock.ratio(seconds["plain"], seconds["ours"]),
    }


def _agreement(name: str, problem: Problem, sets: list[TrainingSet]) -> dict[str, float]:
    """How far predictions agree, and the mean test scores, without fallback."""
    model, found = _learner(name), []
    for k, each in enumerate(sets):
        own = model.fit_predict(problem, each, np.random.default_rng(k), None)
        found.append((own.predicted, _searched(name, problem, each).predicted))
    if isinstance(problem, Classification):
        key, same = "same_predictions", [np.mean(mine == other) for mine, other in found]
    else:
        key, same = "correlation", [np.corrcoef(*both)[0, 1] for both in found]
    score = _accuracy if isinstance(problem, Classification) else _rho
    scores = [
        [score(predicted, problem.gold[each.test]) for predicted in both]
        for both, each in zip(found, sets, strict=True)
    ]
    mine, other = np.round(np.mean(scores, axis=0), 4).tolist()
    return {key: round(float(np.mean(same)), 4), "score": mine, "sklearn_score": other}


def _ours(
    model: Learner, name: str, problem: Problem, sets: list[TrainingSet], outcomes: Outcomes
) -> None:
    fallback = next(iter(model.fallback.values()), None)
    fresh = _copy(problem)  # distances are computed again
    for k, each in enumerate(sets):
        simpler = outcomes[fallback, k] if fallback else None
        outcomes[name, k] = model.fit_predict(fresh, each, np.random.default_rng(k), simpler)


def _plain(name: str, problem: Problem, sets: list[TrainingSet], outcomes: Outcomes) -> None:
    fallback = {"logistic_regression": None, "cosine": None}.get(
        name, "logistic_regression" if name in _WORDS else "cosine"
    )
    for k, each in enumerate(sets):
        own = _searched(name, problem, each)
        simpler = outcomes[fallback, k] if fallback else None
        outcomes[name, k] = simpler if simpler and simpler.validation >= own.validation else own


def _searched(name: str, problem: Problem, sets: TrainingSet) -> Outcome:
    if isinstance(problem, PairRegression) and name == "cosine":
        cosines = np.sum(problem.left * problem.right, axis=1)
        folds = [_rho(cosines[v], problem.gold[v]) for _, v in sets.folds]
        return Outcome(cosines[sets.test], float(np.mean(folds)), {})
    rows, gold = problem.features[sets.train], problem.gold[sets.train]
    estimator, grid = _grid(name, rows, gold)
    place = {item: number for number, item in enumerate(sets.train.tolist())}
    cv = [[[place[i] for i in part.tolist()] for part in fold] for fold in sets.folds]
    score = "accuracy" if isinstance(problem, Classification) else _spearman_scorer
    found = GridSearchCV(estimator, grid, cv=cv, scoring=score).fit(rows, gold)
    return Outcome(found.predict(problem.features[sets.test]), float(found.best_score_), {})


def _grid(name: str, rows: Any, gold: Any) -> tuple[Any, dict[str, list[Any]]]:
    squares = np.einsum("ij,ij->i", rows, rows)
    mean = float((squares[:, None] + squares - 2 * rows @ rows.T).mean())
    gammas = [scale / mean for scale in (0.25, 1.0, 4.0)]
    forest = {"random_state": 0, "n_jobs": 1}
    return {
        "logistic_regression": (
            LogisticRegression(tol=1e-8, max_iter=10_000),
            {"C": [0.01, 0.1, 1.0, 10.0, 100.0]},
        ),
        "svm": (SVC(), {"C": [0.1, 1.0, 10.0, 100.0], "gamma": gammas}),
        "random_forest": (RandomForestClassifier(100, **forest), {}),
        "naive_bayes": (GaussianNB(), {"var_smoothing": [0.1, 1e-3, 1e-9]}),
        "nearest_neighbours": (KNeighborsClassifier(), {"n_neighbors": [20, 10, 5, 3, 1]}),
        "ridge": (Ridge(), {"alpha": [100.0, 10.0, 1.0, 0.1, 0.01]}),
        "svr": (
            SVR(epsilon=0.1 * gold.std()),
            {"C": [c * gold.std() for c in (0.1, 1.0, 10.0)], "gamma": gammas},
        ),
        "forest_regression": (
            RandomForestRegressor(100, max_features="sqrt", min_samples_leaf=5, **forest),
            {},
        ),
    }[name]


def _spearman_scorer(estimator: Any, features: Any, gold: Any) -> float:
    return _rho(estimator.predict(features), gold)


def _accuracy(predicted: Any, gold: Any) -> float:
    return float(np.mean(predicted == gold))


def _rho(predicted: Any, gold: Any) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(predicted, gold).statistic) if np.ptp(predicted) else 0.0


def _learner(name: str, **settings: Any) -> Learner:
    module = import_module(f"lexiscope.learners.models.{name}")
    (kind,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Learner)
        and value.__module__ == module.__name__
    )
    return kind(**settings)


def _training_sets() -> list[TrainingSet]:
    order = np.random.default_rng(1).permutation(_ITEMS)
    test, pool = order[:_TEST], order[_TEST:]
    sets = []
    for percent in _PERCENT:
        train = pool[: len(pool) * percent // 100]
        fold = np.arange(len(train)) % 3
        folds = tuple(Fold(train[fold != k], train[fold == k]) for k in range(3))
        sets.append(TrainingSet(train, test, np.empty(0, np.int64), folds))
    return sets


def _words() -> Classification:
    rng = np.random.default_rng(0)
    gold = np.arange(_ITEMS) % 2
    centres = 0.12 * rng.normal(size=(2, _DIMENSION))
    return Classification(_unit(centres[gold] + rng.normal(size=(_ITEMS, _DIMENSION))), gold, 2)


def _pairs() -> PairRegression:
    rng = np.random.default_rng(0)
    left, right = (_unit(rng.normal(size=(_ITEMS, _DIMENSION))) for _ in range(2))
    near = rng.uniform(size=(_ITEMS, 1))
    right = _unit(near * left + (1 - near) * right)
    gold = (left * right)[:, : _DIMENSION // 2].sum(axis=1) + 0.1 * rng.normal(size=_ITEMS)
    return PairRegression(left, right, gold)


def _copy(problem: Problem) -> Problem:
    if isinstance(problem, Classification):
        return Classification(problem.features, problem.gold, problem.classes)
    return PairRegression(problem.left, problem.right, problem.gold)


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
