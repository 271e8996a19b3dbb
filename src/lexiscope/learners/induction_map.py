"""The linear map from the mean context of a word to its vector (Khodak et al. 2018)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import Background
from lexiscope.core.errors import BadData
from lexiscope.kernels.term_contexts import word_context_sums
from lexiscope.learners.term_models._contexts import kernel_table
from lexiscope.linalg.deterministic_products import single_threaded_blas

Indices = NDArray[np.int64]
Weighting = Literal["log", "count", "none"]

_FOLDS = 5


@dataclass(frozen=True, eq=False)
class InductionMap:
    """A square matrix; the vector of a word is the matrix times its mean context vector.

    Parameters
    ----------
    name : str
        The text that it was learned from, or the file.
    matrix : ndarray of shape (dimension, dimension)
        The matrix.
    words : int, optional
        The number of words that it was learned from; 0 if unknown.
    cosine : float, optional
        Mean cosine between the mapped contexts of these words and their vectors; NaN if unknown.
    held_out : float, optional
        The same for words that a map was not learned from, in cross-validation.
    """

    name: str
    matrix: Floats
    words: int = 0
    cosine: float = float("nan")
    held_out: float = float("nan")

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, np.float64, order="C")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise BadData(f"{self.name}: a map is a square matrix, found shape {matrix.shape}.")
        if not np.isfinite(matrix).all():
            raise BadData(f"{self.name}: the map contains numbers that are not finite.")
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the matrix."""
        return hashlib.sha256(self.matrix.data).hexdigest()


def learned_map(
    name: str,
    codes: Indices,
    starts: Indices,
    background: Background,
    *,
    window: int = 10,
    weighting: Weighting = "log",
    min_count: int = 5,
    exclude: Iterable[int] = (),
) -> InductionMap:
    """Learn a map from a text by weighted least squares over the words of the background.

    Parameters
    ----------
    name : str
        The name of the text.
    codes, starts : ndarray
        The text: sentence `s` is codes[starts[s]:starts[s + 1]]. Codes are rows of the background,
        negative for unknown words.
    background : Background
        The vectors.
    window : int
        Maximum distance of a context word, inside the sentence.
    weighting : {"log", "count", "none"}
        Weight of a word: log of its frequency in the text, the frequency, or 1.
    min_count : int
        Words that occur less often in the text are not used.
    exclude : iterable of int
        Rows that are not used, such as the terms whose vectors are to be learned.
    """
    rows, contexts, counts = mean_contexts(codes, starts, background, window)
    used = (counts >= min_count) & ~np.isin(rows, np.fromiter(exclude, np.int64))
    weights = _weights(counts, weighting)
    used &= weights > 0
    if used.sum() < background.dimension:
        raise BadData(
            f"{name}: {used.sum():,} words occur {min_count} times or more and are in the "
            f"background. A map of {background.dimension} dimensions needs at least as many."
        )
    targets = background.vectors[rows[used]].astype(np.float64)
    data = contexts[used], targets, weights[used]
    matrix = _least_squares(*data)
    fit = _mean_cosine(_cosines(*data[:2], matrix))
    return InductionMap(name, matrix, int(used.sum()), fit, _held_out(*data))


def _held_out(contexts: Floats, targets: Floats, weights: Floats) -> float:
    """The mean cosine in cross-validation, every fifth word in the same fold."""
    folds = np.arange(len(contexts)) % _FOLDS
    cosines = []
    for fold in range(_FOLDS):
        out = folds == fold
        matrix = _least_squares(contexts[~out], targets[~out], weights[~out])
        cosines.append(_cosines(contexts[out], targets[out], matrix))
    return _mean_cosine(np.concatenate(cosines))


def mean_contexts(
    codes: Indices, starts: Indices, background: Background, window: int
) -> tuple[Indices, Floats, Indices]:
    """The known words of a text: their rows, mean sums of context vectors, and frequencies."""
    rows = np.unique(codes[codes >= 0])
    slots = np.full(len(background.words), -1, np.int64)
    slots[rows] = np.arange(len(rows))
    sums, counts = np.zeros((len(rows), background.dimension)), np.zeros(len(rows), np.int64)
    vectors = kernel_table(background.vectors)
    word_context_sums(codes, starts, window, vectors, slots, sums, counts)
    return rows, sums / np.maximum(counts, 1)[:, None], counts


def _weights(counts: Indices, weighting: Weighting) -> Floats:
    if weighting == "none":
        return np.ones(len(counts))
    return np.log(np.maximum(counts, 1)) if weighting == "log" else counts.astype(np.float64)


def _least_squares(contexts: Floats, targets: Floats, weights: Floats) -> Floats:
    root = np.sqrt(weights)[:, None]
    with single_threaded_blas():  # the same bytes on any number of threads
        return np.asarray(np.linalg.lstsq(root * contexts, root * targets, rcond=None)[0].T)


def _cosines(contexts: Floats, targets: Floats, matrix: Floats) -> Floats:
    """The cosines of mapped contexts with their vectors, without zero vectors."""
    with single_threaded_blas():
        mapped = contexts @ matrix.T
    norms = np.linalg.norm(mapped, axis=1) * np.linalg.norm(targets, axis=1)
    return np.asarray((mapped * targets).sum(axis=1)[norms > 0] / norms[norms > 0])


def _mean_cosine(cosines: Floats) -> float:
    return float(cosines.mean()) if len(cosines) else float("nan")
