"""Neighbours of words in one or several embeddings, with letter case folded and words left out."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.data.datasets.formats.tables import text_lines
from lexiscope.linalg.neighbours import neighbours


@dataclass(frozen=True)
class Found:
    """A neighbour: its cosine, and its count if the embedding has counts."""

    word: str
    cosine: float
    count: int | None = None


@dataclass(frozen=True)
class WordNeighbours:
    """The neighbours of a query word; `matched` is None if the embedding lacks the word."""

    query: str
    embedding: str
    matched: str | None
    neighbours: tuple[Found, ...] = ()


def word_neighbours(
    embedding: Embedding,
    queries: Sequence[str],
    number: int = 10,
    min_count: int = 0,
    stop_words: Collection[str] = frozenset(),
) -> tuple[WordNeighbours, ...]:
    """Find the neighbours of each query word; words that the embedding lacks have none.

    Parameters
    ----------
    embedding : Embedding
        The embedding to search.
    queries : sequence of str
        The query words; letter case is ignored where the exact word is absent.
    number : int, default 10
        Number of neighbours.
    min_count : int, default 0
        Only neighbours that occur at least this often in the training corpus.
    stop_words : collection of str, optional
        Words that are no neighbours, in lower case.
    """
    matched = {query: matching_word(embedding, query) for query in dict.fromkeys(queries)}
    known = list(dict.fromkeys(word for word in matched.values() if word is not None))
    allowed = _allowed(embedding, min_count, stop_words)
    searched = _with_queries(embedding, known, allowed)
    banned = {word for word in known if not allowed[embedding.vocabulary.index[word]]}
    found = neighbours(searched, known, number + len(banned)) if known else {}
    counts = embedding.counts
    index = embedding.vocabulary.index

    def near(word: str) -> Iterator[Found]:
        for each in found[word]:
            if each.word not in banned:
                count = None if counts is None else int(counts[index[each.word]])
                yield Found(each.word, each.cosine, count)

    return tuple(
        WordNeighbours(
            query, embedding.name, word, () if word is None else tuple(near(word))[:number]
        )
        for query, word in matched.items()
    )


def matching_word(embedding: Embedding, word: str) -> str | None:
    """Return the word of the vocabulary: the same, or the first that differs only in case.

    Words are sorted by frequency in most files, so the first is the most frequent variant; with
    counts, it is the one with the highest count.
    """
    if word in embedding:
        return word
    wanted = word.casefold()
    variants = [k for k, each in enumerate(embedding.words) if each.casefold() == wanted]
    if not variants:
        return None
    if embedding.counts is None:
        return embedding.words[variants[0]]
    return embedding.words[variants[int(np.argmax(embedding.counts[variants]))]]


class Chosen(NamedTuple):
    """Words of an embedding, and given words that it lacks."""

    found: tuple[str, ...]
    absent: tuple[str, ...]


def with_neighbours(embedding: Embedding, words: Sequence[str], number: int) -> Chosen:
    """Return the words as the embedding has them, each followed by its nearest neighbours."""
    matched = {word: matching_word(embedding, word) for word in dict.fromkeys(words)}
    known = [word for word in matched.values() if word is not None]
    near = neighbours(embedding, known, number) if number and known else {}
    listed = (each for word in known for each in (word, *(n.word for n in near.get(word, ()))))
    absent = tuple(word for word, match in matched.items() if match is None)
    return Chosen(tuple(dict.fromkeys(listed)), absent)


def stop_words_from(source: str) -> frozenset[str]:
    """Return the stop words of a file, one per line, or scikit-learn's English ones."""
    if source == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    return frozenset(line.strip().casefold() for line in text_lines(Path(source)) if line.strip())


def _allowed(
    embedding: Embedding, min_count: int, stop_words: Collection[str]
) -> NDArray[np.bool_]:
    allowed = np.ones(len(embedding), np.bool_)
    if min_count > 0:
        if embedding.counts is None:
            raise BadUsage(
                f"{embedding.name} has no word counts, so --min-count cannot be applied. If its "
                "words are sorted by frequency, use --limit."
            )
        allowed &= embedding.counts >= min_count
    if stop_words:
        allowed &= [word.casefold() not in stop_words for word in embedding.words]
    return allowed


def _with_queries(
    embedding: Embedding, queries: Sequence[str], allowed: NDArray[np.bool_]
) -> Embedding:
    """The embedding of the allowed words and of the queries."""
    if allowed.all():
        return embedding
    kept = allowed.copy()
    kept[embedding.vocabulary.find(list(queries))] = True
    return embedding.rows(np.flatnonzero(kept))
