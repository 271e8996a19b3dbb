"""Books of Project Gutenberg without the header, the licence and the note of the producers."""

import re
from collections.abc import Iterator
from itertools import chain

_START = re.compile(rb"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*$", re.M)
_END = re.compile(rb"^(?:\*\*\* ?)?END OF (?:THE |THIS )?PROJECT GUTENBERG", re.M | re.I)
_NEXT = re.compile(_START.pattern.removesuffix(b"$") + rb"\n", re.M)  # a whole line
_PRODUCED = re.compile(rb"\s*(?:E-text prepared|Produced|Transcribed) by(?:[^\r\n]+\r?\n)+")


def body(text: bytes) -> bytes:
    """Return the text between the start and end lines, without the paragraph on its producers.

    A text without these lines is returned as it is, with LF line ends and no byte order mark.
    """
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    start, end = _START.search(text), _END.search(text)
    if start is None or end is None or end.start() < start.end():
        return text
    text = text[start.end() : end.start()]
    produced = _PRODUCED.match(text)
    return text[produced.end() :] if produced else text


_HEAD = 1 << 16  # bytes; the start line of a book is among the first
_LINE = 1 << 10  # bytes that are held back, so that an end line is never split


def without_licence(chunks: Iterator[bytes], label: str, notes: list[str]) -> Iterator[bytes]:
    """Yield a text without the header and the licence of Project Gutenberg, if it has them.

    Texts without a start line are yielded as they are. What is left out is noted.
    """
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _HEAD:
            break
    start = _START.search(head)
    if start is None:
        yield from chain([head] if head else [], chunks)
        return
    notes.append(f"{label}: the header and the licence of Project Gutenberg. Left out.")
    yield from _bodies(chain([head[start.end() :]], chunks))


def _bodies(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the text of a book that has begun, and of all books that follow it in the file."""
    pending, inside, begun = b"", True, True
    for chunk in chain(filter(None, chunks), [b""]):  # the empty chunk is the end
        pending += chunk
        while True:
            if begun and (len(pending) >= _LINE or not chunk):
                produced = _PRODUCED.match(pending)
                pending, begun = pending[produced.end() if produced else 0 :], False
            found = None if begun else (_END if inside else _NEXT).search(pending)
            if found is None:
                break
            if inside:
                yield pending[: found.start()] + b"\n"
            pending, inside, begun = pending[found.end() :], not inside, not inside
        if inside and not begun:
            yield pending[:-_LINE]
        if not begun:
            pending = pending[-_LINE:]
    if inside:
        yield pending
