"""Thesaurus files of MyThes, the library of office programs: senses of a word, and its synonyms.

The first line names the encoding. An entry is a line with a word and the number of its senses,
then a line for each sense: a label, such as a part of speech, and synonyms, all separated by "|".
"""

import codecs
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge

_LARGEST = 1 << 27  # bytes


class Sense(NamedTuple):
    """A sense of a word: its label, and the synonyms as they are written, with remarks."""

    label: str
    synonyms: tuple[str, ...]


Thesaurus = Mapping[str, tuple[Sense, ...]]


def read(path: Path) -> Thesaurus:
    """Read the senses of every word; those of a word with several entries are joined."""
    lines = enumerate(_lines(path), 2)
    found: dict[str, tuple[Sense, ...]] = {}
    for number, line in lines:
        if not line.strip():
            continue
        word, bar, senses = line.rpartition("|")
        if not bar or not senses.strip().isdigit():
            raise BadData(
                f"{path}:{number}: expected a word, | and its number of senses, found "
                f"'{shown(line, 40)}'."
            )
        own = tuple(_sense(line) for _, line in islice(lines, int(senses)))
        if len(own) < int(senses):
            raise BadData(f"{path}: ends within the senses of '{shown(word)}'.")
        found[word.strip()] = (*found.get(word.strip(), ()), *own)
    if not found:
        raise BadData(f"{path}: contains no words.")
    return MappingProxyType(found)


def _sense(line: str) -> Sense:
    # Some published files have senses without synonyms.
    label, _, synonyms = line.partition("|")
    return Sense(label.strip(), tuple(each.strip() for each in synonyms.split("|") if each.strip()))


def _lines(path: Path) -> list[str]:
    """The lines after the first, which names the encoding."""
    if path.stat().st_size > _LARGEST:
        raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a thesaurus.")
    first, _, rest = path.read_bytes().removeprefix(codecs.BOM_UTF8).partition(b"\n")
    name = first.decode("ascii", "replace").strip()
    try:
        text = rest.decode(codecs.lookup(name).name)
    except LookupError:
        raise BadData(
            f"{path}:1: '{shown(name, 40)}' is no encoding, so this is not a MyThes thesaurus."
        ) from None
    except UnicodeDecodeError as problem:
        line = rest.count(b"\n", 0, problem.start) + 2
        raise BadData(f"{path}:{line}: is not {name}, the encoding that line 1 names.") from None
    return text.replace("\r\n", "\n").split("\n")
