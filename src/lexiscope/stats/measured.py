"""A metric of some predictions, with what tests need of it: shared by all pairs of embeddings."""

from collections import OrderedDict
from collections.abc import Hashable
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats, Metric, UnitInfluence
from lexiscope.core.contracts.task import Predictions
from lexiscope.core.datasets.base import Units
from lexiscope.stats.intervals import units_as_items
from lexiscope.stats.resampling import leave_one_unit_out
from lexiscope.stats.standard_error import influence

_KEPT = 128  # embeddings whose last comparisons are kept
_KEPT_BYTES = 1 << 26  # of their predictions


class Measured:
    """A metric of the predictions of one embedding; every part is computed once, when needed."""

    def __init__(self, metric: Metric, predictions: Predictions) -> None:
        self.metric, self.predictions = metric, predictions
        self._unit_influence: dict[bytes, UnitInfluence] = {}

    @cached_property
    def as_items(self) -> tuple[Metric, Predictions]:
        """The mean over items that the metric is, with units as items if it is one over units."""
        return units_as_items(self.metric, self.predictions)

    @cached_property
    def value(self) -> float:
        """The score."""
        mean, items = self.as_items
        return mean(items.predicted, items.gold)

    @cached_property
    def influence(self) -> Floats:
        """The influence of each item, or of each unit."""
        return influence(*self.as_items)

    @cached_property
    def without_units(self) -> Floats:
        """The metric without the items of each unit in turn."""
        return leave_one_unit_out(self.metric, self.predictions)

    @cached_property
    def scored_units(self) -> Units:
        """The codes of the units that have a number."""
        assert self.metric.scored_units is not None
        return self.metric.scored_units(*self._columns)

    def unit_influence(self, units: Units) -> UnitInfluence:
        """The influence of units and items on the mean over the given units."""
        assert self.metric.unit_influence is not None
        key = units.tobytes()
        if key not in self._unit_influence:
            self._unit_influence = {key: self.metric.unit_influence(*self._columns, units)}
        return self._unit_influence[key]

    @property
    def _columns(self) -> tuple[NDArray[Any], NDArray[Any], Units | None]:
        return self.predictions.predicted, self.predictions.gold, self.predictions.units


def measured(metric: Metric, predictions: Predictions) -> Measured:
    """The metric of these predictions; equal ones of the last few calls are the same object."""
    columns = predictions.predicted, predictions.gold, predictions.units, predictions.strata
    key = metric, predictions.variance_inflation, *map(_content, columns)
    with _lock:
        if key not in _measured:
            _measured[key] = Measured(metric, predictions)
        _measured.move_to_end(key)
        number = max(1, min(_KEPT, _KEPT_BYTES // max(1, predictions.predicted.nbytes)))
        while len(_measured) > number:
            _measured.popitem(last=False)
        return _measured[key]


_measured: OrderedDict[Hashable, Measured] = OrderedDict()
_lock = Lock()


def _content(column: NDArray[Any] | None) -> Hashable:
    """What is equal for equal columns only."""
    if column is None:
        return None
    if column.dtype == object:
        return tuple(column.tolist())
    return column.shape, column.dtype.str, np.ascontiguousarray(column).tobytes()
