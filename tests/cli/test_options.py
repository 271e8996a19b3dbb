from pathlib import Path

from lexiscope.cli.options import execution_from, inputs_from
from lexiscope.core.execution import Execution
from lexiscope.core.progress import silent
from lexiscope.data.inputs import Inputs


def test_an_execution_has_the_values_of_the_options():
    options = {"store": "s.sqlite", "backend": "dask", "jobs": 3, "force": True}

    assert execution_from(options, silent) == Execution("s.sqlite", "dask", 3, silent, True)


def test_options_that_a_command_does_not_have_get_their_defaults():
    assert execution_from({"store": None, "jobs": 2}, silent) == Execution(n_jobs=2)
    assert inputs_from({"data_dir": "data"}) == Inputs("data")


def test_inputs_have_the_values_of_the_options():
    options = {"data_dir": None, "on_error": "skip", "fillers": "f", "frequencies": "c", "jobs": 1}

    assert inputs_from(options) == Inputs(None, "skip", "f", "c")
    assert not Path("f").exists()  # nothing is read
