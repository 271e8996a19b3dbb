"""Hellinger PCA learned by an autoencoder (Lebret and Collobert 2015)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Trainer, setting
from lexiscope.core.vectors import Sparse
from lexiscope.stats.threaded import one_core_each
from lexiscope.trainers._counts import roots

Array = NDArray[Any]
Activation = Literal["linear", "tanh"]

_SPREAD = 0.3  # of the first weights: rows of length 1 begin as vectors of about this length
_MEAN, _SQUARE, _SMALL = 0.9, 0.999, 1e-8  # Kingma and Ba 2015, section 2


@dataclass(frozen=True)
class Autoencoder(Trainer):
    """Short vectors from which the contexts of a word can be told again."""

    paper: ClassVar[str] = "Lebret and Collobert 2015"

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)
    contexts: int = setting(10_000, "How many of the most frequent words are contexts.", least=1)
    activation: Activation = setting("linear", "What the encoder puts its sums through.")
    epochs: int = setting(20, "How often all words are gone through.", least=1)
    batch: int = setting(256, "How many words make a step.", least=1)
    rate: float = setting(0.003, "How large the first steps are; they shrink to nothing.", above=0)

    def train(self, corpus: Corpus, rng: Generator, tell: Progress = silent) -> Embedding:
        rows = roots(corpus, self.window, self.contexts, rng, tell)
        # How a library for matrix products splits its sums depends on its threads: one gives equal
        # bytes everywhere.
        with one_core_each():
            network = trained(rows, self, rng, tell)
            vectors = encoded(rows, network, self.activation)
        return corpus.embedding("autoencoder", vectors)


class Network(NamedTuple):
    """The mean row (contexts,), which is taken off every row and put back after decoding, and the
    weights: an encoder (contexts, dimension) and a decoder (dimension, contexts).
    """

    mean: Array
    encoder: Array
    decoder: Array


class Slopes(NamedTuple):
    """The summed error of some rows, and the slope of their mean error by each weight."""

    error: float
    encoder: Array
    decoder: Array


def trained(
    rows: Sparse, settings: Autoencoder, rng: Generator, tell: Progress = silent
) -> Network:
    """The weights after all epochs, by Adam with steps that shrink to nothing; typed as rows."""
    network = _drawn(rows, settings.dimension, rng)
    moments = [(np.zeros_like(weights), np.zeros_like(weights)) for weights in network[1:]]
    steps = settings.epochs * -(-rows.shape[0] // settings.batch)
    done = 0
    with np.errstate(over="ignore", invalid="ignore"):  # seen in the error
        for epoch in range(1, settings.epochs + 1):
            error = 0.0
            for some in _batches(rows, settings.batch, rng):
                slopes = sloped(some, network, settings.activation)
                error += slopes.error
                rate = settings.rate * (1 - done / steps)
                done += 1
                for weights, slope, moment in zip(network[1:], slopes[1:], moments, strict=True):
                    _move(weights, slope, *moment, rate=rate, step=done)
            if not isfinite(error):
                raise BadUsage(
                    f"The autoencoder's error grew beyond all numbers in epoch {epoch}; use a "
                    f"rate lower than {settings.rate:g}."
                )
            tell("Training", epoch, settings.epochs)
    return network


def encoded(rows: Sparse, network: Network, activation: Activation) -> Array:
    """The vectors of the words with these rows."""
    sums: Array = rows @ network.encoder - network.mean @ network.encoder
    return np.tanh(sums) if activation == "tanh" else sums


def sloped(rows: Sparse, network: Network, activation: Activation) -> Slopes:
    """How the squared distance between rows and their reconstruction changes with the weights.

    The reconstruction (words, contexts) is never made, nor are rows x without their mean m: with
    y = x - m, |hD - y|^2 = h(DD')h' - 2 yD'h' + yy'.
    """
    mean, _, decoder = network
    hidden = encoded(rows, network, activation)
    told = rows @ np.ascontiguousarray(decoder.T) - decoder @ mean
    bent = hidden @ (decoder @ decoder.T)
    error = np.vdot(bent - 2 * told, hidden) + _squares(rows, mean)
    scale = 2 / rows.shape[0]
    of_decoder = scale * ((hidden.T @ hidden) @ decoder - _onto(rows, mean, hidden).T)
    of_hidden = scale * (bent - told)
    if activation == "tanh":
        of_hidden *= 1 - hidden**2
    return Slopes(float(error), _onto(rows, mean, of_hidden), of_decoder)


def _squares(rows: Sparse, mean: Array) -> float:
    """The squared lengths of all rows without their mean."""
    inner = np.vdot(rows.data, rows.data) - 2 * np.sum(rows @ mean)
    return float(inner + rows.shape[0] * np.vdot(mean, mean))


def _onto(rows: Sparse, mean: Array, tall: Array) -> Array:
    """The rows without their mean, turned over, times `tall` (words, dimension)."""
    product: Array = rows.T @ tall
    product -= np.outer(mean, tall.sum(axis=0))
    return product


def _drawn(rows: Sparse, dimension: int, rng: Generator) -> Network:
    drawn = rng.normal(0, _SPREAD / sqrt(dimension), (rows.shape[1], dimension))
    encoder = drawn.astype(rows.dtype)
    mean = np.asarray(rows.sum(axis=0, dtype=np.float64)) / rows.shape[0]
    return Network(mean.astype(rows.dtype), encoder, np.ascontiguousarray(encoder.T))


def _batches(rows: Sparse, size: int, rng: Generator) -> Iterator[Sparse]:
    order = rng.permutation(rows.shape[0])
    for start in range(0, len(order), size):
        yield rows[order[start : start + size]]


def _move(
    weights: Array, slope: Array, mean: Array, square: Array, *, rate: float, step: int
) -> None:
    """One step of Adam, in place (Kingma and Ba 2015, algorithm 1)."""
    mean += (1 - _MEAN) * (slope - mean)
    square += (1 - _SQUARE) * (slope**2 - square)
    length, scale = rate / (1 - _MEAN**step), 1 / sqrt(1 - _SQUARE**step)
    weights -= length * mean / (scale * np.sqrt(square) + _SMALL)
