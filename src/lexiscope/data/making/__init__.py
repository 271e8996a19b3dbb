"""Files made from other data: a maker is one file here, and returns the rows of a table.

A made file is always the same bytes for the same sources; the catalogue holds its checksum.
"""

import gzip
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

from lexiscope.data.wordnet import WordNet


def dataset(maker: str, wordnet: WordNet) -> bytes:
    """The file that a maker makes from WordNet."""
    module = import_module(f"lexiscope.data.making.{maker}")
    return _table(module.HEADER, module.make(wordnet))


def fillers_of(preferences: Path, name: str, corpus: list[Path], wordnet: WordNet) -> bytes:
    """The table of fillers for the slots of a preference file, found in a corpus."""
    from lexiscope.data.datasets.preferences import read
    from lexiscope.data.making import fillers

    items = read(preferences, name)
    slots = zip(map(str.casefold, items.head), items.slot, strict=True)
    return _table(fillers.HEADER, fillers.rows(fillers.fillers(slots, _lines(corpus), wordnet)))


def _lines(corpus: list[Path]) -> Iterator[str]:
    for path in corpus:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from file


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in (header, *rows)).encode()
