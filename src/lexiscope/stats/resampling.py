"""Resamples of items, and metrics of each of them."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cached_property, lru_cache, partial
from threading import Lock

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.core.machine import threads

RESAMPLES = 2000
BLOCK = 64  # resamples in a block of a kernel: that of kernels/resampled_correlation.py
Rows = NDArray[np.int32] | NDArray[np.int64]
Counts = NDArray[np.uint16]  # (blocks, items, BLOCK): how often each resample holds each item
_BATCH = 1 << 22  # item indices in memory: 16 MB
_KEPT = 1 << 25  # counts of resamples that are used again: 64 MB
_KEPT_BYTES = 1 << 27  # of all resamples that are kept
_KEPT_RESULTS = 256
_MIN_THREADED = 100_000  # counts; with fewer, threads cost more than they save


class Resamples:
    """Samples of some items, each as how often it holds each item.

    Parameters
    ----------
    items : int
        The number of items that are sampled from.
    number : int
        The number of samples.
    size : int
        The number of items in a sample.
    rows : callable
        Returns batches of samples as rows of item indices, the same ones in every call. All
        batches but the last are whole blocks.
    """

    def __init__(
        self, items: int, number: int, size: int, rows: Callable[[], Iterator[Rows]]
    ) -> None:
        self.items, self.number, self.size, self.rows = items, number, size, rows
        self._ranked: tuple[bytes, list[_Ranks]] = b"", []
        self._results: OrderedDict[bytes, Floats] = OrderedDict()

    @classmethod
    def of(cls, rows: Rows) -> "Resamples":
        """Take given samples, as rows of indices of as many items."""
        number, items = rows.shape
        return cls(items, number, items, lambda: iter([rows]))

    @classmethod
    def drawn(cls, items: int, rng: Generator, number: int = RESAMPLES) -> "Resamples":
        """Draw bootstrap samples, those of `scipy.stats.bootstrap` with the same generator.

        The last few are shared: all embeddings have the same generator for the same items.
        """
        key = items, number, str(rng.bit_generator.state)
        with _lock:
            if key not in _drawn:
                _drawn[key] = cls._draw(items, rng, number)
            _drawn.move_to_end(key)
            while len(_drawn) > 1 and sum(map(_bytes_kept, _drawn)) > _KEPT_BYTES:
                _drawn.popitem(last=False)
            return _drawn[key]

    @classmethod
    def _draw(cls, items: int, rng: Generator, number: int) -> "Resamples":
        start = deepcopy(rng)

        def rows() -> Iterator[Rows]:
            generator = deepcopy(start)
            for size in _batches(number, items):
                yield generator.integers(0, items, (size, items), np.int32)

        return cls(items, number, items, rows)

    def result(self, name: str, columns: Sequence[Floats], compute: Callable[[], Floats]) -> Floats:
        """The metric `name` of the columns in each sample; the last results are kept.

        An embedding is compared with all others on the same samples.
        """
        digest = hashlib.blake2b(name.encode(), digest_size=16)
        for column in columns:
            digest.update(np.ascontiguousarray(column).tobytes())
        key = digest.digest()
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = compute()
            found.flags.writeable = False
            if len(self._results) > _KEPT_RESULTS:
                self._results.popitem(last=False)
        return found

    def counts(self) -> Iterator[Counts]:
        """The counts of each batch; those of few items are kept for the next call."""
        if self.number * self.items <= _KEPT:
            return iter(self._kept)
        return map(self._counted, self.rows())

    @cached_property
    def _kept(self) -> list[Counts]:
        return list(map(self._counted, self.rows()))

    def _counted(self, rows: Rows) -> Counts:
        from lexiscope.kernels.resampled_correlation import count_items

        counts = np.zeros((-(-len(rows) // BLOCK), self.items, BLOCK), np.uint16)
        count_items(rows, counts)
        return counts

    def with_ranks(self, values: Floats) -> Iterator[tuple[Counts, "_Ranks"]]:
        """The counts of each batch with the ranks of a column in it.

        The ranks of the last column are kept for the next call: gold ratings are those of all
        embeddings.
        """
        key = values.tobytes()
        ranked = self._ranked  # another thread may replace it
        if ranked[0] == key:
            yield from zip(self.counts(), ranked[1], strict=True)
            return
        found = []
        for counts in self.counts():
            ranks = _Ranks(values, counts)
            if self.number * self.items <= _KEPT:
                found.append(ranks)
            yield counts, ranks
        self._ranked = (key, found) if found else (b"", [])


class _Ranks:
    """The centred ranks of a column in each resample of a batch, and their sums of squares."""

    def __init__(self, values: Floats, counts: Counts) -> None:
        from lexiscope.kernels.resampled_correlation import centred_ranks

        order = _sorted(values)
        self.ranks = np.empty(counts.shape, np.int32)
        self.squares = np.empty((len(counts), BLOCK))
        _in_parts(
            lambda a, b: centred_ranks(*order, counts[a:b], self.ranks[a:b], self.squares[a:b]),
            counts,
        )


_drawn: OrderedDict[tuple[int, int, str], Resamples] = OrderedDict()
_lock = Lock()


def _bytes_kept(key: tuple[int, int, str]) -> int:
    """The bytes of the counts and ranks of resamples, which are kept if there are few items."""
    items, number, _ = key
    return 6 * items * number if items * number <= _KEPT else 0


@lru_cache(maxsize=4)
def without_each(items: int) -> Resamples:
    """Return the samples that leave out one item each."""

    def rows() -> Iterator[Rows]:
        first = 0
        for size in _batches(items, items):
            left_out = np.arange(first, first + size)[:, None]
            kept = np.arange(items - 1)[None]
            yield kept + (kept >= left_out)
            first += size

    return Resamples(items, items, items - 1, rows)


def _batches(number: int, items: int) -> Iterator[int]:
    """The numbers of samples in each batch."""
    most = max(1, _BATCH // max(1, items) // BLOCK) * BLOCK
    while number > 0:
        yield min(most, number)
        number -= most


def resampled_metric(metric: Metric, predictions: Predictions) -> Callable[[Resamples], Floats]:
    """Return a function from resamples to the metric of each; NaN where undefined."""
    from lexiscope.metrics.correlation import pearson, spearman

    if metric.per_item is not None:
        values = np.asarray(metric.per_item(predictions.predicted, predictions.gold), np.float64)
        return lambda resamples: _sums(values, resamples) / resamples.size
    if metric.counts is not None and metric.of_totals is not None:
        rows, of_totals = metric.counts(predictions.predicted, predictions.gold), metric.of_totals
        columns = np.ascontiguousarray(rows.T, np.float64)
        return lambda resamples: of_totals(
            np.column_stack([_sums(column, resamples) for column in columns])
        )
    if metric.transform is spearman.transform:
        return lambda resamples: _spearmans(*_floats(predictions), resamples)
    if metric.transform is pearson.transform:
        return lambda resamples: _pearsons(*_floats(predictions), resamples)
    return lambda resamples: np.array(
        [_one(metric, predictions, row) for rows in resamples.rows() for row in rows]
    )


def leave_one_out(metric: Metric, predictions: Predictions) -> Floats:
    """Compute the metric without each item in turn; NaN where undefined."""
    if metric.counts is not None and metric.of_totals is not None:
        counts = metric.counts(predictions.predicted, predictions.gold)
        return metric.of_totals(counts.sum(axis=0) - counts)
    return resampled_metric(metric, predictions)(without_each(len(predictions.predicted)))


def leave_one_unit_out(metric: Metric, predictions: Predictions) -> Floats:
    """Compute the metric without the items of each unit in turn; NaN where undefined."""
    units = predictions.units
    if units is None:
        return leave_one_out(metric, predictions)
    kept = (~(units == unit).any(axis=1) for unit in np.unique(units).tolist())
    return np.array([_one(metric, predictions, np.flatnonzero(items)) for items in kept])


def _one(metric: Metric, predictions: Predictions, sample: Rows) -> float:
    try:
        return metric(predictions.predicted[sample], predictions.gold[sample])
    except Undefined:
        return np.nan


def _sums(values: Floats, resamples: Resamples) -> Floats:
    from lexiscope.kernels.resampled_correlation import resampled_sums

    return resamples.result(
        "sum", [values],
        lambda: _collected(resamples, lambda counts, out: resampled_sums(values, counts, out)),
    )  # fmt: skip


def _pearsons(predicted: Floats, gold: Floats, resamples: Resamples) -> Floats:
    from lexiscope.kernels.resampled_correlation import resampled_pearson

    def correlate(counts: Counts, out: Floats) -> None:
        resampled_pearson(predicted, gold, counts, out)

    columns = predicted, gold
    return resamples.result("pearson", columns, lambda: _collected(resamples, correlate))


def _spearmans(predicted: Floats, gold: Floats, resamples: Resamples) -> Floats:
    columns = predicted, gold
    return resamples.result("spearman", columns, lambda: _ranked(predicted, gold, resamples))


def _ranked(predicted: Floats, gold: Floats, resamples: Resamples) -> Floats:
    from lexiscope.kernels.resampled_correlation import resampled_spearman

    order, found = _sorted(predicted), []

    def correlate(
        counts: Counts, ranks: NDArray[np.int32], squares: Floats, out: Floats, a: int, b: int
    ) -> None:
        resampled_spearman(*order, counts[a:b], ranks[a:b], squares[a:b], out[a:b])

    for counts, other in resamples.with_ranks(gold):
        out = np.empty((len(counts), BLOCK))
        _in_parts(partial(correlate, counts, other.ranks, other.squares, out), counts)
        found.append(out.ravel())
    return np.concatenate(found)[: resamples.number]


def _collected(resamples: Resamples, kernel: Callable[[Counts, Floats], None]) -> Floats:
    """The results of a kernel over all batches, without the empty resamples of the last block."""
    found = []

    def part(counts: Counts, out: Floats, a: int, b: int) -> None:
        kernel(counts[a:b], out[a:b])

    for counts in resamples.counts():
        out = np.empty((len(counts), BLOCK))
        _in_parts(partial(part, counts, out), counts)
        found.append(out.ravel())
    return np.concatenate(found)[: resamples.number]


def _in_parts(kernel: Callable[[int, int], None], counts: Counts) -> None:
    """Run a kernel over ranges of blocks, one per thread; it releases the GIL."""
    blocks = len(counts)
    parts = min(threads(), blocks)
    if counts.size < _MIN_THREADED or parts < 2:
        kernel(0, blocks)
        return
    ends = [blocks * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(kernel, ends[:-1], ends[1:]))


def _floats(predictions: Predictions) -> tuple[Floats, Floats]:
    return np.asarray(predictions.predicted, np.float64), np.asarray(predictions.gold, np.float64)


def _sorted(values: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    return order, np.concatenate([[False], in_order[1:] == in_order[:-1]])
