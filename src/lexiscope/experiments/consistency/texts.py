"""The text of a consistency experiment: reading, chapters, halves, coverage by the background."""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.core.progress import Progress, silent
from lexiscope.data import corpora
from lexiscope.data.local_data import LocalData

Source = str | os.PathLike[str]
Indices = NDArray[np.int64]

# Words of one character are read, because terms can contain them ("a priori"); they are removed
# from the contexts later.
PREPROCESSING = Preprocessing(min_count=1)

_HEADINGS = (
    "chapter lecture book part essay section volume chapitre livre partie kapitel buch teil "
    "capítulo capitolo libro parte hoofdstuk deel"
)
_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty first second third fourth fifth sixth seventh "
    "eighth ninth tenth"
)
_ROMAN = re.compile(r"(?=.)(?:x{0,3}|xl|l)(?:ix|iv|v?i{0,3})")
_LONGEST_HEADING = 25  # tokens
_MIDDLE = (0.25, 0.75)  # the part of the text in which a chapter can begin the second half
_LOW_COVERAGE = 0.5
# A large vocabulary contains many words of other languages, but its most frequent words are those
# of its own: they are a third to a half of the tokens of a text in the same language, and less than
# a tenth in another one.
_FREQUENT = 100
_LOW_FREQUENT = 0.15
_LICENCE = 20  # mentions of Project Gutenberg; its licence has more than 50
_SMALL = 1000  # words of a background that has too few for this check


class Halves(NamedTuple):
    """The first sentence of the second half, the tokens of both halves, and the rule that ran."""

    sentence: int
    tokens: tuple[int, int]
    note: str


class Coverage(NamedTuple):
    """The proportion of tokens that the background has, and a warning if it is low."""

    proportion: float
    warning: str


def read_texts(
    sources: Source | Sequence[Source],
    preprocessing: Preprocessing = PREPROCESSING,
    progress: Progress = silent,
    local_data: LocalData | None = None,
    on_error: corpora.OnError = "stop",
) -> Corpus:
    """Read the text of a consistency experiment; every word is kept."""
    return corpora.read(
        sources, preprocessing, progress=progress, local_data=local_data, on_error=on_error
    )


def chapters(corpus: Corpus) -> Indices:
    """Return the sentences that begin a chapter or a document, without the first of the text.

    A heading is a sentence of at most 25 tokens that begins with a word such as "chapter" or
    "lecture" and a number, or a sentence that is only such a word or a Roman numeral.
    """
    words = [word.casefold() for word in corpus.vocabulary.words]
    headings, numbers = set(_HEADINGS.split()), set(_NUMBERS.split())
    names = np.array([word in headings for word in words], bool)
    roman = np.array([_ROMAN.fullmatch(word) is not None for word in words], bool)
    number = roman | np.array([word.isdecimal() or word in numbers for word in words], bool)
    lengths = np.diff(corpus.starts)
    sentences = np.flatnonzero((lengths > 0) & (lengths <= _LONGEST_HEADING))
    first = corpus.tokens[corpus.starts[sentences]]
    second = corpus.tokens[np.minimum(corpus.starts[sentences] + 1, len(corpus) - 1)]
    alone = lengths[sentences] == 1
    found = sentences[np.where(alone, names[first] | roman[first], names[first] & number[second])]
    begins = np.union1d(corpus.documents[1:-1], found)
    return np.asarray(begins[begins > 0], np.int64)


def halves(corpus: Corpus) -> Halves:
    """Divide a text into two halves of complete sentences, in text order.

    The second half begins at the chapter or document nearest to the middle (in tokens); without
    one in the middle half of the text, at the sentence nearest to the middle. Of two that are
    equally near, the earlier one is used.
    """
    middle = len(corpus) / 2
    begins = chapters(corpus)
    positions = corpus.starts[begins] / max(len(corpus), 1)
    begins = begins[(positions >= _MIDDLE[0]) & (positions <= _MIDDLE[1])]
    where = "chapter or document that is nearest to the middle"
    if not len(begins):
        begins = np.arange(1, corpus.sentences)
        where = "sentence nearest to the middle, because no chapter begins near it"
    sentence = 0
    if len(begins):
        sentence = int(begins[np.argmin(np.abs(corpus.starts[begins] - middle))])
    first = int(corpus.starts[sentence])
    sizes = (first, len(corpus) - first)
    note = (
        f"The second half of the text begins at the {where}: {sizes[0]:,} and {sizes[1]:,} tokens."
    )
    return Halves(sentence, sizes, note)


def coverage(corpus: Corpus, background_words: Sequence[str], min_length: int = 2) -> Coverage:
    """Return the proportion of tokens that are background words.

    Tokens with fewer than `min_length` characters do not count. The warning also considers the
    proportion of tokens that are among the 100 most frequent (first) words of the background.
    """
    proportion = _proportion(corpus, background_words, min_length)
    warning = coverage_warning(corpus.name, proportion)
    if not warning and len(background_words) >= _SMALL:
        frequent = _proportion(corpus, background_words[:_FREQUENT], min_length)
        if frequent < _LOW_FREQUENT:
            warning = (
                f"{corpus.name}: only {frequent:.0%} of the tokens are among the {_FREQUENT} first "
                "words of the background. Text and background may be in different languages, or "
                "the background is not sorted by frequency."
            )
    return Coverage(proportion, warning)


def _proportion(corpus: Corpus, known: Sequence[str], min_length: int) -> float:
    words = corpus.vocabulary.words
    inside = set(words).intersection(known)
    counted = np.array([len(word) >= min_length for word in words], bool)
    found = np.array([word in inside for word in words], bool) & counted
    total = int(corpus.counts[counted].sum())
    return float(corpus.counts[found].sum() / total) if total else 0.0


def licence_warning(corpus: Corpus) -> str:
    """Return a warning if the text contains the licence of Project Gutenberg; else nothing."""
    first, second = corpus.vocabulary.find(["project", "gutenberg"]).tolist()
    tokens = np.asarray(corpus.tokens)
    found = int(np.count_nonzero((tokens[:-1] == first) & (tokens[1:] == second)))
    if min(first, second) < 0 or found < _LICENCE:
        return ""
    return (
        f"{corpus.name}: contains the licence of Project Gutenberg ({found} mentions), which is "
        "sampled like the text. Delete it, and the header, from the file."
    )


def coverage_warning(name: str, proportion: float) -> str:
    """Return a warning if less than half of the tokens are background words; else nothing."""
    if proportion >= _LOW_COVERAGE:
        return ""
    return (
        f"{name}: only {proportion:.0%} of the tokens are words of the background. Text and "
        "background may be in different languages, or differ in case."
    )
