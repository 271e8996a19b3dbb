"""Support vector machine with an RBF kernel."""

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from lexiscope.core.contracts.learner import Indices, Learner, Outcome, TrainingSet
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.learners.models._kernels import KernelMachine, search
from lexiscope.learners.models._selection import accuracies
from lexiscope.learners.problems import Classification


@dataclass(frozen=True)
class Svm(Learner):
    """Select C and gamma by accuracy; of ties, the smallest C, then the smallest gamma.

    More than two classes are decided by votes of all pairs of classes. There are no probabilities.
    """

    families = ("words", "texts")
    complexity = "non-linear"
    fallback = {"words": "logistic_regression", "texts": "logistic_regression"}  # noqa: RUF012

    c: tuple[float, ...] = setting(
        (0.1, 1.0, 10.0, 100.0), "Penalties of the search.", exclusive_minimum=0
    )
    gamma: tuple[float, ...] = setting(
        (0.25, 1.0, 4.0), "Kernel widths of the search, relative to 1 / mean squared distance.",
        exclusive_minimum=0,
    )  # fmt: skip

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        machine = KernelMachine(_fit, accuracies, sorted(self.c), sorted(self.gamma))
        return search(machine, problem, sets, fallback, "logistic_regression")._replace(bits=None)


def _fit(between: Floats, labels: Indices, c: float) -> Any:
    from sklearn.svm import SVC

    return SVC(C=c, kernel="precomputed").fit(between, labels)
