"""Tags for sentences by a conditional random field, from words, parts of speech and vectors.

The features are those of Turian et al. 2010: words two to the left and right and pairs of
neighbours, parts of speech likewise up to three in a row; numbers of a vector are features too.
They learn by stochastic descent, as theirs did: with numbers as features, L-BFGS is still far from
its end after a hundred steps.
"""

import ctypes
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.measure import Floats

_WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1))
_TAGS = (
    (-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2),
    (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
)  # fmt: skip

Features = list[list[str]] | list[dict[str, float]]


class Tagged(NamedTuple):
    """The words, parts of speech and tags of sentences, with spaces between."""

    words: Sequence[str]
    pos: Sequence[str]
    tags: Sequence[str]


class Field(NamedTuple):
    """How a field is trained: the weight of the squared weights, how often every sentence comes."""

    c2: float
    epochs: int
    seed: int


def named_features(words: Sequence[str], pos: Sequence[str]) -> list[list[str]]:
    """The names of the features of each word of a sentence."""
    columns = [
        column
        for name, values, shapes in (("w", words, _WORDS), ("p", pos, _TAGS))
        for shape in shapes
        for column in [_column(name, values, shape)]
    ]
    rows = [[feature for feature in row if feature] for row in zip(*columns, strict=True)]
    rows[0].append("first")
    rows[-1].append("last")
    return rows


def _column(name: str, values: Sequence[str], shape: tuple[int, ...]) -> list[str]:
    """A feature of each word, empty where it would reach over an end of the sentence."""
    head, length = f"{name}[{','.join(map(str, shape))}]=", len(values)
    before, after = max(0, -shape[0]), max(0, shape[-1])
    inner = range(before, length - after)
    made = [head + "|".join([values[at + step] for step in shape]) for at in inner]
    return ([""] * before + made + [""] * after)[:length] if inner else [""] * length


def vector_features(
    rows: list[list[str]], vectors: Floats, neighbours: int
) -> list[dict[str, float]]:
    """The features with the numbers of each word's vector and of its neighbours' (words, n)."""
    names = [
        f"v[{step}]{place}"
        for step in range(-neighbours, neighbours + 1)
        for place in range(vectors.shape[1])
    ]
    padded = np.pad(vectors, ((neighbours, neighbours), (0, 0)))
    seen = [padded[step : step + len(vectors)] for step in range(2 * neighbours + 1)]
    numbers = np.concatenate(seen, axis=1).tolist()
    return [
        dict.fromkeys(row, 1.0) | dict(zip(names, values, strict=True))
        for row, values in zip(rows, numbers, strict=True)
    ]


def tagged(
    train: Iterable[tuple[Features, list[str]]], asked: Iterable[Features], field: Field
) -> list[str]:
    """The tags of sentences, by a field trained on others."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="l2sgd", verbose=False)
    trainer.set_params(
        {
            "c2": field.c2,
            "max_iterations": field.epochs,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            "calibration.eta": 0.1,  # near what CRFsuite finds itself on the shared task; on few
            "calibration.max_trials": 1,  # sentences its search can end at a rate of nothing
        }
    )
    for features, tags in train:
        trainer.append(features, tags)
    with tempfile.TemporaryDirectory(prefix="lexiscope-field-") as folder:
        path = str(Path(folder, "model"))
        _seed_shuffling(field.seed)
        trainer.train(path)
        return list(_tagged(pycrfsuite.Tagger(), path, asked))


def _seed_shuffling(seed: int) -> None:
    """CRFsuite shuffles sentences with C's own generator, which is one for the whole process."""
    ctypes.CDLL(None if os.name == "posix" else "ucrtbase").srand(ctypes.c_uint(seed))


def _tagged(tagger: Any, path: str, asked: Iterable[Features]) -> Iterator[str]:
    with tagger.open(path):
        for features in asked:
            yield " ".join(tagger.tag(features))
