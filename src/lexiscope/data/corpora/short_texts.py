"""Tokens of short texts, such as terms, by the same rules as those of a corpus."""

from collections.abc import Sequence

from lexiscope.core.preprocessing import Preprocessing


def tokenised(texts: Sequence[str], preprocessing: Preprocessing) -> list[tuple[str, ...]]:
    """Return the tokens of each text, whatever their length and number.

    Examples
    --------
    >>> tokenised(["Sense-data", "a priori"], Preprocessing())
    [('sense', 'data'), ('a', 'priori')]
    """
    from lexiscope.data.corpora._characters import DOCUMENT_END
    from lexiscope.data.corpora._tokenizer import Tokenizer, points_of, text_of
    from lexiscope.kernels.parsing import tokens as kernel

    valid = (text.encode("utf-8", "replace").decode() for text in texts)
    joined = "".join(text + DOCUMENT_END for text in valid)
    letters, ends, _ = Tokenizer(preprocessing).split(points_of(joined))
    found: list[tuple[str, ...]] = []
    words: list[str] = []
    begin = 0
    for end in ends.tolist():
        if end == kernel.DOCUMENT_END:
            found.append(tuple(words))
            words = []
        elif end >= 0:
            words.append(_normalised(text_of(letters[begin:end]), preprocessing))
            begin = end
    return found


def _normalised(word: str, steps: Preprocessing) -> str:
    """Apply the rules that concern a word as a whole."""
    if steps.digits == "seven" and len(word) == 1 and word.isdecimal():
        return "7"
    return word.lower() if steps.lower else word
