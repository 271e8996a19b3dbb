"""Sequence labelling with a conditional random field, from words, parts of speech and vectors.

The features are those of Turian et al. 2010: words in a window of two and word bigrams, parts of
speech up to trigrams, and the components of vectors. As in the paper, the field is trained by
stochastic gradient descent: with real-valued features, L-BFGS has not converged after a hundred
iterations.
"""

import ctypes
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats

_WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1))
_POS = (
    (-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2),
    (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
)  # fmt: skip

Features = list[list[str]] | list[dict[str, float]]


class CrfSettings(NamedTuple):
    """L2 regularisation, epochs of training and the seed of shuffling."""

    c2: float
    epochs: int
    seed: int


def named_features(words: Sequence[str], pos: Sequence[str]) -> list[list[str]]:
    """Return the names of the binary features of each token of a sentence."""
    columns = [
        column
        for name, values, shapes in (("w", words, _WORDS), ("p", pos, _POS))
        for shape in shapes
        for column in [_column(name, values, shape)]
    ]
    rows = [[feature for feature in row if feature] for row in zip(*columns, strict=True)]
    rows[0].append("first")
    rows[-1].append("last")
    return rows


def _column(name: str, values: Sequence[str], shape: tuple[int, ...]) -> list[str]:
    """A feature of each token, empty where it would cross the sentence boundary."""
    head, length = f"{name}[{','.join(map(str, shape))}]=", len(values)
    before, after = max(0, -shape[0]), max(0, shape[-1])
    inner = range(before, length - after)
    inside = [head + "|".join([values[at + step] for step in shape]) for at in inner]
    return ([""] * before + inside + [""] * after)[:length] if inner else [""] * length


def vector_features(
    rows: list[list[str]], vectors: Floats, neighbours: int
) -> list[dict[str, float]]:
    """Add the components of the vectors of each token and of its neighbours.

    `vectors` (tokens, dimension); `neighbours` is the number of tokens on each side.
    """
    names = [
        f"v[{step}]{component}"
        for step in range(-neighbours, neighbours + 1)
        for component in range(vectors.shape[1])
    ]
    padded = np.pad(vectors, ((neighbours, neighbours), (0, 0)))
    shifted = [padded[step : step + len(vectors)] for step in range(2 * neighbours + 1)]
    numbers = np.concatenate(shifted, axis=1).tolist()
    return [
        dict.fromkeys(row, 1.0) | dict(zip(names, values, strict=True))
        for row, values in zip(rows, numbers, strict=True)
    ]


def predict_tags(
    train: Iterable[tuple[Features, list[str]]],
    test: Iterable[Features],
    settings: CrfSettings,
) -> list[str]:
    """Train a field on sentences with tags, and predict the tags of test sentences."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="l2sgd", verbose=False)
    trainer.set_params(
        {
            "c2": settings.c2,
            "max_iterations": settings.epochs,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            # The learning rate that CRFsuite finds for the shared task. On few sentences its search
            # can end at a learning rate of 0.
            "calibration.eta": 0.1,
            "calibration.max_trials": 1,
        }
    )
    for features, tags in train:
        trainer.append(features, tags)
    with tempfile.TemporaryDirectory(prefix="lexiscope-field-") as folder:
        path = str(Path(folder, "model"))
        _seed_shuffling(settings.seed)
        trainer.train(path)
        return list(_tags(pycrfsuite.Tagger(), path, test))


def _seed_shuffling(seed: int) -> None:
    """Seed the generator of the C library, with which CRFsuite shuffles sentences."""
    ctypes.CDLL(None if os.name == "posix" else "ucrtbase").srand(ctypes.c_uint(seed))


def _tags(tagger: Any, path: str, test: Iterable[Features]) -> Iterator[str]:
    with tagger.open(path):
        for features in test:
            yield " ".join(tagger.tag(features))
