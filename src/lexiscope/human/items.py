"""Items of a study: neighbours of query words to compare, and intruders to find.

Schnabel et al. 2015, sections 3.3 and 4. Embeddings have the same vocabulary, so that they choose
neighbours from the same words.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.study import Item
from lexiscope.human.intrusion import FIRST_RANK, MAX_COUNT_DIFFERENCE, first_intruder
from lexiscope.human.inventory import Query
from lexiscope.linalg.neighbours import nearest

RANKS = (1, 5, 50)
_NEIGHBOURS = 2  # of a query in an intrusion item
_WIDENING = 2.0
_MAX_WIDENINGS = 12


class Made(NamedTuple):
    """Items, and what could not be made, with the reason."""

    items: tuple[Item, ...]
    left_out: tuple[str, ...]


def comparison_items(
    embeddings: Sequence[Embedding],
    queries: Sequence[Query],
    rng: Generator,
    ranks: Sequence[int] = RANKS,
) -> Made:
    """Make an item of each query and rank: the neighbours at that rank in all embeddings.

    A word that several embeddings offer is one option, credited to all of them. An item with a
    single option is left out, because nothing can be chosen.
    """
    _check_ranks(ranks, embeddings)
    words = [query.word for query in queries]
    found = {each.name: _neighbours(each, words, max(ranks)) for each in embeddings}
    items, left_out = [], []
    for index, query in enumerate(queries):
        for rank in ranks:
            offers = {name: rows[index][rank - 1] for name, rows in found.items()}
            if len(set(offers.values())) < 2:
                left_out.append(
                    f"{query.word}, rank {rank}: all embeddings have the same neighbour, "
                    f"{next(iter(offers.values()))}"
                )
            else:
                items.append(_comparison(query, rank, offers, rng))
    return Made(tuple(items), tuple(left_out))


def _check_ranks(ranks: Sequence[int], embeddings: Sequence[Embedding]) -> None:
    if not ranks or min(ranks) < 1 or len(set(ranks)) < len(ranks):
        raise BadUsage("Ranks must be different whole numbers from 1.")
    if max(ranks) >= min(map(len, embeddings)):
        raise BadUsage(
            f"The embeddings share {min(map(len, embeddings)):,} words: too few for "
            f"neighbours at rank {max(ranks)}."
        )


def _neighbours(embedding: Embedding, words: Sequence[str], number: int) -> list[list[str]]:
    rows = nearest(embedding.vectors, embedding.vocabulary.find(words), number, embedding.lengths)
    known = embedding.words
    return [[known[k] for k in row] for row in rows.indices.tolist()]


def _comparison(query: Query, rank: int, offers: Mapping[str, str], rng: Generator) -> Item:
    sources: dict[str, list[str]] = {}
    for name, word in offers.items():
        sources.setdefault(word, []).append(name)
    words = list(sources)
    options = tuple(words[k] for k in rng.permutation(len(words)).tolist())
    return Item(
        rng.bytes(8).hex(), "comparison", query.word, options,
        tuple(tuple(sorted(sources[word])) for word in options), rank=rank,
        attributes=query.attributes,
    )  # fmt: skip


def intrusion_items(
    embeddings: Sequence[Embedding],
    queries: Sequence[Query],
    counts: Mapping[str, int],
    rng: Generator,
    width: float = MAX_COUNT_DIFFERENCE,
) -> Made:
    """Make an item of each embedding and query: its two nearest neighbours and an intruder.

    The intruder is the nearest word from rank 100 whose frequency differs from the mean of the
    other three by at most `width`. Where no word qualifies, the width is doubled until one does,
    and recorded in the item.
    """
    items, left_out = [], []
    for embedding in embeddings:
        search = _IntruderSearch(embedding, [query.word for query in queries], counts)
        for index, query in enumerate(queries):
            made = search.item(index, query, width, rng)
            if made is None:
                left_out.append(f"{query.word}, {embedding.name}: no word qualifies as intruder")
            else:
                items.append(made)
    order = rng.permutation(len(items)).tolist()
    return Made(tuple(items[k] for k in order), tuple(left_out))


class _IntruderSearch:
    """Neighbours and cosines of the queries of one embedding."""

    def __init__(
        self, embedding: Embedding, words: Sequence[str], counts: Mapping[str, int]
    ) -> None:
        if len(embedding) < FIRST_RANK + 1:
            raise BadUsage(
                f"{embedding.name}: {len(embedding)} shared words are too few for an intruder "
                f"from rank {FIRST_RANK}."
            )
        self.embedding = embedding
        self.rows = embedding.vocabulary.find(words)
        near = nearest(embedding.vectors, self.rows, FIRST_RANK - 1, embedding.lengths)
        self.near = near.indices
        self.counts = np.array([counts.get(word, 0) for word in embedding.words], np.int64)

    def item(self, index: int, query: Query, width: float, rng: Generator) -> Item | None:
        shown = [int(self.rows[index]), *self.near[index, :_NEIGHBOURS].tolist()]
        ranked, words = self._ranked(index), self.embedding.words
        used = width
        for _ in range(_MAX_WIDENINGS):
            with suppress(Undefined):
                intruder = first_intruder(shown, ranked, words, self.counts, used)
                return self._item(query, [*shown, intruder], used, rng)
            used *= _WIDENING
        return None

    def _ranked(self, index: int) -> NDArray[np.int64]:
        """All other words by descending cosine; vectors of length 0 have none."""
        vectors, lengths = self.embedding.vectors, self.embedding.lengths
        row, near = int(self.rows[index]), self.near[index]
        cosines = np.asarray(vectors @ np.asarray(self.embedding[self.embedding.words[row]]))
        cosines = np.divide(cosines, lengths, out=np.full(len(lengths), -np.inf), where=lengths > 0)
        cosines[[row, *near.tolist()]] = -np.inf
        order = np.argsort(-cosines, kind="stable")
        return np.concatenate([near, order[: np.count_nonzero(np.isfinite(cosines))]])

    def _item(self, query: Query, rows: Sequence[int], width: float, rng: Generator) -> Item:
        words = [self.embedding.words[row] for row in rows]
        options = tuple(words[k] for k in rng.permutation(len(words)).tolist())
        name = self.embedding.name
        return Item(
            rng.bytes(8).hex(), "intrusion", query.word, options,
            tuple(() if word == query.word else (name,) for word in options),
            answer=options.index(words[-1]), width=width, attributes=query.attributes,
        )  # fmt: skip
