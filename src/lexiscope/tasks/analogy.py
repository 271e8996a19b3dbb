"""a is to b as c is to what?

The answer is the word nearest to b - a + c (3CosAdd), or the one that wins the product of
cosines (3CosMul; Levy and Goldberg 2014), among all words but a, b and c.
Schnabel et al. 2015, section 3.1; Jastrzebski et al. 2017, section 3.
"""

from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Analogies
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.task import Answers, Task
from lexiscope.stats.analogies import by_product, by_sum
from lexiscope.stats.measures import accuracy, accuracy_of_all


@dataclass(frozen=True)
class Analogy(Task[Analogies]):
    """Share of analogy questions answered with exactly the expected word."""

    solver: Literal["3CosAdd", "3CosMul"] = "3CosAdd"
    epsilon: float = 1e-6  # keeps 3CosMul from dividing by zero; peers differ from 1e-6 to 1e-2

    reads = Analogies
    measure = accuracy
    beside = (accuracy_of_all,)

    def __post_init__(self) -> None:
        if not 1e-12 <= self.epsilon <= 1:
            raise BadUsage(f"analogy.epsilon must be from 1e-12 to 1, found {self.epsilon}.")

    def answer(self, embedding: Embedding, items: Analogies, rng: Generator) -> Answers:
        a, b, c = (embedding.vocabulary.find(words) for words in (items.a, items.b, items.c))
        if self.solver == "3CosAdd":
            places = by_sum(embedding.vectors, a, b, c)
        else:
            places = by_product(embedding.vectors, a, b, c, self.epsilon)
        words = embedding.words
        given = word_array(words[place] if place >= 0 else "" for place in places.tolist())
        return Answers(given=given, gold=items.answer)
