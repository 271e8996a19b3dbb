"""Starting processes of Python that never import from the current folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_VARIABLE = "PYTHONSAFEPATH"


@contextmanager
def without_current_folder() -> Iterator[None]:
    """Start processes that ignore modules which lie in the current folder.

    `python -c`, which starts the workers of multiprocessing and of dask, looks there first: a
    `multiprocessing.py` next to a downloaded vector file would run. Workers get the module search
    path of this process afterwards, so they import what it imports.
    """
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_VARIABLE, None)
        else:
            os.environ[_VARIABLE] = before
