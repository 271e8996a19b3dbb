"""From scores of all datasets to curves, comparisons, ranks and labels needed."""

from collections.abc import Sequence
from dataclasses import dataclass

from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.progress import Progress, silent
from lexiscope.experiments.curves.best_models import all_curves
from lexiscope.experiments.curves.comparisons import compare, compare_with_controls, corrected
from lexiscope.experiments.curves.curve_summary import description_lengths, summarised
from lexiscope.experiments.curves.gaps import gaps, mean_gaps
from lexiscope.experiments.curves.labels import label_summary
from lexiscope.experiments.curves.loss import Weights, check_weights, expected_losses
from lexiscope.experiments.curves.ranks import dataset_ranks, mean_ranks, rank_changes
from lexiscope.experiments.curves.results import (
    BEST,
    Curve,
    CurveComparison,
    CurveResults,
    DatasetRanks,
    DatasetScores,
    DatasetSummary,
    DescriptionLength,
    Gap,
    LabelRatio,
    LabelsNeeded,
)

_FEW_TEST_ITEMS = 30


def summarise(
    datasets: Sequence[DatasetScores],
    rule: DecisionRule | None = None,
    weights: Weights | None = None,
    target: float | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> CurveResults:
    """Summarise the scores of learning curves.

    Parameters
    ----------
    datasets : sequence of DatasetScores
        Scores of all models and embeddings.
    rule : DecisionRule, optional
        Margin of equivalence and level of the tests.
    weights : mapping, optional
        Weights of the expected loss: {"datasets": {...}, "models": {...}, "sizes": {...}}.
    target : float, optional
        The target score of the labels needed. By default, that of a dataset is the lowest score at
        100 % among its embeddings.
    seed : int
        Determines the resamples.
    """
    rule = rule or DEFAULT_RULE
    check_weights(datasets, weights or {})
    parts = []
    for number, found in enumerate(datasets):
        progress("Summarising", number, len(datasets))
        parts.append(_summarised(found, rule, target, seed))
    progress("Summarising", len(datasets), len(datasets))
    embeddings = tuple(dict.fromkeys(name for found in datasets for name in found.compared))
    controls = tuple(dict.fromkeys(name for found in datasets for name in found.controls))
    ranks = tuple(each for part in parts for each in part.ranks)
    all_gaps = tuple(each for part in parts for each in part.gaps)
    return CurveResults(
        datasets=tuple(part.about for part in parts),
        embeddings=embeddings,
        controls=controls,
        curves=tuple(each for part in parts for each in part.curves),
        description_lengths=tuple(each for part in parts for each in part.lengths),
        ranks=ranks,
        mean_ranks=tuple(mean_ranks(ranks)),
        rank_changes=tuple(rank_changes(ranks)),
        comparisons=corrected([each for part in parts for each in part.comparisons], rule),
        gaps=all_gaps,
        mean_gaps=tuple(mean_gaps(all_gaps)),
        labels=tuple(each for part in parts for each in part.labels),
        ratios=tuple(each for part in parts for each in part.ratios),
        losses=tuple(expected_losses(datasets, weights or {})),
        control_comparisons=corrected([c for part in parts for c in part.with_controls], rule),
        rule=rule,
        warnings=tuple(warning for found in datasets for warning in _warnings(found)),
    )


@dataclass(frozen=True)
class _Part:
    """The summaries of one dataset."""

    about: DatasetSummary
    curves: tuple[Curve, ...]
    lengths: tuple[DescriptionLength, ...]
    comparisons: tuple[CurveComparison, ...]
    with_controls: tuple[CurveComparison, ...]
    ranks: tuple[DatasetRanks, ...]
    gaps: tuple[Gap, ...]
    labels: tuple[LabelsNeeded, ...]
    ratios: tuple[LabelRatio, ...]


def _summarised(found: DatasetScores, rule: DecisionRule, target: float | None, seed: int) -> _Part:
    curves = all_curves(found)
    best = {each.embedding: each for each in curves if each.model == BEST}
    needed = label_summary(found, best, target, seed)
    return _Part(
        _about(found, needed.target, target is None),
        tuple(summarised(found, each, seed) for each in curves),
        tuple(description_lengths(found)),
        tuple(compare(found, best, rule.margin)),
        tuple(compare_with_controls(found, best, rule.margin)),
        tuple(dataset_ranks(found, best, rule.alpha)),
        tuple(gaps(found, curves)),
        needed.labels,
        needed.ratios,
    )


def _about(found: DatasetScores, target: float, is_default: bool) -> DatasetSummary:
    return DatasetSummary(
        found.dataset, found.family, found.metric, found.items, found.classes, found.balance,
        found.chance, found.sizes, found.pool, found.test_size, found.repeats, target, is_default,
    )  # fmt: skip


def _warnings(found: DatasetScores) -> list[str]:
    """What limits the results of a dataset."""
    lines = []
    if found.repeats < 2:
        lines.append(f"{found.dataset}: one repeat, so no difference can be tested.")
    if found.test_size < _FEW_TEST_ITEMS:
        lines.append(
            f"{found.dataset}: {found.test_size:.0f} test items per repeat, so scores are "
            "imprecise."
        )
    return lines
