"""The kinds of datasets, one file each."""

from collections.abc import Mapping

from lexiscope.core.datasets.analogies import Analogies
from lexiscope.core.datasets.base import Dataset, word_array
from lexiscope.core.datasets.categories import Categories
from lexiscope.core.datasets.entities import EntityTypes
from lexiscope.core.datasets.preferences import Preferences
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.datasets.relations import Relations
from lexiscope.core.datasets.synonym_questions import SynonymQuestions
from lexiscope.core.datasets.texts import Phrases, Sentences, Texts
from lexiscope.core.datasets.word_pairs import WordPairs

__all__ = [
    "KINDS", "Analogies", "Categories", "Dataset", "EntityTypes", "Phrases", "Preferences",
    "Properties", "Relations", "Sentences", "SynonymQuestions", "Texts", "WordPairs", "word_array",
]  # fmt: skip

_KINDS: tuple[type[Dataset], ...] = (
    Analogies, Categories, EntityTypes, Preferences, Properties, Relations, SynonymQuestions, Texts,
    Sentences, Phrases, WordPairs,
)  # fmt: skip

# Strict formats first: the order in which a file of unknown kind is read.
KINDS: Mapping[str, type[Dataset]] = {
    each.kind: each for each in sorted(_KINDS, key=lambda each: each.read_priority)
}
