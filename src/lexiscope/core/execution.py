"""Execution: where results are stored, and how work is distributed and reported."""

from dataclasses import dataclass
from pathlib import Path

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.progress import Progress, silent

BACKENDS = ("serial", "processes", "dask")
IN_MEMORY = ":memory:"


@dataclass(frozen=True)
class Execution:
    """Where results are stored, and how work is distributed and reported.

    No choice here changes a number: every backend gives the same results.

    Parameters
    ----------
    store : str or Path, default ":memory:"
        SQLite file that keeps all predictions and scores. Work that is already stored is not
        repeated. ":memory:" keeps nothing.
    backend : {"serial", "processes", "dask"}, optional
        Work in this process, in `n_jobs` processes of this machine, or on a dask cluster. The
        default is "serial" for one job and "processes" for more.
    n_jobs : int, default 1
        Number of workers.
    progress : callable, optional
        Called with a description, the number of finished steps and the number of all steps.
    force : bool, default False
        Repeat work that is already stored.
    scheduler : str, optional
        Address of the scheduler of a dask cluster, such as "tcp://10.0.0.1:8786"; the backend is
        then "dask". Without it, "dask" uses that of the environment variable LEXISCOPE_DASK, else
        `n_jobs` workers of this machine.

    Examples
    --------
    >>> from lexiscope.core.execution import Execution
    >>> Execution().backend
    'serial'
    >>> Execution(store="results.sqlite", n_jobs=4).backend
    'processes'
    >>> Execution(n_jobs=0)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: n_jobs must be 1 or more, found 0.
    """

    store: str | Path = IN_MEMORY
    backend: str = ""
    n_jobs: int = 1
    progress: Progress = silent
    force: bool = False
    scheduler: str = ""

    def __post_init__(self) -> None:
        if type(self.n_jobs) is not int:
            raise BadUsage(f"n_jobs is a whole number, found {type(self.n_jobs).__name__}.")
        if self.n_jobs < 1:
            raise BadUsage(f"n_jobs must be 1 or more, found {self.n_jobs}.")
        if not self.backend:
            object.__setattr__(self, "backend", _default_backend(self.n_jobs, self.scheduler))
        if self.backend not in BACKENDS:
            raise UnknownName("backend", self.backend, BACKENDS)
        if self.scheduler and self.backend != "dask":
            raise BadUsage(f"A scheduler needs the dask backend, found {self.backend}.")


def _default_backend(n_jobs: int, scheduler: str) -> str:
    return "dask" if scheduler else "processes" if n_jobs > 1 else "serial"
