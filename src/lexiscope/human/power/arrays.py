"""Items as arrays, for fast simulation."""

from collections.abc import Sequence

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.study import Item
from lexiscope.human.scoring.ratings import Codes, Mask


class Arrays:
    """Items as arrays: which embeddings offer each option (items, options, embeddings)."""

    def __init__(self, items: Sequence[Item], names: Sequence[str]) -> None:
        self.kind = items[0].kind
        self.options = max(len(item.options) for item in items)
        shape = len(items), self.options, len(names)
        index = {name: k for k, name in enumerate(names)}
        self.offered: Mask = np.zeros(shape, bool)
        self.sizes: Codes = np.array([len(item.options) for item in items], np.int64)
        self.answer: Codes = np.array([item.answer or 0 for item in items], np.int64)
        for row, item in enumerate(items):
            for option, sources in enumerate(item.sources):
                self.offered[row, option, [index[name] for name in sources]] = True
        self.judged: Mask = np.asarray(self.offered.any(axis=1))

    def utilities(self, rows: Codes, taste: Floats, effects: Floats) -> Floats:
        """The utility of each option (ratings, options); -inf where an item has no such option."""
        each = np.where(self.offered[rows], taste[:, None, :], -np.inf)
        return np.asarray(each.max(axis=2) + effects)

    def logits(self, rows: Codes, taste: Floats, effects: Floats) -> Floats:
        """The logit of finding the intruder, for the embedding of each item (ratings,)."""
        own = np.argmax(self.judged[rows], axis=1)
        return np.asarray(taste[np.arange(len(rows)), own] + effects[:, 0])
