"""The kinds of dataset that tasks read."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Mask, Units, Words, recurring, word_array
from lexiscope.core.entities import EntityTypes
from lexiscope.core.properties import Properties
from lexiscope.core.texts import Phrases, Sentences, Texts
from lexiscope.core.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class WordPairs(Dataset):
    """Pairs of words, each rated by people."""

    left: Words
    right: Words
    rating: NDArray[np.float64]

    kind = "pairs"
    word_columns = ("left", "right")
    gold_column = "rating"

    @cached_property
    def units(self) -> Units | None:
        """The two words, where any stands in more than one pair."""
        return recurring(self.left, self.right)

    @classmethod
    def example(cls) -> Self:
        """All fifteen pairs of six words, so that each word has partners to rank."""
        words = ("cat", "dog", "sun", "moon", "cup", "tea")
        ratings = (9.0, 2.5, 2.0, 1.5, 4.5, 3.0, 3.5, 0.5, 1.0, 7.5, 1.2, 2.2, 2.8, 0.8, 6.0)
        pairs = [(*pair, r) for pair, r in zip(combinations(words, 2), ratings, strict=True)]
        left, right, rating = zip(*pairs, strict=True)
        return cls("example-pairs", word_array(left), word_array(right), np.array(rating))


# The sections of the Google questions that ask for facts; those that ask for word forms are gram*.
SEMANTIC = frozenset(
    {"capital-common-countries", "capital-world", "currency", "city-in-state", "family"}
)


@dataclass(frozen=True, eq=False)
class Analogies(Dataset):
    """Questions `a` is to `b` as `c` is to what?, with the answer people give, in sections."""

    a: Words
    b: Words
    c: Words
    answer: Words
    section: Words

    kind = "analogies"
    word_columns = ("a", "b", "c", "answer")
    gold_column = "answer"

    @property
    def labels(self) -> list[str]:
        return [f"{a} : {b} = {c} : ?" for a, b, c in zip(self.a, self.b, self.c, strict=True)]

    @cached_property
    def units(self) -> Units | None:
        """The pairs (a, b) and (c, answer): a set makes many questions of few pairs."""
        return recurring(_joined(self.a, self.b), _joined(self.c, self.answer))

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Each section, and the semantic and syntactic totals where all names tell them apart."""
        names = list(dict.fromkeys(self.section))
        if len(names) < 2:
            return {}
        sections = {name: self.section == name for name in names if name}
        semantic = np.array([name in SEMANTIC for name in self.section])
        syntactic = np.array([name.startswith("gram") for name in self.section])
        if not (semantic | syntactic).all() or not semantic.any() or not syntactic.any():
            return sections
        return {"semantic": semantic, "syntactic": syntactic, **sections}

    @classmethod
    def example(cls) -> Self:
        """Four questions in two sections."""
        questions = [
            ("cat", "cats", "dog", "dogs", "plural"),
            ("dog", "dogs", "cat", "cats", "plural"),
            ("king", "queen", "man", "woman", "family"),
            ("man", "woman", "king", "queen", "family"),
        ]
        return cls("example-analogies", *map(word_array, zip(*questions, strict=True)))


@dataclass(frozen=True, eq=False)
class Questions(Dataset):
    """A word and four others, one of which means the same."""

    query: Words
    first: Words
    second: Words
    third: Words
    fourth: Words
    answer: Words

    kind = "questions"
    word_columns = ("query", "first", "second", "third", "fourth", "answer")
    gold_column = "answer"

    @property
    def options(self) -> tuple[Words, ...]:
        """The four columns to choose from."""
        return self.first, self.second, self.third, self.fourth

    @property
    def labels(self) -> list[str]:
        rows = zip(self.query, *self.options, strict=True)
        return [f"{query}: {', '.join(options)}" for query, *options in rows]

    @cached_property
    def units(self) -> Units | None:
        """The word asked about, where it is asked about more than once."""
        return recurring(self.query)

    @classmethod
    def example(cls) -> Self:
        """Four questions."""
        questions = [
            ("big", "large", "green", "early", "wet", "large"),
            ("quick", "sour", "fast", "round", "late", "fast"),
            ("glad", "flat", "cold", "happy", "loud", "happy"),
            ("shut", "sing", "melt", "grow", "close", "close"),
        ]
        return cls("example-questions", *map(word_array, zip(*questions, strict=True)))


