"""Opening a store and finding a run in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexiscope.bench.results import Results
    from lexiscope.store.store import Store


@contextmanager
def opened(path: str) -> "Iterator[Store]":
    """A store that is there already; none is made."""
    from pathlib import Path

    from lexiscope.core.errors import BadData
    from lexiscope.store.store import Store

    if not Path(path).exists():
        raise BadData(f"{path}: there is no such store. 'lexiscope run' makes one.")
    if Path(path).stat().st_size == 0:  # a new database would be written into it
        raise BadData(f"{path}: is empty, no run is stored in it.")
    with Store(path) as store:
        yield store


def results_of(path: str, run: str | None) -> "Results":
    """The results of a run, the newest by default."""
    from lexiscope.bench.results import read
    from lexiscope.core.errors import BadData, UnknownName

    with opened(path) as store:
        known = [row["id"] for row in store.runs()]
        if not known:
            raise BadData(f"{path}: holds no run yet.")
        if run is not None and run not in known:
            raise UnknownName("run", run, known)
        return read(store, run or known[0])
