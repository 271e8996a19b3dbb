"""Training of a conditional random field by stochastic gradient descent, and tagging.

The objective and the steps are those of CRFsuite: the negative log-likelihood of the tags plus `c2`
times the squared norm of the weights; every attribute has a weight for every tag.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lexiscope.core.errors import Undefined
from lexiscope.core.progress import Progress, silent
from lexiscope.kernels.crf.scores import Sentences, Weights
from lexiscope.kernels.crf.training import Schedule, rescale, tag_sentences, train_epoch
from lexiscope.learners.crf.features import Integers

# The learning rate that CRFsuite finds for the shared task. On few sentences its search can end at
# a learning rate of 0.
_LEARNING_RATE = 0.1
# Training stops early when this many epochs improve the loss by less than this proportion.
_PERIOD, _LEAST_IMPROVEMENT = 10, 1e-6
_LANES, _WIDTH = 8, 16  # columns of the kernels come in multiples


class CrfSettings(NamedTuple):
    """L2 penalty, epochs, tokens on each side whose vectors are features, seed of the order."""

    c2: float
    epochs: int
    neighbours: int
    seed: int


class Model(NamedTuple):
    """Trained weights, the tags of their columns, and the loss of each epoch."""

    weights: Weights
    tags: tuple[str, ...]
    losses: tuple[float, ...]


def predict_tags(
    sentences: Sentences, training_tags: Sequence[str], settings: CrfSettings
) -> list[str]:
    """Train on the first sentences, which have tags, and predict the tags of the others."""
    training = len(training_tags)
    model = train(sentences, training_tags, _orders(training, settings), settings)
    return tag(sentences._replace(starts=sentences.starts[training:]), model)


def _orders(training: int, settings: CrfSettings) -> Iterator[Integers]:
    rng = np.random.default_rng(settings.seed)
    return (rng.permutation(training) for _ in range(settings.epochs))


def train(
    sentences: Sentences,
    training_tags: Sequence[str],
    orders: Iterable[Integers],
    settings: CrfSettings,
    progress: Progress = silent,
) -> Model:
    """Train one epoch for each order of the training sentences.

    Parameters
    ----------
    sentences : Sentences
        The training sentences come first.
    training_tags : sequence of str
        The tags of each training sentence, with one space between them.
    orders : iterable of ndarray
        Permutations of the training sentences.
    settings : CrfSettings
    progress : callable, optional
        Called after each epoch.

    Returns
    -------
    Model
        With the weights of the epoch with the lowest loss.
    """
    gold, tags = _encode_tags(training_tags)
    weights = _zero_weights(sentences, len(tags), settings.neighbours)
    best, losses = weights, list[float]()
    for order in orders:
        loss = _train_epoch(sentences, gold, order, len(losses), weights, settings.c2)
        if loss < min(losses, default=np.inf):
            best = _copy(weights)
        losses.append(loss)
        progress("Training", len(losses), settings.epochs)
        if _has_converged(losses):
            break
    return Model(best, tags, tuple(losses))


def tag(sentences: Sentences, model: Model) -> list[str]:
    """Predict the tags of sentences, with one space between them."""
    names = np.array(model.tags, object)[tag_sentences(sentences, model.weights)].tolist()
    bounds = (sentences.starts - sentences.starts[0]).tolist()
    return [" ".join(names[a:b]) for a, b in pairwise(bounds)]


def _encode_tags(lines: Sequence[str]) -> tuple[Integers, tuple[str, ...]]:
    index: dict[str, int] = {}
    codes = [index.setdefault(name, len(index)) for line in lines for name in line.split()]
    return np.array(codes, np.int64), tuple(index)


def _zero_weights(sentences: Sentences, tags: int, neighbours: int) -> Weights:
    columns, width = (tags + -tags % multiple for multiple in (_LANES, _WIDTH))
    attributes = int(sentences.attributes.max(initial=-1)) + 1
    numbers = (2 * neighbours + 1) * sentences.vectors.shape[1]
    shapes = ((attributes, columns), (numbers, width), (width, width))
    return Weights(*(np.zeros(shape, np.float32) for shape in shapes), tags)


def _copy(weights: Weights) -> Weights:
    return Weights(*(array.copy() for array in weights[:3]), weights.tags)


def _train_epoch(
    sentences: Sentences,
    gold: Integers,
    order: Integers,
    epoch: int,
    weights: Weights,
    c2: float,
) -> float:
    """Train in place; returns the loss of the epoch."""
    size = len(order)
    schedule = Schedule(_LEARNING_RATE, 2 * c2 / size, epoch * size)
    likelihood_loss, scale = train_epoch(sentences, gold, order, schedule, weights)
    penalty = c2 * sum(rescale(array, scale) for array in weights[:3])
    loss = float(likelihood_loss + penalty)
    if not np.isfinite(loss):
        raise Undefined(
            f"the conditional random field diverged in epoch {epoch + 1} with c2={c2}; "
            "choose another c2"
        )
    return loss


def _has_converged(losses: Sequence[float]) -> bool:
    if len(losses) <= _PERIOD:
        return False
    return (losses[-1 - _PERIOD] - losses[-1]) / losses[-1] < _LEAST_IMPROVEMENT
