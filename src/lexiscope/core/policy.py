"""How words of the data meet words of the embedding; stored with every result."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from lexiscope.core.errors import BadUsage

Sharing = Literal["own", "shared"]
Case = Literal["exact", "fold"]
CASES: tuple[Case, ...] = ("exact", "fold")
Unknown = Literal["skip", "zero", "mean"]
Digits = Literal["keep", "zero"]

_DIGIT = re.compile(r"\d")
_BETWEEN = "\0"


@dataclass(frozen=True)
class Policy:
    """Vocabulary policy: a part of a score's meaning.

    - `vocabulary`: each embedding's own words, or only the words that all embeddings share;
    - `case`: letters must match exactly, or are folded (the most frequent variant's vector wins);
    - `limit`: only the first words of each embedding;
    - `unknown`: items with a word that is missing, or whose vector is zero, are left out and
      counted (skip), or count as answered with nothing (zero: cosine 0, no answer), or the unknown
      word gets the mean of all vectors (mean);
    - `digits`: digits are letters like any other (keep), or each becomes 0 (zero), in the words of
      the data and of the embeddings alike.
    """

    vocabulary: Sharing = "own"
    case: Case = "fold"
    limit: int | None = None
    unknown: Unknown = "skip"
    digits: Digits = "keep"

    def __post_init__(self) -> None:
        if self.vocabulary not in ("own", "shared"):
            raise BadUsage(f"The vocabulary is 'own' or 'shared', found '{self.vocabulary}'.")
        if self.case not in ("exact", "fold"):
            raise BadUsage(f"The case is 'exact' or 'fold', found '{self.case}'.")
        if self.unknown not in ("skip", "zero", "mean"):
            raise BadUsage(f"Unknown words are 'skip', 'zero' or 'mean', found '{self.unknown}'.")
        if self.digits not in ("keep", "zero"):
            raise BadUsage(f"Digits are 'keep' or 'zero', found '{self.digits}'.")
        if self.limit is not None and self.limit < 1:
            raise BadUsage(f"A vocabulary limit must be 1 or more, found {self.limit}.")

    def spelling(self, word: str) -> str:
        """The word as this policy compares it."""
        # The dot that folding leaves behind a Turkish capital I stands on every small i.
        folded = word.casefold().replace("i\u0307", "i") if self.case == "fold" else word
        return _DIGIT.sub("0", folded) if self.digits == "zero" else folded

    def spellings(self, words: Sequence[str]) -> list[str]:
        """The words as this policy compares them, all at once."""
        together = self.spelling(_BETWEEN.join(words)).split(_BETWEEN)
        # A word that holds the separator itself comes apart.
        return together if len(together) == len(words) else list(map(self.spelling, words))

    @property
    def respells(self) -> bool:
        """Whether two words of an embedding can become one."""
        return self.case == "fold" or self.digits == "zero"

    def as_dict(self) -> dict[str, Any]:
        """The policy as plain values."""
        return asdict(self)

    def __str__(self) -> str:
        limit = f", first {self.limit:,} words" if self.limit else ""
        unknown = f", unknown words {self.unknown}" if self.unknown != "skip" else ""
        digits = ", digits as 0" if self.digits == "zero" else ""
        return f"{self.vocabulary} vocabulary, case {self.case}{limit}{unknown}{digits}"
