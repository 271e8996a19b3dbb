"""Backends: each maps a function over work and yields numbered results as they finish."""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import Any, TypeVar

from lexiscope.core.errors import BadData, LexiscopeError, MissingExtra
from lexiscope.core.execution import Execution

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
    return BACKENDS[execution.backend](function, work, execution.n_jobs)


def serial(function: Callable[[A], B], work: Iterable[A], n_jobs: int) -> Numbered[B]:
    """One after the other in this process, each with all threads."""
    yield from enumerate(map(function, work))


def processes(function: Callable[[A], B], work: Iterable[A], n_jobs: int) -> Numbered[B]:
    """In `n_jobs` processes of this machine, which divide the threads among them."""
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    from lexiscope.core.machine import threads

    threads_each = max(1, threads() // n_jobs)
    with ProcessPoolExecutor(
        n_jobs,
        get_context("spawn"),
        initializer=_initialise_worker,
        initargs=(os.getpid(), threads_each),
    ) as pool:
        left = enumerate(work)
        try:
            numbers = {
                pool.submit(function, item): number
                for number, item in islice(left, _WAITING * n_jobs)
            }
            while numbers:
                for future in wait(numbers, return_when=FIRST_COMPLETED).done:
                    for number, item in islice(left, 1):
                        numbers[pool.submit(function, item)] = number
                    yield numbers.pop(future), future.result()
        except BrokenProcessPool:
            raise LexiscopeError(
                "A worker process was killed, often because memory ran out: use fewer jobs. "
                "What was stored before is safe; the same command continues from there."
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def dask(function: Callable[[A], B], work: Iterable[A], n_jobs: int) -> Numbered[B]:
    """On a dask cluster: the one at LEXISCOPE_DASK, else `n_jobs` local workers on loopback."""
    try:
        from distributed import as_completed
    except ImportError:
        raise MissingExtra("The dask backend", "dask") from None
    with _client(n_jobs) as client:
        left, numbers = enumerate(work), {}
        finished = as_completed(loop=client.loop)  # type: ignore[no-untyped-call]

        def submit(many: int) -> None:
            for number, item in islice(left, many):
                future = client.submit(function, item, retries=3, pure=False)
                numbers[future.key] = number
                finished.add(future)  # type: ignore[no-untyped-call]

        submit(_WAITING * max(n_jobs, len(client.scheduler_info()["workers"])))
        for future in finished:
            submit(1)
            yield numbers.pop(future.key), future.result()


def _client(n_jobs: int) -> Any:
    from distributed import Client

    address = os.environ.get("LEXISCOPE_DASK")
    if address:
        try:
            return Client(address, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as problem:
            raise BadData(f"LEXISCOPE_DASK={address}: no scheduler responds ({problem}).") from None
    return Client(  # type: ignore[no-untyped-call]
        n_workers=n_jobs,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        set_as_default=False,
        silence_logs=50,
    )


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
