"""What trainers say when steps were so large that numbers ran away."""

import numpy as np

from lexiscope.core.errors import BadUsage
from lexiscope.trainers._tables import Table


def finite(vectors: Table, rate: float) -> Table:
    """The vectors, all of whose numbers are finite."""
    if not np.isfinite(vectors).all():
        raise BadUsage(f"The vectors grew beyond all numbers; use a rate lower than {rate:g}.")
    return vectors
