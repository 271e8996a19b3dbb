"""Judges read the same instructions, however they take part."""

from html import unescape

import pytest

from lexiscope.human.export_files import ExportOptions, format_named
from lexiscope.human.instructions import instructions
from lexiscope.web.pages import page
from tests.human.exchange.studies import small

CONTACT = "study@example.org"
FILES = {
    "spreadsheet": ["instructions.txt"],
    "mturk": ["template.html"],
    "potato": ["config.yaml", "data/consent.json"],
}


def plain(text):
    for mark in ("<em>", "</em>", "*"):
        text = text.replace(mark, "")
    return unescape(text).replace("\\u2019", "’")


def exported(path, name):
    with small(path, title="Words and meanings", contact=CONTACT) as file:
        content = format_named(name, "write").write(file, ExportOptions(""))
        return plain("\n".join(content[each].decode() for each in FILES[name]))


@pytest.mark.parametrize("name", FILES)
def test_every_way_to_take_part_has_title_consent_rules_and_example(tmp_path, name):
    found = exported(tmp_path / "a.study", name)
    given = instructions("comparison")

    assert "Words and meanings" in found or "WORDS AND MEANINGS" in found
    for text in (given.lead, *given.rules, given.example.reason):
        assert plain(text) in found
    assert "Opposites are close, too" in found
    for text in ("Taking part is voluntary", CONTACT, "I agree to take part"):
        assert text in found


@pytest.mark.parametrize("kind", ["comparison", "intrusion"])
def test_the_page_has_the_same_rules(kind):
    given = instructions(kind)
    found = plain(
        page("instructions", title="T", instructions=given, forward="/j", resume="/j").body.decode()
    )

    for text in (given.lead, *given.rules, given.example.reason):
        assert plain(text) in found


def test_a_row_of_a_spreadsheet_says_how_to_answer(tmp_path):
    with small(tmp_path / "a.study") as file:
        files = format_named("spreadsheet", "write").write(file, ExportOptions(""))

    table = files["judge-1.csv"].decode("utf-8-sig")
    assert "Write 1 to 3, or 0 for" in table
    assert "the column 'answer'" in files["instructions.txt"].decode("utf-8-sig")


def test_statements_hold_for_the_way_to_take_part(tmp_path):
    sheet = exported(tmp_path / "a.study", "spreadsheet")
    batch = exported(tmp_path / "b.study", "mturk")

    assert "in the column 'judge' of your file" in sheet
    assert "closing the page" not in sheet
    assert "Send your worker ID" in batch
    assert "network address" not in sheet + batch
