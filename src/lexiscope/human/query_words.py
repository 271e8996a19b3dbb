"""The query words of a study: a list, a file, or words of WordNet with quotas."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, NotDownloaded
from lexiscope.core.policy import Policy
from lexiscope.core.seeding import generator
from lexiscope.data import norms
from lexiscope.data.inputs import Inputs
from lexiscope.data.wordnet import WordNet, find
from lexiscope.evaluation.analysis.attributes import concreteness
from lexiscope.human.inventory import (
    RARE_BELOW,
    Query,
    Quotas,
    listed_queries,
    read_inventory,
    wordnet_queries,
)

POLICY = Policy("shared", case="fold")
_PAPER_TOKENS = 1e9  # size of the corpus that the paper's thresholds presume
_RARE_QUANTILE = 0.3


@dataclass(frozen=True)
class Words:
    """Where the query words come from: a list, a file, or WordNet if neither is given.

    Parameters
    ----------
    words : sequence of str
        Query words.
    inventory : str or Path, optional
        A file with a word per line, or a table with attributes of the words.
    rare_below : int, optional
        A word that occurs less often is rare. The default is the paper's 2,500, scaled to the size
        of the corpus, or the 30 % quantile of the words' frequencies if that is higher.
    quotas : Quotas, optional
        Quotas of categories and frequencies for words from WordNet.
    """

    words: Sequence[str] = ()
    inventory: str | Path | None = None
    rare_below: int | None = None
    quotas: Quotas | None = None


def word_counts(embeddings: Sequence[Embedding], inputs: Inputs) -> dict[str, int] | None:
    """Return frequencies of words: from a table, or from the first embedding that has them."""
    if inputs.frequencies is not None:
        table = norms.read(Path(inputs.frequencies))
        found: dict[str, int] = {}
        for word, number in table.items():
            folded = POLICY.normalise(word)
            found[folded] = found.get(folded, 0) + int(number)
        return found
    for each in embeddings:
        if each.counts is not None and not _only_ranks(each.counts):
            return dict(zip(each.words, each.counts.tolist(), strict=True))
    return None


def _only_ranks(counts: Any) -> bool:
    """Whether counts fall by one from word to word, as some libraries write without counts."""
    return len(counts) > 2 and bool((np.diff(counts) == -1).all())


def corpus_scale(counts: Mapping[str, int] | None) -> float:
    """The size of the corpus relative to that of the paper, 1 at most."""
    return min(1.0, sum(counts.values()) / _PAPER_TOKENS) if counts else 1.0


def default_rare_below(counts: Mapping[str, int] | None) -> int:
    """The frequency below which a word is rare, for a corpus of this size."""
    if counts is None:
        return RARE_BELOW
    known = [number for word, number in counts.items() if number > 0 and word.isalpha()]
    quantile = float(np.quantile(known, _RARE_QUANTILE)) if known else 0.0
    return min(RARE_BELOW, max(2, round(RARE_BELOW * corpus_scale(counts)), int(np.ceil(quantile))))


def query_words(
    choice: Words,
    rare_below: int,
    known: Collection[str] | None,
    counts: Mapping[str, int] | None,
    inputs: Inputs,
    seed: int,
) -> tuple[tuple[Query, ...], list[str]]:
    """Return the query words, and those that are left out because `known` lacks them."""
    if not choice.words and choice.inventory is None:
        return _sampled(choice, rare_below, known, counts, inputs, seed), []
    if choice.inventory is not None:
        found = read_inventory(choice.inventory)
    else:
        found = tuple(Query(word) for word in choice.words)
    folded = [Query(POLICY.normalise(each.word), each.attributes) for each in found]
    listed = listed_queries(
        [q.word for q in folded], counts, rare_below, wordnet_if_downloaded(inputs),
        _concreteness_if_downloaded(inputs),
    )  # fmt: skip
    given = {query.word: query.attributes for query in folded}
    usable = [Query(q.word, {**q.attributes, **given[q.word]}) for q in listed]
    if known is None:
        return tuple(usable), []
    vocabulary = frozenset(known)
    absent = [f"{shown(q.word)}: not in all embeddings" for q in usable
              if q.word not in vocabulary]  # fmt: skip
    return tuple(q for q in usable if q.word in vocabulary), absent


def _sampled(
    choice: Words,
    rare_below: int,
    known: Collection[str] | None,
    counts: Mapping[str, int] | None,
    inputs: Inputs,
    seed: int,
) -> tuple[Query, ...]:
    if counts is None:
        raise BadData(no_counts("Quotas of rare words", " Words of your own (--words) need none."))
    quotas = choice.quotas or Quotas()
    if quotas.rare_below is None:
        quotas = replace(quotas, rare_below=rare_below)
    rng = generator(seed, "inventory")
    vocabulary = None if known is None else frozenset(known)
    return wordnet_queries(find(inputs.local_data), counts, rng, quotas, vocabulary)


def new_inventory(choice: Words, inputs: Inputs, seed: int = 0) -> tuple[Query, ...]:
    """Make an inventory from a table of frequencies, before there are any embeddings."""
    counts = word_counts((), inputs)
    below = choice.rare_below or default_rare_below(counts)
    return query_words(choice, below, None, counts, inputs, seed)[0]


def _concreteness_if_downloaded(inputs: Inputs) -> Callable[[str], str] | None:
    """Return the band of a word's concreteness, or None if the norms are not downloaded."""
    try:
        band = concreteness(inputs.local_data).band
    except NotDownloaded:
        return None
    return lambda word: band([word])


def wordnet_if_downloaded(inputs: Inputs) -> WordNet | None:
    """Return WordNet, or None if it is not downloaded."""
    try:
        return find(inputs.local_data)
    except NotDownloaded:
        return None


def no_counts(what: str, otherwise: str = "") -> str:
    """Return the message for what cannot be made without frequencies."""
    return (
        f"{what} need word frequencies, and no embedding has counts. Give a table of words and "
        f"counts with --frequencies.{otherwise}"
    )
