"""Analogy triples: is the word nearest to x_i - x_j + x_k of the right type?

The second of two full-space tests in Yaghoobzadeh and Schütze 2016, section 4.4: the difference of
two words that differ in one facet is added to a word of another type.
"""

from dataclasses import dataclass
from itertools import permutations, product
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.probe import Probe, ProbePredictions, require_words
from lexiscope.core.contracts.settings import setting
from lexiscope.core.embedding import Embedding
from lexiscope.pcfg.grammar import Grammar
from lexiscope.probes.neighbour import Cosines


class _Triple(NamedTuple):
    """Three words, and the type that the word nearest to x_i - x_j + x_k should have."""

    words: tuple[str, str, str]
    gold: tuple[str, str]


@dataclass(frozen=True)
class Triples(Probe):
    """Predict the type of the word nearest to x_i - x_j + x_k, excluding these three words.

    The name of a type has two facets, such as noun-feminine. x_i has type c1-g1, x_j c1-g2 and
    x_k c2-g2; the gold type is c2-g1.
    """

    paper: ClassVar[str] = "Yaghoobzadeh and Schütze 2016"

    number: int = setting(100, "Number of sampled triples; all if there are fewer.", minimum=1)
    scoring: Literal["type", "facet"] = setting(
        "type", "What counts as correct: the type, or only its second facet."
    )

    def applies_to(self, grammar: Grammar, target: str) -> bool:
        return bool(_facets(grammar))

    def predict(
        self, embedding: Embedding, grammar: Grammar, target: str, rng: Generator
    ) -> ProbePredictions:
        require_words(embedding, tuple(word for words in grammar.types.values() for word in words))
        typed = {word: name for name, words in grammar.types.items() for word in words}
        near = Cosines(embedding, embedding.words)
        sampled = self._sample(grammar, rng)
        found = [near.best(_direction(near, each.words), each.words) for each in sampled]
        return ProbePredictions(
            tuple("{} - {} + {}".format(*each.words) for each in sampled),
            tuple(self._scored(typed.get(word, "-")) for word in found),
            tuple(self._scored("-".join(each.gold)) for each in sampled),
        )

    def _sample(self, grammar: Grammar, rng: Generator) -> list[_Triple]:
        every = [triple for kind in _facets(grammar) for triple in _triples(grammar, *kind)]
        taken = rng.permutation(len(every))[: self.number]
        return [every[number] for number in sorted(taken.tolist())]

    def _scored(self, kind: str) -> str:
        return kind if self.scoring == "type" else kind.rpartition("-")[2]


def _facets(grammar: Grammar) -> list[tuple[str, str, str, str]]:
    """Return all (c1, g1, c2, g2) for which the four combined types exist."""
    facets = [tuple(name.split("-")) for name in grammar.types]
    paired = [each for each in facets if len(each) == 2]
    firsts, seconds = (sorted({each[side] for each in paired}) for side in (0, 1))
    return [
        (c1, g1, c2, g2)
        for (c1, c2), (g1, g2) in product(permutations(firsts, 2), permutations(seconds, 2))
        if all(each in paired for each in product((c1, c2), (g1, g2)))
    ]


def _triples(grammar: Grammar, c1: str, g1: str, c2: str, g2: str) -> list[_Triple]:
    words = [grammar.types[f"{c}-{g}"] for c, g in ((c1, g1), (c1, g2), (c2, g2))]
    return [_Triple((i, j, k), (c2, g1)) for i, j, k in product(*words) if len({i, j, k}) == 3]


def _direction(near: Cosines, words: tuple[str, str, str]) -> NDArray[np.float64]:
    one, other, third = (near.rows[[near.index[word]]] for word in words)
    return one - other + third
