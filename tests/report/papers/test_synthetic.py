"""Reports of a synthetic experiment: words and names stay text."""

from dataclasses import replace

import pytest

from lexiscope.experiments.synthetic.plan import Criterion
from lexiscope.experiments.synthetic.run import run
from lexiscope.papers.reproduce import plan_for, reproduce
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.grammar import Grammar, Target
from lexiscope.pcfg.rules import Rule, Symbol, Word
from lexiscope.report.papers.document import page, to_markdown
from tests.report.hostile_words import HOSTILE, NAMES

WORDS = [word for word in HOSTILE if len(word) < 100][:8]


@pytest.fixture(scope="module")
def hostile():
    """A probing experiment on a language with hostile words, names, targets and types."""
    half = Formula("1/2")
    rules = [Rule("S", (Word("a"), Symbol("X")), half), Rule("S", (Word("b"), Symbol("Y")), half)]
    rules += [Rule("X", (Word(word),), Formula("1/4")) for word in WORDS[:4]]
    rules += [Rule("Y", (Word(word),), Formula("1/4")) for word in WORDS[4:]]
    target = Target(tuple(WORDS[:4]), tuple(WORDS[4:]), (WORDS[0], WORDS[4]), about=NAMES[0])
    types = {f"{NAMES[1]}-x": (WORDS[1],)}
    grammar = Grammar(NAMES[0], NAMES[1], tuple(rules), targets={NAMES[2]: target}, types=types)
    options = {"criteria": ["nonconflation"], "models": ["PPMI"]}
    plan = plan_for("s0", sentences=200, trials=2, **options)
    criterion = Criterion(NAMES[2], grammar, NAMES[2], (None,))
    return run(replace(plan, name=NAMES[1], criteria=(criterion,)))


def test_words_stay_text_on_the_page(hostile):
    text = page(hostile)

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text


def test_probes_are_described_by_their_docstrings(hostile):
    assert "Subspace: Predict the class of the held-out words with a linear SVM." in page(hostile)


def test_names_are_escaped_in_markdown(hostile):
    text = to_markdown(hostile)

    assert "=1+1\\|\\\\write18" in text
    assert "<script>" not in text
    cells = {line.count(" | ") for line in text.splitlines() if "PPMI" in line}
    assert cells == {1, 4, 6}  # no name opens another cell: variants, scores, facets


def test_markdown_and_page_contain_every_verdict():
    found = reproduce("s0", criteria=["nonconflation"], models=["PPMI"], sentences=300, trials=3)
    (verdict,) = [v for v in found.verdicts if v.verdict != "not run"]

    for text in (to_markdown(found), page(found)):
        assert "all four words negative: 50 %" in text.replace("\\", "")
        assert f"{100 * verdict.ours.value:.1f} %" in text
        assert found.results.manifest["versions"]["lexiscope"] in page(found)
    assert found.results.manifest["criteria"][0]["sha256"] in page(found)
