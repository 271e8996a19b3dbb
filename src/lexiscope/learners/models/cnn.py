"""Convolutional network on the sequence of word vectors (Kim 2014), with static vectors."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.learner import (
    Indices,
    Learner,
    Outcome,
    TrainingSet,
    or_fallback,
)
from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.core.errors import MissingExtra
from lexiscope.learners.models._probabilities import code_length
from lexiscope.learners.models._selection import usable_folds
from lexiscope.learners.problems import Classification

_MIN_BATCHES = 10  # per epoch: a small training set has smaller minibatches


class _Trained(NamedTuple):
    """Probabilities (items, classes) of the best epoch, and the number of epochs."""

    probabilities: Floats
    epochs: int


@dataclass(frozen=True)
class Cnn(Learner):
    """Filters of several widths, maximum over positions, dropout, softmax.

    On each fold, training stops when the loss of the validation texts has not decreased for
    `patience` epochs. The network of the whole training set is trained for the median of the best
    numbers of epochs, unless logistic regression has the same or a higher accuracy on the folds.
    """

    families = ("texts",)
    complexity = "non-linear"
    fallback = {"texts": "logistic_regression"}  # noqa: RUF012

    widths: tuple[int, ...] = setting((3, 4, 5), "Widths of the filters, in words.")
    maps: int = setting(100, "Number of filters of each width.", minimum=1)
    dropout: float = setting(0.5, "Dropout rate.", minimum=0, exclusive_maximum=1)
    learning_rate: float = setting(1e-3, "Learning rate of Adam.", exclusive_minimum=0)
    batch_size: int = setting(50, "Maximum number of texts of a minibatch.", minimum=1)
    max_epochs: int = setting(25, "Maximum number of epochs.", minimum=1)
    patience: int = setting(3, "Epochs without a lower loss until training stops.", minimum=1)
    max_tokens: int = setting(200, "Tokens of a text that are used, from its start.", minimum=1)

    def fit_predict(
        self, problem: Classification, sets: TrainingSet, rng: Generator, fallback: Outcome | None
    ) -> Outcome:
        _require_torch()
        gold, seed = problem.gold, int(rng.integers(2**31))
        folds = usable_folds(sets)
        if fallback is not None and not folds:
            return or_fallback(fallback, fallback, "logistic_regression")
        tokens = _token_matrix(problem, max(self.widths), self.max_tokens)
        runs = [
            self._train(problem, tokens, fold.train, fold.validate, seed, None) for fold in folds
        ]
        validation = (
            np.mean(
                [
                    np.mean(run.probabilities.argmax(axis=1) == gold[fold.validate])
                    for run, fold in zip(runs, folds, strict=True)
                ]
            )
            if folds
            else np.nan
        )
        own = Outcome(np.empty(0, np.int64), float(validation), {})
        if fallback is not None and not own.validation > fallback.validation:
            return or_fallback(own, fallback, "logistic_regression")
        epochs = int(np.median([run.epochs for run in runs])) if runs else self.max_epochs
        items = np.append(sets.test, sets.following)
        found = self._train(problem, tokens, sets.train, items, seed, epochs).probabilities
        tested = len(sets.test)
        bits = code_length(found[tested:], gold[sets.following], len(sets.train))
        return own._replace(
            predicted=found[:tested].argmax(axis=1), selected={"epochs": epochs}, bits=bits
        )

    def _batch_size(self, texts: int) -> int:
        return min(self.batch_size, -(-texts // _MIN_BATCHES))

    def _train(
        self,
        problem: Classification,
        tokens: Indices,
        train: Indices,
        items: Indices,
        seed: int,
        epochs: int | None,
    ) -> _Trained:
        """Train for a number of epochs, or until the loss on `items` stops decreasing.

        Only the inner folds are trained without a number of epochs: their labels are in the
        training set.
        """
        import torch

        gold = torch.as_tensor(problem.gold)
        vectors = torch.nn.functional.pad(torch.tensor(problem.vectors), (0, 0, 0, 1))
        inputs = torch.as_tensor(tokens)
        shuffle = np.random.default_rng(seed)
        with _one_thread(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            network = _network(self, vectors.shape[1], problem.classes)
            optimizer = torch.optim.Adam(network.parameters(), lr=self.learning_rate)
            best, lowest = _Trained(np.empty((0, problem.classes)), 0), np.inf
            for epoch in range(1, (epochs or self.max_epochs) + 1):
                network.train()
                order, size = shuffle.permutation(train), self._batch_size(len(train))
                for start in range(0, len(order), size):
                    batch = torch.as_tensor(order[start : start + size])
                    optimizer.zero_grad()
                    loss: Any = torch.nn.functional.cross_entropy(
                        network(vectors[inputs[batch]]), gold[batch]
                    )
                    loss.backward()
                    optimizer.step()
                if epochs is not None and epoch < epochs:
                    continue
                found = _log_probabilities(network, vectors, inputs, items, self.batch_size)
                if epochs is not None:
                    return _Trained(np.exp(found), epoch)
                held_out = -float(np.mean(found[np.arange(len(items)), problem.gold[items]]))
                if held_out < lowest:
                    best, lowest = _Trained(np.exp(found), epoch), held_out
                elif epoch - best.epochs >= self.patience:
                    break
        return best


def _require_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtra("The convolutional network (cnn)", "neural") from None


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit torch to one thread: limits set before its import do not apply to it."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _token_matrix(problem: Classification, shortest: int, longest: int) -> Indices:
    """Rows of vectors for each text (texts, tokens), padded with the row after the last one."""
    if problem.tokens is None or problem.ends is None or problem.vectors is None:
        raise ValueError("the network needs the tokens of the texts")
    starts = np.append(0, problem.ends[:-1])
    lengths = np.minimum(problem.ends - starts, longest)
    width = max(shortest, int(lengths.max(initial=0)))
    matrix = np.full((len(starts), width), len(problem.vectors), np.int64)
    for row, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        matrix[row, :length] = problem.tokens[start : start + length]
    return matrix


def _network(model: Cnn, dimension: int, classes: int) -> Any:
    from torch import cat, nn

    class Network(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.filters = nn.ModuleList(
                nn.Conv1d(dimension, model.maps, width) for width in model.widths
            )
            self.dropout = nn.Dropout(model.dropout)
            self.output = nn.Linear(model.maps * len(model.widths), classes)

        def forward(self, texts: Any) -> Any:
            columns = texts.transpose(1, 2)
            pooled = [each(columns).relu().amax(dim=2) for each in self.filters]
            return self.output(self.dropout(cat(pooled, dim=1)))

    return Network()


def _log_probabilities(
    network: Any, vectors: Any, inputs: Any, items: Indices, size: int
) -> NDArray[np.float64]:
    import torch

    network.eval()
    with torch.no_grad():
        found = [
            network(vectors[inputs[torch.as_tensor(items[start : start + size])]]).log_softmax(1)
            for start in range(0, len(items), size)
        ]
    classes = network.output.out_features
    return torch.cat(found).double().numpy() if found else np.empty((0, classes))
