"""Errors for trainings that diverge."""

import numpy as np

from lexiscope.core.contracts.trainer import State
from lexiscope.core.errors import BadUsage
from lexiscope.trainers._tables import Table

_ROWS = 256  # of a table: the vectors of the most frequent words diverge first


def check_finite(vectors: Table, learning_rate: float) -> Table:
    """Return the vectors; an error if a number is infinite or NaN."""
    if not np.isfinite(vectors).all():
        raise BadUsage(
            "The training diverged: vectors are no longer finite. Use a learning_rate lower than "
            f"{learning_rate:g}."
        )
    return vectors


def check_first_rows(tables: State, learning_rate: float) -> None:
    """Raise an error if the training diverged; only the first rows of each table are checked."""
    for table in tables.values():
        check_finite(table[:_ROWS], learning_rate)
