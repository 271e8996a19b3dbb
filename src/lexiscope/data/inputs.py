"""Where a run reads its inputs from, and what it does about broken ones."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lexiscope.core.errors import BadUsage
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import OnError


@dataclass(frozen=True)
class Inputs:
    """Where embeddings and datasets come from, and how they are read.

    Parameters
    ----------
    data_dir : str or Path, optional
        Folder with your own copies of catalogue files. It is searched before the download
        cache; files are recognised by their checksums, not by their names. The default is the
        folder in the environment variable LEXISCOPE_DATA_DIR, if it is set.
    on_error : {"stop", "skip", "replace"}, default "stop"
        What to do about a broken row of a vector file: raise an error, leave the row out and
        list it in `Embedding.repairs`, or as "skip" but replace invalid characters in words
        with U+FFFD.
    fillers : str or Path, optional
        Table of typical fillers (head, slot, filler and, optionally, weight) for selectional
        preference. Catalogue datasets have a table of their own.
    frequencies : str or Path, optional
        Table of words and counts, for breakdowns by frequency or occurrences.

    Examples
    --------
    >>> from lexiscope.data.inputs import Inputs
    >>> Inputs(on_error="skip").on_error
    'skip'
    >>> Inputs(on_error="ignore")
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: on_error is 'stop', 'skip' or 'replace', found 'ignore'.
    """

    data_dir: str | Path | None = None
    on_error: OnError = "stop"
    fillers: str | Path | None = None
    frequencies: str | Path | None = None

    def __post_init__(self) -> None:
        if self.on_error not in ("stop", "skip", "replace"):
            raise BadUsage(f"on_error is 'stop', 'skip' or 'replace', found '{self.on_error}'.")

    @cached_property
    def local_data(self) -> LocalData:
        """The catalogue files that are available locally: `data_dir`, then the cache."""
        return LocalData(self.data_dir)
