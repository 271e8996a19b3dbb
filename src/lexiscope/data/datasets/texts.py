"""Labelled texts: a table with the columns text and label and, optionally, part.

A table of two columns needs no header if most texts have several words and labels recur. Tokens
are separated by spaces and punctuation; n't and 's are tokens of their own, as in most English word
vectors.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.texts import Texts
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.archive_members import opened
from lexiscope.data.corpora.published import cells, reviews
from lexiscope.data.datasets.formats.columns import LABEL, TEXT, NoItems, column_index, header_names
from lexiscope.data.datasets.formats.tables import Row, text_of

_PART = ("part", "split", "set")
_PARTS = {"train": "train", "training": "train", "dev": "dev", "valid": "dev",
          "validation": "dev", "test": "test"}  # fmt: skip
_ENDING = re.compile(r"n't\b|'(?:s|re|ve|ll|d|m)\b", re.IGNORECASE)
_WORD = re.compile(rf"{_ENDING.pattern}|\w+|[^\w\s]", re.IGNORECASE)
_NEWSGROUPS = {
    "20newsgroups-science": ("sci.med", "sci.space"),
    "20newsgroups-sports": ("rec.sport.baseball", "rec.sport.hockey"),
    "20newsgroups-religion": ("alt.atheism", "soc.religion.christian"),
    "20newsgroups-computer": ("comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"),
}

Labelled = tuple[str, str]  # text and label


def tokenise(text: str) -> str:
    """Return the tokens of a text, separated by one space."""
    return " ".join(_WORD.findall(_ENDING.sub(r" \g<0>", text.replace("’", "'"))))


def read(path: Path, name: str) -> Texts:
    """Read the texts of a table; a column part assigns them to train, dev and test."""
    rows = _rows(path, text_of(path))
    header = next(rows, None)
    folded = [field.casefold() for field in header.fields] if header else []
    text, label, part = (column_index(folded, wanted) for wanted in (TEXT, LABEL, _PART))
    if header is None or text is None or label is None:
        return _dataset(str(path), name, _without_header(path, [header, *rows] if header else []))
    names = header_names(path, header)
    parts: dict[str, list[Labelled]] = {"train": [], "dev": [], "test": []}
    for row in rows:
        if any(row.fields[len(names) :]):
            raise BadData(
                f"{path}:{row.line}: {len(row.fields)} fields, but the header names "
                f"{len(names)}. Put a text that contains commas into quotes."
            )
        found = [_field(path, row, column) for column in (text, label)]
        kind = "test" if part is None else _part(path, row, part)
        parts[kind].append((tokenise(found[0]), found[1]))
    return _dataset(str(path), name, **parts)


def _without_header(path: Path, rows: list[Row]) -> list[Labelled]:
    """The texts of a table of two columns: the labels recur, and most texts have several words."""
    problem = BadData(f"{path}: the header does not name the columns text and label.")
    if not rows or any(len(row.fields) != 2 or not all(row.fields) for row in rows):
        raise problem
    columns = [[row.fields[column] for row in rows] for column in (0, 1)]
    label, text = (0, 1) if len(set(columns[0])) < len(set(columns[1])) else (1, 0)
    labels = Counter(columns[label])
    long = sum(len(value.split()) > 2 for value in columns[text])
    # A header with other names would be a text with a label of its own.
    if 2 * len(labels) > len(rows) or 2 * long <= len(rows) or labels[columns[label][0]] == 1:
        raise problem
    return [(tokenise(row.fields[text]), row.fields[label]) for row in rows]


def read_published(paths: Sequence[Path], name: str) -> Texts:
    """Read a published dataset in its own format."""
    return _PUBLISHED[name](paths, name)


def _dataset(
    where: str,
    name: str,
    test: Iterable[Labelled],
    train: Iterable[Labelled] = (),
    dev: Iterable[Labelled] = (),
) -> Texts:
    test_rows, *training = (list(part) for part in (test, train, dev))
    if not test_rows:
        raise NoItems(f"{where}: contains no test texts.")
    labels = {label for _, label in training[0] or test_rows}
    if len(labels) < 2:
        raise BadData(f"{where}: all texts have the label '{shown(labels.pop(), 40)}'.")
    train_texts, dev_texts = (_texts(name, part) if part else None for part in training)
    return _texts(name, test_rows, train_texts, dev_texts)


def _texts(
    name: str, rows: Iterable[Labelled], train: Texts | None = None, dev: Texts | None = None
) -> Texts:
    text, label = map(word_array, zip(*rows, strict=True))
    return Texts(name, text, label, train, dev)


def _rows(path: Path, content: str) -> Iterator[Row]:
    """The rows of a table; a quoted field may contain line ends."""
    first = content.partition("\n")[0]
    separator = next((each for each in ("\t", ";", ",") if each in first), ",")
    lines = io.StringIO(content, newline="")
    plain = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    reader = plain if separator == "\t" else csv.reader(lines, delimiter=separator)
    try:
        for fields in reader:
            if any(fields):
                yield Row(reader.line_num, [field.strip() for field in fields])
    except csv.Error as problem:
        raise BadData(
            f"{path}:{reader.line_num}: the line cannot be split into fields ({problem})."
        ) from None


def _field(path: Path, row: Row, column: int) -> str:
    found = row.fields[column] if column < len(row.fields) else ""
    if not found:
        raise BadData(f"{path}:{row.line}: the text or its label is missing.")
    return found


def _part(path: Path, row: Row, column: int) -> str:
    found = _field(path, row, column)
    if found.casefold() not in _PARTS:
        raise BadData(
            f"{path}:{row.line}: a part is train, dev or test, found '{shown(found, 40)}'."
        )
    return _PARTS[found.casefold()]


def _imdb(paths: Sequence[Path], name: str) -> Texts:
    rows = [(tokenise(text), _sentiment(str(value))) for text, value in reviews(paths[0])]
    return _dataset(str(paths[0]), name, rows)


def _sentiment(value: str) -> str:
    return {"0": "negative", "1": "positive"}.get(value, value)


def _newsgroups(paths: Sequence[Path], name: str) -> Texts:
    train, test = (list(_postings(path, _NEWSGROUPS[name])) for path in paths)
    return _dataset(str(paths[1]), name, test, train)


def _postings(path: Path, groups: tuple[str, ...]) -> Iterator[Labelled]:
    for group, text in cells(path, b"Category", b"Text"):
        if group.decode() in groups:
            yield tokenise(text.decode("utf-8", "replace")), group.decode()


def _treebank(paths: Sequence[Path], name: str) -> Texts:
    train, dev, test = (list(_labelled_lines(path)) for path in paths)
    return _dataset(str(paths[2]), name, test, train, dev)


def _labelled_lines(path: Path) -> Iterator[Labelled]:
    """Lines of a label, a space, and a tokenised sentence."""
    with opened(path) as stream:
        for line in stream:
            label, _, text = line.decode("utf-8", "replace").strip().partition(" ")
            if text:
                yield " ".join(text.split()), _sentiment(label)


def _rotten_tomatoes(paths: Sequence[Path], name: str) -> Texts:
    rows = _rows(paths[0], text_of(paths[0]))
    next(rows)
    found = (row.fields for row in rows if row.fields[2] == "rotten_tomatoes")
    labelled = [(tokenise(text), _sentiment(value)) for text, value, _ in found]
    return _dataset(str(paths[0]), name, labelled)


_PUBLISHED: dict[str, Callable[[Sequence[Path], str], Texts]] = {
    "imdb-sentiment": _imdb,
    "rt-sentences": _rotten_tomatoes,
    "sst-binary": _treebank,
    **dict.fromkeys(_NEWSGROUPS, _newsgroups),
}
