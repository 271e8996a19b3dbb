import pytest

from lexiscope.core.errors import BadUsage, LexiscopeError
from lexiscope.core.policy import Policy
from lexiscope.evaluation.plan import Plan, check
from lexiscope.evaluation.resolve import resolve_tasks
from tests.builders import seeded, word_pairs

PETS = seeded("pets", ("cat", "dog"))
PAIRS = word_pairs(("cat", "dog", 1), ("Tea", "cup", 2))


def plan(tasks, seed=0):
    return Plan((PETS,), resolve_tasks(tasks), (PAIRS,), (Policy(),), seed)


def test_a_plan_pairs_each_task_with_the_datasets_it_applies_to():
    assert [(name, d.name) for name, _, d in plan(None).pairs()] == [("similarity", "pairs")]


def test_a_plan_in_which_no_task_applies_raises_an_error():
    with pytest.raises(
        LexiscopeError, match=r"None of the chosen tasks can evaluate.*analogy / pairs"
    ):
        check(plan(["analogy"]))


@pytest.mark.parametrize("seed", [-1, 1 << 63])
def test_an_invalid_seed_raises_an_error(seed):
    with pytest.raises(BadUsage, match="A seed is a number from 0"):
        check(plan(["similarity"], seed))


def test_tasks_without_a_dataset_are_skipped_and_can_be_left_out():
    found = plan(["similarity", "analogy", "metaphor"])

    assert found.skipped_tasks == ["analogy", "metaphor"]
    assert [name for name, _ in found.applicable().tasks] == ["similarity"]
