"""Preprocessing of text: tokenisation, sentences, normalisation and vocabulary."""

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, get_args, get_type_hints

from lexiscope.core.errors import BadUsage, UnknownName

Tokens = Literal["words", "spaces"]
Sentences = Literal["split", "lines", "documents"]
Digits = Literal["keep", "zero", "seven"]


@dataclass(frozen=True)
class Preprocessing:
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
    >>> Preprocessing(digits="one")
    Traceback (most recent call last):
        ...
    lexiscope.core.errors.UnknownName: No value of digits named 'one'. Available: keep, seven, zero.
    """

    tokens: Tokens = "words"
    sentences: Sentences = "split"
    lower: bool = True
    digits: Digits = "keep"
    min_length: int = 1
    min_count: int = 5
    limit: int | None = None

    def __post_init__(self) -> None:
        for name, hint in get_type_hints(type(self)).items():
            value, known = getattr(self, name), get_args(hint)
            if known and hint in (Tokens, Sentences, Digits) and value not in known:
                raise UnknownName(f"value of {name}", str(value), known)
        for name in ("min_length", "min_count", "limit"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise BadUsage(f"{name} must be 1 or more, found {value}.")

    def as_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


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
