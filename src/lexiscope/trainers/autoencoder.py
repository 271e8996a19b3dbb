"""Autoencoder of square roots of context probabilities (Lebret and Collobert 2015)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.vectors import Sparse
from lexiscope.linalg.deterministic_products import single_threaded_blas
from lexiscope.trainers._counts import hellinger_matrix

Array = NDArray[Any]
Activation = Literal["linear", "tanh"]

_INITIAL_NORM = 0.3  # approximate norm of the first vectors, of rows of norm 1
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # Kingma and Ba 2015, section 2


@dataclass(frozen=True)
class Autoencoder(Trainer):
    """An autoencoder that compresses the context distribution of each word."""

    paper: ClassVar[str] = "Lebret and Collobert 2015"

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(5, "Maximum distance between a word and its context words.", minimum=1)
    contexts: int = setting(10_000, "Number of most frequent words used as contexts.", minimum=1)
    activation: Activation = setting("linear", "Activation function of the encoder.")
    epochs: int = setting(20, "Number of passes over the vocabulary.", minimum=1)
    batch_size: int = setting(256, "Number of words in a mini-batch.", minimum=1)
    learning_rate: float = setting(
        0.003, "Initial learning rate; it decreases linearly to 0.", exclusive_minimum=0
    )

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        rows = hellinger_matrix(corpus, self.window, self.contexts, rng, progress)
        # How a BLAS splits its sums depends on its threads: one gives equal bytes everywhere.
        with single_threaded_blas():
            network = fit(rows, self, rng, progress)
            vectors = encode(rows, network, self.activation)
        return corpus.embedding("autoencoder", vectors)


class Network(NamedTuple):
    """The parameters of the autoencoder.

    The mean row (contexts,) is subtracted before encoding and added after decoding. The weights
    are an encoder (contexts, dimension) and a decoder (dimension, contexts).
    """

    mean: Array
    encoder: Array
    decoder: Array


class Gradients(NamedTuple):
    """The summed squared error of some rows, and the gradients of their mean error."""

    error: float
    encoder: Array
    decoder: Array


def fit(
    rows: Sparse, settings: Autoencoder, rng: Generator, progress: Progress = silent
) -> Network:
    """Train the weights by Adam with a linearly decreasing learning rate; dtype as of the rows."""
    network = _initial_network(rows, settings.dimension, rng)
    moments = [(np.zeros_like(weights), np.zeros_like(weights)) for weights in network[1:]]
    steps = settings.epochs * -(-rows.shape[0] // settings.batch_size)
    done = 0
    with np.errstate(over="ignore", invalid="ignore"):  # divergence shows in the error
        for epoch in range(1, settings.epochs + 1):
            error = 0.0
            for batch in _batches(rows, settings.batch_size, rng):
                found = gradients(batch, network, settings.activation)
                error += found.error
                learning_rate = settings.learning_rate * (1 - done / steps)
                done += 1
                for weights, gradient, moment in zip(network[1:], found[1:], moments, strict=True):
                    _adam_step(weights, gradient, *moment, learning_rate=learning_rate, step=done)
            if not isfinite(error):
                raise BadUsage(
                    f"The autoencoder diverged in epoch {epoch}: its error is no longer finite. "
                    f"Use a learning_rate lower than {settings.learning_rate:g}."
                )
            progress("Training", epoch, settings.epochs)
    return network


def encode(rows: Sparse, network: Network, activation: Activation) -> Array:
    """Encode rows as word vectors."""
    sums: Array = rows @ network.encoder - network.mean @ network.encoder
    return np.tanh(sums) if activation == "tanh" else sums


def gradients(rows: Sparse, network: Network, activation: Activation) -> Gradients:
    """The gradients of the squared distance between rows and their reconstruction.

    Neither the reconstruction (words, contexts) nor the centred rows are computed: for a row x with
    mean m, y = x - m and code h, |hD - y|^2 = h(DD')h' - 2 yD'h' + yy'.
    """
    mean, _, decoder = network
    hidden = encode(rows, network, activation)
    projected = rows @ np.ascontiguousarray(decoder.T) - decoder @ mean
    decoded = hidden @ (decoder @ decoder.T)
    error = np.vdot(decoded - 2 * projected, hidden) + _squared_norm(rows, mean)
    scale = 2 / rows.shape[0]
    of_decoder = scale * ((hidden.T @ hidden) @ decoder - _transposed_product(rows, mean, hidden).T)
    of_hidden = scale * (decoded - projected)
    if activation == "tanh":
        of_hidden *= 1 - hidden**2
    return Gradients(float(error), _transposed_product(rows, mean, of_hidden), of_decoder)


def _squared_norm(rows: Sparse, mean: Array) -> float:
    """The sum of the squared norms of the centred rows."""
    inner = np.vdot(rows.data, rows.data) - 2 * np.sum(rows @ mean)
    return float(inner + rows.shape[0] * np.vdot(mean, mean))


def _transposed_product(rows: Sparse, mean: Array, tall: Array) -> Array:
    """The transposed centred rows times `tall` (words, dimension)."""
    product: Array = rows.T @ tall
    product -= np.outer(mean, tall.sum(axis=0))
    return product


def _initial_network(rows: Sparse, dimension: int, rng: Generator) -> Network:
    weights = rng.normal(0, _INITIAL_NORM / sqrt(dimension), (rows.shape[1], dimension))
    encoder = weights.astype(rows.dtype)
    mean = np.asarray(rows.sum(axis=0, dtype=np.float64)) / rows.shape[0]
    return Network(mean.astype(rows.dtype), encoder, np.ascontiguousarray(encoder.T))


def _batches(rows: Sparse, size: int, rng: Generator) -> Iterator[Sparse]:
    order = rng.permutation(rows.shape[0])
    for start in range(0, len(order), size):
        yield rows[order[start : start + size]]


def _adam_step(
    weights: Array, gradient: Array, mean: Array, square: Array, *, learning_rate: float, step: int
) -> None:
    """One step of Adam, in place (Kingma and Ba 2015, algorithm 1)."""
    mean += (1 - _BETA1) * (gradient - mean)
    square += (1 - _BETA2) * (gradient**2 - square)
    length, scale = learning_rate / (1 - _BETA1**step), 1 / sqrt(1 - _BETA2**step)
    weights -= length * mean / (scale * np.sqrt(square) + _EPSILON)
