"""What the rules of a grammar are made of: words, symbols, and words that a map has drawn."""

from dataclasses import dataclass, field

from lexiscope.core.errors import BadData
from lexiscope.core.formula import Formula

Words = tuple[str, ...]


class BadGrammar(BadData):
    """What is wrong with a grammar, and where: a line, or an entry such as question.held_out."""

    def __init__(self, sentence: str, where: int | str = 0) -> None:
        super().__init__(sentence)
        self.where = where


@dataclass(frozen=True)
class Word:
    """A word of the sentence, as it is."""

    spelling: str


@dataclass(frozen=True)
class Symbol:
    """What is replaced by one of its rules."""

    name: str


@dataclass(frozen=True)
class Image:
    """The word that a map has drawn for a key; the same all through a corpus."""

    map: str
    key: str


Part = Word | Symbol | Image


@dataclass(frozen=True)
class Rule:
    """One way to replace a symbol, and how likely it is; `line` is where a file says so."""

    symbol: str
    parts: tuple[Part, ...]
    weight: Formula
    line: int = field(default=0, compare=False)
