"""Scores of studies that can be checked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT, Item, Judgment, Study, StudySettings
from lexiscope.human.scoring.agreement import krippendorff_alpha
from lexiscope.human.scoring.luce import abilities
from lexiscope.human.scoring.ratings import ratings_of
from lexiscope.human.scoring.results import score_study
from lexiscope.human.simulation import Behaviour, simulate
from tests.human.study_builders import comparison, control, study

# The example of Schnabel et al. 2015, table 2: three embeddings have the same neighbour.
SKILLFULLY = Item(
    "skillfully", "comparison", "skillfully", ("swiftly", "expertly", "cleverly", "pointedly"),
    (("C&W",), ("CBOW", "GloVe", "TSCCA"), ("Rand. Proj.",), ("H-PCA",)), rank=1,
)  # fmt: skip
FINALLY = Item(
    "finally", "intrusion", "finally", ("finally", "eventually", "immediately", "put"),
    ((), ("CBOW",), ("CBOW",), ("CBOW",)), answer=3,
)  # fmt: skip
NAMES = ("C&W", "CBOW", "GloVe", "H-PCA", "Rand. Proj.", "TSCCA")


def made(*items, kind="comparison", names=NAMES):
    return Study(kind, StudySettings(), dict.fromkeys(names, ""), items)


def answers(item, *choices):
    order = tuple(range(len(item.options)))
    return [Judgment(f"judge{k}", item.id, choice, order, 5.0) for k, choice in enumerate(choices)]


def by_name(results):
    return {each.embedding: each.score.value for each in results.scores}


def test_a_choice_counts_for_every_embedding_that_offered_the_word():
    results = score_study(made(SKILLFULLY), answers(SKILLFULLY, 1, 1, 1, 0))

    assert by_name(results) == {
        "C&W": 0.25, "CBOW": 0.75, "GloVe": 0.75, "TSCCA": 0.75, "H-PCA": 0, "Rand. Proj.": 0,
    }  # fmt: skip
    shares = {each.embedding: each.normalised.value for each in results.scores}
    assert shares["CBOW"] == pytest.approx(0.75 / 2.5)


def test_opt_outs_are_in_the_denominator_only_if_included():
    given = answers(SKILLFULLY, 1, OPT_OUT)

    assert by_name(score_study(made(SKILLFULLY), given))["CBOW"] == 1.0
    assert by_name(score_study(made(SKILLFULLY), given, opt_out="include"))["CBOW"] == 0.5


def test_the_precision_of_intrusion_is_the_proportion_who_found_the_intruder():
    one = made(FINALLY, kind="intrusion", names=("CBOW",))
    results = score_study(one, answers(FINALLY, 3, 3, 0, 3))

    assert by_name(results) == {"CBOW": 0.75}
    assert results.chance == 0.25


def test_items_weigh_the_same_however_many_judges_they_have():
    items = [comparison(0), comparison(1)]
    given = answers(items[0], 0, 0, 0, 0) + answers(items[1], 1)
    results = score_study(made(*items, names="ABC"), given)

    assert by_name(results) == {"A": 0.5, "B": 0.5, "C": 0.0}
    pooled = {each.embedding: each.pooled.value for each in results.scores}
    assert pooled["A"] == pytest.approx(0.8)


def test_slices_are_by_attribute_and_rank():
    items = [comparison(0, attributes={"frequency": "rare"}),
             replace(comparison(1, attributes={"frequency": "frequent"}), rank=5)]  # fmt: skip
    given = answers(items[0], 0) + answers(items[1], 1)
    results = score_study(made(*items, names="ABC"), given)

    found = {(each.by, each.name): by_name(each) for each in results.slices}
    assert found["frequency", "rare"] == {"A": 1.0, "B": 0.0, "C": 0.0}
    assert found["rank", "5"] == {"A": 0.0, "B": 1.0, "C": 0.0}
    assert "no statement" in results.cautions[0]


def test_control_items_are_not_scored_but_flag_a_judge():
    items = [comparison(0), comparison(1), control(0)]
    given = answers(items[0], 0, 1) + answers(items[1], 0, 1) + answers(items[2], 0, 2)
    results = score_study(made(*items, names="ABC"), given)

    assert by_name(results)["A"] == 0.5
    assert results.flagged == ("judge1",)
    assert results.unflagged is not None
    assert by_name(results.unflagged)["A"] == 1.0


def test_the_order_of_judgments_does_not_matter():
    some = study(items=12, judges_per_item=5)
    judges, given = simulate(some, np.random.default_rng(0))

    one, two = (score_study(some, each, judges).to_dict() for each in (given, given[::-1]))
    assert one == two


def test_a_study_without_judgments_gives_one_sentence():
    with pytest.raises(BadData, match="no judgments that can be scored"):
        score_study(study(), [])


def test_impossible_judgments_are_refused():
    bad = Judgment("judge", "item0", 9, (0, 1, 2))

    with pytest.raises(BadData, match="no option 9"):
        score_study(study(), [bad])


def test_alpha_is_that_of_the_published_example():
    # Krippendorff 2011, nominal data of four observers with missing values: alpha = 0.743.
    units = [
        [1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
        [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1], [3],
    ]  # fmt: skip

    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_abilities_without_merged_options_are_proportions_of_choices():
    item = comparison(0)
    ratings = ratings_of(made(item, names="ABC"), answers(item, 0, 0, 0, 1), "exclude")

    np.testing.assert_allclose(abilities(ratings), [0.75, 0.25, 0.0], atol=1e-6)


def test_abilities_with_merged_options_maximise_the_likelihood():
    from scipy.optimize import minimize

    items = [comparison(0, options=("a", "b"), sources=(("A", "B"), ("C",))), comparison(1)]
    given = answers(items[0], 0, 0, 1) + answers(items[1], 0, 1, 1, 2)
    ratings = ratings_of(made(*items, names="ABC"), given, "exclude")

    def loss(logits):
        p = np.exp(logits - np.logaddexp.reduce(logits))
        return -np.sum(np.log(ratings.credit @ p))

    best = minimize(loss, np.zeros(3)).x
    expected = np.exp(best - np.logaddexp.reduce(best))
    np.testing.assert_allclose(abilities(ratings), expected, atol=1e-4)


def simulated(seed, quality=None, queries=40, **more):
    items = [replace(comparison(k, query=f"q{k // 2}"), rank=1 + 4 * (k % 2))
             for k in range(2 * queries)]  # fmt: skip
    some = study(items_per_judge=20, judges_per_item=5, controls_per_judge=0, repeat_queries=True)
    some = replace(some, items=tuple(items))
    judges, given = simulate(some, np.random.default_rng(seed), quality=quality,
                             behaviour=Behaviour(**more))  # fmt: skip
    return score_study(some, given, judges, seed=seed)


def test_known_preferences_are_recovered():
    results = simulated(0, {"A": 1.0, "C": -1.0})

    assert [each.outcome for each in results.comparisons] == ["different"] * 3
    scores = by_name(results)
    assert scores["A"] > scores["B"] > scores["C"]


def test_equal_embeddings_are_rarely_called_different():
    rejected = [
        any(each.outcome == "different" for each in simulated(seed, judge_effect=0.4).comparisons)
        for seed in range(40)
    ]

    assert np.mean(rejected) <= 0.125  # 5 % expected; below 5 of 40


def test_intervals_include_the_difference_between_judges():
    alike = simulated(1, judge_effect=0.0).scores[0].score
    unlike = simulated(1, judge_effect=1.5).scores[0].score

    assert unlike.high - unlike.low > 1.3 * (alike.high - alike.low)
