"""Files derived from other data: one recipe per module, which returns the rows of a table.

A derived file has the same bytes for the same sources; the catalogue holds its checksum.
"""

import gzip
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

from lexiscope.data.thesaurus import Thesaurus
from lexiscope.data.wordnet import WordNet


def dataset(recipe: str, source: WordNet | Thesaurus) -> bytes:
    """Return the file that a recipe derives from WordNet or from a thesaurus.

    A recipe is the name of a module. A module that derives several files also needs the variant,
    after a colon: `relation_pairs:antonym`.
    """
    name, _, variant = recipe.partition(":")
    module = import_module(f"lexiscope.data.derived.{name}")
    return _table(module.HEADER, module.derive(source, *([variant] if variant else [])))


def fillers_table(preferences: Path, name: str, corpus: list[Path], wordnet: WordNet) -> bytes:
    """Return the table of fillers for the slots of a preference file, from a corpus."""
    from lexiscope.data.datasets.preferences import read
    from lexiscope.data.derived import fillers

    items = read(preferences, name)
    slots = zip(map(str.casefold, items.head), items.slot, strict=True)
    return _table(fillers.HEADER, fillers.rows(fillers.fillers(slots, _lines(corpus), wordnet)))


def _lines(corpus: list[Path]) -> Iterator[str]:
    for path in corpus:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from file


def _table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in (header, *rows)).encode()
