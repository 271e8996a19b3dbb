"""A new study: embeddings on their shared vocabulary, query words, items and control items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage, NotDownloaded
from lexiscope.core.policy import Policy
from lexiscope.core.seeding import generator
from lexiscope.core.study import Item, Kind, Study, StudySettings
from lexiscope.core.versions import versions
from lexiscope.data import norms
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.data.wordnet import WordNet, find
from lexiscope.evaluation.vocabulary import align, restrict, shared_words
from lexiscope.human.controls import control_items
from lexiscope.human.intrusion import MAX_COUNT_DIFFERENCE
from lexiscope.human.inventory import (
    RARE_BELOW,
    Query,
    Quotas,
    listed_queries,
    read_inventory,
    wordnet_queries,
)
from lexiscope.human.items import RANKS, Made, comparison_items, intrusion_items

_POLICY = Policy("shared", case="fold")
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


def new_study(
    vectors: Sequence[Any],
    kind: Kind = "comparison",
    words: Words | None = None,
    settings: StudySettings | None = None,
    *,
    ranks: Sequence[int] = RANKS,
    width: float | None = None,
    controls: str | Path | None = None,
    inputs: Inputs | None = None,
) -> Study:
    """Make the items of a study.

    Parameters
    ----------
    vectors : sequence
        Two or more embeddings (one for intrusion), files or names from the catalogue.
    kind : {"comparison", "intrusion"}
        Choose the most similar neighbour, or find the intruder.
    words : Words, optional
        The query words; by default sampled from WordNet with the quotas of the paper.
    settings : StudySettings, optional
        How the study is carried out.
    ranks : sequence of int
        Ranks of the neighbours that are compared.
    width : float, optional
        Largest difference of an intruder's frequency from the mean of the other words. The default
        is the paper's 500, scaled to the size of the corpus.
    controls : str or Path, optional
        A file of control items; by default English ones.
    inputs : Inputs, optional
        Where files are read from; `frequencies` is a table of words and counts.
    """
    chosen, choice = settings or StudySettings(), words or Words()
    where = inputs or Inputs()
    aligned = load_aligned(vectors, where, 1 if kind == "intrusion" else 2)
    counts = word_counts(aligned, where)
    rng = generator(chosen.seed, "items", kind)
    below = choice.rare_below or _rare_below(counts)
    used = width or max(1.0, MAX_COUNT_DIFFERENCE * _scale(counts))
    queries, absent = _queries(choice, below, aligned, counts, where, chosen.seed)
    made = _made(kind, aligned, queries, counts, rng, ranks, used)
    if not made.items:
        raise BadData("No item can be made: " + "; ".join((*absent, *made.left_out)[:3]) + ".")
    with_controls = (*made.items, *_controls(chosen, kind, rng, controls))
    return Study(
        kind,
        chosen,
        {each.name: each.fingerprint for each in aligned},
        with_controls,
        {
            "versions": versions(),
            "policy": str(_POLICY),
            "shared_words": len(aligned[0]),
            "queries": [{"word": query.word, **query.attributes} for query in queries],
            "ranks": list(ranks) if kind == "comparison" else [],
            "width": used if kind == "intrusion" else None,
            "rare_below": below if counts is not None else None,
            "left_out": [*absent, *made.left_out],
            "widened": _widened(made.items, used),
        },
    )


def load_aligned(vectors: Sequence[Any], inputs: Inputs, least: int = 1) -> list[Embedding]:
    """Load embeddings by file, catalogue name or object, on the words that all of them have."""
    reading = Reading(None, inputs.on_error, inputs.local_data)
    return aligned_embeddings(embeddings_from(list(vectors), reading=reading), least)


def aligned_embeddings(embeddings: Sequence[Embedding], least: int = 1) -> list[Embedding]:
    """Restrict embeddings to the words that all of them have, in the same order."""
    if len(embeddings) < least:
        raise BadUsage(f"A comparison needs {least} or more embeddings, found {len(embeddings)}.")
    common = shared_words(embeddings, _POLICY)
    return [restrict(align(each, _POLICY), common).embedding for each in embeddings]


def word_counts(embeddings: Sequence[Embedding], inputs: Inputs) -> dict[str, int] | None:
    """Return frequencies of words: from a table, or from the first embedding that has them."""
    if inputs.frequencies is not None:
        table = norms.read(Path(inputs.frequencies))
        found: dict[str, int] = {}
        for word, number in table.items():
            folded = _POLICY.normalise(word)
            found[folded] = found.get(folded, 0) + int(number)
        return found
    for each in embeddings:
        if each.counts is not None and not _only_ranks(each.counts):
            return dict(zip(each.words, each.counts.tolist(), strict=True))
    return None


def _only_ranks(counts: Any) -> bool:
    """Whether counts fall by one from word to word, as some libraries write without counts."""
    return len(counts) > 2 and bool((np.diff(counts) == -1).all())


def _scale(counts: Mapping[str, int] | None) -> float:
    """The size of the corpus relative to that of the paper, 1 at most."""
    return min(1.0, sum(counts.values()) / _PAPER_TOKENS) if counts else 1.0


def _rare_below(counts: Mapping[str, int] | None) -> int:
    """The frequency below which a word is rare, for a corpus of this size."""
    if counts is None:
        return RARE_BELOW
    known = [number for word, number in counts.items() if number > 0 and word.isalpha()]
    quantile = float(np.quantile(known, _RARE_QUANTILE)) if known else 0.0
    return min(RARE_BELOW, max(2, round(RARE_BELOW * _scale(counts)), int(np.ceil(quantile))))


def _queries(
    choice: Words,
    rare_below: int,
    embeddings: Sequence[Embedding],
    counts: Mapping[str, int] | None,
    inputs: Inputs,
    seed: int,
) -> tuple[tuple[Query, ...], list[str]]:
    """The query words that all embeddings have, and those that are left out."""
    if not choice.words and choice.inventory is None:
        if counts is None:
            raise BadData(
                _no_counts("Quotas of rare words", " Words of your own (--words) need none.")
            )
        known = embeddings[0].vocabulary
        rng = generator(seed, "inventory")
        quotas = choice.quotas or Quotas(rare_below=rare_below)
        return wordnet_queries(find(inputs.local_data), counts, rng, quotas, known.words), []
    if choice.inventory is not None:
        found = read_inventory(choice.inventory)
    else:
        found = tuple(Query(word) for word in choice.words)
    folded = [Query(_POLICY.normalise(each.word), each.attributes) for each in found]
    wordnet = wordnet_if_downloaded(inputs)
    listed = listed_queries([q.word for q in folded], counts, rare_below, wordnet)
    given = {query.word: query.attributes for query in folded}
    usable = [Query(q.word, {**q.attributes, **given[q.word]}) for q in listed]
    absent = [f"{shown(q.word)}: not in all embeddings" for q in usable
              if q.word not in embeddings[0]]  # fmt: skip
    return tuple(q for q in usable if q.word in embeddings[0]), absent


def wordnet_if_downloaded(inputs: Inputs) -> WordNet | None:
    """Return WordNet, or None if it is not downloaded."""
    try:
        return find(inputs.local_data)
    except NotDownloaded:
        return None


def _made(
    kind: Kind,
    embeddings: Sequence[Embedding],
    queries: Sequence[Query],
    counts: Mapping[str, int] | None,
    rng: np.random.Generator,
    ranks: Sequence[int],
    width: float,
) -> Made:
    if not queries:
        return Made((), ())
    if kind == "comparison":
        return comparison_items(embeddings, queries, rng, ranks)
    if counts is None:
        raise BadData(_no_counts("Intruders"))
    return intrusion_items(embeddings, queries, counts, rng, width)


def _no_counts(what: str, otherwise: str = "") -> str:
    return (
        f"{what} need word frequencies, and no embedding has counts. Give a table of words and "
        f"counts with --frequencies.{otherwise}"
    )


def _controls(
    settings: StudySettings, kind: Kind, rng: np.random.Generator, path: str | Path | None
) -> tuple[Item, ...]:
    if not settings.controls_per_judge:
        return ()
    if path is None and not settings.language.casefold().startswith("en"):
        raise BadUsage(
            f"There are no control items in '{settings.language}'. Give a file with "
            "--control-items, or use --controls 0."
        )
    return control_items(kind, rng, path)


def _widened(items: Sequence[Item], width: float) -> int:
    return sum(item.width is not None and item.width > width for item in items)
