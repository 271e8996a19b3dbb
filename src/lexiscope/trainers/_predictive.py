"""Shared base of the predictive models, which update their parameters token by token."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import name_of, setting
from lexiscope.core.contracts.trainer import State, Stepwise
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.kernels.predictive.training_loop import Segment, Text
from lexiscope.kernels.rng import alias_table
from lexiscope.trainers import _sharding
from lexiscope.trainers._tables import Table, check_finite, unpadded

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Predictive(Stepwise):
    """Hyperparameters of all predictive models.

    A model is a file with its parameter tables, the call of its kernel, and the hyperparameters
    that only it has.
    """

    dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    window: int = setting(
        5, "Maximum distance between the centre word and a context word.", minimum=1
    )
    dynamic_window: bool = setting(
        True, "Sample the window size of each centre word uniformly from 1 to the window."
    )
    negative: int = setting(5, "Number of negative samples per positive example.", minimum=1)
    ns_exponent: float = setting(
        0.75,
        "Exponent of the unigram distribution for negative sampling.",
        minimum=0,
        maximum=1,
    )
    subsample: float = setting(
        1e-3,
        "Threshold of relative frequency above which words are randomly discarded; 0 disables it.",
        minimum=0,
    )
    epochs: int = setting(5, "Number of passes over the corpus.", minimum=1)
    learning_rate: float = setting(0.025, "Initial learning rate.", exclusive_minimum=0)
    min_learning_rate: float = setting(
        1e-4, "Final learning rate; it decreases linearly to this value.", minimum=0
    )
    shards: int = setting(
        0,
        "Number of parts of the corpus trained in parallel; 0 chooses it by the corpus size. The "
        "vectors depend on it, not on the number of threads.",
        minimum=0,
    )
    hogwild: bool = setting(
        False, "Update shared vectors from all threads without locks: faster, not reproducible."
    )
    space: Literal["input", "output", "both"] = setting(
        "input", "Vectors to keep: input (context) vectors, output (predicted) vectors, or both."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_learning_rate > self.learning_rate:
            raise BadUsage(
                f"{name_of(type(self))}.min_learning_rate must be at most the learning_rate, "
                f"{self.learning_rate:g}, found {self.min_learning_rate:g}."
            )

    @property
    def repeatable(self) -> bool:
        return not self.hogwild

    @abstractmethod
    def initial_tables(self, corpus: Corpus, rng: Generator) -> State:
        """The parameters before the first step, as tables of `_tables`.

        `inputs` and `outputs` are the tables that `space` selects.
        """

    @abstractmethod
    def train_segment(self, text: Text, segment: Segment, tables: State) -> None:
        """Train on a segment of the text; the tables are updated in place."""

    def update_rates(self, corpus: Corpus) -> dict[str, Floats]:
        """Expected updates of each row of a table, per token of the text.

        Words are sorted by frequency. All rows of a table that is not named are updated with
        every token.
        """
        kept, negative = self.word_probabilities(corpus)
        contexts = (self.window + 1) if self.dynamic_window else 2 * self.window
        return {
            "inputs": kept * contexts,
            "outputs": kept + self.negative * negative * kept.sum(),
        }

    def word_probabilities(self, corpus: Corpus) -> tuple[Floats, Floats]:
        """Relative frequencies after subsampling, and negative-sampling probabilities."""
        frequencies = corpus.counts / len(corpus)
        negative = corpus.counts.astype(np.float64) ** self.ns_exponent
        kept = frequencies * keep_probability(frequencies, self.subsample)
        return kept, negative / negative.sum()

    def text(self, corpus: Corpus) -> Text:
        """The tokens, with the probabilities of words for subsampling and negative sampling."""
        frequencies = corpus.counts / len(corpus)
        keep = np.ceil(keep_probability(frequencies, self.subsample) * 2.0**32).astype(np.uint64)
        negative = self.word_probabilities(corpus)[1]
        return Text(corpus.tokens, corpus.starts, keep, alias_table(negative))

    def begin(self, corpus: Corpus, rng: Generator) -> State:
        self.check(corpus)
        return {**self.initial_tables(corpus, rng), **_sharding.initial_position(rng)}

    def steps(self, corpus: Corpus, state: State, progress: Progress = silent) -> Iterator[None]:
        return _sharding.steps(self, corpus, state, progress)

    def finish(self, corpus: Corpus, state: State) -> Embedding:
        vectors = check_finite(self.vectors(state), self.learning_rate)
        return corpus.embedding(name_of(type(self)), vectors)

    def vectors(self, state: State) -> Table:
        """The vectors of the selected space; `both` concatenates input and output vectors."""
        spaces = ("input", "output") if self.space == "both" else (self.space,)
        parts = [unpadded(state[f"{space}s"], self.dimension) for space in spaces]
        return np.concatenate(parts, axis=1)

    def check(self, corpus: Corpus) -> None:
        """Raise an error if the vocabulary is too small for negative sampling."""
        words = len(corpus.vocabulary)
        if words < 2:
            raise BadUsage("The text has one word only, so there are no negative samples.")
        if self.negative >= words:
            raise BadUsage(
                f"negative must be less than the vocabulary size of the text, {words:,}, found "
                f"{self.negative:,}."
            )


def other_default(name: str, default: Any) -> Any:
    """Declare a hyperparameter of `Predictive` with the default of one model."""
    return field(default=default, metadata=Predictive.__dataclass_fields__[name].metadata)


def shared_centres_setting(default: int) -> Any:
    """Declare how many centre words share negative samples, of models that update them in pairs."""
    text = "Number of neighbouring centre words that share their negative samples."
    return setting(default, text, minimum=1)


def keep_probability(frequencies: Floats, subsample: float) -> Floats:
    """The probability that a token survives subsampling, as in the word2vec program."""
    if not subsample:
        return np.ones_like(frequencies)
    ratio = subsample / np.maximum(frequencies, np.finfo(np.float64).tiny)
    return np.asarray(np.minimum(np.sqrt(ratio) + ratio, 1.0))
