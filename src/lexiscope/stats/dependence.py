"""Dependence between items: what the variance of a mean over items with shared units is.

Pairs share words and analogy questions share pairs, so a word that an embedding represents well
makes all its items easier. The variance of a mean over such items includes the covariance of every
two items with a unit in common (Cameron, Gelbach and Miller 2011; Aronow, Samii and Assenova 2015
for pairs). With few units this estimate is too small and noisy. It is therefore multiplied by the
factor that makes it unbiased, and has Satterthwaite's degrees of freedom, both under a model in
which all variance lies between units (Bell and McCaffrey 2002; Pustejovsky and Tipton 2018).
"""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.datasets.base import Units

_MAX_PAIRS = 50_000_000  # of dependent items; with more, multiplicities are not resolved
_CACHED_BYTES = 1 << 26  # of the pairs of items of the last few datasets
_CACHED_MOMENTS = 4096  # datasets, slices and subsets of items: three numbers each

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Dependence:
    """The pairs of items that share a unit, in the form of sparse matrices.

    `correction` multiplies the variance of a mean, and `degrees_of_freedom` are those of the
    corrected variance. `crossed`: an item has several units, so that the estimate is not a sum of
    squares and can be negative.
    """

    membership: Any  # sparse (items, units)
    shared: Any  # sparse (items, items): 1 for two items with a common unit; None if not crossed
    strata: Codes  # one code per item
    crossed: bool
    correction: float
    degrees_of_freedom: float

    def variance(self, influence: Floats) -> float:
        """The variance of the mean of `influence`; not positive if it cannot be estimated."""
        centred = influence - _stratum_means(influence, self.strata)
        if self.shared is None:
            total = float(np.sum((self.membership.T @ centred) ** 2))
        else:
            total = float(centred @ (self.shared @ centred))
        return self.correction * total / len(influence) ** 2


def independent_variance(influence: Floats, strata: Codes | None) -> tuple[float, int]:
    """The variance of a mean over independent items, and its degrees of freedom."""
    items = len(influence)
    codes = np.zeros(items, np.int64) if strata is None else strata
    freedom = items - len(np.unique(codes))
    if freedom < 1:
        return 0.0, 0
    centred = influence - _stratum_means(influence, codes)
    return float(np.sum(centred**2)) / (items * freedom), freedom


def dependence(units: Units, strata: Codes | None = None) -> Dependence:
    """Find the dependent items; the last few results are cached.

    Parameters
    ----------
    units : ndarray of shape (items, units per item)
        Codes of the sampling units.
    strata : ndarray of shape (items,), optional
        Codes of fixed groups of items, such as the sections of a dataset.

    Examples
    --------
    >>> clusters = dependence(np.array([[0], [0], [1], [1], [2], [2]]))
    >>> clusters.correction, round(clusters.degrees_of_freedom, 6)
    (1.5, 2.0)
    """
    codes = np.zeros(len(units), np.int64) if strata is None else strata
    digest = hashlib.blake2b(np.ascontiguousarray(units).tobytes(), digest_size=16)
    digest.update(f"{units.shape}".encode())
    digest.update(np.ascontiguousarray(codes).tobytes())
    return _cache.get(digest.digest(), units, codes)


class _Moments(NamedTuple):
    """What the variance is multiplied by, and its degrees of freedom."""

    correction: float
    degrees_of_freedom: float


