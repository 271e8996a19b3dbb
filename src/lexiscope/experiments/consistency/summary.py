"""Summary of consistency: from vectors of terms to estimates, tests and verdicts."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.contracts.term_model import Background
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.errors import BadUsage
from lexiscope.core.progress import Progress, silent
from lexiscope.core.result import Outcome
from lexiscope.experiments.consistency.estimates import estimate, mean_rank, proportion
from lexiscope.experiments.consistency.results import (
    ALL,
    ConsistencyOptions,
    ConsistencyResults,
    CorrectedTerms,
    ModelComparison,
    ModelSummary,
    Quantity,
    SampleNeighbours,
    SizePoint,
    Stability,
    TermResult,
    TermVectors,
    Variant,
    VariantSummary,
    stacked,
)
from lexiscope.experiments.consistency.slices import slices
from lexiscope.experiments.consistency.term_scores import (
    TermScores,
    check_dimension,
    mean_over_samples,
    rng_of,
    score_terms,
)
from lexiscope.metrics.consistency import (
    common_proportion,
    directions,
    jaccard_of_all,
    mean_overlap,
    nearest_words,
)
from lexiscope.stats.between_terms import (
    MIN_SIMILAR_TERMS,
    TermNull,
    error_of_terms,
    term_null,
)
from lexiscope.stats.equivalence import equivalence_p_value
from lexiscope.stats.multiple_comparisons import benjamini_hochberg, holm
from lexiscope.stats.paired import t_test

_QUANTITIES: tuple[Quantity, ...] = ("excess", "identified")
_MIN_COMMON = 10  # terms with all sample sizes; with fewer, each size has terms of its own
_CHART_VALUES = 2000  # of the null, for the chart
_MIN_COMPARED = 6  # terms; fewer cannot give a p-value below 5 %

DEFAULT_OPTIONS = ConsistencyOptions()


def summarise(
    found: Sequence[TermVectors],
    background: Background,
    rule: DecisionRule = DEFAULT_RULE,
    seed: int = 0,
    progress: Progress = silent,
    *,
    options: ConsistencyOptions = DEFAULT_OPTIONS,
    left_out: Sequence[tuple[str, str]] = (),
    stability: Sequence[Stability] = (),
    warnings: Sequence[str] = (),
    manifest: Mapping[str, Any] | None = None,
) -> ConsistencyResults:
    """Summarise the vectors that models learned from samples of a text.

    Parameters
    ----------
    found : sequence of TermVectors
        One for each model and split. Models with the same split are compared on the terms that
        both have.
    background : Background
        The frozen space that ranks and neighbours are computed in.
    rule : DecisionRule
        Margin of equivalence and level of tests.
    seed : int
        Seed of draws and permutations; all models get the same ones.
    progress : callable
        Called with a description, the number of finished models and the number of all models.
    options : ConsistencyOptions
        Choices of the summary.
    left_out : sequence of (term, reason)
        Terms that were left out before any vector was learned.
    stability : sequence of Stability
        Agreement of neighbours over repeated trainings, from `neighbour_stability`.
    """
    for each in found:
        check_dimension(each, background)
    keys = [(each.model, each.split) for each in found]
    if len(set(keys)) < len(keys):
        raise BadUsage("Two sets of vectors have the same model and split.")
    measured = []
    for done, each in enumerate(found):
        progress("summarising consistency", done, len(found))
        measured.append(score_terms(each, background, rule, seed, options))
    progress("summarising consistency", len(found), len(found))
    return ConsistencyResults(
        tuple(_model_summary(each, background, rule, seed, options) for each in measured),
        tuple(result for each in measured for result in _term_results(each)),
        _comparisons(measured, rule),
        tuple(p for each in found for p in _size_effect(each, seed, options)),
        tuple(s for each in measured for s in slices(each, background, options)),
        tuple(n for each in measured for n in _neighbours(each, background, options)),
        tuple(stability),
        tuple(left_out),
        rule,
        options,
        (*warnings, *_warnings(measured)),
        dict(manifest or {}),
    )


def _model_summary(
    each: TermScores,
    background: Background,
    rule: DecisionRule,
    seed: int,
    options: ConsistencyOptions,
) -> ModelSummary:
    ranks = mean_over_samples(each.ranks)
    first = mean_over_samples(np.where(np.isfinite(each.ranks), each.ranks == 1, np.nan))
    scored, raw = each.scored, each.nulls["raw"]
    rank, drift_rank = (
        mean_rank(values, len(background.words), rng_of(seed, each.vectors, purpose))
        for values, purpose in ((ranks, "rank"), (each.drift_rank, "drift rank"))
    )
    step = max(1, len(raw.values) // _CHART_VALUES)
    finite = ranks[np.isfinite(ranks)]
    return ModelSummary(
        each.vectors.model,
        each.vectors.split,
        int(scored.sum()),
        int((~scored).sum()),
        tuple(_variant(each, name, rule) for name in each.nulls),
        rank,
        float(np.median(finite)) if len(finite) else None,
        proportion(first),
        _saturation(each.vectors, options),
        estimate(each.drift_cosine),
        drift_rank,
        int(np.isfinite(each.drift_cosine).sum()),
        corrected(each.nulls["without term mean"], rule),
        tuple(raw.within[scored].tolist()),
        tuple(raw.values[::step].tolist()),
    )


def corrected(null: TermNull, rule: DecisionRule) -> CorrectedTerms:
    """Count the learnable terms after the correction of Benjamini and Hochberg."""
    p = null.p[np.isfinite(null.p)]
    if not len(p):
        return CorrectedTerms(0, None, None)
    learnable = int(np.count_nonzero(benjamini_hochberg(p.tolist()) <= rule.alpha))
    # The k smallest p-values are significant if they are at most alpha k / len(p).
    fewest = ceil(null.smallest_p * len(p) / rule.alpha)
    return CorrectedTerms(learnable, null.smallest_p, fewest if fewest <= len(p) else None)


def _variant(each: TermScores, name: Variant, rule: DecisionRule) -> VariantSummary:
    null, found = each.nulls[name], each.identified[name]
    p = null.p[np.isfinite(null.p)]
    return VariantSummary(
        name,
        estimate(null.within),
        each.over_samples[name],
        estimate(null.between, null.influence_on_between),
        estimate(null.excess, null.influence),
        proportion(found.first),
        proportion(found.reciprocal_rank),
        found.chance if np.isfinite(found.chance) else None,
        null.p_of_mean if np.isfinite(null.p_of_mean) else None,
        int(np.count_nonzero(p <= rule.alpha)),
        len(p),
    )


def _saturation(each: TermVectors, options: ConsistencyOptions) -> float | None:
    if each.split != "random" or not each.terms:
        return None
    return float(np.mean([bool(s) and min(s) >= options.full_size for s in each.sizes]))


def _term_results(each: TermScores) -> list[TermResult]:
    about = each.vectors
    raw, found = each.nulls["raw"], each.identified["without term mean"]
    centred = each.nulls["without term mean"]
    ranks = mean_over_samples(each.ranks)
    columns: dict[str, Floats] = {
        "cosine": raw.within, "rank": ranks, "worst_rank": _worst(each.ranks),
        "null": raw.between, "limit": centred.limit, "p": centred.p, "centred": centred.within,
        "identified": found.first, "reciprocal_rank": found.reciprocal_rank,
        "drift_cosine": each.drift_cosine, "drift_rank": each.drift_rank,
    }  # fmt: skip
    return [
        TermResult(
            about.model,
            about.split,
            term,
            int(about.frequency[i]),
            None if about.background_count is None else int(about.background_count[i]),
            int(np.isfinite(about.vectors[i]).all(axis=-1).sum()),
            tuple(about.sizes[i]),
            each.verdicts[i],
            state=_state(each, i),
            **{name: _number(values[i]) for name, values in columns.items()},
        )
        for i, term in enumerate(about.terms)
    ]


def _worst(ranks: Floats) -> Floats:
    worst = np.max(np.where(np.isfinite(ranks), ranks, -np.inf), axis=0, initial=-np.inf)
    return np.where(np.isfinite(worst), worst, np.nan)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _state(each: TermScores, term: int) -> str:
    if not each.scored[term]:
        return "fewer than two samples have a vector"
    if each.verdicts[term] == "untested":
        return f"fewer than {MIN_SIMILAR_TERMS} other terms to compare with"
    return ""


def _comparisons(measured: Sequence[TermScores], rule: DecisionRule) -> tuple[ModelComparison, ...]:
    found = [
        _comparison(one, two, quantity, rule)
        for quantity in _QUANTITIES
        for one, two in combinations(measured, 2)
        if one.vectors.split == two.vectors.split
    ]
    compared = [each for each in found if each.terms]
    return tuple(c for quantity in _QUANTITIES for c in _corrected(compared, quantity, rule))


class _Paired(NamedTuple):
    """Values and influences (terms,) of a model on the terms of a comparison."""

    values: Floats
    influence: Floats


def _quantity(each: TermScores, quantity: Quantity, terms: Sequence[str]) -> _Paired:
    rows = {term: row for row, term in enumerate(each.vectors.terms)}
    chosen = [rows[term] for term in terms]
    null = each.nulls["without term mean"]
    if quantity == "excess":
        return _Paired(null.excess[chosen], null.influence[chosen])
    values = each.identified["without term mean"].first[chosen]
    return _Paired(values, values)


def _comparison(
    one: TermScores, two: TermScores, quantity: Quantity, rule: DecisionRule
) -> ModelComparison:
    others = set(two.vectors.terms)
    terms = [term for term in one.vectors.terms if term in others]
    first, second = (_quantity(each, quantity, terms) for each in (one, two))
    differences = first.values - second.values
    both = np.isfinite(differences)
    number = int(both.sum())
    blank = ModelComparison(
        one.vectors.split, quantity, one.vectors.model, two.vectors.model, number,
        float(np.mean(differences[both])) if number else 0.0, None, None, None, None, None,
        rule.margin,
    )  # fmt: skip
    if number < _MIN_COMPARED:
        return replace(blank, state=f"{number} terms are too few for a test")
    error = error_of_terms((first.influence - second.influence)[both])
    if not error.error:
        return replace(blank, state="the difference is the same for all terms")
    half = error.quantile(0.975) * error.error
    return replace(
        blank,
        low=blank.value - half,
        high=blank.value + half,
        p=t_test(blank.value, error),
        p_equivalence=equivalence_p_value(
            blank.value, error.error, error.degrees_of_freedom, rule.margin
        ),
    )


def _corrected(
    found: Sequence[ModelComparison], quantity: Quantity, rule: DecisionRule
) -> list[ModelComparison]:
    """Correct the p-values over all comparisons of a quantity, and decide the outcomes."""
    family = [each for each in found if each.quantity == quantity]
    ps = [each.p for each in family if each.p is not None]
    equal = [each.p_equivalence for each in family if each.p_equivalence is not None]
    corrected = iter(zip(holm(ps).tolist(), holm(equal).tolist(), strict=True))
    return [each if each.p is None else _decided(each, *next(corrected), rule) for each in family]


def _decided(
    each: ModelComparison, p: float, p_equivalence: float, rule: DecisionRule
) -> ModelComparison:
    outcome: Outcome = "undecided"
    if p < rule.alpha:
        outcome = "different"
    elif p_equivalence < rule.alpha:
        outcome = "equivalent"
    return replace(each, p_holm=p, p_equivalence=p_equivalence, outcome=outcome)


def _size_effect(each: TermVectors, seed: int, options: ConsistencyOptions) -> list[SizePoint]:
    sizes = sorted(s for s in each.by_size if s != ALL) + [ALL] * (ALL in each.by_size)
    units = {size: directions(stacked(each.by_size[size])) for size in sizes}
    present = {size: np.isfinite(x).all(axis=(0, 2)) for size, x in units.items() if x.size}
    if not present:
        return []
    common = np.all(list(present.values()), axis=0)
    points = []
    for size, usable in present.items():
        chosen = common if common.sum() >= _MIN_COMMON else usable
        if not chosen.any():
            continue
        null = term_null(
            units[size][:, chosen], each.frequency[chosen], rng_of(seed, each, "size"),
            options.similar_terms, 1,
        )  # fmt: skip
        points.append(
            SizePoint(each.model, each.split, size, int(chosen.sum()), estimate(null.within),
                      estimate(null.between, null.influence_on_between),
                      estimate(null.excess, null.influence))
        )  # fmt: skip
    return points


def _neighbours(
    each: TermScores, background: Background, options: ConsistencyOptions
) -> list[SampleNeighbours]:
    """Neighbours of the first two samples of the most, the middle and the least consistent."""
    units = directions(each.vectors.stacked())
    if len(units) < 2 or not each.vectors.in_background:
        return []
    cosines = each.nulls["raw"].within
    usable = np.flatnonzero(np.isfinite(units[:2]).all(axis=(0, 2)) & each.scored)
    if not len(usable) or not options.shown_terms:
        return []
    order = usable[np.argsort(-cosines[usable], kind="stable")]
    number = min(options.shown_terms, len(order))
    chosen = order[np.unique(np.linspace(0, len(order) - 1, number).round().astype(np.int64))]
    about, number = each.vectors, options.neighbours
    pairs = np.moveaxis(units[:2, chosen], 0, 1)  # (terms, 2, dimension)
    near = nearest_words(pairs.reshape(-1, units.shape[2]), background.vectors, number + 1)
    found = []
    for index, term in enumerate(chosen.tolist()):
        lists = [_without(row.tolist(), each.rows[term], number) for row in near[2 * index :][:2]]
        first, second = (tuple(background.words[row] for row in rows) for rows in lists)
        cosine = float(pairs[index, 0] @ pairs[index, 1])
        found.append(
            SampleNeighbours(about.model, about.split, about.terms[term], cosine, first, second)
        )
    return found


def _without(rows: list[int], own: int, number: int) -> list[int]:
    return [row for row in rows if row != own][:number]


def neighbour_stability(
    model: str, source: str, neighbours: Mapping[str, Sequence[Sequence[Hashable]]]
) -> Stability:
    """Summarise the agreement of neighbours over repeated trainings or resampled documents.

    Parameters
    ----------
    model : str
        Name of the model.
    source : str
        What differs between the lists of a term, such as "seed" or "documents".
    neighbours : mapping of str to sequence of sequences
        For each term the nearest words in each training, nearest first.
    """
    metrics: tuple[Callable[[Sequence[Sequence[Hashable]]], float], ...] = (
        common_proportion, jaccard_of_all, mean_overlap,
    )  # fmt: skip
    lists = list(neighbours.values())
    if not lists:
        raise BadUsage("Stability needs the neighbours of one or more terms.")
    estimates = [proportion(np.array([metric(each) for each in lists])) for metric in metrics]
    longest = max(len(each) for some in lists for each in some)
    return Stability(model, source, max(map(len, lists)), longest, len(lists), *estimates)


def _warnings(measured: Sequence[TermScores]) -> list[str]:
    found = []
    for each in measured:
        tested = sum(v != "untested" for v in each.verdicts)
        about = f"{each.vectors.model}, {each.vectors.split}"
        if each.scored.any() and not tested:
            found.append(
                f"{about}: with fewer than {MIN_SIMILAR_TERMS + 1} terms no term can be tested. "
                "Give more terms or a lower cutoff, or add text."
            )
        if not each.scored.any():
            found.append(f"{about}: no term has vectors of two samples.")
    return found
