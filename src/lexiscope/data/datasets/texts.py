"""Texts with classes: a table with the columns text and label, and part where there are parts.

Words are what stands between spaces and marks; n't and 's are words of their own, as in most
vectors that were trained on English.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from lexiscope.core.dataset import word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.texts import Texts
from lexiscope.data.corpora._catalogued import cells, reviews
from lexiscope.data.datasets._columns import names_of, place_of
from lexiscope.data.datasets._tables import Row, text_of
from lexiscope.data.packed import opened

_TEXT = ("text", "sentence", "review", "document")
_LABEL = ("label", "class", "category", "sentiment")
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


def words_of(text: str) -> str:
    """The words of a text with one space between."""
    return " ".join(_WORD.findall(_ENDING.sub(r" \g<0>", text.replace("’", "'"))))


def read(path: Path, name: str) -> Texts:
    """The texts of a table; with a column part, those of train and dev are learned from."""
    rows = _rows(path, text_of(path))
    header = next(rows, None)
    names = names_of(path, header) if header else []
    text, label, part = (place_of(names, wanted) for wanted in (_TEXT, _LABEL, _PART))
    if text is None or label is None:
        raise BadData(f"{path}: the first line does not name the columns text and label.")
    parts: dict[str, list[Labelled]] = {"train": [], "dev": [], "test": []}
    for row in rows:
        if any(row.fields[len(names) :]):
            raise BadData(
                f"{path}:{row.line}: {len(row.fields)} fields where the first line names "
                f"{len(names)}. A text with commas in it stands in quotes."
            )
        found = [_field(path, row, place) for place in (text, label)]
        kind = "test" if part is None else _part(path, row, part)
        parts[kind].append((words_of(found[0]), found[1]))
    return _dataset(str(path), name, **parts)


def catalogued(paths: Sequence[Path], name: str) -> Texts:
    """The published sets in their own forms."""
    return _PUBLISHED[name](paths, name)


def _dataset(
    where: str,
    name: str,
    test: Iterable[Labelled],
    train: Iterable[Labelled] = (),
    dev: Iterable[Labelled] = (),
) -> Texts:
    asked, *learned = (list(part) for part in (test, train, dev))
    if not asked:
        raise BadData(f"{where}: holds no texts to ask about.")
    labels = {label for _, label in learned[0] or asked}
    if len(labels) < 2:
        raise BadData(f"{where}: all texts have the label '{shown(labels.pop(), 40)}'.")
    train_texts, dev_texts = (_texts(name, part) if part else None for part in learned)
    return _texts(name, asked, train_texts, dev_texts)


def _texts(
    name: str, rows: Iterable[Labelled], train: Texts | None = None, dev: Texts | None = None
) -> Texts:
    text, label = map(word_array, zip(*rows, strict=True))
    return Texts(name, text, label, train, dev)


def _rows(path: Path, content: str) -> Iterator[Row]:
    """The rows of a table; in quotes, a field may go over several lines."""
    first = content.partition("\n")[0]
    mark = next((mark for mark in ("\t", ";", ",") if mark in first), ",")
    lines = io.StringIO(content, newline="")
    plain = csv.reader(lines, delimiter=mark, quoting=csv.QUOTE_NONE)
    reader = plain if mark == "\t" else csv.reader(lines, delimiter=mark)
    try:
        for fields in reader:
            if any(fields):
                yield Row(reader.line_num, [field.strip() for field in fields])
    except csv.Error as problem:
        raise BadData(
            f"{path}:{reader.line_num}: the line cannot be taken apart ({problem})."
        ) from None


def _field(path: Path, row: Row, place: int) -> str:
    found = row.fields[place] if place < len(row.fields) else ""
    if not found:
        raise BadData(f"{path}:{row.line}: the text or its label is missing.")
    return found


def _part(path: Path, row: Row, place: int) -> str:
    found = _field(path, row, place)
    if found.casefold() not in _PARTS:
        raise BadData(
            f"{path}:{row.line}: a part is train, dev or test, found '{shown(found, 40)}'."
        )
    return _PARTS[found.casefold()]


def _imdb(paths: Sequence[Path], name: str) -> Texts:
    rows = [(words_of(text), _sentiment(str(mark))) for text, mark in reviews(paths[0])]
    return _dataset(str(paths[0]), name, rows)


def _sentiment(mark: str) -> str:
    return {"0": "negative", "1": "positive"}.get(mark, mark)


def _newsgroups(paths: Sequence[Path], name: str) -> Texts:
    train, test = (list(_postings(path, _NEWSGROUPS[name])) for path in paths)
    return _dataset(str(paths[1]), name, test, train)


def _postings(path: Path, groups: tuple[str, ...]) -> Iterator[Labelled]:
    for group, text in cells(path, b"Category", b"Text"):
        if group.decode() in groups:
            yield words_of(text.decode("utf-8", "replace")), group.decode()


def _treebank(paths: Sequence[Path], name: str) -> Texts:
    train, dev, test = (list(_marked_lines(path)) for path in paths)
    return _dataset(str(paths[2]), name, test, train, dev)


def _marked_lines(path: Path) -> Iterator[Labelled]:
    """Lines of a mark, a space, and a sentence whose words have spaces between."""
    with opened(path) as stream:
        for line in stream:
            mark, _, text = line.decode("utf-8", "replace").strip().partition(" ")
            if text:
                yield " ".join(text.split()), _sentiment(mark)


def _rotten_tomatoes(paths: Sequence[Path], name: str) -> Texts:
    rows = _rows(paths[0], text_of(paths[0]))
    next(rows)
    found = (row.fields for row in rows if row.fields[2] == "rotten_tomatoes")
    labelled = [(words_of(text), _sentiment(mark)) for text, mark, _ in found]
    return _dataset(str(paths[0]), name, labelled)


_PUBLISHED: dict[str, Callable[[Sequence[Path], str], Texts]] = {
    "imdb-sentiment": _imdb,
    "rt-sentences": _rotten_tomatoes,
    "sst-binary": _treebank,
    **dict.fromkeys(_NEWSGROUPS, _newsgroups),
}
