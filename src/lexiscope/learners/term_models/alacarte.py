"""A la carte: a linear map of the mean context vector (Khodak et al. 2018)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.settings import setting
from lexiscope.core.contracts.term_model import TERM, Background, Sample, TermModel
from lexiscope.core.errors import BadData
from lexiscope.learners.induction_map import Indices, InductionMap, Weighting, learned_map
from lexiscope.learners.term_models._contexts import context_sums, flat_samples, window_weights
from lexiscope.linalg.deterministic_products import single_threaded_blas


@dataclass(frozen=True)
class Alacarte(TermModel):
    """Linear map of the mean sum of context vectors, learned on the words of the background."""

    window: int = setting(
        10, "Maximum distance between the term and a context word, inside the sentence.", minimum=1
    )
    weighting: Weighting = setting(
        "log", "Weight of a word when the map is learned: log of its frequency, frequency, or none."
    )
    map_min_count: int = setting(
        5, "Words that occur less often in the text are not used to learn the map.", minimum=1
    )
    map: InductionMap | None = setting(None, "Map from mean contexts to vectors.")

    def with_map(
        self,
        name: str,
        codes: Indices,
        starts: Indices,
        background: Background,
        exclude: Iterable[int] = (),
    ) -> Self:
        """The model with a map that is learned from a text; see `learned_map`."""
        found = learned_map(
            name,
            codes,
            starts,
            background,
            window=self.window,
            weighting=self.weighting,
            min_count=self.map_min_count,
            exclude=exclude,
        )
        return replace(self, map=found)

    def vectors(
        self,
        samples: Sequence[Sample],
        background: Background,
        generator: Callable[[int], Generator],
    ) -> Floats:
        matrix = self._matrix(background)
        flat = flat_samples(samples, background)
        weights = window_weights(flat, np.ones(len(flat.codes), np.bool_), self.window)
        sums = context_sums(flat, weights, background)
        before = np.concatenate([[0], np.cumsum(flat.codes == TERM)])
        occurrences = np.diff(before[flat.bounds])
        means = sums / np.maximum(occurrences, 1)[:, None]
        with single_threaded_blas():  # row by row: no vector depends on the other samples
            return np.array([matrix @ mean for mean in means]).reshape(sums.shape)

    def is_random(self, background: Background) -> bool:
        """Never: the map is given."""
        return False

    def notes(self, background: Background) -> tuple[str, ...]:
        """What a reader of the vectors should know about the map."""
        if self.map is None or not self.map.words:
            return ()
        words, dimension = self.map.words, background.dimension
        few = f" These are few words for {dimension} dimensions." if words < 10 * dimension else ""
        return (
            f"The map was learned from {words:,} words of {self.map.name}. The mean cosine of "
            f"their mapped contexts with their vectors is {self.map.cosine:.3f}, and "
            f"{self.map.held_out:.3f} for words that were held out (5 folds).{few}",
        )

    def _matrix(self, background: Background) -> Floats:
        if self.map is None:
            raise BadData("A la carte needs a map; `with_map` learns one from a text.")
        if len(self.map.matrix) != background.dimension:
            raise BadData(
                f"{self.map.name}: the map has {len(self.map.matrix)} dimensions, the background "
                f"{background.dimension}."
            )
        return self.map.matrix
