"""Tagged sentences in the form of CoNLL-2000: word, part of speech and tag on a line.

An empty line ends a sentence. Those to learn from stand in a file beside those to tag, with
"train" in its name where the other has "test" or "dev".
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from lexiscope.core.dataset import word_array
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.texts import Sentences
from lexiscope.data.datasets._tables import text_of
from lexiscope.data.packed import members, opened
from lexiscope.data.unpacking import is_file

_TAG = re.compile(r"O|[BI]-\S+")
_PART = re.compile(r"test|dev")
_LARGEST = 1 << 28


def read(path: Path, name: str) -> Sentences:
    """The sentences of a file, and those beside it to learn from."""
    asked = _sentences(str(path), text_of(path))
    beside = path.with_name(_PART.sub("train", path.name))
    if beside == path or not is_file(beside):
        raise BadData(
            f"{path}: there are no sentences to learn from. Name the two files alike but for test "
            "and train, such as my-test.txt and my-train.txt."
        )
    train = _sentences(str(beside), text_of(beside))
    return _dataset(name, asked, _dataset(name, train))


def catalogued(paths: Sequence[Path], name: str) -> Sentences:
    """The published sets: an archive with train.txt and test.txt, or a file for each part."""
    if len(paths) == 1:
        found = {Path(m.name).stem: m.content.decode() for m in members(paths[0], "*/*.txt")}
        if not {"train", "test"} <= set(found):
            raise BadData(f"{paths[0]}: lacks train.txt or test.txt. Fetch it again.")
        train, asked = (_sentences(f"{paths[0]}:{n}", found[n]) for n in ("train", "test"))
    else:
        train, asked = (_sentences(str(path), _unpacked(path)) for path in paths)
    return _dataset(name, asked, _dataset(name, train))


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
        raise BadData(f"{where}: holds no sentences.")
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