class _Cache:
    """The last results, up to a number of bytes, and the moments of many more.

    The moments take most of the time, and little memory: they are those of all embeddings and
    policies that cover the same items.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[bytes, Dependence] = OrderedDict()
        self._moments: OrderedDict[bytes, _Moments] = OrderedDict()
        self._lock = Lock()

    def get(self, key: bytes, units: Units, strata: Codes) -> Dependence:
        """The dependence with this key, which is computed if it is not cached."""
        with self._lock:
            moments = self._moments.get(key)
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        found = _dependence(units, strata, moments)
        with self._lock:
            self._keep(key, found)
        return found

    def _keep(self, key: bytes, found: Dependence) -> None:
        self._found[key] = found
        self._moments[key] = _Moments(found.correction, found.degrees_of_freedom)
        while len(self._moments) > _CACHED_MOMENTS:
            self._moments.popitem(last=False)
        while len(self._found) > 1 and sum(map(_size, self._found.values())) > _CACHED_BYTES:
            self._found.popitem(last=False)


def _size(found: Dependence) -> int:
    """The bytes of the sparse matrices."""
    matrices = [each for each in (found.membership, found.shared) if each is not None]
    return sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in matrices)


_cache = _Cache()


def _dependence(units: Units, strata: Codes, moments: _Moments | None) -> Dependence:
    membership, crossed = _membership(units)
    sizes = np.asarray(membership.sum(axis=0)).ravel()
    shared = None
    if crossed and float(np.sum(sizes**2)) <= _MAX_PAIRS:
        shared = (membership @ membership.T).tocsr()
        shared.data[:] = 1.0
    if moments is None:
        expected, squared = _moments(membership, shared, _stratum_basis(strata))
        correction = float(np.sum(sizes**2)) / expected if expected > 0 else np.inf
        freedom = expected**2 / squared if squared > 0 else 0.0
        moments = _Moments(correction, float(freedom))
    return Dependence(membership, shared, strata, crossed, *moments)


def _membership(units: Units) -> tuple[Any, bool]:
    """Which items have which units (items, units), and whether several units of an item recur.

    Units of one item only matter if no other unit of the item recurs: the item is then a group of
    its own.
    """
    from scipy.sparse import csr_array, hstack

    items, width = units.shape
    codes = np.unique(units, return_inverse=True)[1].reshape(items, width)
    rows = np.repeat(np.arange(items), width)
    every = csr_array((np.ones(codes.size), (rows, codes.ravel())))
    every.data[:] = 1.0  # a unit that occurs twice in an item counts once
    recurs = np.asarray(every.sum(axis=0)).ravel() > 1
    several = every[:, recurs]
    number = np.diff(several.indptr)
    alone = np.flatnonzero(number == 0)
    own = csr_array((np.ones(len(alone)), (alone, np.arange(len(alone)))), (items, len(alone)))
    return hstack([several, own], format="csr"), bool(number.max(initial=0) > 1)


def _moments(membership: Any, shared: Any, basis: Floats) -> tuple[float, float]:
    """The mean and half the variance of the uncorrected variance, if units have variance 1.

    With Z (items, units) the membership, B (items, items) the pairs with a common unit and M the
    projection that removes the means of strata, the estimate is e'MBMe for e = Zu. Its mean is the
    trace of Q = Z'MBMZ, and its variance twice the sum of squares of Q. M is the identity minus
    the product of `basis` with its transpose, so that Q is a sparse matrix plus one of low rank.
    """
    pairs = _times(membership, shared, membership)
    sparse = (membership.T @ pairs).tocsr()
    projected = _times(membership, shared, basis)  # B X
    corner = basis.T @ projected
    strata = basis.shape[1]
    low_rank = np.hstack([membership.T @ projected, membership.T @ basis])
    weights = np.block([[np.zeros((strata, strata)), -np.eye(strata)], [-np.eye(strata), corner]])
    weighted = weights @ (low_rank.T @ low_rank)
    mean = float(sparse.diagonal().sum() + np.trace(weighted))
    mixed = np.trace(weights @ (low_rank.T @ (sparse @ low_rank)))
    squares = float(np.sum(sparse.data**2) + 2 * mixed + np.sum(weighted * weighted.T))
    return mean, squares


def _times(membership: Any, shared: Any, right: Any) -> Any:
    """The matrix of pairs with a common unit, times another."""
    return membership @ (membership.T @ right) if shared is None else shared @ right


def _stratum_basis(strata: Codes) -> Floats:
    """An orthonormal basis of the vectors that are constant within each stratum."""
    codes = np.unique(strata, return_inverse=True)[1].ravel()
    sizes = np.bincount(codes)
    basis = np.zeros((len(codes), len(sizes)))
    basis[np.arange(len(codes)), codes] = 1 / np.sqrt(sizes[codes])
    return basis


def _stratum_means(values: Floats, strata: Codes) -> Floats:
    codes = np.unique(strata, return_inverse=True)[1].ravel()
    return np.asarray((np.bincount(codes, values) / np.bincount(codes))[codes])
