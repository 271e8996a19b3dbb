import pytest

from lexiscope.core import machine
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import memory, threads


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


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ("4096", 4096),
        ("500M", 500 << 20),
        ("2G", 2 << 30),
        ("1.5g", 3 << 29),
        ("64KiB", 1 << 16),
        (" 3GB ", 3 << 30),
    ],
)
def test_memory_is_what_was_asked_for(monkeypatch, asked, size):
    monkeypatch.setenv("LEXISCOPE_MEMORY", asked)

    assert memory() == size


@pytest.mark.parametrize("asked", ["0", "0M", "-1G", "much", "2X", "1.5.2G", " ", "²G"])
def test_a_memory_limit_that_is_none_is_refused(monkeypatch, asked):
    monkeypatch.setenv("LEXISCOPE_MEMORY", asked)

    with pytest.raises(BadUsage, match=f"a size such as 500M or 2G, found '{asked}'"):
        memory()


def test_half_of_what_is_available_is_taken_when_no_one_asks(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_MEMORY", raising=False)
    monkeypatch.setattr(machine, "_left_to_the_group", lambda: 1 << 62)
    monkeypatch.setattr(machine, "_available", lambda: 6 << 30)

    assert memory() == 3 << 30


def test_a_container_leaves_less_than_the_machine_has(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_MEMORY", raising=False)
    monkeypatch.setattr(machine, "_left_to_the_group", lambda: 1 << 30)
    monkeypatch.setattr(machine, "_available", lambda: 6 << 30)

    assert memory() == 1 << 29


def test_the_machine_says_how_much_is_available():
    assert machine._available() > 1 << 20
    assert machine._left_to_the_group() >= 0
