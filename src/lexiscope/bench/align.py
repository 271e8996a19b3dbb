"""Align and cover: the one place where vocabulary policy is applied."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.dataset import Dataset, Running
from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.policy import Policy
from lexiscope.core.vocabulary import Vocabulary


class Aligned(NamedTuple):
    """An embedding under a policy, and the words left out because their vector is zero."""

    embedding: Embedding
    zero: frozenset[str]


class Covered(NamedTuple):
    """The items that can be asked, and why the others cannot."""

    asked: Dataset
    items: NDArray[np.int64]
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    running: Running | None


def align(embedding: Embedding, policy: Policy) -> Aligned:
    """An embedding as the policy wants it by itself: limited, without zero vectors, folded."""
    return _folded(_without_zeros(_limited(embedding, policy)), policy)


def restricted(aligned: Aligned, shared: frozenset[str] | None) -> Aligned:
    """The words that all embeddings share, where the policy says so."""
    return (
        aligned if shared is None else aligned._replace(embedding=_only(aligned.embedding, shared))
    )


def shared_words(embeddings: Sequence[Embedding], policy: Policy) -> frozenset[str] | None:
    """The words that all embeddings have under the policy; None where each keeps its own."""
    if policy.vocabulary == "own" or len(embeddings) < 2:
        return None
    first, *others = (align(embedding, policy).embedding for embedding in embeddings)
    shared = frozenset(w for w in first.words if all(w in other for other in others))
    if not shared:
        raise BadData("The embeddings share no word. Use --vocabulary own, or look at their case.")
    return shared


def cover(aligned: Aligned, spelt: Dataset) -> Covered:
    """The items whose words the embedding has; both are spelt as the policy compares them."""
    vocabulary = aligned.embedding.vocabulary
    items = np.flatnonzero(spelt.covered_by(vocabulary))
    absent = spelt.missing_from(vocabulary)
    zero = tuple(word for word in absent if word in aligned.zero)
    missing = tuple(word for word in absent if word not in aligned.zero)
    asked = spelt if len(items) == len(spelt) else spelt.take(items)
    return Covered(asked, items, missing, zero, spelt.running(vocabulary))


def everything(spelt: Dataset) -> Covered:
    """All items: for those who answer without an embedding no word is unknown."""
    return Covered(spelt, np.arange(len(spelt)), (), (), None)


def filled(aligned: Aligned, spelt: Dataset, policy: Policy) -> Aligned:
    """The embedding with the mean vector for the dataset's unknown words, where so wished."""
    if policy.unknown != "mean" or not aligned.embedding.has_a_mean:
        return aligned
    unknown = sorted(word for word in spelt.all_words if word not in aligned.embedding)
    return Aligned(aligned.embedding.with_the_mean_for(unknown), frozenset())


def gained_by_folding(embedding: Embedding, datasets: Sequence[Dataset]) -> list[int]:
    """How many more items of each dataset could be asked if letter case were folded."""
    fold = Policy(case="fold")
    folded = Vocabulary(tuple(dict.fromkeys(fold.spellings(embedding.words))))
    return [
        int(dataset.spelt(fold).covered_by(folded).sum())
        - int(dataset.covered_by(embedding.vocabulary).sum())
        for dataset in datasets
    ]


def _limited(embedding: Embedding, policy: Policy) -> Embedding:
    return embedding if policy.limit is None else embedding.first(policy.limit)


def _folded(aligned: Aligned, policy: Policy) -> Aligned:
    """One vector for each folded word; a zero vector counts only where no variant has another."""
    if not policy.respells:
        return aligned
    folded = _one_variant_each(aligned.embedding, policy)
    zero = frozenset(map(policy.spelling, aligned.zero))
    return Aligned(folded, frozenset(word for word in zero if word not in folded))


def _one_variant_each(embedding: Embedding, policy: Policy) -> Embedding:
    """The most frequent variant's vector, or the first one's without counts."""
    folded = policy.spellings(embedding.words)
    if len(set(folded)) == len(folded):
        unchanged = folded == list(embedding.words)
        return embedding if unchanged else replace(embedding, vocabulary=Vocabulary(tuple(folded)))
    order = np.arange(len(folded))
    if embedding.counts is not None:
        order = np.argsort(-embedding.counts, kind="stable")
    # The last to be written stays: the most frequent come last.
    chosen = {folded[place]: place for place in order[::-1].tolist()}
    places = np.sort(np.fromiter(chosen.values(), np.int64, len(chosen)))
    words = Vocabulary(tuple(folded[place] for place in places.tolist()))
    counts = None if embedding.counts is None else embedding.counts[places]
    return replace(embedding, vocabulary=words, vectors=embedding.vectors[places], counts=counts)


def _without_zeros(embedding: Embedding) -> Aligned:
    if not len(embedding):
        raise BadData(f"{embedding.name}: holds no words.")
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
    """Its shared words in its own order, so that no other embedding decides between ties."""
    if len(shared) == len(embedding):
        return embedding
    places = [place for place, word in enumerate(embedding.words) if word in shared]
    return embedding.rows(np.array(places, np.int64))
