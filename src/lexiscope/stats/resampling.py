"""A measure of many samples of the same items."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.errors import Undefined
from lexiscope.core.machine import threads
from lexiscope.core.measure import Floats, Measure
from lexiscope.core.task import Answers

Samples = NDArray[np.int64]
_AT_ONCE = 1 << 22  # item numbers held in one go: 32 MB
_FEW = 100_000  # item numbers; below, threads cost more than they bring


def of_samples(measure: Measure, answers: Answers) -> Callable[[Samples], Floats]:
    """A function of rows of item numbers that gives the measure of each; NaN where undefined."""
    from lexiscope.stats.measures import pearson, spearman

    if measure.per_item is not None:
        values = measure.per_item(answers.given, answers.gold)
        return lambda samples: np.asarray(values[samples].mean(axis=1))
    if measure.counts is not None and measure.of_totals is not None:
        rows, of_totals = measure.counts(answers.given, answers.gold), measure.of_totals
        return lambda samples: of_totals(rows[samples].sum(axis=1))
    if measure.scale is spearman.scale:
        return _spearmans(answers)
    if measure.scale is pearson.scale:
        return _pearsons(answers)
    return lambda samples: np.array([_one(measure, answers, sample) for sample in samples])


def left_out(measure: Measure, answers: Answers) -> Floats:
    """The measure without each item in turn; NaN where undefined."""
    if measure.counts is not None and measure.of_totals is not None:
        counts = measure.counts(answers.given, answers.gold)
        return measure.of_totals(counts.sum(axis=0) - counts)
    items, measured = np.arange(len(answers.given)), of_samples(measure, answers)
    parts = np.array_split(items, max(1, len(items) ** 2 // _AT_ONCE))
    rows = (np.array([np.delete(items, item) for item in part]) for part in parts)
    return np.concatenate([measured(some) for some in rows])


def _one(measure: Measure, answers: Answers, sample: Samples) -> float:
    try:
        return measure(answers.given[sample], answers.gold[sample])
    except Undefined:
        return np.nan


def _spearmans(answers: Answers) -> Callable[[Samples], Floats]:
    from lexiscope.kernels.ranks import resampled_spearman

    columns = *_sorted(answers.given), *_sorted(answers.gold)
    return partial(_in_parts, lambda samples, out: resampled_spearman(*columns, samples, out))


def _pearsons(answers: Answers) -> Callable[[Samples], Floats]:
    from lexiscope.kernels.ranks import resampled_pearson

    columns = _floats(answers)
    return partial(_in_parts, lambda samples, out: resampled_pearson(*columns, samples, out))


def _in_parts(kernel: Callable[[Samples, Floats], None], samples: Samples) -> Floats:
    """The kernel over all samples, a part for each thread; it does not hold the interpreter."""
    out = np.empty(len(samples))
    parts = min(threads(), len(samples))
    if samples.size < _FEW or parts < 2:
        kernel(samples, out)
        return out
    ends = [len(samples) * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(parts) as pool:
        list(pool.map(lambda a, b: kernel(samples[a:b], out[a:b]), ends[:-1], ends[1:]))
    return out


def _floats(answers: Answers) -> tuple[Floats, Floats]:
    return np.asarray(answers.given, np.float64), np.asarray(answers.gold, np.float64)


def _sorted(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    order = np.argsort(values, kind="stable")
    arranged = values[order]
    return order, np.concatenate([[False], arranged[1:] == arranged[:-1]])
