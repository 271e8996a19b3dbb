"""Studies on a page and in Markdown: words and names stay text."""

from dataclasses import replace

import pytest

from lexiscope.bench.study import carried_out
from lexiscope.bench.studyfile import of_grammar
from lexiscope.bench.studyplan import Criterion
from lexiscope.core.formula import Formula
from lexiscope.core.grammar import Grammar, Question
from lexiscope.core.rules import Rule, Symbol, Word
from lexiscope.report.studying import page, to_markdown
from tests.report.hostile_words import HOSTILE, NAMES

WORDS = [word for word in HOSTILE if len(word) < 100][:8]


@pytest.fixture(scope="module")
def hostile():
    """A study of a language whose words, name, question and types try something."""
    half = Formula("1/2")
    rules = [Rule("S", (Word("a"), Symbol("X")), half), Rule("S", (Word("b"), Symbol("Y")), half)]
    rules += [Rule("X", (Word(word),), Formula("1/4")) for word in WORDS[:4]]
    rules += [Rule("Y", (Word(word),), Formula("1/4")) for word in WORDS[4:]]
    asked = Question(tuple(WORDS[:4]), tuple(WORDS[4:]), (WORDS[0], WORDS[4]), about=NAMES[0])
    types = {f"{NAMES[1]}-x": (WORDS[1],)}
    grammar = Grammar(NAMES[0], NAMES[1], tuple(rules), questions={NAMES[2]: asked}, types=types)
    plan = of_grammar("nonconflation", models=["PPMI"], sentences=200, trials=2)
    criterion = Criterion(NAMES[2], grammar, NAMES[2], (None,))
    return carried_out(replace(plan, name=NAMES[1], criteria=(criterion,)))


def test_words_stay_words_in_the_page(hostile):
    text = page(hostile)

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text


def test_names_mean_nothing_to_markdown(hostile):
    text = to_markdown(hostile)

    assert "=1+1\\|\\\\write18" in text
    assert "<script>" not in text
    cells = {line.count(" | ") for line in text.splitlines() if "PPMI" in line}
    assert cells == {1, 3}  # no name opens another cell


def test_markdown_and_page_hold_every_verdict():
    from lexiscope.bench.study import reproduce

    found = reproduce("s0", criteria=["nonconflation"], models=["PPMI"], sentences=300, trials=3)
    (verdict,) = found.verdicts

    for text in (to_markdown(found), page(found)):
        assert "all four words negative: 50 %" in text.replace("\\", "")
        assert f"{100 * verdict.found.value:.1f} %" in text
        assert found.manifest["versions"]["lexiscope"] in page(found)
    assert found.manifest["criteria"][0]["sha256"] in page(found)
