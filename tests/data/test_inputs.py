"""Inputs: where a run reads embeddings and datasets from."""

from dataclasses import FrozenInstanceError

import pytest

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.inputs import Inputs


def test_the_data_folder_is_searched_by_local_data(tmp_path):
    inputs = Inputs(data_dir=tmp_path)

    assert inputs.local_data.folder == tmp_path
    assert inputs.local_data is inputs.local_data


def test_a_missing_data_folder_is_an_error(tmp_path):
    with pytest.raises(BadData, match="the data folder does not exist"):
        _ = Inputs(tmp_path / "missing").local_data


def test_an_unknown_treatment_of_broken_rows_is_an_error():
    with pytest.raises(BadUsage, match="on_error is 'stop', 'skip' or 'replace', found 'ignore'"):
        Inputs(on_error="ignore")


def test_inputs_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Inputs().on_error = "skip"


def test_equal_inputs_compare_equal():
    assert Inputs("folder", "skip") == Inputs("folder", "skip") != Inputs("folder")
