"""The kinds of dataset that tasks learn from: texts with a class, tagged sentences, phrases."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Mask, Running, Units, Words, recurring, word_array
from lexiscope.core.vocabulary import Vocabulary

_SHOWN = 80  # characters of a text in a table
_NAMED = 1000  # unknown words that are named


class Counted(NamedTuple):
    """Texts as numbers of words one after the other, and where each text ends."""

    words: tuple[str, ...]
    numbers: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RunningText(Dataset):
    """Items of running text, their words with one space between.

    No item is left out because a word of it is unknown; how many words are known is counted.
    """

    text: Words

    word_columns = ("text",)
    kept = False

    @property
    def labels(self) -> list[str]:
        return [text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…" for text in self.text]

    @property
    def own_words(self) -> set[str]:
        return set(self.counted.words)

    @cached_property
    def counted(self) -> "Counted":
        """The texts as numbers of words."""
        numbers: dict[str, int] = {}
        rows = [
            [numbers.setdefault(word, len(numbers)) for word in text.split()] for text in self.text
        ]
        ends = np.cumsum([len(row) for row in rows])
        running = np.fromiter(chain.from_iterable(rows), np.int64, int(ends[-1]) if rows else 0)
        return Counted(tuple(numbers), running, ends)

    def covered_by(self, vocabulary: Vocabulary) -> Mask:
        return np.ones(len(self), bool)

    def running(self, vocabulary: Vocabulary) -> Running:
        """How many of the words of the items asked are known, each as often as it stands there."""
        words, numbers, _ = self.counted
        known = vocabulary.find(words) >= 0
        return Running(int(known[numbers].sum()), len(numbers))

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """The most frequent of the words that the vocabulary lacks."""
        words, numbers, _ = self.counted
        often = np.bincount(numbers, minlength=len(words))
        often[vocabulary.find(words) >= 0] = 0
        order = np.argsort(-often, kind="stable")[:_NAMED].tolist()
        return [words[place] for place in order if often[place]]


@dataclass(frozen=True, eq=False)
class Texts(RunningText):
    """Texts, each with the class people put it in, and others to learn the classes from.

    Without any to learn from, the texts are learned from in turn.
    """

    label: Words
    train: Self | None = None
    dev: Self | None = None

    kind = "texts"
    gold_column = "label"
    lessons = ("train", "dev")

    @cached_property
    def units(self) -> Units | None:
        """The text, where the same one stands there twice."""
        return recurring(self.text)

    @classmethod
    def example(cls) -> Self:
        """Forty texts of two classes."""
        kinds = {"animals": ("cat", "dog", "cow", "hen"), "drinks": ("tea", "milk", "wine", "beer")}
        rows = [
            (f"the {words[k % 4]} and a {words[(k + 1 + k // 4) % 4]} number{k}", label)
            for k in range(20)
            for label, words in kinds.items()
        ]
        text, label = map(word_array, zip(*rows, strict=True))
        return cls("example-texts", text, label)


@dataclass(frozen=True, eq=False)
class Sentences(RunningText):
    """Sentences whose words have tags, and others to learn the tags from.

    `written` is the text as it was written, whatever the spelling that embeddings are asked for;
    `pos` are parts of speech that are given, `tags` what is to be found: B-NP, I-NP, O.
    """

    written: Words
    pos: Words
    tags: Words
    train: Self | None = None

    kind = "sentences"
    gold_column = "tags"
    lessons = ("train",)

    @classmethod
    def example(cls) -> Self:
        """Six sentences to tag, and six to learn from."""
        rows = [
            (f"The {noun} {verb} a {thing} .", "DT NN VBD DT NN .", "B-NP I-NP B-VP B-NP I-NP O")
            for noun in ("cat", "dog", "cow")
            for verb, thing in (("saw", "hen"), ("ate", "fish"), ("met", "hen"), ("lost", "cup"))
        ]
        text, pos, tags = map(word_array, zip(*rows, strict=True))
        whole = cls("example-sentences", text, text, pos, tags)
        return replace(whole.take(np.arange(0, 12, 2)), train=whole.take(np.arange(1, 12, 2)))


@dataclass(frozen=True, eq=False)
class Phrases(Dataset):
    """An adjective and a noun, and what people say of the two together."""

    adjective: Words
    noun: Words
    label: Words

    kind = "phrases"
    word_columns = ("adjective", "noun")
    gold_column = "label"

    @property
    def labels(self) -> list[str]:
        return [f"{one} {other}" for one, other in zip(self.adjective, self.noun, strict=True)]

    @cached_property
    def units(self) -> Units | None:
        """The adjective and the noun, where any stands in more than one phrase."""
        return recurring(self.adjective, self.noun)

    @classmethod
    def example(cls) -> Self:
        """Twenty-four phrases, half of them metaphors."""
        literal = [(a, n, "literal") for a in ("warm", "dark", "deep") for n in
                   ("water", "room", "hole", "soup")]  # fmt: skip
        figures = [(a, n, "metaphor") for a in ("warm", "dark", "deep") for n in
                   ("welcome", "thought", "sorrow", "secret")]  # fmt: skip
        return cls("example-phrases", *map(word_array, zip(*literal, *figures, strict=True)))
