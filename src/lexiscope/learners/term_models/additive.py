"""The sum of the background vectors of context words (Lazaridou et al. 2017, Bloem et al. 2019)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.term_model import UNKNOWN, Background, Sample, TermModel
from lexiscope.learners.term_models._contexts import (
    Flags,
    FlatSamples,
    context_sums,
    flat_samples,
    generators_of,
    has_weight,
    sentence_weights,
    subsampled,
    type_weights,
    window_weights,
)


@dataclass(frozen=True)
class Additive(TermModel):
    """Sum of the background vectors of context words."""

    window: int = setting(
        15, "Maximum distance between the term and a context word, inside the sentence.", minimum=1
    )
    contexts: Literal["window", "sentence", "types"] = setting(
        "window",
        "Words to sum: those in the window of each occurrence, all words of the sentences, or each "
        "distinct word of the sentences once.",
    )
    subsample: float = setting(
        1e-3,
        "Threshold of relative frequency in the background above which context words are randomly "
        "discarded before they are summed; 0 disables it, and so does a background without counts.",
        minimum=0,
    )

    def vectors(
        self,
        samples: Sequence[Sample],
        background: Background,
        generator: Callable[[int], Generator],
    ) -> Floats:
        flat = flat_samples(samples, background)
        return self.sums(flat, background, generators_of(generator, len(flat)))

    def sums(
        self, flat: FlatSamples, background: Background, generators: Sequence[Generator]
    ) -> Floats:
        """The sum of each sample; all context words where subsampling leaves none."""
        known = flat.codes != UNKNOWN  # unknown and discarded words take up no position
        weights = self._weights(flat, known, background)
        if self.is_random(background):
            assert background.counts is not None
            kept = known & subsampled(flat, background.counts, self.subsample, generators)
            fewer = self._weights(flat, kept, background)
            left = np.repeat(has_weight(flat, fewer), np.diff(flat.bounds))
            weights = np.where(left, fewer, weights)
        return context_sums(flat, weights, background)

    def notes(self, background: Background) -> tuple[str, ...]:
        """What a reader of the vectors should know about these settings."""
        if self.subsample and background.counts is None:
            return ("The background has no counts, so context words are not subsampled.",)
        return ()

    def is_random(self, background: Background) -> bool:
        """Whether context words are subsampled."""
        return self.subsample > 0 and background.counts is not None

    def _weights(self, flat: FlatSamples, counted: Flags, background: Background) -> Floats:
        if self.contexts == "window":
            return window_weights(flat, counted, self.window)
        if self.contexts == "sentence":
            return sentence_weights(flat, counted)
        return type_weights(flat, counted, len(background.words))
