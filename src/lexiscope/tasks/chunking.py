"""Do vectors help to find the phrases of a sentence?

A conditional random field learns to mark phrases (CoNLL-2000) from words, parts of speech, and the
vectors of the word and its neighbours at length 1. Schnabel et al. 2015, section 5; Turian et al.
2010, section 4.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.dataset import word_array
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.measure import Floats
from lexiscope.core.task import Answers, Task
from lexiscope.core.texts import Sentences
from lexiscope.stats.chunks import chunk_f1, chunk_precision, chunk_recall, noun_phrase_f1
from lexiscope.stats.cosine import unit
from lexiscope.stats.tagging import Features, Field, named_features, tagged, vector_features


@dataclass(frozen=True)
class Chunking(Task[Sentences]):
    """F1 of the phrases that a conditional random field finds with the vectors as features."""

    c2: float = 0.125  # weight of the squared weights: a standard deviation of 2
    epochs: int = 30  # how often every sentence is learned from
    neighbours: int = 2  # words to the left and right whose vectors count
    sentences: int = 0  # only so many sentences to learn from; 0: all

    reads = Sentences
    measure = chunk_f1
    beside = (chunk_precision, chunk_recall, noun_phrase_f1)
    local = True
    learns = True
    version = 2

    def __post_init__(self) -> None:
        if self.c2 < 0:
            raise BadUsage(f"chunking.c2 must not be negative, found {self.c2}.")
        if self.epochs < 1:
            raise BadUsage(f"chunking.epochs must be 1 or more, found {self.epochs}.")
        if not 0 <= self.neighbours <= 5:
            raise BadUsage(f"chunking.neighbours must be from 0 to 5, found {self.neighbours}.")
        if self.sentences < 0:
            raise BadUsage(f"chunking.sentences must not be negative, found {self.sentences}.")

    def suits(self, items: Sentences) -> bool:
        """Whether there are sentences to learn from."""
        return items.train is not None

    def answer(self, embedding: Embedding, items: Sentences, rng: Generator) -> Answers:
        embedding.dense_vectors("Chunking")
        return self._tagged(embedding, items, rng)

    def without_vectors(self, items: Sentences, rng: Generator) -> Answers:
        return self._tagged(None, items, rng)

    def _tagged(self, embedding: Embedding | None, items: Sentences, rng: Generator) -> Answers:
        if items.train is None:
            raise Undefined("there are no sentences to learn from")
        number = self.sentences or len(items.train)
        train = items.train.take(np.arange(min(number, len(items.train))))
        tags = [text.split() for text in train.tags]
        lessons = zip(self._features(embedding, train), tags, strict=True)
        field = Field(self.c2, self.epochs, int(rng.integers(1 << 31)))
        given = tagged(lessons, self._features(embedding, items), field)
        return Answers(given=word_array(given), gold=items.tags)

    def _features(self, embedding: Embedding | None, sentences: Sentences) -> Iterator[Features]:
        """The features of each sentence, one sentence at a time: together they are large."""
        columns = zip(sentences.written, sentences.pos, sentences.text, strict=True)
        for written, pos, text in columns:
            names = named_features(written.split(), pos.split())
            if embedding is None:
                yield names
            else:
                vectors = _vectors(embedding, text.split())
                yield vector_features(names, vectors, self.neighbours)


def _vectors(embedding: Embedding, words: list[str]) -> Floats:
    """The vectors of words at length 1; that of an unknown word is zero."""
    places = embedding.vocabulary.find(words)
    found = np.zeros((len(words), embedding.dimension))
    found[places >= 0] = unit(embedding.vectors[places[places >= 0]].astype(np.float64))
    return found
