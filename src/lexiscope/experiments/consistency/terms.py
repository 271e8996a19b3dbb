"""Target terms of a text: keywords, random words, and the division into development and test."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData
from lexiscope.data.term_lists import read_index, read_terms

__all__ = [
    "Chosen", "Division", "divide", "keywords", "log_likelihood", "random_terms", "read_index",
    "read_terms",
]  # fmt: skip

FREQUENT = 2000  # background words that are no keywords, if the background has no counts
FREQUENT_WITH_COUNTS = 500  # fewer, because the log-likelihood ratio ranks common words low
CUTOFF = 10  # occurrences of a word that is chosen
_SHORTEST = 3  # characters
_DEVELOPMENT = 0.7


class Chosen(NamedTuple):
    """The chosen terms, best first, and the rule that chose them, as a sentence."""

    terms: tuple[str, ...]
    rule: str


class Division(NamedTuple):
    """Terms for tuning and terms for testing."""

    development: tuple[str, ...]
    test: tuple[str, ...]


def keywords(
    corpus: Corpus,
    number: int,
    background_words: Sequence[str],
    background_counts: NDArray[np.int64] | None = None,
    cutoff: int = CUTOFF,
    frequent: int | None = None,
    reference: str = "the background",
) -> Chosen:
    """Choose the words that are most typical of a text.

    With background counts, words are ranked by the log-likelihood ratio of Dunning (1993); only
    words that are relatively more frequent in the text than in the background are chosen. A word
    that the background lacks gets the smallest count in the background, an upper bound if the
    background has the most frequent words of its text. Without counts, words are ranked by
    frequency in the text. In both cases the most frequent words of the background are left out.

    Parameters
    ----------
    corpus : Corpus
        The text.
    number : int
        How many words to choose.
    background_words : sequence of str
        Words of the background, most frequent first.
    background_counts : array of int, optional
        Their frequencies.
    cutoff : int
        Words with fewer occurrences in the text are left out, as are words of fewer than three
        characters and words with other characters than letters.
    frequent : int, optional
        How many of the most frequent background words are left out; 500 by default, 2,000 if the
        background has no counts.
    reference : str
        What the words and counts are those of.
    """
    if frequent is None:
        frequent = FREQUENT if background_counts is None else FREQUENT_WITH_COUNTS
    common = set(background_words[:frequent])
    candidates = np.array(
        [i for i in _candidates(corpus, cutoff) if corpus.vocabulary.words[i] not in common],
        np.int64,
    )
    words = [corpus.vocabulary.words[index] for index in candidates.tolist()]
    counts = corpus.counts[candidates]
    if background_counts is None:
        scores = counts.astype(float)
        ranking = (
            "the {} most frequent words of the text (the background has no counts; "
            "--frequencies or --background-text gives some)"
        )
    else:
        known = dict(zip(background_words, background_counts.tolist(), strict=True))
        smallest = int(background_counts.min(initial=0))
        others = np.array([known.get(word, smallest) for word in words], np.int64)
        sizes = len(corpus), max(int(background_counts.sum()), 1)
        scores = log_likelihood(counts, others, *sizes)
        scores[counts / sizes[0] <= others / sizes[1]] = -1
        ranking = f"the {{}} words with the highest log-likelihood ratio against {reference}"
    order = np.lexsort((words, -scores)) if words else np.empty(0, np.int64)
    terms = tuple(words[index] for index in order.tolist()[:number] if scores[index] > 0)
    if not terms:
        raise BadData(
            f"{corpus.name}: no word of the text can be a keyword; keywords occur {cutoff} times "
            "or more and are more frequent than in the background. Give a list of terms."
        )
    rule = (
        f"Keywords: {ranking.format(len(terms))}, among words with {cutoff} occurrences or more, "
        f"without the {len(common):,} most frequent words of {reference}."
    )
    return Chosen(terms, rule)


def log_likelihood(
    counts: NDArray[np.int64], others: NDArray[np.int64], size: int, other_size: int
) -> Floats:
    """Return the log-likelihood ratio of the frequencies of words in two texts.

    The statistic is -2 log lambda of two binomial distributions (Dunning 1993): it compares one
    common probability with one for each text.
    """
    common = (counts + others) / (size + other_size)
    found = np.zeros(len(counts))
    for observed, total in ((counts, size), (others, other_size)):
        for cells, expected in (
            (observed, total * common),
            (total - observed, total * (1 - common)),
        ):
            ratio = np.divide(cells, expected, out=np.ones(len(cells)), where=cells > 0)
            found += cells * np.log(ratio)
    return 2 * found


def random_terms(corpus: Corpus, number: int, rng: Generator, cutoff: int = CUTOFF) -> Chosen:
    """Choose random words of a text, all with the same probability."""
    candidates = _candidates(corpus, cutoff)
    if not len(candidates):
        raise BadData(
            f"{corpus.name}: no word of three or more letters occurs {cutoff} times or more."
        )
    # In alphabetical order, so that the choice does not depend on frequencies.
    words = sorted(corpus.vocabulary.words[index] for index in candidates.tolist())
    chosen = rng.permutation(len(words))[:number].tolist()
    rule = f"Random words: {len(chosen)} of {len(words):,} words with {cutoff} occurrences or more."
    return Chosen(tuple(words[index] for index in chosen), rule)


def _candidates(corpus: Corpus, cutoff: int) -> NDArray[np.int64]:
    fits = [len(word) >= _SHORTEST and word.isalpha() for word in corpus.vocabulary.words]
    return np.flatnonzero(np.array(fits, bool) & (corpus.counts >= cutoff))


def divide(terms: Sequence[str], development: float = _DEVELOPMENT) -> Division:
    """Divide terms into development and test terms.

    A hash of the term decides, so that a term is in the same part whatever the other terms are;
    the proportion of development terms is therefore only approximate.
    """
    tuned = tuple(term for term in terms if _uniform(term) < development)
    return Division(tuned, tuple(term for term in terms if _uniform(term) >= development))


def _uniform(term: str) -> float:
    """A number from 0 to 1 that depends on the term only."""
    text = f"consistency\0{' '.join(term.casefold().split())}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
