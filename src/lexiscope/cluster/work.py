"""Map a function over work on a cluster, whose workers get files when they need them."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from typing import Any, TypeVar

from lexiscope import __version__
from lexiscope.cluster.files import NotHere, address
from lexiscope.cluster.shipping import Content, Shipping, content_of
from lexiscope.cluster.tasks import Tasks, result_of
from lexiscope.core.errors import LexiscopeError

A = TypeVar("A")
B = TypeVar("B")

_WAITING = 4  # pieces of work that each thread of a worker has or will get
_MOST_DELIVERIES = 100  # of files for one piece of work


def distributed_map(
    client: Any, function: Callable[[A], B], work: Iterable[A], content: Content = content_of
) -> Generator[tuple[int, B], None, None]:
    """Map a function over work; yields the position of each piece with its result.

    A piece whose worker ends is done by another one. A piece that needs a file its worker does not
    have is done again when the file has arrived.
    """
    running = _Running(client, function, work, content)
    with closing(running):
        yield from running.results()


def call(version: str, function: Callable[[A], B], item: A) -> B | NotHere:
    """The result of a function in a worker, or the file that it needs."""
    if version != __version__:
        raise LexiscopeError(
            f"The worker {address()} has lexiscope {__version__}, and this is {version}: install "
            "the same version on all machines."
        )
    try:
        return function(item)
    except NotHere as absent:
        return absent


class _Running:
    """Work in progress."""

    def __init__(
        self, client: Any, function: Callable[[Any], Any], work: Iterable[Any], content: Content
    ) -> None:
        self._tasks = Tasks(client)
        self._shipping = Shipping(self._tasks, content)
        self._function, self._left = function, enumerate(work)
        self._deliveries: dict[int, int] = {}  # by the numbers of unfinished pieces
        self._results: list[tuple[int, Any]] = []

    def results(self) -> Generator[tuple[int, Any], None, None]:
        self._fill()
        while self._deliveries:
            self._tasks.handle_next()
            while self._results:
                self._fill()
                yield self._results.pop()

    def close(self) -> None:
        self._shipping.remove_all()

    def _fill(self) -> None:
        while len(self._deliveries) < _WAITING * self._tasks.threads:
            number, item = next(self._left, (-1, None))
            if number < 0:
                return
            self._deliveries[number] = 0
            self._start(number, item)

    def _start(self, number: int, item: Any, on: str = "") -> None:
        ended = partial(self._ended, number, item)
        self._tasks.submit(ended, call, __version__, self._function, item, on=on)

    def _ended(self, number: int, item: Any, future: Any) -> None:
        found = result_of(self._tasks, future)
        if not isinstance(found, NotHere):
            del self._deliveries[number]
            self._results.append((number, found))
            return
        self._deliveries[number] += 1
        if self._deliveries[number] > _MOST_DELIVERIES:
            raise LexiscopeError(f"The worker {found.address} loses the files that it receives.")
        again = partial(self._start, number, item, found.address)
        self._shipping.send(found.file, found.address, again)
