"""Backends: each maps a function over work and yields numbered results as they finish."""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from lexiscope.cluster.connection import without_interrupts
from lexiscope.core.errors import BadData, LexiscopeError
from lexiscope.core.execution import Execution
from lexiscope.core.worker_start import without_current_folder

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

A = TypeVar("A")
B = TypeVar("B")
Numbered = Generator[tuple[int, B], None, None]
Backend = Callable[[Callable[[A], B], Iterable[A], int], Numbered[B]]

_WAITING = 4  # pieces of work that each worker has or will get; the others are not created yet


def distribute(function: Callable[[A], B], work: Iterable[A], execution: Execution) -> Numbered[B]:
    """Map a function over work with the backend and the workers of an execution.

    Yields the position of each piece of work with its result, in the order of completion. Work is
    taken from the iterable only when a worker is about to need it.
    """
    if execution.scheduler:
        return dask(function, work, execution.n_jobs, execution.scheduler)
    return BACKENDS[execution.backend](function, work, execution.n_jobs)


def serial(function: Callable[[A], B], work: Iterable[A], n_jobs: int) -> Numbered[B]:
    """One after the other in this process, each with all threads."""
    yield from enumerate(map(function, work))


def processes(function: Callable[[A], B], work: Iterable[A], n_jobs: int) -> Numbered[B]:
    """In `n_jobs` processes of this machine, which divide the threads among them."""
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    with _pool(n_jobs) as pool:
        left, numbers = enumerate(work), {}
        workers: dict[int, Any] = {}  # also those that have ended

        def submit(many: int) -> None:
            for number, item in islice(left, many):
                with without_current_folder(), without_interrupts():
                    numbers[pool.submit(function, item)] = number
                workers.update(pool._processes or {})

        try:
            submit(_WAITING * n_jobs)
            while numbers:
                for future in wait(numbers, return_when=FIRST_COMPLETED).done:
                    submit(1)
                    yield numbers.pop(future), future.result()
        except BrokenProcessPool:
            pool.shutdown()  # afterwards every worker has an exit code
            raise _reason_of_death(worker.exitcode for worker in workers.values()) from None
        except BaseException:
            # The unfinished work is lost anyway, so nobody waits for it.
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers.values():
                worker.kill()
            raise


def _reason_of_death(exit_codes: Iterable[int | None]) -> LexiscopeError:
    import signal

    safe = "What was stored before is safe; the same command continues from there."
    if -getattr(signal, "SIGBUS", 0) in set(exit_codes) - {0}:
        return BadData(
            "A vector file was truncated or could not be read while a worker process used it. "
            f"Restore the file. {safe}"
        )
    return LexiscopeError(
        f"A worker process was killed, often because memory ran out: use fewer jobs. {safe}"
    )


def _pool(n_jobs: int) -> "ProcessPoolExecutor":
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from lexiscope.core.machine import threads

    with without_current_folder():  # the queues of a pool start a process as well
        return ProcessPoolExecutor(
            n_jobs,
            get_context("spawn"),
            initializer=_initialise_worker,
            initargs=(os.getpid(), max(1, threads() // n_jobs)),
        )


def dask(
    function: Callable[[A], B], work: Iterable[A], n_jobs: int, scheduler: str = ""
) -> Numbered[B]:
    """On a dask cluster: that of `scheduler` or LEXISCOPE_DASK, else `n_jobs` local workers."""
    from lexiscope.cluster.connection import connection
    from lexiscope.cluster.work import distributed_map

    with connection(scheduler, n_jobs) as client:
        yield from distributed_map(client, function, work)


BACKENDS: dict[str, Backend[Any, Any]] = {"serial": serial, "processes": processes, "dask": dask}


def _initialise_worker(parent: int, threads: int) -> None:
    """Limit the threads of a worker, and end it when its parent is killed."""
    import signal

    os.environ["LEXISCOPE_THREADS"] = str(threads)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = str(threads)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles interrupts

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
