"""A trainer: hyperparameters and a method that trains an embedding on a corpus."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.settings import Configurable
from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.progress import Progress, silent

State = dict[str, NDArray[Any]]  # the arrays of an unfinished training, by name

RECORD_FORMAT = "lexiscope training 1"  # the first entry of the record next to trained vectors


@dataclass(frozen=True)
class Trainer(Configurable, ABC):
    """Hyperparameters plus `train`.

    A trainer changes neither itself nor the corpus, and reads no file. Its fields are its
    hyperparameters; their bounds are checked when it is created.

    Attributes
    ----------
    paper
        The publication of the model.
    version
        Raise it when a change of the code changes the vectors. Records of earlier trainings then
        no longer match.
    sparse
        Whether the vectors are sparse. File formats that cannot store them are refused before the
        training starts.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import lexiscope
    >>> from lexiscope.core.contracts.settings import setting
    >>> @dataclass(frozen=True)
    ... class RandomVectors(lexiscope.Trainer):
    ...     paper = "none, 2024"
    ...     dimension: int = setting(100, "Dimensionality of the word vectors.", minimum=1)
    ...
    ...     def train(self, corpus, rng, progress=None):
    ...         vectors = rng.normal(size=(len(corpus.vocabulary), self.dimension))
    ...         return corpus.embedding("random", vectors)
    >>> corpus = lexiscope.read_corpus([["a", "rose"], ["a", "tulip"]], min_count=1)
    >>> lexiscope.train(RandomVectors(dimension=2), corpus).dimension
    2
    >>> RandomVectors(dimension=0)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: random_vectors.dimension must be 1 or more, found 0.
    """

    paper: ClassVar[str]
    version: ClassVar[int] = 1
    sparse: ClassVar[bool] = False

    @abstractmethod
    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        """Train an embedding of the corpus vocabulary, in its order and with its counts."""

    @property
    def needs_text(self) -> bool:
        """Whether a corpus is read. A trainer may also change existing vectors."""
        return True

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same bytes. With hogwild threads it does not."""
        inner = (value for value in self.settings.values() if isinstance(value, Trainer))
        return all(trainer.repeatable for trainer in inner)


@dataclass(frozen=True)
class Stepwise(Trainer):
    """A trainer that works in steps, so that a training can be interrupted and resumed.

    A resumed training ends with the same vectors as an uninterrupted one.
    """

    @abstractmethod
    def begin(self, corpus: Corpus, rng: Generator) -> State:
        """Return the initial state, which determines all randomness of later steps.

        To resume, the arrays of a checkpoint are copied into these arrays; shapes never change.
        """

    @abstractmethod
    def steps(self, corpus: Corpus, state: State, progress: Progress = silent) -> Iterator[None]:
        """Update the state in place, step by step. It is consistent at every yield.

        An interrupt (KeyboardInterrupt) is raised after the current step.
        """

    @abstractmethod
    def finish(self, corpus: Corpus, state: State) -> Embedding:
        """Return the embedding after the last step, or a preliminary one after any step."""

    def train(self, corpus: Corpus, rng: Generator, progress: Progress = silent) -> Embedding:
        state = self.begin(corpus, rng)
        for _ in self.steps(corpus, state, progress):
            pass
        return self.finish(corpus, state)
