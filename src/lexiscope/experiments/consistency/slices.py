"""Consistency of groups of terms: by frequency, and by frequency in the text and elsewhere."""

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.term_model import Background
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.consistency.estimates import estimate, proportion
from lexiscope.experiments.consistency.results import (
    ALL,
    ConsistencyOptions,
    Slice,
    TermVectors,
    stacked,
)
from lexiscope.experiments.consistency.term_scores import TermScores
from lexiscope.metrics.consistency import directions

_SLICES = 3

Group = tuple[str, NDArray[np.bool_]]


def slices(each: TermScores, background: Background, options: ConsistencyOptions) -> list[Slice]:
    about = each.vectors
    groups = [("frequency in the text", *g) for g in _frequency_groups(about.frequency)]
    counts = about.background_count
    if counts is not None:
        groups += [("frequency in the background", *g) for g in _frequency_groups(counts)]
    groups += [("domain", *g) for g in domain_groups(about, background, options)]
    size = equal_size(about, each.scored)
    return [_slice(each, by, name, chosen & each.scored, size) for by, name, chosen in groups]


def equal_size(about: TermVectors, scored: NDArray[np.bool_]) -> int | None:
    """Return the largest number of sentences of which all scored terms have two samples."""
    if not scored.any():
        return None
    complete = [
        size
        for size, vectors in about.by_size.items()
        if size != ALL and np.isfinite(stacked(vectors)[:, scored]).all()
    ]
    return max(complete, default=None)


def _frequency_groups(counts: NDArray[np.int64]) -> list[Group]:
    """Thirds of the terms by frequency; frequency 0 is a group of its own."""
    groups: list[Group] = []
    if (counts == 0).any():
        groups.append(("0", counts == 0))
    known = counts[counts > 0]
    if not len(known):
        return groups
    edges = np.unique(np.quantile(known, np.linspace(0, 1, _SLICES + 1)).astype(np.int64))
    edges[-1] += 1
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        name = f"{low:,}" if high - 1 == low else f"{low:,} to {high - 1:,}"
        groups.append((name, (counts >= low) & (counts < high)))
    return groups


def domain_groups(
    about: TermVectors, background: Background, options: ConsistencyOptions
) -> list[Group]:
    """Group terms by low and high relative frequency in text and background.

    Empty if the number of tokens of the text or of the background is unknown.
    """
    counts, tokens = about.background_count, options.text_tokens
    total = options.background_tokens
    if total is None and background.counts is not None:
        total = int(background.counts.sum())
    if counts is None or not tokens or not total:
        return []
    text, general = about.frequency / tokens, counts / total
    known = counts > 0
    inside = {"low": text < options.low_in_text, "high": text > options.high_in_text}
    outside = {
        "low": known & (general < options.low_in_background),
        "high": general > options.high_in_background,
    }
    return [
        (f"text {i}, background {o}", inside[i] & outside[o])
        for i in ("high", "low")
        for o in ("low", "high")
    ]


def _slice(
    each: TermScores, by: str, name: str, chosen: NDArray[np.bool_], size: int | None
) -> Slice:
    null = each.nulls["raw"]
    learnable = sum(v == "learnable" for v, c in zip(each.verdicts, chosen, strict=True) if c)
    return Slice(
        each.vectors.model,
        each.vectors.split,
        by,
        name,
        int(chosen.sum()),
        estimate(null.within[chosen]),
        estimate(null.excess[chosen], null.influence[chosen]),
        proportion(each.identified["without term mean"].first[chosen]),
        estimate(each.drift_cosine[chosen]),
        learnable,
        _mean_sentences(each.vectors, chosen),
        size,
        *(() if size is None else (_equal_cosine(each.vectors, chosen, size),)),
    )


def _mean_sentences(about: TermVectors, chosen: NDArray[np.bool_]) -> float | None:
    sizes = [np.mean(s) for s, c in zip(about.sizes, chosen.tolist(), strict=True) if c and s]
    return float(np.mean(sizes)) if sizes else None


def _equal_cosine(about: TermVectors, chosen: NDArray[np.bool_], size: int) -> Estimate:
    units = directions(stacked(about.by_size[size])[:, chosen])
    return estimate(np.einsum("td,td->t", *units))
