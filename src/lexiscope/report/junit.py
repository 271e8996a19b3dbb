"""A check as a JUnit file, which continuous integration shows as a list of tests.

Written for the schema of Jenkins (junit-10.xsd). It allows properties of a suite but not of a
test, so the numbers of an evaluation are properties of the suite, named after the evaluation.
"""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from lexiscope.core.display import shown
from lexiscope.data.atomic_write import replacing
from lexiscope.regression.outcome import Check, CheckedEvaluation
from lexiscope.report.numbers import seconds, significant
from lexiscope.report.regression import sentence

_LONGEST = 1000


def write(check: Check, path: Path) -> None:
    """Write a suite for each new embedding with a test for each evaluation."""
    root = Element("testsuites")
    for embedding in dict.fromkeys(each.embedding for each in check.evaluations):
        evaluations = [each for each in check.evaluations if each.embedding == embedding]
        root.append(_suite(f"lexiscope check {embedding}", evaluations))
    indent(root)
    with replacing(path) as file:
        ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _suite(name: str, evaluations: Sequence[CheckedEvaluation]) -> Element:
    suite = Element(
        "testsuite",
        name=_text(name),
        tests=str(len(evaluations)),
        failures=str(sum(bool(each.fails) for each in evaluations)),
        errors="0",
        skipped=str(sum(_is_skipped(each) for each in evaluations)),
        time=seconds(sum(each.seconds for each in evaluations)),
    )
    properties = SubElement(suite, "properties")
    for each in evaluations:
        for key, value in _numbers(each).items():
            label = _text(f"{each.task}, {each.dataset}: {key}")
            SubElement(properties, "property", name=label, value=value)
    suite.extend(_case(each) for each in evaluations)
    return suite


def _case(checked: CheckedEvaluation) -> Element:
    case = Element(
        "testcase",
        classname=_text(checked.task),
        name=_text(checked.dataset),
        time=seconds(checked.seconds),
    )
    message = _text(sentence(checked))
    if checked.fails:
        kinds = _text(", ".join(checked.fails))
        SubElement(case, "failure", type=kinds, message=message).text = message
    elif _is_skipped(checked):
        SubElement(case, "skipped", message=message)
    SubElement(case, "system-out").text = message
    return case


def _is_skipped(checked: CheckedEvaluation) -> bool:
    return checked.verdict == "not comparable" and not checked.fails


def _numbers(checked: CheckedEvaluation) -> dict[str, str]:
    """The numbers that are defined, by name."""
    found = checked.comparison
    numbers = {"baseline": checked.baseline_score, "score": checked.score}
    if found is not None:
        numbers |= {
            "difference": found.difference,
            "low": found.low,
            "high": found.high,
            "p": found.p,
            "p (Holm-Tarone)": found.p_holm,
            "p (equivalence)": found.p_equivalence,
        }
    return {key: significant(value) for key, value in numbers.items() if value is not None}


def _text(text: str) -> str:
    """Text that XML can hold: without control characters, surrogates and U+FFFE/F."""
    return "".join("�" if c in "\ufffe\uffff" else c for c in shown(text, _LONGEST))
