"""A dask cluster of separate processes that share no folder with each other or with the tests."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONPATH = os.pathsep.join([str(ROOT), str(ROOT / "src")])
# Opening a file outside the worker's own folder fails, as on another machine.
PRELOAD = """
import sys

FORBIDDEN, OWN = {forbidden!r}, {own!r}

def forbid(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        if arguments[0].startswith(FORBIDDEN) and not arguments[0].startswith(OWN):
            raise PermissionError(13, "is a path of another machine", arguments[0])

sys.addaudithook(forbid)
"""


class Cluster:
    """A scheduler on loopback and its workers; `folder` is forbidden to all of them."""

    def __init__(self, folder, workers=2, scheduler_port=0):
        self.folder, self.processes, self.workers = folder, [], []
        self.file = folder / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", str(scheduler_port),
            "--no-dashboard", "--no-show", "--scheduler-file", str(self.file),
            cwd=self._new_folder("scheduler"),
        )  # fmt: skip
        self.address = self._read_address()
        for _ in range(workers):
            self.add_worker()
        if workers:
            self.wait_for(workers)

    def add_worker(self, *options, threads=1, environment=None):
        """Start a worker with its own folders for work, temporary files, cache and settings."""
        own = self._new_folder(f"worker-{len(self.workers)}")
        preload = own / "preload.py"
        preload.write_text(PRELOAD.format(forbidden=str(self.folder), own=str(own)))
        changes = {
            "TMPDIR": str(own), "HOME": str(own), "XDG_CACHE_HOME": str(own / "cache"),
            "LEXISCOPE_CACHE_DIR": str(own / "cache"), **(environment or {}),
        }  # fmt: skip
        where = () if "--listen-address" in options else ("--host", "127.0.0.1")
        process = self._start(
            "dask_worker", self.address, *where, "--nthreads", str(threads),
            "--no-nanny", "--no-dashboard", "--local-directory", str(own),
            "--preload", str(preload), "--death-timeout", "60", *options,
            cwd=own, environment=changes,
        )  # fmt: skip
        self.workers.append(process)
        return process

    def _start(self, module, *arguments, cwd, environment=None):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        with (Path(cwd) / "log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=cwd, stdout=log, stderr=log,
                env={**os.environ, "PYTHONPATH": PYTHONPATH, **(environment or {})},
            )  # fmt: skip
        self.processes.append(process)
        return process

    def _new_folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder

    def _read_address(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                return json.loads(self.file.read_text())["address"]
            except (OSError, ValueError):
                time.sleep(0.05)
        raise AssertionError((self.folder / "scheduler" / "log").read_text())

    def wait_for(self, workers):
        """Wait until this number of workers is connected."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60)

    def received(self):
        """The files that workers have received, by the worker's folder."""
        found = self.folder.glob("worker-*/dask-scratch-space/*/lexiscope/*")
        return sorted(path.relative_to(self.folder).parts[0] for path in found)

    def end(self):
        """End all processes, also stopped ones."""
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
