"""Differences that another vocabulary policy reverses."""

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.evaluation.load import load_results
from lexiscope.store.store import Store
from tests.builders import word_pairs

ITEMS = 200
PAIRS = word_pairs(*((f"a{k}", f"b{k}", float(k)) for k in range(ITEMS)))
ZERO = Policy(oov="zero")


def rated(name, noise, seed, known=range(ITEMS)):
    rng = np.random.default_rng(seed)
    cosines = np.clip(np.linspace(0.05, 0.95, ITEMS) + noise * rng.normal(size=ITEMS), -1, 1)
    right = np.column_stack([cosines, np.sqrt(1 - cosines**2)])[list(known)]
    words = [f"{side}{k}" for side in "ab" for k in known]
    return embedding(name, words, np.vstack([np.tile([1.0, 0.0], (len(right), 1)), right]))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The exact embedding lacks the highest rated pairs, so it is worse if they count."""
    store = tmp_path_factory.mktemp("store") / "s.sqlite"
    two = [rated("exact", 0.02, 1, range(120)), rated("complete", 0.3, 2)]
    found = lexiscope.run(two, "similarity", PAIRS, all_policies=True, execution=Execution(store))
    with Store(store) as opened:
        loaded = load_results(opened, found.run)
    assert loaded.policy_comparisons == found.policy_comparisons
    assert loaded.best_changes == found.best_changes
    return found


def test_a_reversed_difference_is_tested_under_the_policy(results):
    (own,) = results.comparisons
    assert own.significant
    assert own.difference > 0

    (under,) = [c.comparison for c in results.policy_comparisons if Policy(**c.policy) == ZERO]

    assert under.items == ITEMS
    assert under.significant
    assert under.difference < 0
    alone = lexiscope.run(
        [rated("exact", 0.02, 1, range(120)), rated("complete", 0.3, 2)],
        "similarity", PAIRS, policy=ZERO,
    )  # fmt: skip
    assert (under.difference, under.p) == (alone.comparisons[0].difference, alone.comparisons[0].p)


def test_only_reversed_differences_are_tested(results):
    tested = {str(Policy(**c.policy)) for c in results.policy_comparisons}

    assert tested <= {str(each.policy) for each in results.best_changes}
    assert len(tested) < len(results.policies) - 1


def test_a_change_of_the_best_is_significant_if_both_differences_are(results):
    (change,) = [each for each in results.best_changes if each.policy == ZERO]

    assert (change.usual, change.instead, change.significant) == ("exact", "complete", True)


def test_a_change_with_one_significant_difference_is_not_significant():
    """Under the policy, the other one has the higher score, but not significantly."""
    two = [rated("exact", 0.02, 1, range(186)), rated("complete", 0.3, 2)]

    results = lexiscope.run(two, "similarity", PAIRS, all_policies=True)

    (change,) = [each for each in results.best_changes if each.policy == ZERO]
    (under,) = [c.comparison for c in results.policy_comparisons if Policy(**c.policy) == ZERO]
    assert results.comparisons[0].significant
    assert (change.usual, change.instead) == ("exact", "complete")
    assert under.p > 0.05
    assert not change.significant


def test_an_embedding_with_few_items_is_never_the_best_under_a_policy():
    two = [rated("a", 0.1, 1), rated("b", 0.2, 2), rated("noise", 0.0, 3, range(0, 200, 40))]

    results = lexiscope.run(two, "similarity", PAIRS, all_policies=True)

    assert "noise" not in {name for c in results.best_changes for name in (c.usual, c.instead)}
