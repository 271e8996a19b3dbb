import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest
from rich.console import Console

from lexiscope.core.result import Comparison
from lexiscope.regression.outcome import Check, CheckedEvaluation
from lexiscope.report.junit import write
from lexiscope.report.regression import outcome, sentence, summary, table

DROP = Comparison("new", "old", "similarity", "men", "spearman", {}, -0.031, -0.045, -0.017,
                  0.0001, 0.0123, 900, "permutations (9,999)", True, variant="similarity",
                  detectable_difference=0.02, outcome="different", margin=0.05,
                  p_equivalence=0.9)  # fmt: skip
WORSE = CheckedEvaluation("new", "similarity", "men", "spearman", 0.7, 0.669, 1000, 900, 1000, 1.25,
                          "significantly worse", "", DROP, ("significant-drop",))  # fmt: skip
SIMILAR = replace(
    WORSE, dataset="rw", verdict="undecided", fails=(), used=1000,
    comparison=replace(DROP, difference=0.004, p=0.4, p_holm=0.8, significant=False,
                       outcome="undecided", p_equivalence=0.07, margin=0.05),
)  # fmt: skip
EQUAL = replace(SIMILAR, dataset="simlex", verdict="equivalent", comparison=replace(
    SIMILAR.comparison, outcome="equivalent", p_equivalence=0.001))  # fmt: skip
CHANGED = replace(WORSE, dataset="rg65", verdict="not comparable", fails=(), comparison=None,
                  score=None, used=0, seconds=0.0, reason="The task has changed.")  # fmt: skip
# The children and attributes that the schema of Jenkins (junit-10.xsd) allows.
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


def written(folder, *evaluations):
    """The file of a check, parsed."""
    write(Check("results.json", "old", ("significant-drop",), evaluations), folder / "junit.xml")
    return parse(folder / "junit.xml").getroot()


def test_each_evaluation_is_a_test_and_the_suite_has_the_counts(tmp_path):
    (suite,) = written(tmp_path, WORSE, SIMILAR, CHANGED)

    assert suite.attrib == {
        "name": "lexiscope check new", "tests": "3", "failures": "1", "errors": "0",
        "skipped": "1", "time": "2.500",
    }  # fmt: skip
    cases = suite.findall("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("similarity", "men"), ("similarity", "rw"), ("similarity", "rg65")
    ]  # fmt: skip
    assert cases[0].find("failure").get("type") == "significant-drop"
    assert cases[0].find("failure").text == sentence(WORSE)
    assert [child.tag for child in cases[1]] == ["system-out"]
    assert "has changed" in cases[2].find("skipped").get("message")


def test_the_numbers_of_an_evaluation_are_properties_of_the_suite(tmp_path):
    (suite,) = written(tmp_path, WORSE)

    numbers = {entry.get("name"): float(entry.get("value")) for entry in suite.find("properties")}
    assert numbers == {
        "similarity, men: baseline": 0.7, "similarity, men: score": 0.669,
        "similarity, men: difference": -0.031, "similarity, men: low": -0.045,
        "similarity, men: high": -0.017, "similarity, men: p": 0.0001,
        "similarity, men: p (Holm-Tarone)": 0.0123, "similarity, men: p (equivalence)": 0.9,
    }  # fmt: skip


def test_the_file_follows_the_schema(tmp_path):
    root = written(tmp_path, WORSE, SIMILAR, CHANGED)

    assert root.tag == "testsuites"
    for element in root.iter():
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        assert set(element.attrib) == ATTRIBUTES.get(element.tag, set())
        assert re.fullmatch(r"\d+\.\d{3}", element.get("time", "0.000"))


def test_each_new_embedding_has_a_suite(tmp_path):
    suites = written(tmp_path, WORSE, replace(SIMILAR, embedding="newer"))

    assert [suite.get("name") for suite in suites] == [
        "lexiscope check new",
        "lexiscope check newer",
    ]


@pytest.mark.parametrize(
    "text", ["<&\"'>", "]]>", "\0\x01\x1b[31m", "\ud800", "\ufffe\uffff", "\u202e", "x" * 10_000]
)
def test_any_text_gives_a_valid_file(tmp_path, text):
    hostile = replace(CHANGED, embedding=text, task=text, dataset=text, reason=text)

    (suite,) = written(tmp_path, hostile, replace(hostile, fails=(text,)))

    (name,) = {case.get("name") for case in suite.findall("testcase")}
    assert len(name) <= 1000
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", Path(tmp_path, "junit.xml").read_text("utf-8"))


def test_a_sentence_has_the_difference_and_its_evidence():
    assert sentence(WORSE) == (
        "significantly worse: -0.031 (-0.045 to -0.017), p < 0.001 (permutations (9,999)), "
        "p = 0.012 after correction; 100 of 1,000 items are no longer covered "
        "(1,000 in the baseline, 900 now)"
    )
    assert sentence(SIMILAR).startswith("undecided: +0.004")
    assert sentence(SIMILAR).endswith(
        "p = 0.800 after correction, p = 0.070 for equivalence; minimum detectable difference 0.02"
    )
    assert sentence(EQUAL).startswith("equivalent within ±0.05: +0.004")
    assert sentence(EQUAL).endswith("p = 0.800 after correction, p = 0.001 for equivalence")
    assert sentence(CHANGED) == "not comparable: The task has changed."


@pytest.mark.parametrize("width", [80, 160])
def test_the_table_fits_the_terminal(width):
    text = StringIO()
    check = Check("results.json", "old", ("significant-drop",), (WORSE, SIMILAR, EQUAL, CHANGED))

    Console(file=text, width=width).print(table(check, width))

    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert ("p (equivalence)" in text.getvalue()) == (width == 160)
    assert any("±0.05" in line for line in lines)


def test_scores_on_other_items_are_compared_by_the_difference():
    rules = ("significant-drop",)
    note = "Scores are on the items that each embedding covers; compare them by the difference"

    assert any(line.startswith(note) for line in summary(Check("b", "old", rules, (WORSE,))))
    assert not any(line.startswith(note) for line in summary(Check("b", "old", rules, (EQUAL,))))


def test_the_last_line_is_the_outcome():
    rules = ("significant-drop",)
    failed = Check("results.json", "old", rules, (WORSE, SIMILAR, CHANGED))

    assert outcome(failed) == (
        "Failed: 1 of 3 evaluations against old of results.json (rules: significant-drop): "
        "1 significantly worse, 1 undecided, 1 not comparable."
    )
    assert summary(failed)[-1] == outcome(failed)
    assert outcome(Check("results.json", "old", rules, (EQUAL,))) == (
        "Passed: 1 evaluation against old of results.json (rules: significant-drop): "
        "1 equivalent within ±0.05."
    )


def test_a_check_that_passes_says_what_it_could_not_detect():
    passed = Check("results.json", "old", ("significant-drop",), (SIMILAR, EQUAL))

    assert summary(passed)[-2] == (
        "Undecided: 1 evaluation, where neither a difference nor equivalence within ±0.05 is "
        "significant. A true difference of up to 0.02 may remain undetected (similarity on rw; "
        "80 % power at the corrected level)."
    )
    assert not any(
        line.startswith("Undecided")
        for line in summary(Check("results.json", "old", ("significant-drop",), (EQUAL,)))
    )
