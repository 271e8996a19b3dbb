"""What trainers say when steps were so large that numbers ran away."""

import numpy as np

from lexiscope.core.errors import BadUsage
from lexiscope.core.trainer import State
from lexiscope.trainers._tables import Table

_ROWS = 256  # of a table: the most frequent words run away first


def finite(vectors: Table, rate: float) -> Table:
    """The vectors, all of whose numbers are finite."""
    if not np.isfinite(vectors).all():
        raise BadUsage(f"The vectors grew beyond all numbers; use a rate lower than {rate:g}.")
    return vectors


def check_first(tables: State, rate: float) -> None:
    """Refuse to go on with numbers that ran away, without looking at all of them."""
    for table in tables.values():
        finite(table[:_ROWS], rate)
