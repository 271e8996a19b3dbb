"""Stored runs: open a store and select a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexiscope.evaluation.results import Results
    from lexiscope.store.store import Store


@contextmanager
def opened(path: str) -> "Iterator[Store]":
    """Open an existing store to read it; none is created, and nothing in it is changed."""
    from pathlib import Path

    from lexiscope.core.errors import BadData
    from lexiscope.store.store import Store

    if not Path(path).exists():
        raise BadData(f"{path}: there is no such store. 'lexiscope run' creates one.")
    if Path(path).stat().st_size == 0:
        raise BadData(f"{path}: is empty; no run is stored in it.")
    with Store(path, read_only=True) as store:
        yield store


def results_of(path: str, run: str | None) -> "Results":
    """The results of a stored run; default: the newest."""
    from lexiscope.core.errors import BadData, UnknownName
    from lexiscope.evaluation.load import load_results

    with opened(path) as store:
        known = [row["id"] for row in store.runs()]
        if not known:
            raise BadData(f"{path}: contains no run yet.")
        if run is not None and run not in known:
            raise UnknownName("run", run, known)
        return load_results(store, run or known[0])
