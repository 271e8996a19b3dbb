import re
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest

from lexiscope.bench.checked import Check, Checked
from lexiscope.core.result import Comparison
from lexiscope.report.checking import outcome, sentence, summary
from lexiscope.report.junit import write

WORSE = Comparison("new", "old", "similarity", "men", "spearman", {}, -0.031, -0.045, -0.017,
                   0.0001, 0.0003, 900, "swaps (9,999)", True, variant="similarity",
                   detectable=0.02)  # fmt: skip
FALLEN = Checked("new", "similarity", "men", "spearman", 0.7, 0.669, 1000, 900, 1000, 1.25,
                 "really worse", "", WORSE, ("significant-drop",))  # fmt: skip
ALIKE = replace(
    FALLEN, dataset="rw", verdict="not told apart", fails=(), used=1000,
    comparison=replace(WORSE, difference=0.004, p=0.4, p_holm=0.8, real=False),
)  # fmt: skip
CHANGED = replace(FALLEN, dataset="rg65", verdict="not comparable", fails=(), comparison=None,
                  now=None, used=0, seconds=0.0, reason="The task has changed.")  # fmt: skip
# What the schema of Jenkins (junit-10.xsd) lets an element hold.
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "properties": {"property"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
}
ATTRIBUTES = {
    "testsuites": set(),
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "property": {"name", "value"},
    "testcase": {"name", "classname", "time"},
    "failure": {"type", "message"},
    "skipped": {"message"},
}


def written(folder, *questions):
    """The file of a check, read again."""
    write(Check("results.json", "old", ("significant-drop",), questions), folder / "junit.xml")
    return parse(folder / "junit.xml").getroot()


def test_a_test_for_each_question_and_the_counts_of_the_suite(tmp_path):
    (suite,) = written(tmp_path, FALLEN, ALIKE, CHANGED)

    assert suite.attrib == {
        "name": "lexiscope check new", "tests": "3", "failures": "1", "errors": "0",
        "skipped": "1", "time": "2.500",
    }  # fmt: skip
    cases = suite.findall("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("similarity", "men"), ("similarity", "rw"), ("similarity", "rg65")
    ]  # fmt: skip
    assert cases[0].find("failure").get("type") == "significant-drop"
    assert cases[0].find("failure").text == sentence(FALLEN)
    assert [child.tag for child in cases[1]] == ["system-out"]
    assert "has changed" in cases[2].find("skipped").get("message")


def test_the_numbers_of_a_question_stand_with_the_suite(tmp_path):
    (suite,) = written(tmp_path, FALLEN)

    numbers = {entry.get("name"): float(entry.get("value")) for entry in suite.find("properties")}
    assert numbers == {
        "similarity, men: baseline": 0.7, "similarity, men: value": 0.669,
        "similarity, men: difference": -0.031, "similarity, men: low": -0.045,
        "similarity, men: high": -0.017, "similarity, men: p": 0.0001,
        "similarity, men: p after Holm": 0.0003,
    }  # fmt: skip


def test_it_holds_what_the_schema_lets_it_hold(tmp_path):
    root = written(tmp_path, FALLEN, ALIKE, CHANGED)

    assert root.tag == "testsuites"
    for element in root.iter():
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        assert set(element.attrib) == ATTRIBUTES.get(element.tag, set())
        assert re.fullmatch(r"\d+\.\d{3}", element.get("time", "0.000"))


def test_each_new_embedding_has_a_suite(tmp_path):
    suites = written(tmp_path, FALLEN, replace(ALIKE, embedding="newer"))

    assert [suite.get("name") for suite in suites] == [
        "lexiscope check new",
        "lexiscope check newer",
    ]


@pytest.mark.parametrize(
    "text", ["<&\"'>", "]]>", "\0\x01\x1b[31m", "\ud800", "\ufffe\uffff", "\u202e", "x" * 10_000]
)
def test_any_text_makes_a_file_that_can_be_read(tmp_path, text):
    hostile = replace(CHANGED, embedding=text, task=text, dataset=text, reason=text)

    (suite,) = written(tmp_path, hostile, replace(hostile, fails=(text,)))

    (name,) = {case.get("name") for case in suite.findall("testcase")}
    assert len(name) <= 1000
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", Path(tmp_path, "junit.xml").read_text("utf-8"))


def test_sentences_say_how_much_and_how_sure():
    assert sentence(FALLEN) == (
        "really worse: -0.0310 (-0.045 to -0.017), p = 0.0001 (swaps (9,999)), 0.0003 after Holm; "
        "100 of 1,000 items can no longer be asked (1,000 before, 900 now)"
    )
    assert sentence(ALIKE).endswith("0.8 after Holm; could have shown 0.020 or more")
    assert sentence(CHANGED) == "not comparable: The task has changed."


def test_the_last_line_says_whether_it_passed():
    rules = ("significant-drop",)
    failed = Check("results.json", "old", rules, (FALLEN, ALIKE, CHANGED))

    assert outcome(failed) == (
        "Failed: 1 of 3 questions against old of results.json (fails on significant-drop); "
        "1 could not be compared."
    )
    assert summary(failed)[-1] == outcome(failed)
    assert outcome(Check("results.json", "old", rules, (ALIKE,))) == (
        "Passed: none of 1 questions against old of results.json fails (on significant-drop)."
    )
