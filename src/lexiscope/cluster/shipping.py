"""Send files to workers: once from here, then from worker to worker."""

import random
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from lexiscope.cluster import files
from lexiscope.cluster.files import SharedFile
from lexiscope.cluster.tasks import Tasks
from lexiscope.core.errors import BadData, LexiscopeError

Content = Callable[[SharedFile], memoryview]
_PART = 8 << 20  # bytes: below dask's warning for large tasks
_AT_ONCE = 4  # parts of a file on the way
_REMOVING = 2.0  # seconds; files that are left are removed with their worker


def content_of(file: SharedFile) -> memoryview:
    """The content of a file of this machine, mapped."""
    if not files.is_visible(file):
        raise BadData(f"{file.path}: has changed while it was used. Run the command again.")
    return np.memmap(file.path, np.uint8, "r").data if file.size else memoryview(b"")


class Shipping:
    """The files that workers have received or are receiving.

    `content` returns the content of a file, which the first worker receives from here.
    """

    def __init__(self, tasks: Tasks, content: Content = content_of) -> None:
        self.tasks, self.content = tasks, content
        self.holders: defaultdict[SharedFile, list[str]] = defaultdict(list)
        self._waiting: dict[SharedFile, dict[str, list[Callable[[], None]]]] = {}
        self._receiving: defaultdict[SharedFile, set[str]] = defaultdict(set)

    def send(self, file: SharedFile, address: str, then: Callable[[], None]) -> None:
        """Send a file to a worker, then call `then`, also if the worker has ended meanwhile."""
        if address in self.holders[file] and address not in self._receiving[file]:
            self.holders[file].remove(address)  # the worker was restarted
        self._waiting.setdefault(file, {}).setdefault(address, []).append(then)
        self._start(file)

    def _start(self, file: SharedFile) -> None:
        """Start as many transfers as there are senders: their number doubles with each round."""
        receiving = self._receiving[file]
        for address in list(self._waiting.get(file, ())):
            if len(receiving) >= max(1, len(self.holders[file])):
                return
            if address not in receiving:
                receiving.add(address)
                _Transfer(self, file, address).start()

    def ended(self, file: SharedFile, address: str, arrived: bool) -> None:
        """Continue those who wait for a file."""
        if arrived:
            self.holders[file].append(address)
        self._receiving[file].discard(address)
        waiting = self._waiting[file].pop(address)
        self._start(file)
        for then in waiting:
            then()

    def remove_all(self) -> None:
        """Remove the files from the workers."""
        if self.holders:
            keys = [file.key for file in self.holders]
            self.tasks.everywhere(files.remove, keys, seconds=_REMOVING)
        self.holders.clear()


@contextmanager
def deliver(
    client: Any, wanted: Iterable[SharedFile], addresses: Iterable[str], content: Content
) -> Iterator[None]:
    """Send files to workers, and remove them afterwards; a worker that ends receives nothing."""
    tasks = Tasks(client)
    shipping = Shipping(tasks, content)
    waiting = {(file, address) for file in wanted for address in addresses}
    for file, address in sorted(waiting, key=lambda each: each[0].key):
        shipping.send(file, address, partial(waiting.discard, (file, address)))
    while waiting:
        tasks.handle_next()
    try:
        yield
    finally:
        shipping.remove_all()


class _Transfer:
    """A file on its way to a worker, a few parts at a time."""

    def __init__(self, shipping: Shipping, file: SharedFile, address: str) -> None:
        self.shipping, self.file, self.address = shipping, file, address
        self.id = uuid.uuid4().hex
        holders = shipping.holders[file]
        self.source = random.choice(holders) if holders else ""
        self.offsets: Iterator[int] = iter(range(0, file.size, _PART))
        self.unfinished = 0
        self.is_over = False

    def start(self) -> None:
        self._submit(self._begun, files.begin, self.file, self.id)

    def _submit(self, handler: Callable[[Any], None], function: Any, *arguments: Any) -> None:
        workers = (self.address, self.source) if self.source else (self.address,)
        given = (*arguments[:2], self.address, *arguments[2:])
        self.shipping.tasks.submit_to(workers, partial(self._checked, handler), function, *given)

    def _checked(self, handler: Callable[[Any], None], future: Any) -> None:
        """Handle the end of a task; every failure ends the transfer."""
        if self.is_over:
            return
        if future.status == "finished":
            handler(future)
            return
        problem = None if future.status != "error" else future.exception()
        self._end(arrived=False)
        if isinstance(problem, LexiscopeError):
            raise problem

    def _begun(self, future: Any) -> None:
        if future.result():
            self._end(arrived=True)
            return
        for _ in range(_AT_ONCE):
            self._send_part()
        if not self.file.size:
            self._received(None)

    def _send_part(self) -> None:
        offset = next(self.offsets, None)
        if offset is None:
            return
        self.unfinished += 1
        if self.source:
            self._from_worker(offset)
        else:
            part = bytes(self.shipping.content(self.file)[offset : offset + _PART])
            self._submit(self._part_received, files.receive, self.file, self.id, offset, part)

    def _from_worker(self, offset: int) -> None:
        part = self.shipping.tasks.intermediate(
            self.source, files.read_part, self.file, self.source, offset, _PART
        )
        self._submit(self._part_received, files.receive, self.file, self.id, offset, part)

    def _part_received(self, future: Any) -> None:
        self.unfinished -= 1
        self._send_part()
        if not self.unfinished:
            self._received(future)

    def _received(self, future: Any) -> None:
        self._submit(lambda _: self._end(arrived=True), files.finish, self.file, self.id)

    def _end(self, *, arrived: bool) -> None:
        self.is_over = True
        if not arrived and self.source in self.shipping.holders[self.file]:
            self.shipping.holders[self.file].remove(self.source)
        self.shipping.ended(self.file, self.address, arrived)
