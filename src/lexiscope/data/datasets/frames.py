"""Datasets from pandas DataFrames, recognised by their column names like CSV files."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeGuard

from lexiscope.core.datasets import KINDS
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.datasets import read_any

if TYPE_CHECKING:
    import pandas as pd


def is_frame(value: Any) -> "TypeGuard[pd.DataFrame]":
    """Whether a value is a pandas DataFrame; pandas is not imported."""
    return all(hasattr(value, name) for name in ("columns", "to_csv", "iloc"))


def from_frame(
    frame: "pd.DataFrame",
    name: str = "frame",
    kinds: Iterable[type[Dataset]] = tuple(KINDS.values()),
    fillers: Path | None = None,
) -> Dataset:
    """Return the dataset in a DataFrame.

    The column names select the kind, exactly as in the header of a CSV file: the frame is written
    as CSV and read back. The index is ignored; use `reset_index()` if it contains words.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row per item, with text as column names.
    name : str, default "frame"
        Name of the dataset.
    kinds : iterable of dataset classes, optional
        The kinds to consider. The default is all kinds.
    fillers : Path, optional
        Table of typical fillers, for selectional preferences only.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import pandas as pd
    >>> from lexiscope.data.datasets.frames import from_frame
    >>> frame = pd.DataFrame({"word1": ["cat", "cat"], "word2": ["dog", "tea"], "rating": [9, 1]})
    >>> from_frame(frame, "pets").kind
    'pairs'
    """
    _check(frame, name)
    with TemporaryDirectory(prefix="lexiscope-") as folder:
        path = Path(folder, "frame.csv")
        frame.to_csv(path, index=False, encoding="utf-8", lineterminator="\n")
        try:
            return read_any(kinds, path, name, fillers)
        except BadData as problem:
            raise BadData(str(problem).replace(str(path), f"DataFrame {name}")) from None


def _check(frame: "pd.DataFrame", name: str) -> None:
    if not all(isinstance(column, str) for column in frame.columns):
        raise BadUsage(
            f"DataFrame {name}: column names must be text, such as word1, word2 and rating; found "
            f"{', '.join(map(repr, list(frame.columns)[:5]))}."
        )
    if not len(frame):
        raise BadData(f"DataFrame {name}: has no rows.")
