import pytest

from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import threads


def test_threads_are_as_many_as_asked_for(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "3")

    assert threads() == 3


def test_threads_are_at_least_one_when_no_one_asks():
    assert threads() >= 1


@pytest.mark.parametrize("asked", ["0", "-1", "two", "1.5", " ", "²"])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch, asked):
    monkeypatch.setenv("LEXISCOPE_THREADS", asked)

    with pytest.raises(BadUsage, match=f"must be a number from 1 up, found '{asked}'"):
        threads()