@dataclass(frozen=True, eq=False)
class Categories(Dataset):
    """Words, each with the category people put it in."""

    word: Words
    category: Words

    kind = "categories"
    word_columns = ("word",)
    gold_column = "category"

    @cached_property
    def units(self) -> Units | None:
        """The word, where it stands in more than one category."""
        return recurring(self.word)

    @classmethod
    def example(cls) -> Self:
        """Nine words in three categories of different size."""
        rows = [
            *(("animal", word) for word in ("cat", "dog", "horse", "cow")),
            *(("drink", word) for word in ("tea", "milk", "wine")),
            *(("tool", word) for word in ("saw", "axe")),
        ]
        category, word = zip(*rows, strict=True)
        return cls("example-categories", word_array(word), word_array(category))


@dataclass(frozen=True, eq=False)
class Preferences(Dataset):
    """How typical a word is in a slot of another (the object of a verb), rated by people.

    `fillers` are the words that typically stand in that slot, the most associated first.
    """

    head: Words
    slot: Words
    word: Words
    rating: NDArray[np.float64]
    fillers: NDArray[np.object_]

    kind = "preferences"
    word_columns = ("word",)
    gold_column = "rating"

    @property
    def labels(self) -> list[str]:
        rows = zip(self.head, self.slot, self.word, strict=True)
        return [f"{head} · {slot} · {word}" for head, slot, word in rows]

    @property
    def own_words(self) -> set[str]:
        return {*self.word, *(filler for fillers in self.fillers for filler in fillers)}

    @cached_property
    def units(self) -> Units | None:
        """The slot and the word: the same slot is asked about with many words."""
        return recurring(_joined(self.head, self.slot), self.word)

    @cached_property
    def slices(self) -> Mapping[str, Mask]:
        """Each slot, where there are several."""
        names = list(dict.fromkeys(self.slot))
        return {name: self.slot == name for name in names} if len(names) > 1 else {}

    def covered_by(self, vocabulary: Vocabulary) -> Mask:
        """Which items have their word, and at least one filler besides it."""
        rows = zip(self.word, self.fillers, strict=True)
        return np.array(
            [word in vocabulary and any(f in vocabulary and f != word for f in fillers)
             for word, fillers in rows], bool
        )  # fmt: skip

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """The rated words that the vocabulary lacks; a slot has fillers to spare."""
        return sorted({word for word in self.word if word not in vocabulary})

    def respelt(self, spelling: Callable[[str], str]) -> Self:
        fillers = np.empty(len(self), object)
        fillers[:] = [tuple(map(spelling, words)) for words in self.fillers]
        return replace(super().respelt(spelling), fillers=fillers)

    @classmethod
    def example(cls) -> Self:
        """Six objects of two verbs."""
        food, music = ("bread", "soup", "meat"), ("song", "tune", "hymn")
        rows = [
            ("eat", "dobj", "apple", 9.0, food),
            ("eat", "dobj", "song", 1.0, food),
            ("eat", "dobj", "bread", 8.5, food),
            ("sing", "dobj", "ballad", 9.5, music),
            ("sing", "dobj", "soup", 0.5, music),
            ("sing", "dobj", "apple", 1.5, music),
        ]
        head, slot, word, rating, fillers = zip(*rows, strict=True)
        filled = np.empty(len(rows), object)
        filled[:] = fillers
        heads, slots, words = map(word_array, (head, slot, word))
        return cls("example-preferences", heads, slots, words, np.array(rating), filled)


def _joined(left: Iterable[str], right: Iterable[str]) -> list[str]:
    return [f"{one}\0{other}" for one, other in zip(left, right, strict=True)]


KINDS: Mapping[str, type[Dataset]] = {
    kind.kind: kind
    for kind in (
        WordPairs, Analogies, Questions, Categories, Preferences, EntityTypes, Properties, Texts,
        Sentences, Phrases,
    )
}  # fmt: skip
