"""Tasks on a cluster, whose ends are handled one after the other in this thread."""

import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from lexiscope.cluster.connection import SAFE, NoScheduler, patience
from lexiscope.core.errors import LexiscopeError

Handler = Callable[[Any], None]  # receives the future of a task that has ended

_PAUSE = 2.0  # seconds between looks at the cluster


class Tasks:
    """The running tasks of a client."""

    def __init__(self, client: Any) -> None:
        self._client, self.patience = client, patience()
        self._ended: SimpleQueue[tuple[Handler, Any]] = SimpleQueue()
        self._futures: set[Any] = set()  # a future that nobody holds is cancelled
        self._needed: dict[Any, frozenset[str]] = {}  # workers that a task cannot do without
        self._looked = self._seen = time.monotonic()
        self._workers = self._threads_by_worker()

    @property
    def threads(self) -> int:
        """The number of tasks that run at a time; at least 1."""
        return max(1, sum(self._workers.values()))

    def submit(self, handler: Handler, function: Any, *arguments: Any, on: str = "") -> None:
        """Run a function on a worker, and give its future to the handler in `handle_next`.

        It runs at the address `on` if that worker lives and is not busy.
        """
        where = {"workers": [on], "allow_other_workers": True} if on else {}
        future = self._client.submit(function, *arguments, pure=False, retries=3, **where)
        self._hold(future, handler)

    def submit_to(
        self, workers: tuple[str, ...], handler: Handler, function: Any, *arguments: Any
    ) -> None:
        """As `submit`, but only on the first of these workers; cancelled when one of them ends."""
        future = self.intermediate(workers[0], function, *arguments)
        self._needed[future] = frozenset(workers)
        self._hold(future, handler)

    def intermediate(self, worker: str, function: Any, *arguments: Any) -> Any:
        """The future of a task on a worker; only other tasks need its result."""
        return self._client.submit(function, *arguments, pure=False, workers=[worker])

    def _hold(self, future: Any, handler: Handler) -> None:
        self._futures.add(future)
        future.add_done_callback(lambda ended: self._ended.put((handler, ended)))

    def everywhere(self, function: Any, *arguments: Any, seconds: float) -> None:
        """Run a function at once on all workers that respond; it gets the worker as `dask_worker`.

        A cluster that has ended is not an error.
        """
        with suppress(OSError, RuntimeError, TimeoutError, AttributeError):
            run = self._client._run  # `run` itself would wait for a stopped worker
            self._client.sync(
                run, function, *arguments, on_error="ignore", callback_timeout=seconds
            )

    def handle_next(self) -> None:
        """Wait until a task has ended and handle it; an error if the cluster has ended."""
        while True:
            if time.monotonic() > self._looked + _PAUSE:
                self._look()
            with suppress(Empty):
                handler, future = self._ended.get(timeout=_PAUSE)
                break
        self._futures.discard(future)
        self._needed.pop(future, None)
        handler(future)

    def _look(self) -> None:
        self._workers = self._threads_by_worker()
        self._looked = time.monotonic()
        for future, workers in self._needed.items():
            if not workers <= self._workers.keys():
                future.cancel()
        if self._workers:
            self._seen = self._looked
        elif self._looked > self._seen + self.patience:
            raise NoScheduler(
                f"The dask scheduler {self._address()} has had no worker for "
                f"{self.patience:g} seconds. {SAFE}"
            )

    def _threads_by_worker(self) -> dict[str, int]:
        try:
            return dict(
                self._client.sync(
                    self._client.scheduler.ncores, workers=None, callback_timeout=self.patience
                )
            )
        except (OSError, RuntimeError, TimeoutError, AttributeError) as problem:
            raise self.lost(str(problem) or type(problem).__name__) from None

    def lost(self, reason: str) -> LexiscopeError:
        """The error for a scheduler that has ended."""
        return NoScheduler(
            f"The connection to the dask scheduler {self._address()} was lost ({reason}). {SAFE}"
        )

    def _address(self) -> str:
        return str(getattr(self._client.scheduler, "address", ""))


def result_of(tasks: Tasks, future: Any) -> Any:
    """The result of a future, or one clear error."""
    if future.status == "error":
        raise _explained(future.exception())
    if future.status != "finished":
        raise tasks.lost(future.status)
    try:
        return future.result(timeout=tasks.patience)
    except (OSError, TimeoutError) as problem:
        raise tasks.lost(str(problem) or type(problem).__name__) from None


def _explained(problem: BaseException) -> BaseException:
    """The exception of a task; those of the cluster as a sentence."""
    from distributed import KilledWorker

    if isinstance(problem, KilledWorker):
        return LexiscopeError(
            f"{problem.allowed_failures + 1} workers were killed one after the other by the same "
            "part of the work, often because memory ran out: give them more memory or fewer "
            f"threads. {SAFE}"
        )
    if isinstance(problem, ModuleNotFoundError):
        return LexiscopeError(
            f"A worker cannot import '{problem.name}'. Install the same packages on every worker: "
            'pip install "lexiscope[dask]"'
        )
    return problem
