"""Summary of consistency: estimates, verdicts and comparisons."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.decision import DecisionRule
from lexiscope.core.errors import BadUsage
from lexiscope.experiments.consistency.estimates import estimate, mean_rank, proportion
from lexiscope.experiments.consistency.results import ALL, ConsistencyOptions
from lexiscope.experiments.consistency.summary import corrected, neighbour_stability, summarise
from lexiscope.experiments.consistency.term_scores import background_rows
from lexiscope.stats.between_terms import term_null
from tests.experiments.consistency.simulated_vectors import background, names, simulated

OPTIONS = ConsistencyOptions(draws=199, text_tokens=50_000)


@pytest.fixture(scope="module")
def results():
    found = [simulated(), simulated("weak", strength=0.3, seed=2)]
    return summarise(found, background(names()), options=OPTIONS)


def test_terms_with_a_direction_of_their_own_are_learnable(results):
    verdicts = [each.verdict for each in results.of_model("additive", "random")]
    assert verdicts[:25].count("learnable") >= 23
    assert verdicts[25:].count("learnable") <= 4


def test_permuted_samples_are_not_learnable():
    found = simulated()
    rng = np.random.default_rng(3)
    stack = np.array(found.vectors)
    permuted = np.stack([stack[rng.permutation(50), s] for s in range(5)], axis=1)
    summary = summarise([replace(found, vectors=tuple(permuted))], background(), options=OPTIONS)
    assert summary.models[0].centred.learnable <= 6
    assert summary.models[0].centred.p > 0.01


def test_the_stronger_model_is_different(results):
    outcomes = {each.quantity: each for each in results.comparisons}
    assert outcomes["excess"].outcome == "different"
    assert outcomes["excess"].value > 0
    assert outcomes["excess"].p_holm >= outcomes["excess"].p


def test_a_model_is_not_different_from_its_copy():
    found = [simulated(), replace(simulated(), model="copy")]
    (excess, identified) = summarise(found, background(), options=OPTIONS).comparisons
    assert (excess.value, excess.outcome) == (0, "undecided")
    assert "same for all terms" in excess.state
    assert identified.p is None


def test_equally_good_models_are_equivalent_within_a_wide_margin():
    found = [simulated(), simulated("other", seed=5)]
    rule = DecisionRule(margin=0.5)
    summary = summarise(found, background(), rule, options=OPTIONS)
    assert {each.outcome for each in summary.comparisons} == {"equivalent"}


def test_models_with_other_splits_are_not_compared():
    found = [simulated(), simulated(split="halves")]
    summary = summarise(found, background(), options=OPTIONS)
    assert summary.comparisons == ()
    assert [each.saturation is None for each in summary.models] == [False, True]


def test_cosine_rises_with_the_size_of_samples(results):
    points = [p for p in results.size_effect if p.model == "additive"]
    assert [p.sentences for p in points] == [1, 2, 4, ALL]
    cosines = [p.cosine.value for p in points]
    assert cosines == sorted(cosines)
    assert len({p.terms for p in points}) == 1


def test_saturation_is_the_proportion_of_full_samples(results):
    full = [min(each.sentences) >= 10 for each in results.of_model("additive", "random")]
    assert results.models[0].saturation == pytest.approx(np.mean(full))


def test_drift_is_known_for_terms_of_the_background(results):
    drift = [each.drift_cosine is not None for each in results.of_model("additive", "random")]
    assert drift == [True] * 25 + [False] * 25
    assert results.models[0].drift_terms == 25


def test_a_vector_that_never_moved_has_no_drift():
    found = simulated()
    own = np.where(np.isnan(found.own), 1.0, found.own)
    still = replace(found, own=own, vectors=tuple(np.tile(v, (5, 1)) for v in own))
    summary = summarise([still], background(names()), options=OPTIONS).models[0]
    assert summary.drift_cosine.value == pytest.approx(1)
    assert summary.drift_rank.value == 1
    assert summary.rank.value == 1


def test_the_own_entry_counts_only_on_request():
    found = simulated()
    space = background(names())
    default = summarise([found], space, options=OPTIONS)
    kept = summarise([found], space, options=replace(OPTIONS, keep_own_entry=True))
    for one, two in zip(default.terms, kept.terms, strict=True):
        assert one.rank <= two.rank <= one.rank + 1


def test_slices_cover_all_terms(results):
    for by in ("frequency in the text", "frequency in the background"):
        found = [s.terms for s in results.slices if (s.by, s.model) == (by, "additive")]
        assert sum(found) == 50
    assert [s.name for s in results.slices if s.by == "domain"][:2] == [
        "text high, background low",
        "text high, background high",
    ]


def test_domain_groups_need_the_number_of_tokens():
    summary = summarise([simulated()], background(), options=replace(OPTIONS, text_tokens=None))
    assert {each.by for each in summary.slices} == {
        "frequency in the text",
        "frequency in the background",
    }


def test_neighbours_leave_the_term_out(results):
    assert len(results.neighbours) == 24
    for each in results.neighbours:
        assert len(each.first) == len(each.second) == 10
        assert each.term not in each.first + each.second


def test_a_term_without_vectors_is_left_out_with_its_reason():
    found = simulated()
    vectors = list(found.vectors)
    vectors[3] = np.full_like(vectors[3], np.nan)
    summary = summarise([replace(found, vectors=tuple(vectors))], background(), options=OPTIONS)
    term = summary.terms[3]
    assert (term.verdict, term.cosine) == ("untested", None)
    assert term.state == "fewer than two samples have a vector"
    assert (summary.models[0].terms, summary.models[0].left_out) == (49, 1)


@pytest.mark.parametrize("number", [0, 1, 2, 10])
@pytest.mark.parametrize("split", ["random", "halves"])
def test_few_terms_are_a_warning(number, split):
    found = [simulated(split=split, terms=names(number))]
    summary = summarise(found, background(names(number)), options=OPTIONS)
    assert len(summary.warnings) == 1
    json.dumps(summary.to_dict(), allow_nan=False)


def test_the_document_is_plain_data(results):
    found = json.loads(json.dumps(results.to_dict(), allow_nan=False))
    assert found["format"] == "lexiscope consistency 1"
    assert found["terms"][0]["excess"] == pytest.approx(results.terms[0].excess)


def test_the_seed_decides_the_numbers(results):
    again = [simulated(), simulated("weak", strength=0.3, seed=2)]
    assert summarise(again, background(names()), options=OPTIONS).to_dict() == results.to_dict()


def test_a_term_is_found_in_lower_case_and_with_joined_words():
    space = background(("a_b", "c", "d", "e"))
    assert background_rows(["a b", "A B", "c", "C", "x"], space).tolist() == [0, 0, 1, 1, -1]


def test_stability_of_equal_lists_is_1():
    found = neighbour_stability("svd", "seed", {"a": [["x", "y"]] * 3, "b": [["z", "x"]] * 3})
    assert (found.repeats, found.neighbours, found.terms) == (3, 2, 2)
    assert found.common.value == found.jaccard.value == found.overlap.value == 1
    with pytest.raises(BadUsage):
        neighbour_stability("svd", "seed", {})


def test_vectors_of_another_space_have_no_ranks():
    other = replace(simulated("svd"), in_background=False)
    summary = summarise([other], background(names()), options=OPTIONS)
    assert summary.terms[0].rank is None
    assert summary.terms[0].cosine is not None
    assert summary.neighbours == ()
    assert [each.variant for each in summary.models[0].variants] == ["raw", "without term mean"]
    narrow = replace(simulated(), vectors=tuple(v[:, :3] for v in simulated().vectors))
    with pytest.raises(BadUsage, match="have 3 dimensions, the background has 20"):
        summarise([narrow], background())


def test_wrong_shapes_and_repeated_models_are_refused():
    found = simulated()
    with pytest.raises(BadUsage, match="frequency has 1 entries for 50 terms"):
        replace(found, frequency=np.array([1]))
    with pytest.raises(BadUsage, match="same model and split"):
        summarise([found, found], background())
    with pytest.raises(BadUsage, match="draws"):
        ConsistencyOptions(draws=0)
    with pytest.raises(BadUsage, match="low_in_text"):
        ConsistencyOptions(low_in_text=0.5)


def test_estimates_say_why_there_is_no_interval():
    assert estimate(np.array([np.nan])).state == "no term"
    assert estimate(np.array([1.0])).low is None
    assert estimate(np.array([1.0, 1.0])).state == "all terms have the same value"
    assert proportion(np.array([])).state == "no term"


def test_mean_ranks_have_intervals_within_the_range_of_ranks(results):
    words = len(background().words)
    for each in results.models:
        for rank in (each.rank, each.drift_rank):
            assert 1 <= rank.low < rank.value < rank.high <= words + 1


def test_a_mean_rank_says_that_all_terms_have_rank_1():
    found = mean_rank(np.array([1.0, 1.0, np.nan]), 10, np.random.default_rng(0))
    assert (found.value, found.low, found.state) == (1, None, "all terms have the same value")
    assert mean_rank(np.array([np.nan]), 10, np.random.default_rng(0)).state == "no term"


def test_the_correction_says_how_many_terms_it_can_select(results):
    found = results.models[0].corrected
    assert found.learnable >= 20
    assert found.smallest_p == pytest.approx(1 / (1 + 50 * 40 / 2))
    assert found.fewest == 1


def test_a_correction_that_cannot_select_any_term_says_so():
    found = term_null(np.zeros((2, 20, 3)), np.arange(20), np.random.default_rng(0), draws=9)
    strict = DecisionRule(alpha=0.001)
    assert corrected(found, strict).fewest is None
    assert corrected(found, DecisionRule()).fewest == 3


def test_slices_are_compared_at_the_largest_size_that_all_terms_have(results):
    found = [each for each in results.slices if each.model == "additive" and each.terms]

    about = simulated()
    complete = [s for s, v in about.by_size.items() if s != ALL and np.isfinite(v).all()]
    assert {each.equal_size for each in found} == {max(complete)}
    first, second = np.moveaxis(np.array(about.by_size[max(complete)]), 1, 0)
    cosines = (first * second).sum(1) / np.linalg.norm(first, axis=1)
    cosines /= np.linalg.norm(second, axis=1)
    group = [each for each in found if each.by == "frequency in the text"]
    total = sum(each.terms * each.equal_cosine.value for each in group)
    assert total / sum(each.terms for each in group) == pytest.approx(cosines.mean(), abs=1e-9)
