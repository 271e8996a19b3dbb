"""Connection to a dask scheduler: one that runs already, or one with workers on this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lexiscope.core.errors import BadUsage, LexiscopeError, MissingExtra
from lexiscope.core.worker_start import without_current_folder

_PATIENCE = 60.0  # seconds
# Pages about the work, which need no key: other users of this machine could read them.
_NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
SAFE = "What was stored before is safe; the same command continues from there."


def patience() -> float:
    """Seconds to wait for a scheduler, and for a first or another worker."""
    value = os.environ.get("LEXISCOPE_DASK_TIMEOUT", "")
    try:
        found = float(value or _PATIENCE)
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise BadUsage(f"LEXISCOPE_DASK_TIMEOUT is a number of seconds above 0, found '{value}'.")
    return found


@contextmanager
def connection(scheduler: str, n_jobs: int) -> Iterator[Any]:
    """A client of a scheduler; without an address, of a new cluster with `n_jobs` workers.

    The address may also be in the environment variable LEXISCOPE_DASK.
    """
    address = scheduler or os.environ.get("LEXISCOPE_DASK", "")
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("The dask backend", "dask") from None
    if not address:
        # To the end: dask starts another worker when one has ended.
        with (
            without_current_folder(),
            local_cluster(n_jobs) as cluster,
            Client(cluster, set_as_default=False) as client,  # type: ignore[no-untyped-call]
        ):
            yield client
        return
    client = _client(address)
    try:
        yield client
    finally:
        client.close(timeout=5)


def _client(address: str) -> Any:
    from distributed import Client

    try:
        return Client(address, set_as_default=False, timeout=patience())  # type: ignore[no-untyped-call]
    except (OSError, ValueError, RuntimeError, TypeError) as problem:
        raise NoScheduler(f"{address}: no dask scheduler responds ({problem}).") from None


class NoScheduler(LexiscopeError):  # noqa: N818
    """A scheduler or workers that do not respond."""

    exit_code = 3


def local_cluster(n_jobs: int) -> Any:
    """A cluster on loopback; only this process has the key to it."""
    import dask
    from distributed import LocalCluster
    from distributed.security import Security

    try:
        security = Security.temporary()  # type: ignore[no-untyped-call]
    except ImportError:  # it needs cryptography
        raise MissingExtra("The dask backend", "dask") from None
    with dask.config.set(_NO_PAGES), without_interrupts():
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=n_jobs,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls://",
            security=security,
            dashboard_address=None,
            # Without a dashboard too, dask listens, and warns if its usual port is in use.
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            silence_logs=50,
        )


@contextmanager
def without_interrupts() -> Iterator[None]:
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
