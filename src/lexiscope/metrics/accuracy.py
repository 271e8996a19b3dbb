"""Accuracy: the proportion of items whose prediction equals the gold value.

Examples
--------
>>> import numpy as np
>>> accuracy(np.array(["cat", "dog"]), np.array(["cat", "cow"]))
0.5
"""

import numpy as np

from lexiscope.core.contracts.metric import Floats, Metric, Values
from lexiscope.core.errors import Undefined


def _hits(predicted: Values, gold: Values) -> Floats:
    return np.asarray(predicted == gold, np.float64)


def _accuracy(predicted: Values, gold: Values) -> float:
    if len(predicted) == 0:
        raise Undefined("no item is covered")
    return float(np.mean(predicted == gold))


accuracy = Metric(_accuracy, "accuracy", per_item=_hits, bounds=(0.0, 1.0))
accuracy_all_items = accuracy.over_all_items("accuracy_all_items")
