"""Counts the words of all documents; one thread tokenizes while another counts."""

from collections.abc import Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple, TypeVar

from lexiscope.core.progress import Progress
from lexiscope.data.corpora._characters import DOCUMENT_END
from lexiscope.data.corpora._decoder import OnError, decoded
from lexiscope.data.corpora._sources import Location
from lexiscope.data.corpora._tokenizer import Tokenizer, Tokens, points_of
from lexiscope.data.corpora._word_counts import Words

BATCH = 1 << 18  # characters to tokenize at once
T = TypeVar("T")


class _Text(NamedTuple):
    text: str
    done: int  # bytes read so far


class _Batch(NamedTuple):
    tokens: Tokens
    done: int


def count(
    locations: list[Location],
    tokenizer: Tokenizer,
    progress: Progress,
    on_error: OnError,
    notes: list[str],
) -> Words:
    """Return the counted words of all documents, and the text as word numbers."""
    words = Words()
    sizes = [location.size for location in locations]
    total = 0 if None in sizes else sum(size or 0 for size in sizes)
    texts = _batches(_texts(locations, on_error, notes))
    for batch in _ahead(_Batch(tokenizer.split(points_of(text)), done) for text, done in texts):
        words.read(batch.tokens)
        progress("Reading", batch.done, total)
    return words


def _texts(locations: list[Location], on_error: OnError, notes: list[str]) -> Iterator[_Text]:
    """All documents, in parts; each ends with an end marker."""
    before = 0
    for location in locations:
        for document in location.documents(notes):
            for text in decoded(document.label, document.chunks, on_error, notes):
                yield _Text(text, before + document.done())
            yield _Text(DOCUMENT_END, before + document.done())
        before += location.size or 0


def _batches(texts: Iterator[_Text]) -> Iterator[_Text]:
    """The same text in batches of a size that is efficient to tokenize."""
    waiting, length, done = [], 0, 0
    for text, done in texts:
        waiting.append(text)
        length += len(text)
        if length >= BATCH:
            yield _Text("".join(waiting), done)
            waiting, length = [], 0
    yield _Text("".join(waiting), done)


def _ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items; another thread computes the next one in advance.

    It is a daemon thread, because it may wait for standard input forever.
    """
    requests: SimpleQueue[bool] = SimpleQueue()
    results: SimpleQueue[Future[T | None]] = SimpleQueue()

    def work() -> None:
        while requests.get():
            results.put(_future(items))

    Thread(target=work, daemon=True).start()
    try:
        requests.put(True)
        while (item := results.get().result()) is not None:
            requests.put(True)
            yield item
    finally:
        requests.put(False)


def _future(items: Iterator[T]) -> "Future[T | None]":
    """The next item, or the exception that was raised instead."""
    future: Future[T | None] = Future()
    try:
        future.set_result(next(items, None))
    except BaseException as problem:
        future.set_exception(problem)
    return future
