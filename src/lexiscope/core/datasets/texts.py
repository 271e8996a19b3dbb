"""Datasets for supervised tasks: labelled texts, tagged sentences, labelled phrases."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import (
    Dataset,
    Mask,
    TokenCoverage,
    Units,
    Words,
    sampling_units,
    word_array,
)
from lexiscope.core.vocabulary import Vocabulary

_LABEL_LENGTH = 80  # characters
_MOST_MISSING = 1000  # OOV words to report


class EncodedTexts(NamedTuple):
    """Texts as one sequence of word indices.

    `words` are the distinct words, `numbers` the index of each token in them, and `ends` the
    position in `numbers` where each text ends.
    """

    words: tuple[str, ...]
    numbers: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TokenisedText(Dataset):
    """Items that are texts, with one space between tokens.

    An OOV token does not exclude its item; token coverage is reported instead.
    """

    text: Words

    word_columns = ("text",)
    stored = False

    @property
    def labels(self) -> list[str]:
        return [
            text if len(text) <= _LABEL_LENGTH else f"{text[:_LABEL_LENGTH]}…" for text in self.text
        ]

    @property
    def item_words(self) -> set[str]:
        return set(self.encoded.words)

    @cached_property
    def encoded(self) -> EncodedTexts:
        """The texts as word indices."""
        index: dict[str, int] = {}
        rows = [[index.setdefault(word, len(index)) for word in text.split()] for text in self.text]
        ends = np.cumsum([len(row) for row in rows])
        numbers = np.fromiter(chain.from_iterable(rows), np.int64, int(ends[-1]) if rows else 0)
        return EncodedTexts(tuple(index), numbers, ends)

    def covered_by(self, vocabulary: Vocabulary) -> Mask:
        return np.ones(len(self), bool)

    def token_coverage(self, vocabulary: Vocabulary) -> TokenCoverage:
        """Count the tokens of the items that are in the vocabulary."""
        words, numbers, _ = self.encoded
        known = vocabulary.find(words) >= 0
        return TokenCoverage(int(known[numbers].sum()), len(numbers))

    def missing_from(self, vocabulary: Vocabulary) -> list[str]:
        """Return the most frequent words that the vocabulary lacks."""
        words, numbers, _ = self.encoded
        counts = np.bincount(numbers, minlength=len(words))
        counts[vocabulary.find(words) >= 0] = 0
        order = np.argsort(-counts, kind="stable")[:_MOST_MISSING].tolist()
        return [words[index] for index in order if counts[index]]


@dataclass(frozen=True, eq=False)
class Texts(TokenisedText):
    """Labelled texts, for text classification.

    Parameters
    ----------
    name : str
        Name of the dataset.
    text : ndarray of str
        The test texts, with one space between tokens.
    label : ndarray of str
        The class of each text.
    train : Texts, optional
        The training set. Without one, tasks cross-validate on the test texts.
    dev : Texts, optional
        The development set.

    Examples
    --------
    >>> from lexiscope.core.datasets import Texts
    >>> texts = Texts.example()
    >>> texts.text[0], texts.label[0]
    ('the cat and a dog number0', 'animals')
    """

    label: Words
    train: Self | None = None
    dev: Self | None = None

    kind = "texts"
    gold_column = "label"
    training_sets = ("train", "dev")
    read_priority = 10

    @cached_property
    def units(self) -> Units | None:
        """The text, if a text occurs more than once."""
        return sampling_units(self.text)

    @classmethod
    def example(cls) -> Self:
        """Return forty texts of two classes."""
        kinds = {"animals": ("cat", "dog", "cow", "hen"), "drinks": ("tea", "milk", "wine", "beer")}
        rows = [
            (f"the {words[k % 4]} and a {words[(k + 1 + k // 4) % 4]} number{k}", label)
            for k in range(20)
            for label, words in kinds.items()
        ]
        text, label = map(word_array, zip(*rows, strict=True))
        return cls("example-texts", text, label)


@dataclass(frozen=True, eq=False)
class Sentences(TokenisedText):
    """Tagged sentences, for sequence labelling.

    Parameters
    ----------
    name : str
        Name of the dataset.
    text : ndarray of str
        The test sentences, with one space between tokens; the vocabulary policy normalises them.
    written : ndarray of str
        The same sentences in their original form.
    pos : ndarray of str
        The part of speech of each token, an input of the task.
    tags : ndarray of str
        The gold tag of each token: B-NP, I-NP, O.
    train : Sentences, optional
        The training set.

    Examples
    --------
    >>> from lexiscope.core.datasets import Sentences
    >>> sentences = Sentences.example()
    >>> sentences.text[0], sentences.tags[0]
    ('The cat saw a hen .', 'B-NP I-NP B-VP B-NP I-NP O')
    """

    written: Words
    pos: Words
    tags: Words
    train: Self | None = None

    kind = "sentences"
    gold_column = "tags"
    training_sets = ("train",)
    read_priority = 0

    @classmethod
    def example(cls) -> Self:
        """Return six test sentences and six training sentences."""
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
    """Adjective-noun phrases with a label, such as metaphor or literal.

    Parameters
    ----------
    name : str
        Name of the dataset.
    adjective, noun : ndarray of str
        The two words of each phrase.
    label : ndarray of str
        The class of each phrase.

    Examples
    --------
    >>> from lexiscope.core.datasets import Phrases
    >>> phrases = Phrases.example()
    >>> phrases.labels[0], phrases.label[0]
    ('warm water', 'literal')
    """

    adjective: Words
    noun: Words
    label: Words

    kind = "phrases"
    word_columns = ("adjective", "noun")
    gold_column = "label"
    read_priority = 20

    @property
    def labels(self) -> list[str]:
        return [f"{one} {other}" for one, other in zip(self.adjective, self.noun, strict=True)]

    @cached_property
    def units(self) -> Units | None:
        """The adjective and the noun, if a word occurs in several phrases."""
        return sampling_units(self.adjective, self.noun)

    @classmethod
    def example(cls) -> Self:
        """Return twenty-four phrases, half of them metaphors."""
        literal = [(a, n, "literal") for a in ("warm", "dark", "deep") for n in
                   ("water", "room", "hole", "soup")]  # fmt: skip
        metaphors = [(a, n, "metaphor") for a in ("warm", "dark", "deep") for n in
                   ("welcome", "thought", "sorrow", "secret")]  # fmt: skip
        return cls("example-phrases", *map(word_array, zip(*literal, *metaphors, strict=True)))
