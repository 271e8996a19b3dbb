"""The occurrences of terms in a text: their sentences as rows of a background."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.term_model import TERM, UNKNOWN, Sample, Sentence
from lexiscope.core.corpus import Corpus
from lexiscope.core.display import shown
from lexiscope.data.corpora.short_texts import tokenised

Indices = NDArray[np.int64]
ABSENT = "does not occur in the text"


class LeftOut(NamedTuple):
    """A term that cannot be used, and why."""

    term: str
    reason: str


@dataclass(frozen=True, eq=False)
class Occurrences:
    """The sentences of a text that contain a term.

    Parameters
    ----------
    term : str
        The term, as it was given.
    sentences : tuple of Sentence
        In text order: background rows, UNKNOWN for other words and TERM for each occurrence.
    numbers : ndarray of int
        The index of each sentence in the text.
    counts : ndarray of int
        The number of occurrences in each sentence.
    """

    term: str
    sentences: Sample
    numbers: Indices
    counts: Indices

    @property
    def frequency(self) -> int:
        """The number of occurrences."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.sentences)


class Found(NamedTuple):
    """The terms that occur, in the order in which they were given, and the others."""

    occurrences: tuple[Occurrences, ...]
    left_out: tuple[LeftOut, ...]


class _Term(NamedTuple):
    term: str
    indices: tuple[int, ...]  # of its words in the vocabulary of the text


def find_occurrences(
    corpus: Corpus, terms: Sequence[str], background_words: Sequence[str], min_length: int = 2
) -> Found:
    """Find the sentences of each term.

    A term is tokenised like the text. It occurs where its words are consecutive tokens of a
    sentence. Where terms overlap, the longest one counts, then the first in the text; a term
    inside a longer one does not count, and its words are then ordinary context words.

    Parameters
    ----------
    corpus : Corpus
        The text.
    terms : sequence of str
        Terms of one or several words.
    background_words : sequence of str
        Words of the background. With the words of the corpus itself, sentences are indices in its
        vocabulary, and the sentences are the same as with any other background.
    min_length : int
        Context words with fewer characters are removed; words of terms are not.
    """
    terms = list(dict.fromkeys(terms))
    usable, left_out = _usable(corpus, terms)
    positions, inside_longer = _matches(corpus, [term.indices for term in usable])
    rows = _rows(corpus.vocabulary.words, background_words)
    kept = np.array([len(word) >= min_length for word in corpus.vocabulary.words], bool)
    found = []
    for number, term in enumerate(usable):
        if len(positions[number]):
            found.append(_encoded(corpus, term, positions[number], rows, kept))
        elif inside_longer[number]:
            left_out.append(LeftOut(term.term, "occurs only inside longer terms"))
        else:
            left_out.append(LeftOut(term.term, ABSENT))
    order = {term: index for index, term in enumerate(terms)}
    return Found(tuple(found), tuple(sorted(left_out, key=lambda each: order[each.term])))


def _usable(corpus: Corpus, terms: Sequence[str]) -> tuple[list[_Term], list[LeftOut]]:
    """The distinct terms whose words are all in the text, and the others."""
    index = {word: number for number, word in enumerate(corpus.vocabulary.words)}
    shortest = corpus.preprocessing.min_length
    usable: list[_Term] = []
    left_out: list[LeftOut] = []
    seen: dict[tuple[str, ...], str] = {}
    for term, words in zip(terms, tokenised(terms, corpus.preprocessing), strict=True):
        if not words:
            left_out.append(LeftOut(term, "contains no word"))
        elif words in seen:
            left_out.append(LeftOut(term, f"is the same as '{shown(seen[words])}'"))
        elif any(len(word) < shortest for word in words):
            reason = f"has a word of fewer than {shortest} characters, which the text lacks"
            left_out.append(LeftOut(term, reason))
        elif not all(word in index for word in words):
            left_out.append(LeftOut(term, ABSENT))
        else:
            usable.append(_Term(term, tuple(index[word] for word in words)))
        seen.setdefault(words, term)
    return usable, left_out


