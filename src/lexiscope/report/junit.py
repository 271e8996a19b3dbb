"""A check as a JUnit file, which continuous integration shows as a list of tests.

Written for the schema of Jenkins (junit-10.xsd): it knows properties of a suite but not of a test,
so a question's numbers stand with the suite under the question's name.
"""

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from lexiscope.bench.checked import Check, Checked
from lexiscope.core.display import shown
from lexiscope.data.files import replacing
from lexiscope.report.checking import sentence

_LONGEST = 1000


def write(check: Check, path: Path) -> None:
    """Write a suite for each new embedding with a test for each question."""
    root = Element("testsuites")
    for embedding in dict.fromkeys(question.embedding for question in check.questions):
        questions = [q for q in check.questions if q.embedding == embedding]
        root.append(_suite(f"lexiscope check {embedding}", questions))
    indent(root)
    with replacing(path) as file:
        ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _suite(name: str, questions: Sequence[Checked]) -> Element:
    suite = Element(
        "testsuite",
        name=_text(name),
        tests=str(len(questions)),
        failures=str(sum(bool(q.fails) for q in questions)),
        errors="0",
        skipped=str(sum(_is_skipped(q) for q in questions)),
        time=f"{sum(q.seconds for q in questions):.3f}",
    )
    properties = SubElement(suite, "properties")
    for question in questions:
        for key, value in _numbers(question).items():
            label = _text(f"{question.task}, {question.dataset}: {key}")
            SubElement(properties, "property", name=label, value=value)
    suite.extend(_case(question) for question in questions)
    return suite


def _case(question: Checked) -> Element:
    case = Element(
        "testcase",
        classname=_text(question.task),
        name=_text(question.dataset),
        time=f"{question.seconds:.3f}",
    )
    told = _text(sentence(question))
    if question.fails:
        failure = SubElement(case, "failure", type=_text(", ".join(question.fails)), message=told)
        failure.text = told
    elif _is_skipped(question):
        SubElement(case, "skipped", message=told)
    SubElement(case, "system-out").text = told
    return case


def _is_skipped(question: Checked) -> bool:
    return question.verdict == "not comparable" and not question.fails


def _numbers(question: Checked) -> dict[str, str]:
    """The numbers that exist, by name."""
    found = question.comparison
    numbers = {"baseline": question.before, "value": question.now}
    if found is not None:
        numbers |= {
            "difference": found.difference,
            "low": found.low,
            "high": found.high,
            "p": found.p,
            "p after Holm": found.p_holm,
        }
    return {key: f"{value:.6g}" for key, value in numbers.items() if value is not None}


def _text(text: str) -> str:
    """Text that XML can hold: without control characters, halves of surrogates and U+FFFE/F."""
    return "".join("�" if c in "\ufffe\uffff" else c for c in shown(text, _LONGEST))
