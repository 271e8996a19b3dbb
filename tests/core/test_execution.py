import pytest

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.execution import Execution


def test_one_job_works_in_this_process_and_several_in_others():
    assert Execution().backend == "serial"
    assert Execution(n_jobs=2).backend == "processes"
    assert Execution(backend="dask", n_jobs=2).backend == "dask"


def test_nothing_is_kept_by_default():
    assert Execution().store == ":memory:"


@pytest.mark.parametrize("n_jobs", [0, -1])
def test_less_than_one_job_raises_an_error(n_jobs):
    with pytest.raises(BadUsage, match=f"n_jobs must be 1 or more, found {n_jobs}"):
        Execution(n_jobs=n_jobs)


def test_an_unknown_backend_suggests_a_known_one():
    with pytest.raises(UnknownName, match="Did you mean 'processes'"):
        Execution(backend="procesess")


@pytest.mark.parametrize("n_jobs", ["2", 2.0, True])
def test_jobs_are_a_whole_number(n_jobs):
    with pytest.raises(BadUsage, match="n_jobs is a whole number"):
        Execution(n_jobs=n_jobs)
