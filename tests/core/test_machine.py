import pytest

from lexiscope.core import machine
from lexiscope.core.errors import BadUsage
from lexiscope.core.machine import memory, threads


def test_the_environment_sets_the_number_of_threads(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "3")

    assert threads() == 3


def test_there_is_at_least_one_thread_by_default():
    assert threads() >= 1


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", " ", "²"])
def test_an_invalid_number_of_threads_is_refused(monkeypatch, value):
    monkeypatch.setenv("LEXISCOPE_THREADS", value)

    with pytest.raises(BadUsage, match=f"must be an integer of 1 or more, found '{value}'"):
        threads()


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("4096", 4096),
        ("500M", 500 << 20),
        ("2G", 2 << 30),
        ("1.5g", 3 << 29),
        ("64KiB", 1 << 16),
        (" 3GB ", 3 << 30),
    ],
)
def test_the_environment_sets_the_memory(monkeypatch, value, size):
    monkeypatch.setenv("LEXISCOPE_MEMORY", value)

    assert memory() == size


@pytest.mark.parametrize("value", ["0", "0M", "-1G", "much", "2X", "1.5.2G", " ", "²G"])
def test_an_invalid_memory_size_is_refused(monkeypatch, value):
    monkeypatch.setenv("LEXISCOPE_MEMORY", value)

    with pytest.raises(BadUsage, match=f"a size such as 500M or 2G, found '{value}'"):
        memory()


def test_half_of_the_available_memory_is_used_by_default(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_MEMORY", raising=False)
    monkeypatch.setattr(machine, "_available_in_container", lambda: 1 << 62)
    monkeypatch.setattr(machine, "_available", lambda: 6 << 30)

    assert memory() == 3 << 30


def test_the_limit_of_a_container_counts(monkeypatch):
    monkeypatch.delenv("LEXISCOPE_MEMORY", raising=False)
    monkeypatch.setattr(machine, "_available_in_container", lambda: 1 << 30)
    monkeypatch.setattr(machine, "_available", lambda: 6 << 30)

    assert memory() == 1 << 29


def test_the_available_memory_is_known():
    assert machine._available() > 1 << 20
    assert machine._available_in_container() >= 0
