"""Named transforms of embeddings: SOURCE@centred, SOURCE@abtt=2, SOURCE@first=10000@whiten.

All but `first` need dense vectors. None changes the words or their counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage, Undefined
from lexiscope.core.paths import exists
from lexiscope.data.catalogue import catalogue

Floats = NDArray[np.float64]
SEPARATOR = "@"
SYNTAX = "centred, abtt=NUMBER, whiten, frequency or first=NUMBER"
_RANK = 1e-7  # eigenvalues below this part of the largest are rounding errors of float32


@dataclass(frozen=True)
class Transform:
    """A transform with a name; `number` says whether it takes a number."""

    apply: Callable[[Embedding, int], Embedding]
    number: bool = False


def split_source(source: str) -> tuple[str, tuple[str, ...]]:
    """Split a name into the vectors and their transforms.

    A file whose path contains @ is found first. If there is no such file, known transforms at the
    end are split off, so that an error names the path.

    >>> split_source("glove-6b-50d@first=10000@abtt=2")
    ('glove-6b-50d', ('first=10000', 'abtt=2'))
    >>> split_source("me@home/vectors.txt@centred")
    ('me@home/vectors.txt', ('centred',))
    """
    parts = source.split(SEPARATOR)
    for number in range(len(parts), 0, -1):
        path = SEPARATOR.join(parts[:number])
        if path and (path in catalogue() or exists(path)):
            return path, tuple(parts[number:])
    number = len(parts)
    while number > 1 and parts[number - 1].partition("=")[0] in TRANSFORMS:
        number -= 1
    return SEPARATOR.join(parts[:number]), tuple(parts[number:])


def transformed(
    embedding: Embedding, name: str, counts: NDArray[np.int64] | None = None
) -> Embedding:
    """Return an embedding after the transform with this name, which its name and origin record.

    Parameters
    ----------
    embedding : Embedding
        The embedding.
    name : str
        Such as "centred" or "abtt=2".
    counts : ndarray, optional
        For `frequency`, counts of the words, below 0 where unknown, instead of the embedding's own.

    Examples
    --------
    >>> import lexiscope
    >>> pets = lexiscope.load({"cat": [1.0, 0.0], "dog": [0.0, 1.0]}, name="pets")
    >>> found = transformed(pets, "centred")
    >>> found.name, found.vectors.tolist()
    ('pets@centred', [[0.5, -0.5], [-0.5, 0.5]])
    """
    what, equals, value = name.partition("=")
    known = TRANSFORMS.get(what)
    if known is None or known.number != bool(equals) or (equals and not _is_number(value)):
        raise BadUsage(f"'@{name}' is not known. After @ write {SYNTAX}.")
    try:
        if counts is not None and known.apply is without_frequency:
            found = without_frequency(embedding, counts=counts)
        else:
            found = known.apply(embedding, int(value or 0))
    except Undefined as reason:
        raise BadData(f"{embedding.name}: cannot apply '{name}': {reason}.") from None
    origin = f"{found.origin}{SEPARATOR}{name}"
    return replace(found, name=f"{embedding.name}{SEPARATOR}{name}", origin=origin)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def centred(embedding: Embedding, _: int = 0) -> Embedding:
    """Subtract the mean vector (Mu and Viswanath 2018, first step)."""
    return embedding.centred()


def all_but_the_top(embedding: Embedding, number: int) -> Embedding:
    """Subtract the mean, and remove the first principal components (Mu and Viswanath 2018).

    Departs from the paper: its algorithm 1 computes the removed part from the vector before the
    mean is subtracted, which moves all vectors by one and the same vector again.
    """
    if not 1 <= number < embedding.dimension:
        raise BadUsage(
            f"abtt removes 1 to {embedding.dimension - 1:,} components of the vectors of "
            f"{embedding.name}, not {number:,}."
        )
    mean, _, axes = _moments(embedding, "All-but-the-top")
    top = axes[:, :number]
    return _linear(embedding, mean, np.eye(len(mean)) - top @ top.T)


def whitened(embedding: Embedding, _: int = 0) -> Embedding:
    """Make the covariance matrix of the vectors the identity (zero-phase whitening, ZCA).

    Dimensions keep their meaning as far as possible; cosines are those of PCA whitening.
    Directions without variance become 0.
    """
    mean, variances, axes = _moments(embedding, "Whitening")
    kept = variances > _RANK * variances[0]
    scale = np.divide(1, np.sqrt(variances), out=np.zeros_like(variances), where=kept)
    return _linear(embedding, mean, (axes * scale) @ axes.T)


def without_frequency(
    embedding: Embedding, _: int = 0, counts: NDArray[np.int64] | None = None
) -> Embedding:
    """Remove the direction in which vectors move with log frequency.

    It is the slope of the least-squares regression of the vectors on the logarithm of `counts`,
    without words of unknown count; by default of their own counts, or of the ranks if there are
    none. Without it, no dimension is correlated with log frequency, so no least-squares regression
    predicts log frequency from the vectors. The mean stays.
    """
    vectors = embedding.dense_vectors("Removing the frequency direction")
    slope = _frequency_slope(vectors, log_frequencies(embedding, counts))
    length = np.linalg.norm(slope)
    if not length:
        return replace(embedding, trainer="")
    direction = slope / length
    removal = np.eye(len(slope)) - np.outer(direction, direction)
    own = "counts" if has_counts(embedding) else "ranks in the file"
    unit = own if counts is None else "given counts"
    found = _linear(embedding, np.zeros(len(slope)), removal)
    return replace(found, origin=f"{found.origin} (regression on log {unit})")


def _frequency_slope(vectors: NDArray[np.float32], values: Floats) -> Floats:
    """The direction of the slope of the vectors on log frequencies; NaN is unknown."""
    from lexiscope.linalg.covariance import chunk_rows, column_means
    from lexiscope.linalg.deterministic_products import sum_over_chunks

    known = np.isfinite(values)
    values = np.where(known, values - values[known].mean() if known.any() else 0.0, 0.0)
    if known.sum() < 2 or not np.any(values):
        raise Undefined("all words have the same frequency")
    mean = column_means(vectors)  # values sum to 0, so any centre gives the same slope
    return np.asarray(
        sum_over_chunks(
            lambda chunk: (chunk_rows(vectors, chunk) - mean).T @ values[chunk], len(vectors)
        )
    )


def log_frequencies(embedding: Embedding, counts: NDArray[np.int64] | None = None) -> Floats:
    """Return the logarithm of the counts, or minus that of the ranks; larger is more frequent.

    NaN where one of the given counts is unknown.
    """
    if counts is not None:
        return np.where(counts < 0, np.nan, np.log(np.maximum(counts, 1)))
    if has_counts(embedding):
        assert embedding.counts is not None
        return np.asarray(np.log(np.maximum(embedding.counts, 1)))
    return -np.log(np.arange(1, len(embedding) + 1))


def has_counts(embedding: Embedding) -> bool:
    """Whether an embedding has counts that are not only the positions of its words.

    Some libraries invent counts that fall by one from word to word.
    """
    counts = embedding.counts
    if counts is None or not counts.any():
        return False
    return len(counts) < 3 or not bool((np.diff(counts) == -1).all())


def _moments(embedding: Embedding, purpose: str) -> tuple[Floats, Floats, Floats]:
    """The mean of the vectors, the variances along their principal axes, and the axes."""
    from lexiscope.linalg.covariance import column_means, covariance, principal_axes

    vectors = embedding.dense_vectors(purpose)
    variances, axes = principal_axes(covariance(vectors))
    if variances[0] == 0:
        raise Undefined("all vectors are equal")
    return column_means(vectors), variances, axes


def _linear(embedding: Embedding, shift: Floats, factor: Floats) -> Embedding:
    """Every vector minus `shift`, times `factor`, by chunks in double precision."""
    from lexiscope.linalg.covariance import chunk_rows
    from lexiscope.linalg.deterministic_products import map_over_chunks

    vectors = embedding.dense_vectors("A linear transform")
    out = np.empty(vectors.shape, np.float32)

    def fill(chunk: slice) -> None:
        out[chunk] = (chunk_rows(vectors, chunk) - shift) @ factor

    map_over_chunks(fill, len(vectors))
    return replace(embedding, vectors=out, trainer="", subwords=None)


TRANSFORMS: Mapping[str, Transform] = MappingProxyType(
    {
        "centred": Transform(centred),
        "abtt": Transform(all_but_the_top, number=True),
        "whiten": Transform(whitened),
        "frequency": Transform(without_frequency),
        "first": Transform(lambda embedding, number: embedding.first(number), number=True),
    }
)
