"""Warnings of a section: flags and up to three warnings are open, the others are folded."""

import pytest

from lexiscope.report.layout import Section
from lexiscope.report.page import Heading, rendered


def opened(flags, notes):
    section = Section("Verdict", ("Text.",), flags=flags, notes=notes)
    page = rendered(Heading("Title", "Question?", "Lead.", "1"), [section])
    return page.count('class="flag"'), page


@pytest.mark.parametrize(
    ("flags", "notes", "shown"), [(0, 2, 2), (0, 5, 3), (2, 5, 3), (5, 0, 5), (5, 1, 5)]
)
def test_flags_and_up_to_three_warnings_are_open(flags, notes, shown):
    found, page = opened(
        tuple(f"flag {k}" for k in range(flags)), tuple(f"note {k}" for k in range(notes))
    )

    rest = flags + notes - shown
    assert found == shown
    assert (f"{rest} more warning" in page) == bool(rest)
    assert ('<details class="warnings"' in page) == bool(rest)
