"""A new study: embeddings on their shared vocabulary, query words, items and control items."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.seeding import generator
from lexiscope.core.study import Item, Kind, Study, StudySettings
from lexiscope.core.versions import versions
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.evaluation.vocabulary import align, restrict, shared_words
from lexiscope.human.controls import control_items
from lexiscope.human.intrusion import MAX_COUNT_DIFFERENCE
from lexiscope.human.inventory import Query
from lexiscope.human.items import RANKS, Made, comparison_items, intrusion_items
from lexiscope.human.query_words import (
    POLICY,
    Words,
    corpus_scale,
    default_rare_below,
    no_counts,
    query_words,
    word_counts,
)


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
    below = choice.rare_below or default_rare_below(counts)
    used = width or max(1.0, MAX_COUNT_DIFFERENCE * corpus_scale(counts))
    queries, absent = query_words(choice, below, aligned[0].words, counts, where, chosen.seed)
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
            "policy": str(POLICY),
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
    common = shared_words(embeddings, POLICY)
    return [restrict(align(each, POLICY), common).embedding for each in embeddings]


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
        raise BadData(no_counts("Intruders"))
    return intrusion_items(embeddings, queries, counts, rng, width)


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
