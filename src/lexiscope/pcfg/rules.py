"""The parts of a grammar rule: words, symbols, and words that a map assigns."""

from dataclasses import dataclass, field

from lexiscope.core.errors import BadData
from lexiscope.pcfg.formula import Formula

Words = tuple[str, ...]


class BadGrammar(BadData):
    """An error in a grammar with its location: a line, or a key such as target.held_out."""

    def __init__(self, sentence: str, where: int | str = 0) -> None:
        super().__init__(sentence)
        self.where = where


@dataclass(frozen=True)
class Word:
    """A word (terminal)."""

    text: str


@dataclass(frozen=True)
class Symbol:
    """A symbol (nonterminal)."""

    name: str


@dataclass(frozen=True)
class Image:
    """The word that a map assigns to a key, the same throughout a corpus."""

    map: str
    key: str


Part = Word | Symbol | Image


@dataclass(frozen=True)
class Rule:
    """One expansion of a symbol and its probability; `line` is its line in the file."""

    symbol: str
    parts: tuple[Part, ...]
    probability: Formula
    line: int = field(default=0, compare=False)
