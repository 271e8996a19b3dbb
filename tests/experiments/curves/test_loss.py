"""The expected loss under weights of datasets, models and sizes."""

from itertools import product

import numpy as np
import pytest

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.experiments.curves.loss import expected_losses, size_names
from lexiscope.experiments.curves.protocol import FRACTIONS, percentage
from tests.experiments.curves.simulated import simulated


@pytest.fixture(scope="module")
def datasets():
    return [simulated(), simulated("simlex", family="pairs", seed=1)]


def losses(found, **weights):
    return {each.embedding: each for each in expected_losses(found, weights)}


def entries(found, embedding):
    return [each for each in found.entries if each.embedding == embedding]


def test_equal_weights_give_the_mean_over_datasets_models_and_sizes(datasets):
    means = [np.mean([e.scores for e in entries(found, "svd")]) for found in datasets]

    found = losses(datasets)["svd"].loss

    assert found.value == pytest.approx(1 - np.mean(means))
    assert found.low < found.value < found.high


def test_a_dataset_of_weight_0_does_not_count(datasets):
    found = losses(datasets, datasets={"simlex": 0})

    assert found["svd"].datasets == 1
    assert found["svd"].loss == losses(datasets[:1])["svd"].loss


def test_weights_of_models_and_sizes_select_one_score(datasets):
    weights = {"models": {"*": 0, "svm": 1}, "sizes": {"*": 0, "100%": 2}}
    (svm,) = (e for e in entries(datasets[0], "glove") if e.model == "svm")

    found = losses(datasets[:1], **weights)["glove"].loss

    assert found.value == pytest.approx(1 - svm.scores[:, -1].mean())


def test_a_size_can_be_named_by_its_count(datasets):
    by_count, by_percentage = (
        losses(datasets, sizes={"*": 0, name: 1})["glove"].loss for name in ("90", "30%")
    )

    assert by_count == by_percentage


def test_every_percentage_of_the_paper_is_a_name_of_its_size():
    for pool, percent in product(range(14, 400), FRACTIONS):
        assert f"{percent}%" in size_names(percentage(percent, pool), pool)


def test_only_the_ratio_of_weights_matters(datasets):
    one, ten = (
        losses(datasets, models={"svm": 2.0 * k, "majority": 0, "*": k})["svd"].loss.value
        for k in (1.0, 10.0)
    )

    assert one == pytest.approx(ten)


@pytest.mark.parametrize(
    ("kind", "names", "message"),
    [
        ("datasets", {"colors": 1}, "No dataset named 'colors'. Did you mean 'colours'?"),
        ("models", {"svn": 1}, "No model named 'svn'. Did you mean 'svm'?"),
        ("sizes", {"35%": 1}, "No training size named '35%'"),
        ("tasks", {"colours": 1}, "No kind of weights named 'tasks'"),
    ],
)
def test_an_unknown_name_is_an_error(datasets, kind, names, message):
    with pytest.raises(UnknownName, match=message.replace("?", r"\?")):
        losses(datasets, **{kind: names})


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "2", True])
def test_a_weight_is_a_number_from_0(datasets, weight):
    with pytest.raises(BadUsage, match="The weight of svm must be a number from 0"):
        losses(datasets, models={"svm": weight})


def test_all_weights_0_are_an_error(datasets):
    with pytest.raises(BadUsage, match="At least one weight of models"):
        losses(datasets, models={"*": 0, "svm": 0})
