import pickle

import numpy as np
import pytest

from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.formula import Formula
from lexiscope.core.grammar import Grammar, Question, Sweep
from lexiscope.core.rules import Image, Rule, Symbol, Word


def rule(symbol, parts, weight="1", line=0):
    """A rule from `a V mu(U)`: capitals are symbols."""
    made = []
    for part in parts.split():
        if "(" in part:
            made.append(Image(*part.rstrip(")").split("(")))
        else:
            made.append(Symbol(part) if part[0].isupper() else Word(part))
    return Rule(symbol, tuple(made), Formula(weight), line)


def ambiguous(**more):
    """Two contexts of w; `beta` is how likely the second is."""
    rules = (
        rule("S", "a V b", "1 - beta"),
        rule("S", "c V d", "beta"),
        rule("V", "v", "1/4"),
        rule("V", "w", "3/4"),
    )
    definitions = {"alpha": Formula("1"), "beta": Formula("2 ** -alpha")}
    return Grammar("ambiguous", "", rules, definitions, **more)


def test_a_parameter_can_follow_from_another():
    grammar = ambiguous(sweep=Sweep("alpha", (1.0, 2.0)))

    assert dict(grammar.parameters) == {"alpha": 1, "beta": 0.5}
    assert dict(grammar.at(alpha=2).parameters) == {"alpha": 2, "beta": 0.25}
    assert grammar.at(alpha=2).weights.tolist() == [0.75, 0.25, 0.25, 0.75]
    assert grammar.at(alpha=2).sweep == grammar.sweep


def test_a_number_takes_the_place_of_a_formula_and_of_what_only_the_formula_needed():
    grammar = ambiguous(sweep=Sweep("alpha", (1.0, 2.0))).at(beta=0.3)

    assert dict(grammar.parameters) == {"beta": 0.3}
    assert grammar.sweep is None
    with pytest.raises(UnknownName, match="No parameter"):
        grammar.at(alpha=1)


@pytest.mark.parametrize("beta", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_parameter_that_makes_no_weights_is_wrong_usage(beta):
    with pytest.raises(BadUsage, match="beta"):
        ambiguous().at(beta=beta)


def test_an_unknown_parameter_is_told_with_the_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'beta'"):
        ambiguous().at(betta=0.3)


def test_words_come_in_the_order_of_the_rules_with_those_of_maps_and_extra_sentences():
    rules = (rule("S", "a mu(S)"),)
    grammar = Grammar("small", "", rules, maps={"mu": ("x", "y")}, extra=(("a", "z"),))

    assert grammar.words == ("a", "x", "y", "z")


def test_the_mean_length_of_sentences_is_exact():
    once_more = (rule("S", "a S", "1/3"), rule("S", "b c", "2/3"))

    assert ambiguous().length == pytest.approx(3)
    assert Grammar("more", "", once_more).length == pytest.approx(2.5)  # L = 1/3 (1 + L) + 4/3


def test_training_words_are_all_but_those_held_out_with_or_without_contexts():
    question = Question(("w", "x"), ("v", "a"), held_out=("x",), contexts=("a",))

    assert question.training() == ("w", "v", "a")
    assert question.training(contexts=False) == ("w", "v")


def test_the_fingerprint_is_of_content_not_of_names_or_ways_to_write_it():
    grammar = ambiguous()
    asked = ambiguous(questions={"q": Question(("v",), ("w", "a"), ("w",))})

    assert grammar.at(alpha=2).fingerprint == grammar.at(beta=0.25).fingerprint
    assert grammar.at(alpha=1).fingerprint == grammar.fingerprint
    assert grammar.at(alpha=2).fingerprint != grammar.fingerprint
    assert asked.fingerprint != grammar.fingerprint


def test_a_grammar_travels_to_another_process():
    grammar = ambiguous(questions={"q": Question(("v",), ("w", "a"), ("w",))})

    there = pickle.loads(pickle.dumps(grammar))

    assert there.fingerprint == grammar.fingerprint
    assert there.question == grammar.question
    assert there.at(alpha=2).parameters["beta"] == 0.25


def test_a_grammar_cannot_be_changed():
    grammar = ambiguous()

    with pytest.raises(TypeError):
        grammar.parameters["alpha"] = 3
    with pytest.raises(ValueError, match="read-only"):
        grammar.weights[0] = 1


def test_a_grammar_without_a_question_says_so():
    with pytest.raises(BadUsage, match=r"asks nothing. Give it a \[question\]"):
        _ = ambiguous().question


@pytest.mark.parametrize("again", [0.5, 0.6, 1.0])
def test_sentences_that_need_not_end_are_refused(again):
    rules = (rule("S", "S S", str(again)), rule("S", "a", str(1 - again)))

    with pytest.raises(BadData, match="never end"):
        Grammar("endless", "", rules)


def test_sentences_that_end_late_are_fine():
    rules = (rule("S", "S S", "0.49"), rule("S", "a", "0.51"))

    assert Grammar("late", "", rules).length == pytest.approx(0.51 / 0.02)


def test_an_end_is_judged_as_the_largest_eigenvalue_judges_it():
    rng = np.random.default_rng(4)
    judged = set()
    for _ in range(60):
        # Three symbols that lead to each other; a sentence ends for sure below an eigenvalue of 1.
        means = rng.dirichlet((1, 1, 1, 3), size=3)
        rules = []
        for one in range(3):
            rules += [
                rule(f"S{one}", f"S{to} S{to} a", repr(float(means[one, to]))) for to in range(3)
            ]
            rules.append(rule(f"S{one}", "b", repr(float(1 - means[one, :3].sum()))))
        ends = max(abs(np.linalg.eigvals(2 * means[:, :3]))) < 1
        judged.add(ends)
        try:
            Grammar("some", "", tuple(rules))
        except BadData:
            assert not ends
        else:
            assert ends
    assert judged == {True, False}
