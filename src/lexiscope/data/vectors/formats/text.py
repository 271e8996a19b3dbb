"""Reader of text vectors: word2vec and fastText (with a header line) and GloVe (without)."""

from collections.abc import Iterable, Iterator

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.data.vectors.formats.stream import Repairs, Rows, Settings, Source, Words, clean
from lexiscope.data.vectors.formats.text_layout import Layout, detect_layout
from lexiscope.data.vectors.formats.text_lines import Lines, parsed_lines

_ALLOCATION = 1 << 26  # bytes of vectors at once


def read(source: Source, settings: Settings) -> Embedding:
    """Read the embedding in a text file."""
    layout = detect_layout(source)
    repairs = Repairs(settings)
    rows, words = Rows(_expected(source, layout, settings), layout.dimension), Words()
    line = layout.first_line
    for lines in _within_limit(parsed_lines(source, layout), settings, rows):
        lines.add_to(rows, words, repairs, f"{source.path}:", line)
        line += len(lines)
    if rows.filled == 0:
        raise BadData(f"{source.path}: contains no vectors.")
    _check_number(source.path, layout, rows.filled, line, settings, repairs)
    return _embedding(source.path, rows, words, settings, repairs)


def _within_limit(parsed: Iterable[Lines], settings: Settings, rows: Rows) -> Iterator[Lines]:
    """The same lines up to the word limit: a line that is left out does not count."""
    if settings.limit is None:
        yield from parsed
        return
    for lines in parsed:
        first = 0
        while first < len(lines) and rows.filled < settings.limit:
            last = min(first + settings.limit - rows.filled, len(lines))
            yield lines.part(first, last)
            first = last
        if rows.filled >= settings.limit:
            return


def _embedding(
    path: str, rows: Rows, words: Words, settings: Settings, repairs: Repairs
) -> Embedding:
    cleaned = clean(path, "line", words, repairs)
    if not cleaned.words:
        raise BadData(f"{path}: contains no usable vectors.")
    vectors = rows.finished()
    if cleaned.keep is not None:
        vectors = vectors[cleaned.keep]
    found = Embedding("", Vocabulary(cleaned.words), vectors, repairs=repairs.finished())
    return found if settings.limit is None else found.first(settings.limit)


def _expected(source: Source, layout: Layout, settings: Settings) -> int:
    """The number of rows to allocate; more are added when needed."""
    if settings.limit is not None:
        guess = settings.limit
    elif layout.rows is not None:
        guess = layout.rows
    else:
        lines = max(source.head.count(b"\n"), 1)
        size = source.size if source.size is not None else len(source.head)
        guess = int(size / (len(source.head) / lines) * 1.05) + 1
    # The header of a compressed file cannot be checked against its size: start small, then grow.
    most = _ALLOCATION // layout.dimension
    if source.size is not None:
        most = source.size // (2 * layout.dimension + 1)
    return max(1, min(guess, most))


def _check_number(
    path: str, layout: Layout, filled: int, line: int, settings: Settings, repairs: Repairs
) -> None:
    if layout.rows is None or (settings.limit is not None and filled >= settings.limit):
        return
    found = line - layout.first_line
    if found != layout.rows:
        message = f"{path}: the header announces {layout.rows:,} words, found {found:,} lines."
        if settings.on_error == "stop":
            raise BadData(
                f"{message} The file is truncated or its header is wrong; "
                "--on-error skip reads what is there."
            )
        repairs.note(message)
