"""Words that share a row: files with fewer vectors than words, such as spaCy's pruned vectors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown

_EXAMPLES = 3


def shared_rows(words: Sequence[Any], rows: NDArray[np.int64], where: str) -> tuple[str, ...]:
    """Return a note if several words share a row, and thus have equal vectors, or none."""
    used, sizes = np.unique(rows, return_counts=True)
    if len(used) == len(rows):
        return ()
    largest = np.argsort(-sizes, kind="stable")[:_EXAMPLES]
    groups = [_group(words, rows, int(used[row])) for row in largest if sizes[row] > 1]
    return (
        f"{where}: {len(rows):,} words share {len(used):,} vectors, so that "
        f"{len(rows) - len(used):,} words have the vector of another word, for example "
        f"{'; '.join(groups)}. Cosines between such words are 1.",
    )


def _group(words: Sequence[Any], rows: NDArray[np.int64], row: int) -> str:
    members = np.flatnonzero(rows == row)[:_EXAMPLES].tolist()
    return " = ".join(f"'{shown(str(words[member]))}'" for member in members)
