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
from lexiscope.linalg.equal_rows import equal_rows
from lexiscope.linalg.neighbours import neighbours


@dataclass(frozen=True)
class Found:
    """A neighbour: its cosine, and its count if the embedding has counts.

    `duplicates` is the number of other words with the same vector.
    """

    word: str
    cosine: float
    count: int | None = None
    duplicates: int = 0


@dataclass(frozen=True)
class WordNeighbours:
    """The neighbours of a query word; `matched` is None if the embedding lacks the word.

    `duplicates` is the number of other words with the same vector; they are no neighbours.
    """

    query: str
    embedding: str
    matched: str | None
    neighbours: tuple[Found, ...] = ()
    duplicates: int = 0


def word_neighbours(
    embedding: Embedding,
    queries: Sequence[str],
    number: int = 10,
    min_count: int = 0,
    stop_words: Collection[str] = frozenset(),
) -> tuple[WordNeighbours, ...]:
    """Find the neighbours of each query word; words that the embedding lacks have none.

    Of several words with the same vector, as in pruned vectors of spaCy, the first is listed.

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
    matched = {query: embedding.matching(query) for query in dict.fromkeys(queries)}
    known = list(dict.fromkeys(word for word in matched.values() if word is not None))
    groups = equal_rows(embedding.vectors)
    sizes = np.bincount(groups)
    allowed = _first_of_groups(groups, _allowed(embedding, min_count, stop_words))
    searched = _with_queries(embedding, known, allowed)
    index = embedding.vocabulary.index
    banned = {word for word in known if not allowed[index[word]]}
    found = neighbours(searched, known, number + len(banned) + 1) if known else {}

    def near(word: str) -> Iterator[Found]:
        for each in found[word]:
            row = index[each.word]
            if each.word not in banned and groups[row] != groups[index[word]]:
                count = None if embedding.counts is None else int(embedding.counts[row])
                yield Found(each.word, each.cosine, count, int(sizes[groups[row]]) - 1)

    def of_query(query: str, word: str | None) -> WordNeighbours:
        if word is None:
            return WordNeighbours(query, embedding.name, None)
        twins = int(sizes[groups[index[word]]]) - 1
        return WordNeighbours(query, embedding.name, word, tuple(near(word))[:number], twins)

    return tuple(of_query(query, word) for query, word in matched.items())


def _first_of_groups(groups: NDArray[np.int64], allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The first allowed row of each group: other words with its vector say nothing new."""
    rows = np.flatnonzero(allowed)
    _, first = np.unique(groups[rows], return_index=True)
    found = np.zeros(len(groups), np.bool_)
    found[rows[first]] = True
    return found


class Chosen(NamedTuple):
    """Words of an embedding, and given words that it lacks."""

    found: tuple[str, ...]
    absent: tuple[str, ...]


def with_neighbours(embedding: Embedding, words: Sequence[str], number: int) -> Chosen:
    """Return the words as the embedding has them, each followed by its nearest neighbours."""
    matched = {word: embedding.matching(word) for word in dict.fromkeys(words)}
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
