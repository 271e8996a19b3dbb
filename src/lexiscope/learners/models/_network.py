"""The weights, the gradient and the optimizers of the analogy network."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import Indices
from lexiscope.kernels import analogy_network as kernel

Optimizer = Literal["adam", "sgd"]
Matrix = NDArray[Any]  # float32, or float64 in tests

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # of Adam
_TINY = 1e-12  # the lowest norm of an output


class Hyperparameters(NamedTuple):
    """The hyperparameters of one training, apart from the number of epochs."""

    optimizer: Optimizer
    batch_size: int
    learning_rate: float


@dataclass
class State:
    """The weights (3 x dimension + 1, dimension) and the moments of Adam, changed in place."""

    weights: Matrix
    first: Matrix = field(init=False)
    second: Matrix = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.first, self.second = np.zeros_like(self.weights), np.zeros_like(self.weights)


def untrained(dimension: int, dtype: Any = np.float32) -> State:
    """Three identity matrices and a zero bias."""
    identity = np.eye(dimension, dtype=dtype)
    return State(np.vstack([identity, identity, identity, np.zeros((1, dimension), dtype)]))


def network_inputs(vectors: Matrix, words: Indices) -> Matrix:
    """The rows (-a, b, c, 1) of questions with words a, b, c (questions, 3)."""
    a, b, c = (vectors[column] for column in words.T)
    return np.hstack([-a, b, c, np.ones((len(words), 1), vectors.dtype)])


def cost(weights: Matrix, inputs: Matrix, targets: Matrix) -> float:
    """Minus the mean cosine between outputs and targets, which have length 1."""
    outputs = inputs @ weights
    return -float(np.mean(np.sum(outputs * targets, axis=1) / _norms(outputs)[:, 0]))


def gradient(weights: Matrix, inputs: Matrix, targets: Matrix) -> Matrix:
    """The derivative of the cost by the weights, including the normalisation of the outputs."""
    outputs = inputs @ weights
    norms = _norms(outputs)
    outputs /= norms
    cosines = np.einsum("ij,ij->i", outputs, targets)[:, None]
    slopes = (cosines * outputs - targets) / (norms * len(inputs))
    return np.asarray(inputs.T @ slopes)


def _norms(outputs: Matrix) -> Matrix:
    squares = np.einsum("ij,ij->i", outputs, outputs)
    return np.asarray(np.maximum(np.sqrt(squares), _TINY))[:, None]


def train_epoch(
    state: State, inputs: Matrix, targets: Matrix, option: Hyperparameters, rng: Generator
) -> None:
    """Update the weights with all minibatches of a random order."""
    order = rng.permutation(len(inputs))
    for start in range(0, len(order), option.batch_size):
        batch = order[start : start + option.batch_size]
        slope = gradient(state.weights, inputs[batch], targets[batch])
        if option.optimizer == "sgd":
            state.weights -= option.learning_rate * slope
        else:
            _adam(state, slope, option.learning_rate)


def _adam(state: State, slope: Matrix, learning_rate: float) -> None:
    state.steps += 1
    number = state.weights.dtype.type
    rate = number(learning_rate / (1 - _BETA1**state.steps))
    correction = number(1 / np.sqrt(1 - _BETA2**state.steps))
    arrays = (state.weights, state.first, state.second, slope)
    constants = (number(each) for each in (_BETA1, _BETA2, _EPSILON))
    kernel.adam(*(array.reshape(-1) for array in arrays), rate, correction, *constants)