def _matches(corpus: Corpus, terms: Sequence[tuple[int, ...]]) -> tuple[list[Indices], list[bool]]:
    """The first tokens of each term's occurrences, and whether longer terms contain others."""
    sentence = np.repeat(np.arange(corpus.sentences), np.diff(corpus.starts))
    order = np.argsort(corpus.tokens, kind="stable")
    bounds = np.append(0, np.cumsum(corpus.counts))
    taken = np.zeros(len(corpus), bool)
    positions = [np.empty(0, np.int64) for _ in terms]
    inside_longer = [False for _ in terms]
    for length in sorted({len(term) for term in terms}, reverse=True):
        of_length = [number for number, term in enumerate(terms) if len(term) == length]
        candidates = []
        for number in of_length:
            first = terms[number][0]
            at = order[bounds[first] : bounds[first + 1]]
            every = _complete(corpus.tokens, sentence, at, terms[number])
            free = every[~_any_taken(taken, every, length)]
            inside_longer[number] = len(free) < len(every)
            candidates.append(free)
        for number, at in zip(of_length, _left_to_right(candidates, length), strict=True):
            positions[number] = at
        for number in of_length:
            for offset in range(length):
                taken[positions[number] + offset] = True
    return positions, inside_longer


def _complete(
    tokens: NDArray[np.int32], sentence: Indices, at: Indices, words: tuple[int, ...]
) -> Indices:
    """The positions, of some, at which all words of a term follow in one sentence."""
    at = at[at + len(words) <= len(tokens)]
    at = at[sentence[at] == sentence[at + len(words) - 1]]
    for offset, word in enumerate(words):
        at = at[tokens[at + offset] == word]
    return at


def _any_taken(taken: NDArray[np.bool_], at: Indices, length: int) -> NDArray[np.bool_]:
    found = np.zeros(len(at), bool)
    for offset in range(length):
        found |= taken[at + offset]
    return found


def _left_to_right(candidates: list[Indices], length: int) -> list[Indices]:
    """The candidates without those that overlap an earlier one; all have the same length."""
    if length == 1:
        return candidates
    at = np.concatenate(candidates)
    numbers = np.repeat(np.arange(len(candidates)), [len(each) for each in candidates])
    order = np.argsort(at, kind="stable")
    kept = np.zeros(len(at), bool)
    end = 0
    for index, position in zip(order.tolist(), at[order].tolist(), strict=True):
        if position >= end:
            kept[index] = True
            end = position + length
    return [at[kept & (numbers == number)] for number in range(len(candidates))]


def _rows(words: Sequence[str], background_words: Sequence[str]) -> Indices:
    """The background row of each word, or UNKNOWN."""
    index = {word: number for number, word in enumerate(words)}
    rows = np.full(len(words), UNKNOWN, np.int64)
    for row, word in enumerate(background_words):
        number = index.get(word)
        if number is not None and rows[number] == UNKNOWN:
            rows[number] = row
    return rows


def _encoded(
    corpus: Corpus, term: _Term, positions: Indices, rows: Indices, kept: NDArray[np.bool_]
) -> Occurrences:
    """The sentences of a term; an occurrence of several words becomes one TERM."""
    numbers, counts = np.unique(
        np.searchsorted(corpus.starts, positions, "right") - 1, return_counts=True
    )
    starts, ends = corpus.starts[numbers], corpus.starts[numbers + 1]
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    flat = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
    tokens = corpus.tokens[flat]
    values, keep = rows[tokens], kept[tokens]
    at = np.searchsorted(flat, positions)
    for offset in range(len(term.indices)):
        keep[at + offset] = offset == 0
    values[at] = TERM
    sizes = np.add.reduceat(keep, before, dtype=np.int64)
    sentences = tuple(_parts(values[keep], np.cumsum(sizes)))
    return Occurrences(term.term, sentences, numbers.astype(np.int64), counts.astype(np.int64))


def _parts(values: Indices, ends: Indices) -> Iterator[Sentence]:
    values.flags.writeable = False
    begin = 0
    for end in ends.tolist():
        yield values[begin:end]
        begin = end
