"""From scores to curves, comparisons, ranks, labels needed and losses."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.decision import DecisionRule
from lexiscope.experiments.curves.best_models import all_curves, best_curves
from lexiscope.experiments.curves.gaps import normalised_difference
from lexiscope.experiments.curves.labels import label_summary
from lexiscope.experiments.curves.results import BEST, BEST_LINEAR, BEST_NON_LINEAR
from lexiscope.experiments.curves.summary import summarise
from tests.experiments.curves.simulated import SIZES, simulated


@pytest.fixture(scope="module")
def results():
    equal = {"glove": 60.0, "svd": 60.0, "random vectors": 1e9}
    datasets = [
        simulated(),
        simulated("simlex", family="pairs", seed=1),
        simulated("verbs", equal, seed=2),
    ]
    return summarise(datasets)


def test_the_summary_is_json_without_numbers_that_json_lacks(results):
    text = json.dumps(results.to_dict(), allow_nan=False)

    assert json.loads(text)["format"] == "lexiscope curves 1"


def test_every_embedding_has_its_models_and_the_best_of_each_class(results):
    models = [c.model for c in results.curves if (c.dataset, c.embedding) == ("colours", "svd")]

    assert models == [BEST, BEST_LINEAR, BEST_NON_LINEAR, "majority", "logistic_regression", "svm"]


def test_points_are_means_over_repeats_within_their_intervals():
    found = simulated()

    curve = summarise([found]).curve("colours", "svd", "svm")

    entry = next(e for e in found.entries if (e.embedding, e.model) == ("svd", "svm"))
    assert [p.value for p in curve.points] == pytest.approx(entry.scores.mean(axis=0).tolist())
    assert all(p.low < p.value < p.high for p in curve.points)
    assert curve.end == curve.points[-1]
    assert curve.start == curve.points[SIZES.index(90)]


def test_the_best_model_is_not_selected_by_test_scores():
    found = simulated()
    best = best_curves(found)["svd"].scores

    cheat = tuple(
        replace(e, scores=np.ones_like(e.scores)) if e.model == "majority" else e
        for e in found.entries
    )

    assert (best_curves(replace(found, entries=cheat))["svd"].scores[:, 1:] == best[:, 1:]).all()


def test_permuted_test_labels_do_not_change_the_selection():
    found = simulated()
    before = [each.predicted for each in all_curves(found)]

    gold = np.random.default_rng(0).permutation(found.gold)

    for one, other in zip(before, all_curves(replace(found, gold=gold)), strict=True):
        assert all((a == b).all() for a, b in zip(one, other.predicted, strict=True))


def test_equal_scores_of_all_repeats_have_the_binomial_interval():
    curve = summarise([simulated()]).curve("colours", "glove", "majority")

    assert 0 < curve.end.low < curve.end.value < curve.end.high < 1
    assert curve.area.low < curve.area.value < curve.area.high


def test_the_correlation_of_a_constant_model_has_no_interval(results):
    curve = results.curve("simlex", "glove", "majority")

    assert curve.end.value == 0
    assert curve.end.low is None
    assert curve.end.state


def test_the_area_of_a_constant_curve_is_its_score(results):
    for dataset, expected in (("colours", None), ("simlex", 0.0)):
        curve = results.curve(dataset, "glove", "majority")
        assert curve.area.value == pytest.approx(curve.end.value if expected is None else expected)
        assert curve.paper_area.value == pytest.approx(curve.area.value)


def test_an_area_is_between_the_lowest_and_the_highest_score(results):
    for curve in results.curves:
        values = [point.value for point in curve.points]
        assert min(values) - 1e-9 <= curve.area.value <= max(values) + 1e-9


def test_a_faster_embedding_is_different_and_needs_fewer_labels(results):
    comparison = next(c for c in results.compared("area") if c.dataset == "colours")
    ratio = results.ratio("colours", "svd", "glove")

    assert (comparison.first, comparison.second) == ("glove", "svd")
    assert comparison.outcome == "different"
    assert comparison.value > 0.1
    assert (ratio.first, ratio.second) == ("glove", "svd")
    assert ratio.decided
    assert ratio.low < ratio.value < ratio.high < 0.5


def test_equal_embeddings_are_not_different(results):
    comparison = next(c for c in results.compared("area") if c.dataset == "verbs")
    ratio = results.ratio("verbs", "glove", "svd")

    assert comparison.outcome != "different"
    assert not ratio.decided
    assert ratio.low < 1 < ratio.high


def test_a_wide_margin_makes_equal_embeddings_equivalent():
    equal = {"glove": 60.0, "svd": 60.0}

    found = summarise([simulated("verbs", equal, seed=2)], DecisionRule(margin=0.2))

    assert {c.outcome for c in found.comparisons} == {"equivalent"}


def test_controls_are_neither_compared_nor_ranked(results):
    assert results.controls == ("random vectors",)
    assert results.embeddings == ("glove", "svd")
    assert "random vectors" not in {
        name for c in results.comparisons for name in (c.first, c.second)
    }
    assert "random vectors" not in {each.embedding for each in results.ranks}


def test_the_default_target_is_the_lowest_final_score(results):
    about = results.datasets[0]

    assert about.target == results.curve("colours", "svd").end.value
    assert about.target_is_default
    svd, control = (
        next(n for n in results.labels if (n.dataset, n.embedding) == ("colours", name))
        for name in ("svd", "random vectors")
    )
    assert svd.bound == ""
    assert (control.bound, control.value, control.high) == ("at least", 300, np.inf)


def test_a_target_that_nothing_reaches_gives_limits_only():
    found = summarise([simulated()], target=1.01)

    assert {each.bound for each in found.labels} == {"at least"}
    assert [(r.bound, r.decided) for r in found.ratios] == [("unknown", False)]


def test_a_target_below_every_curve_gives_limits_only():
    found = summarise([simulated()], target=0.2)

    assert {(each.bound, each.value) for each in found.labels} == {("at most", 10)}
    assert found.ratios[0].bound == "unknown"


def test_the_same_seed_gives_the_same_intervals():
    found = simulated()

    one, same, other = (
        label_summary(found, best_curves(found), None, seed, resamples=100) for seed in (1, 1, 2)
    )

    assert one == same
    assert one.ratios[0].value == other.ratios[0].value
    assert one.ratios != other.ratios


def test_adding_an_embedding_does_not_change_the_resamples_of_the_others():
    found = simulated()
    fewer = replace(found, entries=tuple(e for e in found.entries if not e.control))

    both = [label_summary(each, best_curves(each), 0.8, 0, resamples=50) for each in (found, fewer)]

    assert both[0].ratios == both[1].ratios


def test_the_description_length_is_below_the_uniform_code_if_the_model_learns(results):
    lengths = {(d.dataset, d.embedding): d for d in results.description_lengths}
    learned = lengths["colours", "glove"]

    assert {d.model for d in results.description_lengths} == {"logistic_regression"}
    assert {d.dataset for d in results.description_lengths} == {"colours", "verbs"}
    assert learned.labels == 300
    assert learned.per_label.value == pytest.approx(learned.bits.value / 300)
    assert learned.ratio.value == pytest.approx(300 / learned.bits.value)
    assert learned.ratio.value > 1


def test_the_normalised_difference():
    assert normalised_difference(0.6, 0.8) == -0.25
    assert normalised_difference(0.0, 0.0) == 0.0
    assert normalised_difference(0.1, -0.1) == 2.0


def test_the_gap_is_that_of_the_best_of_class_curves(results):
    gap = next(g for g in results.gaps if (g.dataset, g.embedding) == ("simlex", "svd"))

    assert gap.non_linear == results.curve("simlex", "svd", BEST_NON_LINEAR).end.value
    assert gap.linear == results.curve("simlex", "svd", BEST_LINEAR).end.value
    mean = next(g for g in results.mean_gaps if g.embedding == "svd")
    assert mean.datasets == 3
    assert mean.mean.low < mean.mean.value < mean.mean.high


def test_one_repeat_has_scores_but_no_tests():
    found = summarise([simulated(repeats=1)])

    assert all(point.low is not None for point in found.curve("colours", "svd").points)
    assert {c.outcome for c in found.comparisons} == {"undecided"}
    assert all("one repeat" in c.state for c in found.comparisons)
    assert found.ranks == ()
    assert any("one repeat" in warning for warning in found.warnings)


def test_one_embedding_has_no_comparisons():
    found = summarise([simulated(embeddings={"glove": 20.0, "random vectors": 1e9})])

    assert (found.comparisons, found.ranks, found.ratios) == ((), (), ())


def test_identical_embeddings_are_undecided_without_variance():
    found = simulated(embeddings={"a": 20.0})
    twin = tuple(replace(e, embedding="b") for e in found.entries)

    summary = summarise([replace(found, entries=(*found.entries, *twin))])

    assert all(c.value == 0 and "same in all repeats" in c.state for c in summary.comparisons)
    assert {rank.end for rank in summary.ranks} == {0}


def test_embeddings_are_compared_with_the_control(results):
    found = {(c.dataset, c.first): c.outcome for c in results.control_comparisons}

    assert len(found) == 6
    assert set(found.values()) == {"different"}
    assert {c.second for c in results.control_comparisons} == {"random vectors"}
