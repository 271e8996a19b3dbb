"""Books of Project Gutenberg without the header, the licence and the note of the producers."""

import re
from collections.abc import Iterator
from itertools import chain

_START = re.compile(rb"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*$", re.M)
_END = re.compile(rb"^(?:\*\*\* ?)?END OF (?:THE |THIS )?PROJECT GUTENBERG", re.M | re.I)
_PRODUCED = re.compile(rb"\s*(?:E-text prepared|Produced|Transcribed) by(?:.+\n)+")


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
    rest = head[start.end() :]
    plain = rest.replace(b"\r\n", b"\n")
    produced = _PRODUCED.match(plain)
    yield from _until_licence(chain([plain[produced.end() :] if produced else rest], chunks))


def _until_licence(chunks: Iterator[bytes]) -> Iterator[bytes]:
    pending = b""
    for chunk in chunks:
        pending += chunk
        end = _END.search(pending)
        if end is not None:
            yield pending[: end.start()]
            for _ in chunks:  # to the end, so that broken archives are noticed
                pass
            return
        yield pending[:-_LINE]
        pending = pending[-_LINE:]
    yield pending
