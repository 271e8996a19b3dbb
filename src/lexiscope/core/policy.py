"""Vocabulary policy: how words of the datasets are matched with words of the embeddings."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.languages import language_name, language_tag
from lexiscope.core.packed_words import PackedWords, concatenate, pack
from lexiscope.core.word_forms import normal_form

Sharing = Literal["own", "shared"]
Case = Literal["exact", "fold"]
CASES: tuple[Case, ...] = ("exact", "fold")
OOV = Literal["skip", "zero", "mean"]
Digits = Literal["keep", "zero"]

# Not `setting`: a policy is created for every stored cell, and this is a hundred times faster.
_CHOICES = {
    name: get_args(kind)
    for name, kind in {"vocabulary": Sharing, "case": Case, "oov": OOV, "digits": Digits}.items()
}
_DIGIT = re.compile(r"\d")
_SEPARATOR = "\0"


@dataclass(frozen=True)
class Policy:
    """Vocabulary policy: how words of a dataset are looked up in an embedding.

    A score depends on the policy, so the policy is stored with every result.

    Parameters
    ----------
    vocabulary : {"own", "shared"}, default "own"
        Evaluate each embedding on its own vocabulary, or all embeddings on the words that they
        have in common.
    case : {"fold", "exact"}, default "fold"
        Ignore letter case, or match it exactly. With "fold", the vector of the most frequent
        variant is used.
    limit : int, optional
        Use only the first `limit` words of each embedding.
    oov : {"skip", "zero", "mean"}, default "skip"
        What to do with an item that has an out-of-vocabulary word (a word that is missing, or
        whose vector is zero). "skip" leaves the item out and counts it. "zero" keeps the item
        with an empty prediction (cosine 0, no word). "mean" gives the word the mean of all
        vectors.
    digits : {"keep", "zero"}, default "keep"
        Keep digits, or replace each digit with 0 in datasets and embeddings alike.
    language : str, default ""
        Tag of the language whose rules for letters apply (docs/languages.md), such as "tr" or
        "de-CH"; "" for full Unicode case folding. Words are always in Normalization Form C.

    Examples
    --------
    >>> from lexiscope import Policy
    >>> print(Policy("shared", limit=50_000, oov="zero"))
    shared vocabulary, case fold, first 50,000 words, OOV words zero
    >>> Policy().normalise("Paris")
    'paris'
    >>> Policy(case="exact", digits="zero").normalise("B-52")
    'B-00'
    >>> Policy(language="tr").normalise("ISPARTA")
    'ısparta'
    """

    vocabulary: Sharing = "own"
    case: Case = "fold"
    limit: int | None = None
    oov: OOV = "skip"
    digits: Digits = "keep"
    language: str = ""

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UnknownName(f"value of policy.{name}", str(getattr(self, name)), known)
        if self.limit is not None and self.limit < 1:
            raise BadUsage(f"policy.limit must be 1 or more, found {self.limit}.")
        if self.language:
            object.__setattr__(self, "language", language_tag(self.language))

    def normalise(self, word: str) -> str:
        """Return the form in which this policy compares the word."""
        folded = normal_form(word, self.language, self.case == "fold")
        return _DIGIT.sub("0", folded) if self.digits == "zero" else folded

    def normalise_all(self, words: Sequence[str]) -> list[str]:
        """Return the form in which this policy compares each word; faster than one by one."""
        normalised = self.normalise(_SEPARATOR.join(words)).split(_SEPARATOR)
        # A word that contains the separator is split in two.
        return normalised if len(normalised) == len(words) else list(map(self.normalise, words))

    def normalise_packed(self, words: PackedWords) -> PackedWords:
        """Return the form of each word, some words at a time; the same object if none changes."""
        parts, unchanged = [], True
        for chunk in words.chunks():
            given = list(chunk)
            normalised = self.normalise_all(given)
            unchanged &= normalised == given
            parts.append(chunk if normalised == given else pack(normalised))
        return words if unchanged else concatenate(parts)

    @property
    def normalisation(self) -> tuple[str, str, str]:
        """The choices on which the normalised form of a word depends."""
        return self.case, self.digits, self.language

    def as_dict(self) -> dict[str, Any]:
        """Return the policy as plain values; an unknown language is left out.

        So the results of a policy without a language keep their identifiers.
        """
        values = asdict(self)
        return values if self.language else {k: v for k, v in values.items() if k != "language"}

    def __str__(self) -> str:
        limit = f", first {self.limit:,} words" if self.limit else ""
        oov = f", OOV words {self.oov}" if self.oov != "skip" else ""
        digits = ", digits as 0" if self.digits == "zero" else ""
        language = f", letters of {language_name(self.language)}" if self.language else ""
        return f"{self.vocabulary} vocabulary, case {self.case}{limit}{oov}{digits}{language}"
