"""Ranks of embeddings, worked by hand."""

from dataclasses import replace

import numpy as np

from lexiscope.experiments.curves.best_models import best_curves
from lexiscope.experiments.curves.ranks import (
    dataset_ranks,
    mean_ranks,
    rank_changes,
    significance_ranks,
)
from lexiscope.experiments.curves.results import DatasetRanks, DatasetScores, ModelScores, Spread

# Mean squares within groups are 1, so F is 3/2 times the squared difference of the means, with
# 1 and 4 degrees of freedom: above 7.71, p is below 0.05.
FIRST, SECOND, THIRD = [0.6, 0.7, 0.8], [0.2, 0.3, 0.4], [0.1, 0.2, 0.3]


def scores_of(rows) -> DatasetScores:
    """A dataset with one model; rows are the scores of each embedding at both of two sizes."""
    entries = []
    for number, row in enumerate(rows):
        scores = np.repeat(np.array(row, float)[:, None], 2, axis=1)
        predicted = tuple(np.zeros((2, 4)) for _ in row)
        blank = np.full_like(scores, np.nan)
        entries.append(
            ModelScores(f"e{number}", False, "model", "linear", predicted, scores, blank, blank, ())
        )
    tests = tuple(np.arange(4) for _ in rows[0])
    return DatasetScores(
        "d", "words", "accuracy", 10, ("a", "b"), (5, 5), (2, 6), 6, (0, 1), tests, np.zeros(10),
        None, 0.5, tuple(entries),
    )  # fmt: skip


def ranks_by(rule, rows):
    found = scores_of(rows)
    return [r.area for r in dataset_ranks(found, best_curves(found), 0.05) if r.rule == rule]


def test_anova_ranks_are_worked_by_hand():
    # F(first, second) = 24, F(second, third) = 1.5: the third shares the rank of the second.
    assert ranks_by("ANOVA", [THIRD, FIRST, SECOND]) == [1, 0, 1]


def test_each_anova_group_is_compared_with_its_best_member():
    # F(0.7, 0.5) = 6: same rank; F(0.7, 0.4) = 13.5: next rank, although F(0.5, 0.4) is 1.5.
    rows = [[0.6, 0.7, 0.8], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]]

    assert ranks_by("ANOVA", rows) == [0, 0, 1]


def test_a_rank_is_the_number_of_significantly_better_embeddings():
    noise = np.random.default_rng(0).normal(0, 0.01, (4, 6))
    values = np.array([[0.9], [0.5], [0.5], [0.1]]) + noise

    assert significance_ranks(values, 0.43, 0.05).tolist() == [0, 1, 1, 3]


def test_a_constant_difference_is_not_tested():
    values = np.array([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]])

    assert significance_ranks(values, 0.43, 0.05).tolist() == [0, 0]


def test_noise_has_no_ranks():
    values = np.random.default_rng(0).normal(0.5, 0.1, (4, 6))

    assert significance_ranks(values, 0.43, 0.05).tolist() == [0, 0, 0, 0]


def test_paired_differences_count_where_repeats_vary_together():
    shared = np.array([0.0, 0.2, 0.1, 0.3, 0.05, 0.25])
    small = np.array([0.001, -0.001, 0.0, 0.001, -0.001, 0.0])
    rows = [(0.5 + shared + small).tolist(), (0.47 + shared).tolist()]

    assert ranks_by("corrected t-test", rows) == [0, 1]
    assert ranks_by("ANOVA", rows) == [0, 0]


RANKS = [
    DatasetRanks("d1", "words", "ANOVA", "a", 0, 2, 1),
    DatasetRanks("d1", "words", "ANOVA", "b", 1, 1, 1),
    DatasetRanks("d2", "pairs", "ANOVA", "a", 2, 2, 2),
    DatasetRanks("d2", "pairs", "ANOVA", "b", 0, 0, 0),
]


def test_mean_ranks_over_all_datasets_and_by_family():
    found = {(m.family, m.embedding): m for m in mean_ranks(RANKS)}

    assert found["all", "a"].start == Spread(1.0, np.sqrt(2))
    assert found["all", "a"].end == Spread(2.0, 0.0)
    assert found["words", "b"].end == Spread(1.0, None)
    assert set(found) == {(f, e) for f in ("all", "words", "pairs") for e in "ab"}


def test_the_change_of_rank_is_averaged_within_datasets_first():
    found = {each.family: each.change for each in rank_changes(RANKS)}

    # d1: (2 + 0) / 2 = 1; d2: 0.
    assert found["all"] == Spread(0.5, np.sqrt(0.5))
    assert found["pairs"] == Spread(0.0, None)


def test_datasets_of_one_family_have_one_table():
    words = [replace(each, family="words") for each in RANKS]

    assert {each.family for each in mean_ranks(words)} == {"all"}
