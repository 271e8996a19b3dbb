"""Align embeddings and cover datasets: the one module that applies the vocabulary policy."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.datasets.base import Dataset, TokenCoverage
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.packed_words import pack, take, word_index
from lexiscope.core.policy import Policy
from lexiscope.core.vectors import equal_rows, take_rows
from lexiscope.core.vocabulary import Vocabulary


class Aligned(NamedTuple):
    """An embedding under a policy, and the words left out because their vector is zero."""

    embedding: Embedding
    zero: frozenset[str]


class Covered(NamedTuple):
    """The items that can be evaluated, and which words the others lack."""

    dataset: Dataset
    items: NDArray[np.int64]
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    tokens: TokenCoverage | None


class AlignedEmbeddings:
    """The embeddings of a run under its policies.

    The most recent ones are cached, because cells are evaluated in that order.
    """

    def __init__(self, embeddings: Sequence[Embedding]) -> None:
        self.embeddings = embeddings
        self.shared_words = lru_cache(maxsize=None)(self._shared_words)
        self._cached = lru_cache(maxsize=4 * len(embeddings))(self._align)

    def get(self, index: int, policy: Policy) -> Aligned:
        """An embedding under a policy; the same object if the policy changes nothing."""
        # Out-of-vocabulary words change no vector, nor does a limit above the number of words.
        unlimited = policy.limit is not None and policy.limit >= len(self.embeddings[index])
        return self._cached(
            index, replace(policy, oov="skip", limit=None if unlimited else policy.limit)
        )

    def _align(self, index: int, policy: Policy) -> Aligned:
        if policy.vocabulary == "own":
            return align(self.embeddings[index], policy)
        own = self.get(index, replace(policy, vocabulary="own"))
        return restrict(own, self.shared_words(policy))

    def _shared_words(self, policy: Policy) -> frozenset[str] | None:
        return shared_words(self.embeddings, policy)


def align(embedding: Embedding, policy: Policy) -> Aligned:
    """An embedding by itself under a policy: limited, without zero vectors, case-folded."""
    return _folded(_without_zeros(_limited(embedding, policy)), policy)


def restrict(aligned: Aligned, shared: frozenset[str] | None) -> Aligned:
    """Only the words that all embeddings share; None: all words."""
    if shared is None:
        return aligned
    return aligned._replace(embedding=_only(aligned.embedding, shared))


def shared_words(embeddings: Sequence[Embedding], policy: Policy) -> frozenset[str] | None:
    """The words that all embeddings have under the policy; None where each keeps its own."""
    if policy.vocabulary == "own" or len(embeddings) < 2:
        return None
    first, *others = (align(embedding, policy).embedding for embedding in embeddings)
    is_shared = np.ones(len(first), np.bool_)
    for other in others:
        is_shared &= other.vocabulary.find(first.words) >= 0
    shared = frozenset(take(first.words, np.flatnonzero(is_shared)))
    if not shared:
        raise BadData(
            "The embeddings have no word in common. Use --vocabulary own, or check their case."
        )
    return shared


def cover(aligned: Aligned, normalised: Dataset) -> Covered:
    """The items whose words are all in the vocabulary; both are normalised by the policy."""
    vocabulary = aligned.embedding.vocabulary
    items = np.flatnonzero(normalised.covered_by(vocabulary))
    absent = normalised.missing_from(vocabulary)
    zero = tuple(word for word in absent if word in aligned.zero)
    missing = tuple(word for word in absent if word not in aligned.zero)
    covered = normalised if len(items) == len(normalised) else normalised.take(items)
    return Covered(covered, items, missing, zero, normalised.token_coverage(vocabulary))


def cover_everything(normalised: Dataset) -> Covered:
    """All items: without an embedding, no word is out of vocabulary."""
    return Covered(normalised, np.arange(len(normalised)), (), (), None)


def add_mean_vectors(aligned: Aligned, normalised: Dataset, policy: Policy) -> Aligned:
    """Give out-of-vocabulary words of the dataset the mean vector under the policy oov="mean"."""
    if policy.oov != "mean" or not aligned.embedding.has_mean_direction:
        return aligned
    words = sorted(normalised.all_words)
    known = (aligned.embedding.vocabulary.find(words) >= 0).tolist()
    unknown = [word for word, is_known in zip(words, known, strict=True) if not is_known]
    return Aligned(aligned.embedding.with_mean_for(unknown), frozenset())


def has_equal_vectors(one: Embedding, other: Embedding, words: set[str]) -> bool:
    """Whether two embeddings have the same of these words, with the same vectors."""
    wanted = sorted(words)
    here, there = (embedding.vocabulary.find(wanted) for embedding in (one, other))
    if not np.array_equal(here < 0, there < 0):
        return False
    known = here >= 0
    return equal_rows(one.vectors[here[known]], other.vectors[there[known]])


def gained_by_folding(
    embedding: Embedding, datasets: Sequence[Dataset], language: str = ""
) -> list[int]:
    """How many more items of each dataset are covered if letter case is folded."""
    fold = Policy(case="fold", language=language)
    words = fold.normalise_packed(pack(embedding.words))
    folded = Vocabulary(take(words, word_index(words).first_of_each()))
    return [
        int(dataset.normalised(fold).covered_by(folded).sum())
        - int(dataset.covered_by(embedding.vocabulary).sum())
        for dataset in datasets
    ]


def _limited(embedding: Embedding, policy: Policy) -> Embedding:
    return embedding if policy.limit is None else embedding.first(policy.limit)


def _folded(aligned: Aligned, policy: Policy) -> Aligned:
    """One vector for each form; a zero vector counts only where no variant has another."""
    folded = _one_variant_each(aligned.embedding, policy)
    zero = sorted(set(map(policy.normalise, aligned.zero)))
    is_absent = folded.vocabulary.find(zero) < 0
    return Aligned(folded, frozenset(zero[k] for k in np.flatnonzero(is_absent).tolist()))


def _one_variant_each(embedding: Embedding, policy: Policy) -> Embedding:
    """The vector of the most frequent variant, or of the first one without counts."""
    words = pack(embedding.words)
    folded = policy.normalise_packed(words)
    unchanged = folded is words
    if unchanged and policy.case == "exact":  # a word that occurs twice stays an error
        return embedding
    indices = word_index(folded, embedding.counts).first_of_each()
    is_distinct = len(indices) == len(folded)
    if unchanged and is_distinct:
        return embedding
    chosen = Vocabulary(take(folded, indices))
    if is_distinct:
        return replace(embedding, vocabulary=chosen)
    counts = None if embedding.counts is None else embedding.counts[indices]
    vectors = take_rows(embedding.vectors, indices)
    return replace(embedding, vocabulary=chosen, vectors=vectors, counts=counts)


def _without_zeros(embedding: Embedding) -> Aligned:
    if not len(embedding):
        raise BadData(f"{embedding.name}: contains no words.")
    lengths = embedding.lengths
    if not np.isfinite(lengths).all():
        row = int(np.argmin(np.isfinite(lengths)))
        raise BadData(
            f"{embedding.name}: the vector of '{shown(embedding.words[row])}' (row {row + 1}) is "
            "not finite, or too long to have a length."
        )
    if lengths.min() > 0:
        return Aligned(embedding, frozenset())
    if lengths.max() == 0:
        raise BadData(f"{embedding.name}: every vector is zero.")
    words = embedding.words
    zero = frozenset(words[row] for row in np.flatnonzero(lengths == 0).tolist())
    return Aligned(embedding.rows(np.flatnonzero(lengths > 0)), zero)


def _only(embedding: Embedding, shared: frozenset[str]) -> Embedding:
    """The shared words in the embedding's own order, so that no other one breaks its ties."""
    if len(shared) == len(embedding):
        return embedding
    indices = np.sort(embedding.vocabulary.find(shared))
    return embedding.rows(indices[indices >= 0])
