import io
import sys

import pytest

from lexiscope.cli import progress as module
from lexiscope.core.progress import report_time_left


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


class Clock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_a_line_says_how_much_is_done_and_of_how_much_where_that_is_known(monkeypatch, capsys):
    monkeypatch.setattr(module, "_QUIET_SECONDS", 0.0)

    with module.progress_bar(counts_bytes=True) as progress:
        progress("Reading", 1000, 2000)
        progress("Counting", 3000, 0)

    assert capsys.readouterr().err == "Reading: 1,000 of 2,000\nCounting: 3,000\n"


def test_a_line_comes_every_half_minute_and_says_how_fast_it_goes_and_how_long_it_takes(
    clock, capsys
):
    with module.progress_bar() as progress:
        for seconds in range(0, 70, 10):
            clock.now = 1000.0 + seconds
            progress("Training", 40_000_000 + 2_100_000 * seconds, 250_000_000)

    assert capsys.readouterr().err == (
        "Training: 103,000,000 of 250,000,000, 2.1 M/s, 0:01:10 left\n"
        "Training: 166,000,000 of 250,000,000, 2.1 M/s, 0:00:40 left\n"
    )


def test_what_is_few_and_large_has_no_speed(clock, capsys):
    with module.progress_bar() as progress:
        progress("Training", 1, 25)
        clock.now += 60
        progress("Training", 3, 25)

    assert capsys.readouterr().err == "Training: 3 of 25, 0:11:00 left\n"


def test_a_bar_copes_with_an_unknown_end(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    for counts_bytes in (True, False):
        with module.progress_bar(counts_bytes) as progress:
            progress("Reading", 10, 0)
            progress("Reading", 2_000_000, 0)

    assert "Reading" in sys.stderr.getvalue()


def test_a_bar_shows_amount_speed_and_time_left(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")

    with module.progress_bar() as progress:
        progress("Compiling", 0, 1)
        progress("Compiling", 1, 1)
        progress("Training", 1_000_000, 41_180_400)
        clock.now += 10
        progress("Training", 12_000_000, 41_180_400)

    last = sys.stderr.getvalue().rpartition("Training")[2]
    assert "12.0/41.2 M" in last
    assert "1.1 M/s" in last
    assert "0:00:27 left" in last
    assert "Compiling" not in sys.stderr.getvalue().rpartition("Training")[0].rpartition("\r")[2]


@pytest.mark.parametrize(
    ("done", "of", "text"),
    [
        (3, 25, "3/25"),
        (99_000, 99_999, "99,000/99,999"),
        (40_000, 500_000, "40.0/500.0 k"),
        (12_345_678, 1_000_000_000, "0.01/1.00 G"),
        (2_000_000, 0, "2.0 M"),
        (0, 1, ""),
    ],
)
def test_amounts_are_short(done, of, text):
    assert module._amount(done, of) == text


def test_work_that_estimates_its_own_time_left_is_believed(clock, capsys):
    with module.progress_bar() as progress:
        progress("Evaluating", 0, 100)
        for step in range(1, 5):
            clock.now += 30.0
            report_time_left(progress, "Evaluating", 40.0)
            progress("Evaluating", step, 100)

    assert capsys.readouterr().err.splitlines() == [
        f"Evaluating: {step} of 100, 0:00:40 left" for step in range(1, 5)
    ]


def test_an_unknown_time_left_is_not_guessed_from_the_number_of_steps(clock, capsys):
    with module.progress_bar() as progress:
        progress("Evaluating", 0, 600)
        clock.now += 30.0
        report_time_left(progress, "Evaluating", None)
        progress("Evaluating", 1, 600)

    assert capsys.readouterr().err == "Evaluating: 1 of 600\n"


def test_a_bar_is_there_before_the_first_step(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")

    with module.progress_bar():
        assert "Starting" in sys.stderr.getvalue()


def test_a_quiet_bar_writes_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    with module.progress_bar(quiet=True) as progress:
        progress("Training", 1, 2)
        report_time_left(progress, "Training", 1.0)

    assert sys.stderr.getvalue() == ""


def test_a_function_of_three_arguments_is_progress_too():
    seen = []
    report_time_left(lambda *given: seen.append(given), "Evaluating", 1.0)

    assert seen == []
