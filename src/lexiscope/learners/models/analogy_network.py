"""A network that predicts the fourth word of an analogy (Jastrzebski et al. 2017, appendix B).

It predicts the word nearest to -W1 a + W2 b + W3 c + bias. The matrices are identities and the
bias is zero at first, so the untrained network is 3CosAdd. Training minimises the sum of minus
the cosines between the predicted vectors and those of the fourth words.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import (
    Indices,
    Learner,
    Outcome,
    TrainingSet,
    or_fallback,
)
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._analogies import (
    Questions,
    accuracy,
    questions,
    questions_of,
    random_partners,
    validation_questions,
)
from lexiscope.learners.models._analogy_search import Queries, highest
from lexiscope.learners.models._network import (
    Hyperparameters,
    Optimizer,
    network_inputs,
    train_epoch,
    untrained,
)
from lexiscope.learners.models._selection import mean_scores, usable_folds
from lexiscope.learners.problems import AnalogyPairs


@dataclass(frozen=True)
class AnalogyNetwork(Learner):
    """Select hyperparameters by accuracy; of ties, the fewest epochs and lowest learning rate.

    The numbers of epochs are checkpoints of one training. A training pair occurs as (c, d) with
    `partners` random other pairs (a, b) of its relation.
    """

    families = ("analogies",)
    complexity = "non-linear"
    fallback = {"analogies": "three_cos_add"}  # noqa: RUF012

    learning_rate: tuple[float, ...] = setting(
        (1e-4, 1e-3), "Learning rates of the search.", exclusive_minimum=0
    )
    epochs: tuple[int, ...] = setting((1, 3, 10), "Numbers of epochs of the search.", minimum=0)
    optimizer: tuple[Optimizer, ...] = setting(("adam",), "Optimizers of the search.")
    batch_size: tuple[int, ...] = setting((128,), "Batch sizes of the search.", minimum=1)
    partners: int = setting(5, "Number of questions per training pair.", minimum=1)

    def fit_predict(
        self, problem: AnalogyPairs, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        seed = int(rng.integers(2**63))
        checkpoints = sorted(self.epochs)
        options = [
            Hyperparameters(*each)
            for each in product(self.optimizer, self.batch_size, sorted(self.learning_rate))
        ]
        scores = mean_scores(self._fold_scores(problem, sets, options, checkpoints, seed))
        best = int(np.argmax(scores))
        own = Outcome(np.empty(0, np.int64), float(scores[best]), {})
        if fallback is not None and not own.validation > fallback.validation:
            return or_fallback(own, fallback, "three_cos_add")
        epoch, option = divmod(best, len(options))
        asked = questions_of(problem, sets.test)
        (queries,) = self._trained(
            problem, sets.train, asked, options[option], [checkpoints[epoch]], seed
        )
        selected = {"epochs": checkpoints[epoch], **options[option]._asdict()}
        predicted = highest(problem.vectors, queries, asked.excluded)
        return own._replace(predicted=predicted, selected=selected)

    def _fold_scores(
        self,
        problem: AnalogyPairs,
        sets: TrainingSet,
        options: list[Hyperparameters],
        checkpoints: list[int],
        seed: int,
    ) -> list[Floats]:
        """The accuracies of the grid, epochs first, in each fold."""
        found = []
        for fold in usable_folds(sets):
            asked = validation_questions(problem, fold)
            scores = [
                [
                    accuracy(problem, asked, queries)
                    for queries in self._trained(
                        problem, fold.train, asked, option, checkpoints, seed
                    )
                ]
                for option in options
            ]
            found.append(np.array(scores).T.ravel())
        return found

    def _trained(
        self,
        problem: AnalogyPairs,
        train: Indices,
        asked: Questions,
        option: Hyperparameters,
        checkpoints: list[int],
        seed: int,
    ) -> Iterator[Queries]:
        """The queries of questions after each number of epochs of one training."""
        rng = np.random.default_rng(seed)
        trained = questions(problem, *random_partners(problem, train, self.partners, rng))
        inputs, targets = network_inputs(problem.vectors, trained.excluded), trained.gold
        test = network_inputs(problem.vectors, asked.excluded)
        state, done = untrained(problem.vectors.shape[1]), 0
        for checkpoint in checkpoints:
            for _ in range(checkpoint - done):
                train_epoch(state, inputs, problem.vectors[targets], option, rng)
            done = checkpoint
            yield Queries((test @ state.weights,))
