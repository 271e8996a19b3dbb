"""Decodes documents: UTF-8, or the encoding of the byte order mark."""

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lexiscope.core.errors import BadData

OnError = Literal["stop", "replace"]
_Decode = Callable[[bytes, str, bool], tuple[str, int]]
_LONGEST_MARK = 4


class _Encoding(NamedTuple):
    name: str
    mark: bytes
    decode: _Decode


_UTF8 = _Encoding("UTF-8", codecs.BOM_UTF8, codecs.utf_8_decode)
_ENCODINGS = (
    _UTF8,
    _Encoding(
        "UTF-32", codecs.BOM_UTF32_LE, codecs.utf_32_le_decode
    ),  # has the same first bytes as UTF-16
    _Encoding("UTF-32", codecs.BOM_UTF32_BE, codecs.utf_32_be_decode),
    _Encoding("UTF-16", codecs.BOM_UTF16_LE, codecs.utf_16_le_decode),
    _Encoding("UTF-16", codecs.BOM_UTF16_BE, codecs.utf_16_be_decode),
)


def decoded(
    label: str, chunks: Iterator[bytes], on_error: OnError, notes: list[str]
) -> Iterator[str]:
    """Yield the text of a document; a character may be split between chunks."""
    head = _head(chunks)
    encoding = next((each for each in _ENCODINGS if head.startswith(each.mark)), None)
    mark = len(encoding.mark) if encoding else 0
    decoding = _Decoding(label, encoding or _UTF8, on_error, offset=mark)
    waiting = head[mark:]
    for chunk in chunks:
        text, waiting = decoding.part(waiting + chunk, final=False)
        yield text
    yield decoding.part(waiting, final=True)[0]
    notes.extend(decoding.notes())


def _head(chunks: Iterator[bytes]) -> bytes:
    """As many chunks as are needed to detect the byte order mark."""
    head = b""
    while len(head) < _LONGEST_MARK and (chunk := next(chunks, b"")):
        head += chunk
    return head


@dataclass
class _Decoding:
    """The position in a document, for messages, and the number of replaced characters."""

    label: str
    encoding: _Encoding
    on_error: OnError
    offset: int
    line: int = 1
    replaced: int = 0
    first: str = ""

    def part(self, data: bytes, final: bool) -> tuple[str, bytes]:
        """Return the text of some bytes, and the bytes of an incomplete character at their end."""
        self._refuse_nul(data)
        try:
            text, used = self.encoding.decode(data, "strict", final)
        except UnicodeDecodeError as problem:
            text, used = self._replaced(data, final, problem)
        self.offset += used
        self.line += text.count("\n")
        return text, data[used:]

    def notes(self) -> list[str]:
        """Return a message about replaced characters, if there are any."""
        if not self.replaced:
            return []
        return [f"{self.first} In all, {self.replaced:,} invalid sequences became U+FFFD."]

    def _replaced(self, data: bytes, final: bool, problem: UnicodeDecodeError) -> tuple[str, int]:
        if self.on_error == "stop":
            raise BadData(
                f"{self._position(data, problem.start)} Convert the text to UTF-8 first (such as "
                "iconv -f latin1 -t utf-8), or read invalid bytes as U+FFFD: --on-error replace."
            )
        self.first = self.first or self._position(data, problem.start)
        text, used = self.encoding.decode(data, "replace", final)
        own = data.count("\ufffd".encode()) if self.encoding is _UTF8 else 0
        self.replaced += text.count("\ufffd") - own
        return text, used

    def _position(self, data: bytes, at: int) -> str:
        before, _ = self.encoding.decode(data[:at], "replace", True)
        return (
            f"{self.label}:{self.line + before.count(chr(10))}: byte {self.offset + at:,} "
            f"(0x{data[at]:02x}) is not {self.encoding.name}."
        )

    def _refuse_nul(self, data: bytes) -> None:
        at = data.find(b"\0") if self.encoding is _UTF8 else -1
        if at >= 0:
            raise BadData(
                f"{self.label}: byte {self.offset + at:,} is NUL, so this is not text, or UTF-16 "
                "without a byte order mark. Leave the file out, or convert it to UTF-8 "
                "(iconv -f utf-16 -t utf-8)."
            )
