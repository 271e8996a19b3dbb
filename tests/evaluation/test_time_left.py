"""The time left is that of the work that is left, not of the number of steps."""

import pytest

from lexiscope.evaluation import time_left as module
from lexiscope.evaluation.time_left import Kind, TimeLeft

FAST = Kind("similarity on men", "similarity", 3000)
SLOW = Kind("analogy on google", "analogy", 20_000)


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def _finish(found, clock, kind, seconds):
    clock.now += seconds
    found.finished(kind, seconds)


def test_slow_and_fast_steps_are_not_counted_alike(clock):
    found = TimeLeft([SLOW, FAST, FAST, FAST, SLOW])
    _finish(found, clock, SLOW, 30.0)
    _finish(found, clock, FAST, 1.0)

    assert found.seconds() == pytest.approx(30.0 + 2 * 1.0)


def test_a_kind_like_one_that_was_measured_takes_time_in_proportion_to_its_size(clock):
    found = TimeLeft([FAST, Kind("similarity on ws353", "similarity", 300)])
    _finish(found, clock, FAST, 10.0)

    assert found.seconds() == pytest.approx(1.0)


def test_the_time_left_is_unknown_while_a_kind_of_work_was_never_measured(clock):
    found = TimeLeft([FAST, FAST, SLOW])
    _finish(found, clock, FAST, 2.0)

    assert found.seconds() is None


def test_two_workers_halve_the_time_left(clock):
    found = TimeLeft([SLOW] * 4)
    clock.now = 10.0
    found.finished(SLOW, 10.0)
    found.finished(SLOW, 10.0)

    assert found.seconds() == pytest.approx(10.0)


def test_nothing_is_estimated_from_less_than_a_second_of_work(clock):
    found = TimeLeft([FAST, FAST])
    _finish(found, clock, FAST, 0.5)

    assert found.seconds() is None


def test_no_time_is_left_when_everything_is_done(clock):
    found = TimeLeft([FAST])
    _finish(found, clock, FAST, 5.0)

    assert found.seconds() == 0.0
