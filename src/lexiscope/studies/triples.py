"""Does one word less another plus a third lead to the right kind of word?

The second of two tests that Yaghoobzadeh and Schütze 2016 set against theirs, section 4.4: of two
words that differ in one facet the difference is taken, and added to a word of another type.
"""

from dataclasses import dataclass
from itertools import permutations, product
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.grammar import Grammar
from lexiscope.core.study import Replies, Study, must_know
from lexiscope.core.trainer import setting
from lexiscope.studies._cosines import Cosines


class _Triple(NamedTuple):
    """Three words, and the type of the word that one less the second plus the third should be."""

    words: tuple[str, str, str]
    gold: tuple[str, str]


@dataclass(frozen=True)
class Triples(Study):
    """The kind of the word nearest to x_i - x_j + x_k, with the three left out.

    Types have names of two facets, as noun-feminine: x_i is of type c1-g1, x_j of c1-g2, x_k of
    c2-g2, and the answer should be of c2-g1.
    """

    paper: ClassVar[str] = "Yaghoobzadeh and Schütze 2016"

    number: int = setting(100, "How many triples are drawn; all where there are fewer.", least=1)
    scoring: Literal["type", "facet"] = setting(
        "type", "What must be right: both facets of the type, or the second one only."
    )

    def suits(self, grammar: Grammar, question: str) -> bool:
        return bool(_kinds(grammar))

    def answer(
        self, embedding: Embedding, grammar: Grammar, question: str, rng: Generator
    ) -> Replies:
        must_know(embedding, tuple(word for words in grammar.types.values() for word in words))
        typed = {word: name for name, words in grammar.types.items() for word in words}
        near = Cosines(embedding, embedding.words)
        drawn = self._drawn(grammar, rng)
        found = [near.best(_direction(near, each.words), each.words) for each in drawn]
        return Replies(
            tuple("{} - {} + {}".format(*each.words) for each in drawn),
            tuple(self._scored(typed.get(word, "-")) for word in found),
            tuple(self._scored("-".join(each.gold)) for each in drawn),
        )

    def _drawn(self, grammar: Grammar, rng: Generator) -> list[_Triple]:
        every = [triple for kind in _kinds(grammar) for triple in _triples(grammar, *kind)]
        taken = rng.permutation(len(every))[: self.number]
        return [every[number] for number in sorted(taken.tolist())]

    def _scored(self, kind: str) -> str:
        return kind if self.scoring == "type" else kind.rpartition("-")[2]


def _kinds(grammar: Grammar) -> list[tuple[str, str, str, str]]:
    """All (c1, g1, c2, g2) of which the four types that are needed exist."""
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
    one, other, third = (near.rows[[near.place[word]]] for word in words)
    return one - other + third
