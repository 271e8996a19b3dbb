"""Backends: each maps a function over work and yields numbered results as they finish."""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
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
        left, numbers = enumerate(work), {}

        def submit(many: int) -> None:
            for number, item in islice(left, many):
                with _without_interrupts():
                    numbers[pool.submit(function, item)] = number

        try:
            submit(_WAITING * n_jobs)
            while numbers:
                for future in wait(numbers, return_when=FIRST_COMPLETED).done:
                    submit(1)
                    yield numbers.pop(future), future.result()
        except BrokenProcessPool:
            raise LexiscopeError(
                "A worker process was killed, often because memory ran out: use fewer jobs. "
                "What was stored before is safe; the same command continues from there."
            ) from None
        except BaseException:
            # The unfinished work is lost anyway, so nobody waits for it.
            workers = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.kill()
            raise


def dask(function: Callable[[A], B], work: Iterable[A], n_jobs: int) -> Numbered[B]:
    """On a dask cluster: the one at LEXISCOPE_DASK, else `n_jobs` local workers.

    A local cluster listens on loopback, and only this process has the key to it.
    """
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


@contextmanager
def _client(n_jobs: int) -> Iterator[Any]:
    from distributed import Client

    address = os.environ.get("LEXISCOPE_DASK")
    if not address:
        with _local_cluster(n_jobs) as cluster, Client(cluster, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            yield client
        return
    try:
        client = Client(address, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise BadData(f"LEXISCOPE_DASK={address}: no scheduler responds ({problem}).") from None
    with client:
        yield client


def _local_cluster(n_jobs: int) -> Any:
    from distributed import LocalCluster
    from distributed.security import Security

    try:
        security = Security.temporary()  # type: ignore[no-untyped-call]
    except ImportError:  # it needs cryptography
        raise MissingExtra("The dask backend", "dask") from None
    with _without_interrupts():
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=n_jobs,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls://",
            security=security,
            dashboard_address=None,
            silence_logs=50,
        )


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes that never see Ctrl-C, which a terminal sends to all of them.

    Until a process has set its own handler, an interrupt would end it with a traceback.
    """
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
