"""Preprocessing of text: tokenisation, sentences, normalisation and vocabulary."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from lexiscope.core.contracts.settings import Configurable, setting

Tokens = Literal["words", "spaces"]
Sentences = Literal["split", "lines", "documents"]
Digits = Literal["keep", "zero", "seven"]


@dataclass(frozen=True)
class Preprocessing(Configurable):
    """The preprocessing of a text. It is recorded with every training.

    Parameters
    ----------
    tokens : {"words", "spaces"}
        Tokens are runs of letters and digits, or are separated by spaces.
    sentences : {"split", "lines", "documents"}
        Sentences end at end marks and empty lines, at line ends, or only at the end of a document.
        Contexts do not cross sentence boundaries.
    lower : bool
        Convert the text to lower case.
    digits : {"keep", "zero", "seven"}
        Keep digits, replace each by 0, or replace one-digit tokens by 7.
    min_length : int
        Discard tokens with fewer characters.
    min_count : int
        Discard words with fewer occurrences.
    limit : int, optional
        Keep only the most frequent words, at most this many.

    Examples
    --------
    >>> from lexiscope import Preprocessing
    >>> Preprocessing(digits="zero", min_count=10).min_count
    10
    >>> Preprocessing(min_count=0)
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.BadUsage: preprocessing.min_count must be 1 or more, found 0.
    """

    tokens: Tokens = setting("words")
    sentences: Sentences = setting("split")
    lower: bool = setting(True)
    digits: Digits = setting("keep")
    min_length: int = setting(1, minimum=1)
    min_count: int = setting(5, minimum=1)
    limit: int | None = setting(None, minimum=1)

    def as_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return self.settings


# The preprocessing of the papers, as far as they report it; the rest is our default.
PRESETS: MappingProxyType[str, Preprocessing] = MappingProxyType(
    {
        "default": Preprocessing(),
        "as-is": Preprocessing("spaces", "lines", lower=False, min_count=1),
        "yaghoobzadeh2016": Preprocessing(digits="seven"),
        "schnabel2015": Preprocessing(digits="zero"),
        "bloem2019": Preprocessing(min_length=2),
    }
)
