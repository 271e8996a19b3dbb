"""Backends: each is a map. Results come back as they are finished, with their number."""

import os
import threading
import time
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from lexiscope.core.errors import BadData, LexiscopeError, MissingExtra, UnknownName

A = TypeVar("A")
B = TypeVar("B")
Numbered = Generator[tuple[int, B], None, None]
Backend = Callable[[Callable[[A], B], list[A], int], Numbered[B]]


def serial(function: Callable[[A], B], work: list[A], jobs: int) -> Numbered[B]:
    """One after the other, in this process, each with all the threads."""
    yield from enumerate(map(function, work))


def processes(function: Callable[[A], B], work: list[A], jobs: int) -> Numbered[B]:
    """In `jobs` processes of this machine, each with its share of the threads."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    from lexiscope.core.machine import threads

    share = max(1, threads() // jobs)
    with ProcessPoolExecutor(
        jobs, get_context("spawn"), initializer=_settle, initargs=(os.getpid(), share)
    ) as pool:
        numbers = {pool.submit(function, item): number for number, item in enumerate(work)}
        try:
            for future in as_completed(numbers):
                yield numbers[future], future.result()
        except BrokenProcessPool:
            raise LexiscopeError(
                "A worker process was killed, often for want of memory: use fewer jobs. "
                "What was stored before is safe; the same command goes on from there."
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def dask(function: Callable[[A], B], work: list[A], jobs: int) -> Numbered[B]:
    """On a dask cluster: the one at LEXISCOPE_DASK, else `jobs` local workers on loopback."""
    try:
        from distributed import as_completed
    except ImportError:
        raise MissingExtra("The dask backend", "dask") from None
    with _client(jobs) as client:
        futures = [client.submit(function, item, retries=3, pure=False) for item in work]
        numbers = {future.key: number for number, future in enumerate(futures)}
        for future in as_completed(futures, loop=client.loop):  # type: ignore[no-untyped-call]
            yield numbers[future.key], future.result()


def _client(jobs: int) -> Any:
    from distributed import Client

    address = os.environ.get("LEXISCOPE_DASK")
    if address:
        try:
            return Client(address, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as problem:
            raise BadData(f"LEXISCOPE_DASK={address}: no scheduler answers ({problem}).") from None
    return Client(  # type: ignore[no-untyped-call]
        n_workers=jobs,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        set_as_default=False,
        silence_logs=50,
    )


BACKENDS: dict[str, Backend[Any, Any]] = {"serial": serial, "processes": processes, "dask": dask}


def named(name: str) -> Backend[Any, Any]:
    """The backend with this name."""
    if name not in BACKENDS:
        raise UnknownName("backend", name, BACKENDS)
    return BACKENDS[name]


def _settle(parent: int, share: int) -> None:
    """Make a worker modest, and let it end when its parent is killed."""
    import signal

    os.environ["LEXISCOPE_THREADS"] = str(share)
    for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[library] = str(share)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
