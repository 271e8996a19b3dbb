"""Chunking: phrases found by a conditional random field with vectors as features.

The field is trained on words, parts of speech, and the L2-normalised vectors of a word and its
neighbours (CoNLL-2000). Schnabel et al. 2015, section 5; Turian et al. 2010, section 4.1.
"""

from collections.abc import Sequence
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
from lexiscope.learners.crf.features import Integers, add_vectors, encode
from lexiscope.learners.crf.training import CrfSettings, predict_tags
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
    version = 3

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
        words, pos = ([*a, *b] for a, b in ((train.written, items.written), (train.pos, items.pos)))
        sentences = encode(words, pos, len(train))
        if embedding is not None:
            sentences = add_vectors(sentences, *_vectors(embedding, train, items))
        seed = int(rng.integers(1 << 31))
        settings = CrfSettings(self.c2, self.epochs, self.neighbours, seed)
        predicted = predict_tags(sentences, train.tags.tolist(), settings)
        return Predictions(word_array(predicted), items.tags)


def _vectors(embedding: Embedding, *parts: Sentences) -> tuple[Integers, Floats]:
    """The vector of each distinct word of each part, and which of them each token has."""
    words = [part.encoded.words for part in parts]
    firsts = np.cumsum([0, *map(len, words)])[:-1]
    rows = [first + part.encoded.numbers for first, part in zip(firsts, parts, strict=True)]
    vectors = [_normalised(embedding, distinct) for distinct in words]
    return np.concatenate(rows), np.concatenate(vectors)


def _normalised(embedding: Embedding, words: Sequence[str]) -> Floats:
    """The L2-normalised vectors of words; zero for an out-of-vocabulary word."""
    indices = embedding.vocabulary.find(words)
    found = np.zeros((len(words), embedding.dimension))
    found[indices >= 0] = normalize_rows(
        embedding.vectors[indices[indices >= 0]].astype(np.float64)
    )
    return found
