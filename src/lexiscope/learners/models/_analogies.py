"""Analogy questions for models of relations, and their accuracy on inner folds."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Fold, Indices, TrainingSet
from lexiscope.learners.models._analogy_search import Queries, gold_is_highest
from lexiscope.learners.models._selection import mean_over_folds
from lexiscope.learners.problems import AnalogyPairs

_ROUNDS = 20  # of sampling; then the possible partners are listed


class Questions(NamedTuple):
    """Questions "a is to b as c is to ?", with their items; words are rows of the vectors."""

    item: Indices
    a: Indices
    b: Indices
    c: Indices
    gold: Indices

    @property
    def excluded(self) -> Indices:
        """The words of the questions (questions, 3), which are not predicted."""
        return np.stack([self.a, self.b, self.c], axis=1)


def questions(problem: AnalogyPairs, items: Indices, partner: Indices) -> Questions:
    """Form the question of each item with the pair of its partner."""
    a, b = problem.source[partner], problem.target[partner]
    return Questions(items, a, b, problem.source[items], problem.target[items])


def questions_of(problem: AnalogyPairs, test: Indices) -> Questions:
    """The questions of the test items, with the partners of the problem."""
    return questions(problem, test, problem.partner[test])


def validation_questions(problem: AnalogyPairs, fold: Fold) -> Questions:
    """A question for each validation pair that has a possible partner among them.

    Partners are random, but depend on the fold only, so that all models get the same questions.
    """
    rng = np.random.default_rng(fold.validate.astype(np.uint64))
    return questions(problem, *random_partners(problem, fold.validate, 1, rng))


def random_partners(
    problem: AnalogyPairs, items: Indices, number: int, rng: Generator
) -> tuple[Indices, Indices]:
    """Sample partners of each item: other items of its relation without a word in common.

    Returns items and partners. Items without a possible partner are left out; the same partner
    may be sampled more than once.
    """
    found = [
        _partners_in_relation(problem, items[problem.relation[items] == relation], number, rng)
        for relation in np.unique(problem.relation[items])
    ]
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found])


def _partners_in_relation(
    problem: AnalogyPairs, items: Indices, number: int, rng: Generator
) -> tuple[Indices, Indices]:
    asked = np.repeat(items, number)
    chosen = rng.choice(items, len(asked))
    for _ in range(_ROUNDS):
        bad = np.flatnonzero(_share_words(problem, asked, chosen))
        if not len(bad):
            return asked, chosen
        chosen[bad] = rng.choice(items, len(bad))
    for question in np.flatnonzero(_share_words(problem, asked, chosen)):
        allowed = items[~_share_words(problem, asked[question], items)]
        chosen[question] = rng.choice(allowed) if len(allowed) else -1
    return asked[chosen >= 0], chosen[chosen >= 0]


def _share_words(
    problem: AnalogyPairs, items: Indices | np.int64, others: Indices
) -> NDArray[np.bool_]:
    """Whether two pairs have a word in common."""
    source, target = problem.source, problem.target
    return np.asarray(
        (source[items] == source[others])
        | (target[items] == target[others])
        | (source[items] == target[others])
        | (target[items] == source[others])
    )


def accuracy_on_folds(
    problem: AnalogyPairs, sets: TrainingSet, queries: Callable[[Fold, Questions], Queries]
) -> float:
    """Average the accuracy on the validation questions over folds; NaN without folds."""
    return float(
        mean_over_folds(
            sets,
            lambda fold: accuracy(
                problem, asked := validation_questions(problem, fold), queries(fold, asked)
            ),
        )[0]
    )


def accuracy(problem: AnalogyPairs, asked: Questions, queries: Queries) -> float:
    """The proportion of questions whose gold answer has the highest score; 0 without any."""
    if not len(asked.item):
        return 0.0
    return float(gold_is_highest(problem.vectors, queries, asked.excluded, asked.gold).mean())


def sums(problem: AnalogyPairs, asked: Questions) -> Queries:
    """The queries b - a + c of 3CosAdd."""
    vectors = problem.vectors
    return Queries((vectors[asked.b] - vectors[asked.a] + vectors[asked.c],))


def untrained(problem: AnalogyPairs, key: str, predict: Callable[[Questions], Indices]) -> Indices:
    """The predictions of all items with a partner (items,), computed once for all training sets."""
    known = problem.untrained_predictions
    if key not in known:
        items = np.flatnonzero(problem.partner >= 0)
        known[key] = np.full(len(problem.partner), -1, np.int64)
        known[key][items] = predict(questions_of(problem, items))
    return known[key]
