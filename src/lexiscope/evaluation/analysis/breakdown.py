"""Breakdowns: scores of the items of each band of an attribute, from the stored predictions."""

from collections.abc import Iterator

import numpy as np

from lexiscope.core.result import Result
from lexiscope.core.seeding import generator
from lexiscope.evaluation.analysis.attributes import Attribute
from lexiscope.evaluation.cell import ScoredItems, score
from lexiscope.evaluation.load import LoadedEvaluation, result_of

_MIN_ITEMS = 5


def breakdowns(evaluation: LoadedEvaluation, attribute: Attribute) -> Iterator[Result]:
    """The score of every band of an attribute for each embedding of an evaluation.

    Long texts have no bands: they are datasets that stores do not keep.
    """
    found, dataset = evaluation.predictions, evaluation.dataset
    if not dataset.stored:
        return
    bands = np.array([attribute.band(words) for words in zip(*dataset.words, strict=True)])
    for band in attribute.bands:
        mask = bands == band
        if mask.sum() < _MIN_ITEMS:
            continue
        name = f"{attribute.name}: {band}"
        for cell, predictions in zip(evaluation.cells, found.predictions, strict=True):
            data = ScoredItems(
                predictions.items, predictions.predicted, found.gold, found.units, found.strata,
                found.variance_inflation,
            )  # fmt: skip
            rng = generator(found.seed, found.task, found.fingerprint, name)
            yield result_of(cell, score(found.metric, name, data, mask, rng))
