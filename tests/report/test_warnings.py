"""Warnings of a section: flags are open, notes are folded."""

import pytest

from lexiscope.report.layout import Section
from lexiscope.report.page import Heading, rendered


def opened(flags, notes):
    section = Section("Verdict", ("Text.",), flags=flags, notes=notes)
    page = rendered(Heading("Title", "Question?", "Lead.", "1"), [section])
    return page.count('class="flag"'), page


@pytest.mark.parametrize(("flags", "notes", "shown"), [(0, 2, 0), (2, 5, 2), (5, 0, 5), (0, 0, 0)])
def test_flags_are_open_and_notes_are_folded(flags, notes, shown):
    found, page = opened(
        tuple(f"flag {k}" for k in range(flags)), tuple(f"note {k}" for k in range(notes))
    )

    rest = flags + notes - shown
    assert found == shown
    more = "more " if flags else ""
    assert (f"{rest} {more}warning" in page) == bool(rest)
    assert ('<details class="warnings"' in page) == bool(rest)
