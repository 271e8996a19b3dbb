"""Chunking: phrases found by a conditional random field with vectors as features.

The field is trained on words, parts of speech, and the L2-normalised vectors of a word and its
neighbours (CoNLL-2000). Schnabel et al. 2015, section 5; Turian et al. 2010, section 4.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.texts import Sentences
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.learners.crf import (
    CrfSettings,
    Features,
    named_features,
    predict_tags,
    vector_features,
)
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.metrics.chunk_f1 import chunk_f1, chunk_precision, chunk_recall, noun_phrase_f1


@dataclass(frozen=True)
class Chunking(Task[Sentences]):
    """F1 of the phrases that a conditional random field finds with vectors as features."""

    c2: float = setting(  # a prior with a standard deviation of 2
        0.125, "Strength of the L2 regularisation.", minimum=0
    )
    epochs: int = setting(30, "Passes over the training sentences.", minimum=1)
    neighbours: int = setting(
        2, "Words on each side whose vectors are features.", minimum=0, maximum=5
    )
    train_sentences: int = setting(0, "Size of the training set; 0 for all sentences.", minimum=0)

    dataset = Sentences
    metric = chunk_f1
    secondary = (chunk_precision, chunk_recall, noun_phrase_f1)
    local = True
    supervised = True
    version = 2

    def applies_to(self, items: Sentences) -> bool:
        """Return whether the dataset has a training set."""
        return items.train is not None

    def predict(self, embedding: Embedding, items: Sentences, rng: Generator) -> Predictions:
        embedding.dense_vectors("Chunking")
        return self._tag(embedding, items, rng)

    def without_vectors(self, items: Sentences, rng: Generator) -> Predictions:
        """Predict from words and parts of speech only."""
        return self._tag(None, items, rng)

    def _tag(self, embedding: Embedding | None, items: Sentences, rng: Generator) -> Predictions:
        if items.train is None:
            raise Undefined("there is no training set")
        number = self.train_sentences or len(items.train)
        train = items.train.take(np.arange(min(number, len(items.train))))
        tags = [text.split() for text in train.tags]
        examples = zip(self._features(embedding, train), tags, strict=True)
        settings = CrfSettings(self.c2, self.epochs, int(rng.integers(1 << 31)))
        predicted = predict_tags(examples, self._features(embedding, items), settings)
        return Predictions(word_array(predicted), items.tags)

    def _features(self, embedding: Embedding | None, sentences: Sentences) -> Iterator[Features]:
        """The features of each sentence, one at a time: all of them need much memory."""
        columns = zip(sentences.written, sentences.pos, sentences.text, strict=True)
        for written, pos, text in columns:
            names = named_features(written.split(), pos.split())
            if embedding is None:
                yield names
            else:
                vectors = _vectors(embedding, text.split())
                yield vector_features(names, vectors, self.neighbours)


def _vectors(embedding: Embedding, words: list[str]) -> Floats:
    """The L2-normalised vectors of words; zero for an out-of-vocabulary word."""
    indices = embedding.vocabulary.find(words)
    found = np.zeros((len(words), embedding.dimension))
    found[indices >= 0] = normalize_rows(
        embedding.vectors[indices[indices >= 0]].astype(np.float64)
    )
    return found
