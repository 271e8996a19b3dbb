"""Tagged sentences in the format of CoNLL-2000: word, part of speech and tag on each line.

An empty line ends a sentence. The training sentences are in a second file in the same folder, with
"train" in its name instead of "test" or "dev".
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.texts import Sentences
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.paths import is_file
from lexiscope.data.archive_members import members, opened
from lexiscope.data.datasets.formats.tables import text_of

_TAG = re.compile(r"O|[BI]-\S+")
_PART = re.compile(r"test|dev")
_LARGEST = 1 << 28


def read(path: Path, name: str) -> Sentences:
    """Read the test sentences of a file, and the training sentences of its companion file."""
    test = _sentences(str(path), text_of(path))
    train_path = path.with_name(_PART.sub("train", path.name))
    if train_path == path or not is_file(train_path):
        raise BadData(
            f"{path}: the training sentences are missing. Put them into the same folder and name "
            "the two files like my-test.txt and my-train.txt."
        )
    train = _sentences(str(train_path), text_of(train_path))
    return _dataset(name, test, _dataset(name, train))


def read_published(paths: Sequence[Path], name: str) -> Sentences:
    """Read the published datasets: an archive with train.txt and test.txt, or two files."""
    if len(paths) == 1:
        found = {Path(m.name).stem: m.content.decode() for m in members(paths[0], "*/*.txt")}
        if not {"train", "test"} <= set(found):
            raise BadData(f"{paths[0]}: lacks train.txt or test.txt. Download it again.")
        train, test = (_sentences(f"{paths[0]}:{n}", found[n]) for n in ("train", "test"))
    else:
        train, test = (_sentences(str(path), _unpacked(path)) for path in paths)
    return _dataset(name, test, _dataset(name, train))


def _unpacked(path: Path) -> str:
    with opened(path) as stream:
        return stream.read(_LARGEST).decode()


Sentence = list[tuple[str, str, str]]


def _dataset(name: str, sentences: Iterable[Sentence], train: Sentences | None = None) -> Sentences:
    rows = [tuple(map(" ".join, zip(*sentence, strict=True))) for sentence in sentences]
    text, pos, tags = map(word_array, zip(*rows, strict=True))
    return Sentences(name, text, text, pos, tags, train)


def _sentences(where: str, text: str) -> list[Sentence]:
    found: list[Sentence] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields:
            found.append([])
        elif fields[0] != "-DOCSTART-":
            found[-1].append(_token(f"{where}:{number}", fields))
    sentences = [sentence for sentence in found if sentence]
    if not sentences:
        raise BadData(f"{where}: contains no sentences.")
    return sentences


def _token(where: str, fields: list[str]) -> tuple[str, str, str]:
    if len(fields) != 3:
        raise BadData(
            f"{where}: expected a word, its part of speech and its tag, found {len(fields)} "
            f"field{'s' * (len(fields) != 1)}."
        )
    if not _TAG.fullmatch(fields[2]):
        raise BadData(
            f"{where}: expected a tag such as B-NP, I-NP or O, found '{shown(fields[2], 40)}'."
        )
    return fields[0], fields[1], fields[2]
