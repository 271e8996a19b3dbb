"""What trainers share that learn by foretelling words, one step per word of the text."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import State, Stepwise, setting
from lexiscope.kernels.chance import alias_table
from lexiscope.kernels.walking import Piece, Text
from lexiscope.trainers import _rounds
from lexiscope.trainers._finite import finite
from lexiscope.trainers._tables import Table, unpadded

Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Predictive(Stepwise):
    """Settings that all of them have. A model gives its tables, and how they change in a piece.

    A model is a file with the tables, the order to its kernel, and what it has beside these.
    """

    dimension: int = setting(100, "How many numbers a vector has.", least=1)
    window: int = setting(5, "How far a context word may stand away.", least=1)
    dynamic: bool = setting(
        True, "Whether the window is drawn anew for each word, from 1 to the largest."
    )
    negatives: int = setting(5, "How many drawn words a right one is told from.", least=1)
    noise: float = setting(0.75, "Words are drawn by their count to this power.", least=0, most=1)
    subsample: float = setting(
        1e-3, "Words with a larger share of the text are left out at times; 0: never.", least=0
    )
    epochs: int = setting(5, "How often the text is gone through.", least=1)
    rate: float = setting(0.025, "How large the first steps are.", above=0)
    last_rate: float = setting(1e-4, "How large the last steps are.", least=0)
    shards: int = setting(
        0,
        "Parts of the text learned from at once; 0: by its length. They decide the bytes.",
        least=0,
    )
    racing: bool = setting(
        False, "Let threads write over each other: faster, but never the same twice."
    )
    space: Literal["input", "output", "both"] = setting(
        "input", "Which vectors to keep: of words as contexts, as what is foretold, or both."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.last_rate > self.rate:
            raise BadUsage(
                f"last_rate must be at most the rate, {self.rate:g}, found {self.last_rate:g}."
            )

    @property
    def repeatable(self) -> bool:
        return not self.racing

    @abstractmethod
    def tables(self, corpus: Corpus, rng: Generator) -> State:
        """The numbers that are learned, before the first step: tables as `_tables` makes them.

        `inputs` and `outputs` are those that `space` speaks of.
        """

    @abstractmethod
    def walk(self, text: Text, piece: Piece, tables: State) -> None:
        """Learn from a piece of the text: change the tables in place."""

    def often(self, corpus: Corpus) -> dict[str, Shares]:
        """How often each row of a table is expected to move, for each word of the text.

        Words are sorted by how frequent they are. A table that is not named moves with every word.
        """
        kept, noise = self.shares(corpus)
        around = (self.window + 1) if self.dynamic else 2 * self.window
        return {"inputs": kept * around, "outputs": kept + self.negatives * noise * kept.sum()}

    def shares(self, corpus: Corpus) -> tuple[Shares, Shares]:
        """Shares of all words of the text that are a word and stay, and chances to be drawn."""
        shares = corpus.counts / len(corpus)
        noise = corpus.counts.astype(np.float64) ** self.noise
        return shares * kept(shares, self.subsample), noise / noise.sum()

    def text(self, corpus: Corpus) -> Text:
        """The text with the chances of its words to stay and to be drawn."""
        shares = corpus.counts / len(corpus)
        keep = np.ceil(kept(shares, self.subsample) * 2.0**32).astype(np.uint64)
        return Text(corpus.tokens, corpus.starts, keep, alias_table(self.shares(corpus)[1]))

    def begin(self, corpus: Corpus, rng: Generator) -> State:
        self.check(corpus)
        return {**self.tables(corpus, rng), **_rounds.beginning(rng)}

    def steps(self, corpus: Corpus, state: State, tell: Progress = silent) -> Iterator[None]:
        return _rounds.steps(self, corpus, state, tell)

    def finish(self, corpus: Corpus, state: State) -> Embedding:
        name = type(self).__module__.rpartition(".")[2]
        return corpus.embedding(name, finite(self.vectors(state), self.rate))

    def vectors(self, state: State) -> Table:
        """The vectors of the space that was asked for; both spaces side by side."""
        spaces = ("input", "output") if self.space == "both" else (self.space,)
        parts = [unpadded(state[f"{space}s"], self.dimension) for space in spaces]
        return np.concatenate(parts, axis=1)

    def check(self, corpus: Corpus) -> None:
        """Refuse a text that has too few words."""
        words = len(corpus.vocabulary)
        if words < 2:
            raise BadUsage("The text has one word only, and there is nothing to tell it from.")
        if self.negatives >= words:
            raise BadUsage(
                f"negatives must be fewer than the {words:,} words of the text, found "
                f"{self.negatives:,}."
            )


def kept(shares: Shares, subsample: float) -> Shares:
    """How likely words with these shares of a text are to stay, as in word2vec's programs."""
    if not subsample:
        return np.ones_like(shares)
    ratio = subsample / np.maximum(shares, np.finfo(np.float64).tiny)
    return np.asarray(np.minimum(np.sqrt(ratio) + ratio, 1.0))
