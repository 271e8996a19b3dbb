"""Hyperparameters of the models of an experiment."""

import pytest

from lexiscope.core.errors import UnknownName
from lexiscope.experiments.models import Model, check_settings, with_hyperparameters
from lexiscope.papers.schema import load
from lexiscope.papers.synthetic import plan as synthetic_plan

MODELS = (Model("LBL", "lbl", {"epochs": 3}), Model("vLBL", "lbl"), Model("SG", "skipgram"))


def epochs(*settings, models=MODELS):
    found = [with_hyperparameters(each, {"epochs": 1}, settings, models) for each in models]
    return {each.name: each.settings["epochs"] for each in found}


def test_a_model_keeps_its_own_hyperparameter_before_the_shared_one():
    assert epochs() == {"LBL": 3, "vLBL": 1, "SG": 1}


def test_a_setting_without_a_name_is_that_of_all_models():
    assert epochs(("epochs", 7)) == {"LBL": 7, "vLBL": 7, "SG": 7}


@pytest.mark.parametrize("name", ["lbl", "LBL"])
def test_the_name_of_a_model_is_no_name_of_a_trainer(name):
    assert epochs((f"{name}.epochs", 7)) == {"LBL": 7, "vLBL": 1, "SG": 1}
    assert epochs(("vlbl.epochs", 7)) == {"LBL": 3, "vLBL": 7, "SG": 1}


def test_the_name_of_a_trainer_is_that_of_all_its_models():
    models = (Model("one", "skipgram"), Model("two", "skipgram"), Model("LBL", "lbl"))

    assert epochs(("skipgram.epochs", 7), models=models) == {"one": 7, "two": 7, "LBL": 1}
    assert epochs(("lbl.epochs", 7), models=MODELS[1:]) == {"vLBL": 7, "SG": 1}


def test_a_setting_of_no_model_and_no_trainer_is_an_error():
    with pytest.raises(UnknownName, match="glove"):
        check_settings([("glove.epochs", 7)], MODELS, reserved={})


def test_a_setting_of_one_model_of_s0_does_not_change_the_other_one_with_its_trainer():
    found = synthetic_plan(load("s0"), "small", settings=[("lbl.epochs", 2)])

    assert {m.name: m.trainer.epochs for m in found.models if m.trainer_name == "lbl"} == {
        "LBL": 2, "vLBL": 20,
    }  # fmt: skip
