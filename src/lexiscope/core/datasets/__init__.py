"""The kinds of datasets, one file each."""

from collections.abc import Iterator, Mapping

from lexiscope.core.datasets.analogies import Analogies
from lexiscope.core.datasets.base import Dataset, word_array
from lexiscope.core.datasets.categories import Categories
from lexiscope.core.datasets.entities import EntityTypes
from lexiscope.core.datasets.preferences import Preferences
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.datasets.synonym_questions import SynonymQuestions
from lexiscope.core.datasets.texts import Phrases, Sentences, Texts
from lexiscope.core.datasets.word_pairs import WordPairs

__all__ = [
    "KINDS", "Analogies", "Categories", "Dataset", "EntityTypes", "Phrases", "Preferences",
    "Properties", "Sentences", "SynonymQuestions", "Texts", "WordPairs", "word_array",
]  # fmt: skip


def _kinds(parent: type[Dataset]) -> Iterator[type[Dataset]]:
    """The classes imported above that define a kind of their own."""
    for each in parent.__subclasses__():
        if "kind" in vars(each):
            yield each
        yield from _kinds(each)


# Strict formats first: the order in which a file of unknown kind is read.
KINDS: Mapping[str, type[Dataset]] = {
    each.kind: each for each in sorted(_kinds(Dataset), key=lambda each: each.read_priority)
}
