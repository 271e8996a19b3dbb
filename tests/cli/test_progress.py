import io
import sys

from lexiscope.cli import progress as module


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def test_a_line_says_how_much_is_done_and_of_how_much_where_that_is_known(monkeypatch, capsys):
    monkeypatch.setattr(module, "_QUIET_SECONDS", 0.0)

    with module.progress(counts_bytes=True) as tell:
        tell("Reading", 1000, 2000)
        tell("Reading", 3000, 0)

    assert capsys.readouterr().err == "Reading: 1,000 of 2,000\nReading: 3,000\n"


def test_a_bar_copes_with_an_unknown_end(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    for counts_bytes in (True, False):
        with module.progress(counts_bytes) as tell:
            tell("Reading", 10, 0)
            tell("Reading", 2_000_000, 0)

    assert "Reading" in sys.stderr.getvalue()
