"""Metrics of resampled items."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.errors import Undefined
from lexiscope.core.machine import threads

Samples = NDArray[np.int64]
_BATCH = 1 << 22  # item indices in memory: 32 MB
_MIN_THREADED = 100_000  # item indices; with fewer, threads cost more than they save


def resampled_metric(metric: Metric, predictions: Predictions) -> Callable[[Samples], Floats]:
    """Return a function from rows of item indices to the metric of each; NaN where undefined."""
    from lexiscope.metrics.correlation import pearson, spearman

    if metric.per_item is not None:
        values = metric.per_item(predictions.predicted, predictions.gold)
        return lambda samples: np.asarray(values[samples].mean(axis=1))
    if metric.counts is not None and metric.of_totals is not None:
        rows, of_totals = metric.counts(predictions.predicted, predictions.gold), metric.of_totals
        return lambda samples: of_totals(rows[samples].sum(axis=1))
    if metric.transform is spearman.transform:
        return _spearmans(predictions)
    if metric.transform is pearson.transform:
        return _pearsons(predictions)
    return lambda samples: np.array([_one(metric, predictions, sample) for sample in samples])


def leave_one_out(metric: Metric, predictions: Predictions) -> Floats:
    """Compute the metric without each item in turn; NaN where undefined."""
    if metric.counts is not None and metric.of_totals is not None:
        counts = metric.counts(predictions.predicted, predictions.gold)
        return metric.of_totals(counts.sum(axis=0) - counts)
    items, statistic = np.arange(len(predictions.predicted)), resampled_metric(metric, predictions)
    parts = np.array_split(items, max(1, len(items) ** 2 // _BATCH))
    rows = (np.array([np.delete(items, item) for item in part]) for part in parts)
    return np.concatenate([statistic(some) for some in rows])


def leave_one_unit_out(metric: Metric, predictions: Predictions) -> Floats:
    """Compute the metric without the items of each unit in turn; NaN where undefined."""
    units = predictions.units
    if units is None:
        return leave_one_out(metric, predictions)
    kept = (~(units == unit).any(axis=1) for unit in np.unique(units).tolist())
    return np.array([_one(metric, predictions, np.flatnonzero(items)) for items in kept])


def _one(metric: Metric, predictions: Predictions, sample: Samples) -> float:
    try:
        return metric(predictions.predicted[sample], predictions.gold[sample])
    except Undefined:
        return np.nan


def _spearmans(predictions: Predictions) -> Callable[[Samples], Floats]:
    from lexiscope.kernels.resampled_correlation import resampled_spearman

    columns = *_sorted(predictions.predicted), *_sorted(predictions.gold)
    return partial(_in_parts, lambda samples, out: resampled_spearman(*columns, samples, out))


def _pearsons(predictions: Predictions) -> Callable[[Samples], Floats]:
    from lexiscope.kernels.resampled_correlation import resampled_pearson

    columns = _floats(predictions)
    return partial(_in_parts, lambda samples, out: resampled_pearson(*columns, samples, out))


def _in_parts(kernel: Callable[[Samples, Floats], None], samples: Samples) -> Floats:
    """Run the kernel over all samples, a part per thread; it releases the GIL."""
    out = np.empty(len(samples))
    parts = min(threads(), len(samples))
    if samples.size < _MIN_THREADED or parts < 2:
        kernel(samples, out)
        return out
    ends = [len(samples) * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(lambda a, b: kernel(samples[a:b], out[a:b]), ends[:-1], ends[1:]))
    return out


def _floats(predictions: Predictions) -> tuple[Floats, Floats]:
    return np.asarray(predictions.predicted, np.float64), np.asarray(predictions.gold, np.float64)


def _sorted(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    return order, np.concatenate([[False], in_order[1:] == in_order[:-1]])
