"""What is computed for each term from its vectors: cosines, nulls, ranks, drift, verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import Background
from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import BadUsage
from lexiscope.core.estimate import Estimate
from lexiscope.core.seeding import generator
from lexiscope.experiments.consistency.estimates import estimate_over_samples
from lexiscope.experiments.consistency.results import (
    ConsistencyOptions,
    TermVectors,
    Variant,
    Verdict,
)
from lexiscope.metrics.consistency import (
    Identification,
    directions,
    identification,
    ranks_among,
    without_common_direction,
    without_direction,
)
from lexiscope.stats.between_terms import TermNull, term_null


@dataclass(frozen=True, eq=False)
class TermScores:
    """One model with everything that is computed per term."""

    vectors: TermVectors
    nulls: Mapping[Variant, TermNull]
    over_samples: Mapping[Variant, Estimate]
    identified: Mapping[Variant, Identification]
    ranks: Floats  # (pairs, terms)
    drift_cosine: Floats
    drift_rank: Floats
    verdicts: tuple[Verdict, ...]
    rows: NDArray[np.int64]  # of the terms in the background, -1 without

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which terms have two or more vectors."""
        return np.isfinite(self.nulls["raw"].within)


def check_dimension(each: TermVectors, background: Background) -> None:
    dimension = each.stacked().shape[2]
    if each.in_background and dimension not in (0, background.dimension):
        raise BadUsage(
            f"The vectors of {each.model} have {dimension} dimensions, the background has "
            f"{background.dimension}. Vectors of another space need in_background=False."
        )


def rng_of(seed: int, each: TermVectors, purpose: str) -> Generator:
    # Not from the model: all models get the same draws.
    return generator(seed, "consistency", each.split, purpose)


def score_terms(
    each: TermVectors,
    background: Background,
    rule: DecisionRule,
    seed: int,
    options: ConsistencyOptions,
) -> TermScores:
    vectors = each.stacked()
    units = directions(vectors)
    spaces: dict[Variant, Floats] = {"raw": units}
    if each.in_background and vectors.size:
        mean = np.asarray(np.mean(background.vectors, axis=0, dtype=np.float64))
        spaces["without background mean"] = directions(without_direction(vectors, mean))
    spaces["without term mean"] = without_common_direction(units)
    nulls = {
        name: term_null(space, each.frequency, rng_of(seed, each, "null"),
                        options.similar_terms, options.draws)
        for name, space in spaces.items()
    }  # fmt: skip
    rows = background_rows(each.terms, background)
    ranks, drift_rank = _ranks(each, units, background, rows, options)
    return TermScores(
        each,
        nulls,
        {name: estimate_over_samples(space) for name, space in spaces.items()},
        {name: identification(space) for name, space in spaces.items()},
        ranks,
        _drift_cosine(each, units),
        drift_rank,
        _verdicts(nulls["without term mean"].p, rule),
        rows,
    )


def _verdicts(p: Floats, rule: DecisionRule) -> tuple[Verdict, ...]:
    def verdict(value: float) -> Verdict:
        if not np.isfinite(value):
            return "untested"
        return "learnable" if value <= rule.alpha else "not learnable"

    return tuple(verdict(value) for value in p.tolist())


def background_rows(terms: Sequence[str], background: Background) -> NDArray[np.int64]:
    """Return the background row of each term, -1 if it has none.

    A term is also found in lower case, and with its words joined by underscores.
    """
    rows = {word: row for row, word in enumerate(background.words)}

    def row(term: str) -> int:
        folded = term.casefold()
        forms = (term, folded, term.replace(" ", "_"), folded.replace(" ", "_"))
        return next((rows[form] for form in forms if form in rows), -1)

    return np.array([row(term) for term in terms], np.int64)


def _ranks(
    each: TermVectors,
    units: Floats,
    background: Background,
    rows: NDArray[np.int64],
    options: ConsistencyOptions,
) -> tuple[Floats, Floats]:
    """Ranks of later samples for each pair (pairs, terms), and of the background vector (terms,).

    The query is the earlier sample.
    """
    samples, terms, dimension = units.shape
    pairs = list(combinations(range(samples), 2))
    if not pairs or not terms or not each.in_background:
        return np.full((len(pairs), terms), np.nan), np.full(terms, np.nan)
    # For each sample and term, the later samples and, last, the background vector.
    targets = np.full((samples, terms, samples, dimension), np.nan)
    for i, j in pairs:
        targets[i, :, j - 1] = units[j]
    if each.own is not None:
        targets[:, :, -1] = directions(each.own)
    left_out = np.repeat(rows[:, None], samples, axis=1)
    if options.keep_own_entry:
        left_out[:, :-1] = -1  # the background vector never counts for its own rank
    found = ranks_among(
        units.reshape(-1, dimension),
        targets.reshape(-1, samples, dimension),
        background.vectors,
        np.tile(left_out, (samples, 1)),
    ).reshape(samples, terms, samples)
    return np.array([found[i, :, j - 1] for i, j in pairs]), mean_over_samples(found[:, :, -1])


def _drift_cosine(each: TermVectors, units: Floats) -> Floats:
    if each.own is None or not len(units):
        return np.full(len(each.terms), np.nan)
    return mean_over_samples(np.einsum("std,td->st", units, directions(each.own)))


def mean_over_samples(values: Floats) -> Floats:
    """Column means of the finite values; NaN where there is none."""
    usable = np.isfinite(values)
    number = usable.sum(axis=0)
    found = np.full(len(number), np.nan)
    np.divide(np.where(usable, values, 0.0).sum(axis=0), number, out=found, where=number > 0)
    return found
