"""Scores of parts of datasets, from the stored answers."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lexiscope.bench.attributes import Attribute
from lexiscope.bench.cell import Asked, generator, score
from lexiscope.bench.stored import StoredColumn, columns_of, result_of
from lexiscope.core.policy import Policy
from lexiscope.core.result import Result
from lexiscope.store.store import Store

_FEWEST = 5  # items; below, a score says nothing


def parts_of(
    store: Store,
    run: str,
    attributes: Sequence[Attribute],
    tell: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> list[Result]:
    """The score of every band of every attribute, for each cell under the run's own policy."""
    about = store.run(run)
    policy = Policy(**about["policy"])
    columns = list(columns_of(store, store.cells(run), policy))
    found: list[Result] = []
    for number, stored in enumerate(columns, 1):
        for attribute in attributes:
            found += _parts(stored, attribute)
        tell("Breaking down", number, len(columns))
    return found


def _parts(stored: StoredColumn, attribute: Attribute) -> Iterator[Result]:
    column, dataset, cells = stored
    labels = np.array([attribute.band(words) for words in zip(*dataset.words, strict=True)])
    for band in attribute.bands:
        mask = labels == band
        if mask.sum() < _FEWEST:
            continue
        name = f"{attribute.name}: {band}"
        for cell, answered in zip(cells, column.answered, strict=True):
            asked = Asked(answered.items, answered.given, column.gold, column.units)
            rng = generator(column.seed, column.task, column.fingerprint, name)
            yield result_of(cell, score(column.measure, name, asked, mask, rng))
