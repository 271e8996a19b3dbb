"""How running text becomes words: every step is a setting, and is recorded with the result."""

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Literal, get_args, get_type_hints

from lexiscope.core.errors import BadUsage

Tokens = Literal["words", "spaces"]
Sentences = Literal["split", "lines", "documents"]
Digits = Literal["keep", "zero", "seven"]


@dataclass(frozen=True)
class Preparation:
    """The steps between a text and its words.

    `tokens`: runs of letters and digits, or whatever stands between spaces. `sentences` end at
    end marks and empty lines, at every line end, or only where a document ends; no context
    reaches across. `digits` are kept, written as 0 each, or as 7 where a token is one digit.
    Tokens shorter than `shortest` are left out; words seen fewer than `minimum` times are left
    out, and of the others the `limit` most frequent are kept.
    """

    tokens: Tokens = "words"
    sentences: Sentences = "split"
    lower: bool = True
    digits: Digits = "keep"
    shortest: int = 1
    minimum: int = 5
    limit: int | None = None

    def __post_init__(self) -> None:
        for name, hint in get_type_hints(type(self)).items():
            value, known = getattr(self, name), get_args(hint)
            if known and hint in (Tokens, Sentences, Digits) and value not in known:
                raise BadUsage(f"{name} is one of {', '.join(known)}, found '{value}'.")
        for name in ("shortest", "minimum", "limit"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise BadUsage(f"{name} must be 1 or more, found {value}.")

    def as_dict(self) -> dict[str, Any]:
        """The steps by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


# What the papers did to their texts, as far as they say; the rest is our default.
PRESETS: MappingProxyType[str, Preparation] = MappingProxyType(
    {
        "default": Preparation(),
        "as-is": Preparation("spaces", "lines", lower=False, minimum=1),
        "yaghoobzadeh2016": Preparation(digits="seven"),
        "schnabel2015": Preparation(digits="zero"),
        "bloem2019": Preparation(shortest=2),
    }
)
