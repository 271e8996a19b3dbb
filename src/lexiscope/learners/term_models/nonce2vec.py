"""Nonce2Vec: skip-gram that trains only the term's vector (Herbelot and Baroni 2017)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.term_model import Background, Sample
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.kernels import nonce2vec as kernels
from lexiscope.kernels.rng import alias_table
from lexiscope.learners.term_models._contexts import (
    FlatSamples,
    flat_samples,
    generators_of,
    kernel_table,
)
from lexiscope.learners.term_models.additive import Additive

# The settings that Bloem et al. 2019 selected on development terms; the defaults are the published.
TUNED = {"learning_rate": 0.1, "negative": 5, "learning_rate_decay": 30.0, "sample_decay": 2.5}

REFERENCE_TOKENS = 1.6e9  # size of the Wikipedia text for which the default `sample` was chosen


@dataclass(frozen=True)
class Nonce2vec(Additive):
    """Skip-gram with negative sampling from the sum of context vectors; all else is frozen."""

    needs_counts: ClassVar[bool] = True
    needs_output: ClassVar[bool] = True

    learning_rate: float = setting(1.0, "Initial learning rate.", exclusive_minimum=0)
    learning_rate_decay: float = setting(
        70.0,
        "Number of trained pairs after which the learning rate is divided by e.",
        exclusive_minimum=0,
    )
    min_learning_rate: float = setting(1e-4, "Lowest learning rate.", minimum=0)
    negative: int = setting(
        3, "Number of negative samples per positive example.", minimum=1, maximum=1000
    )
    ns_exponent: float = setting(
        0.75, "Exponent of the unigram distribution for negative sampling.", minimum=0, maximum=1
    )
    sample: float = setting(
        10_000.0,
        "Threshold of frequency per token of the sample above which words are randomly discarded "
        "during training; 0 disables it.",
        minimum=0,
    )
    scale_sample: bool = setting(
        True, "Scale `sample` to the size of the background, relative to 1.6 billion tokens."
    )
    sample_decay: float = setting(
        1.9, "Divisor of the probability to keep a word, after each sentence.", minimum=1
    )
    window_decay: int = setting(
        5, "Subtracted from the window after each sentence, while it is 4 or more.", minimum=0
    )
    count_pairs: Literal["sample", "sentence"] = setting(
        "sample", "Whether the count that decreases the learning rate restarts with each sentence."
    )
    update_output: bool = setting(
        False, "Train output vectors too, on a copy for each sample, as the released program does."
    )

    def vectors(
        self,
        samples: Sequence[Sample],
        background: Background,
        generator: Callable[[int], Generator],
    ) -> Floats:
        check_background(background, self.ns_exponent)
        flat = flat_samples(samples, background)
        generators = generators_of(generator, len(flat))
        vectors = self.sums(flat, background, generators)
        started = ~np.isnan(vectors[:, 0])
        seeds = [rng.integers(2**64, dtype=np.uint64) for rng in generators]
        self._train(flat, background, np.array(seeds, np.uint64), vectors)
        if not np.isfinite(vectors[started]).all():
            raise BadUsage(
                "The training diverged: vectors are no longer finite. Use a learning_rate lower "
                f"than {self.learning_rate:g}."
            )
        return vectors

    def notes(self, background: Background) -> tuple[str, ...]:
        sentences = self.trained_sentences
        if sentences is None:
            return super().notes(background)
        shrunk = f"The window is 0 after {sentences} sentences of a sample: later ones"
        return (*super().notes(background), f"{shrunk} only enter the initial sum.")

    @property
    def trained_sentences(self) -> int | None:
        """The number of sentences of a sample after which the window is 0; None if it never is."""
        if not self.window_decay:
            return None
        steps = max(0, -(-(self.window - 3) // self.window_decay))  # while it is 4 or more
        return None if self.window - steps * self.window_decay > 0 else steps

    def _train(
        self,
        flat: FlatSamples,
        background: Background,
        seeds: NDArray[np.uint64],
        vectors: Floats,
    ) -> None:
        counts: Any = background.counts
        outputs = kernel_table(np.asarray(background.output))
        scale = counts.sum() / REFERENCE_TOKENS if self.scale_sample else 1.0
        own = np.zeros(len(counts), np.int64)
        kernels.train(
            flat.codes,
            flat.starts,
            flat.samples,
            seeds,
            (counts, own, self.sample * scale, self.sample_decay),
            (self.window, self.window_decay, self.count_pairs == "sentence"),
            (self.learning_rate, self.min_learning_rate, self.learning_rate_decay),
            (alias_table(_weights(counts, self.ns_exponent)), self.negative),
            outputs,
            outputs.copy() if self.update_output else outputs[:0].copy(),
            vectors,
        )


def check_background(background: Background, ns_exponent: float) -> None:
    """Raise an error if counts or output vectors are missing."""
    hint = (
        "Train a background with 'lexiscope train skipgram TEXT --space both -o FILE.safetensors'."
    )
    if background.output is None:
        raise BadData(
            "Nonce2Vec needs the output vectors of a model with negative sampling, and this "
            f"background has none. GloVe and count-based models never have any. {hint}"
        )
    if background.counts is None:
        raise BadData(
            "Nonce2Vec needs word counts, and this background has none; text formats do not "
            f"store them. {hint}"
        )
    if background.output.shape != background.vectors.shape:
        raise BadData(
            f"The background has vectors {background.vectors.shape} and output vectors "
            f"{background.output.shape}: the shapes must be equal."
        )
    if (_weights(background.counts, ns_exponent) > 0).sum() < 2:
        raise BadData("Negative sampling needs a background with two words that have a count.")


def _weights(counts: NDArray[np.int64], ns_exponent: float) -> Floats:
    """Weights of negative samples; a word that never occurs is not sampled."""
    return np.where(counts > 0, np.maximum(counts, 1).astype(np.float64) ** ns_exponent, 0.0)
