"""From places to a corpus: bytes, text, tokens, numbers; one thread cuts while the other counts."""

from collections.abc import Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple, TypeVar

from lexiscope.core.progress import Progress
from lexiscope.data.corpora._characters import DOCUMENT_END
from lexiscope.data.corpora._cutting import Cutter, Tokens, points_of
from lexiscope.data.corpora._decoding import OnError, decoded
from lexiscope.data.corpora._sources import Place
from lexiscope.data.corpora._words import Words

BATCH = 1 << 18  # characters to cut at once
T = TypeVar("T")


class _Text(NamedTuple):
    text: str
    done: int  # bytes read so far


class _Cut(NamedTuple):
    tokens: Tokens
    done: int


def count(
    places: list[Place], cutter: Cutter, tell: Progress, on_error: OnError, notes: list[str]
) -> Words:
    """The words of all documents, counted, and the text as their numbers."""
    words = Words()
    sizes = [place.size for place in places]
    total = 0 if None in sizes else sum(size or 0 for size in sizes)
    texts = _batches(_texts(places, on_error, notes))
    for cut in _ahead(_Cut(cutter.cut(points_of(text)), done) for text, done in texts):
        words.read(cut.tokens)
        tell("Reading", cut.done, total)
    return words


def _texts(places: list[Place], on_error: OnError, notes: list[str]) -> Iterator[_Text]:
    """All documents, in parts; each ends with a mark."""
    before = 0
    for place in places:
        for document in place.documents(notes):
            for text in decoded(document.label, document.chunks, on_error, notes):
                yield _Text(text, before + document.done())
            yield _Text(DOCUMENT_END, before + document.done())
        before += place.size or 0


def _batches(texts: Iterator[_Text]) -> Iterator[_Text]:
    """The same text in parts that are worth a call each."""
    waiting, length, done = [], 0, 0
    for text, done in texts:
        waiting.append(text)
        length += len(text)
        if length >= BATCH:
            yield _Text("".join(waiting), done)
            waiting, length = [], 0
    yield _Text("".join(waiting), done)


def _ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items; while one is looked at, another thread makes the next.

    The thread is no reason to keep the process: it may wait for standard input for ever.
    """
    orders: SimpleQueue[bool] = SimpleQueue()
    made: SimpleQueue[Future[T | None]] = SimpleQueue()

    def work() -> None:
        while orders.get():
            made.put(_future(items))

    Thread(target=work, daemon=True).start()
    try:
        orders.put(True)
        while (item := made.get().result()) is not None:
            orders.put(True)
            yield item
    finally:
        orders.put(False)


def _future(items: Iterator[T]) -> "Future[T | None]":
    """The next item, or what went wrong while it was made."""
    future: Future[T | None] = Future()
    try:
        future.set_result(next(items, None))
    except BaseException as problem:
        future.set_exception(problem)
    return future
