"""3CosAvg: the word nearest to c plus the mean offset of a relation (Drozd et al. 2016)."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import (
    Indices,
    Learner,
    Outcome,
    TrainingSet,
    or_fallback,
)
from lexiscope.learners.models._analogies import (
    Questions,
    accuracy_on_folds,
    questions_of,
    sums,
)
from lexiscope.learners.models._analogy_search import Queries, highest
from lexiscope.learners.problems import AnalogyPairs


@dataclass(frozen=True)
class ThreeCosAvg(Learner):
    """Predict the word nearest to c plus the mean of target minus source over training pairs.

    A relation without training pairs has the offset of the pair in the question.
    """

    families = ("analogies",)
    complexity = "linear"
    fallback = {"analogies": "three_cos_add"}  # noqa: RUF012

    def fit_predict(
        self, problem: AnalogyPairs, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        validation = accuracy_on_folds(
            problem, sets, lambda fold, asked: _queries(problem, fold.train, asked)
        )
        own = Outcome(np.empty(0, np.int64), validation, {})
        if fallback is not None and not validation > fallback.validation:
            return or_fallback(own, fallback, "three_cos_add")
        asked = questions_of(problem, sets.test)
        queries = _queries(problem, sets.train, asked)
        return own._replace(predicted=highest(problem.vectors, queries, asked.excluded))


def _queries(problem: AnalogyPairs, train: Indices, asked: Questions) -> Queries:
    (found,) = sums(problem, asked).parts
    relations = problem.relation[asked.item]
    for relation in np.unique(relations):
        pairs = train[problem.relation[train] == relation]
        if len(pairs):
            targets, sources = problem.vectors[problem.target[pairs]], problem.source[pairs]
            offset = (targets - problem.vectors[sources]).mean(axis=0)
            here = relations == relation
            found[here] = problem.vectors[asked.c[here]] + offset
    return Queries((found,))
