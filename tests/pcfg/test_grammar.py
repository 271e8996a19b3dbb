import pickle

import numpy as np
import pytest

from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.grammar import Grammar, Sweep, Target
from lexiscope.pcfg.rules import Image, Rule, Symbol, Word


def rule(symbol, parts, probability="1", line=0):
    """A rule from `a V mu(U)`: capitals are symbols."""
    parsed = []
    for part in parts.split():
        if "(" in part:
            parsed.append(Image(*part.rstrip(")").split("(")))
        else:
            parsed.append(Symbol(part) if part[0].isupper() else Word(part))
    return Rule(symbol, tuple(parsed), Formula(probability), line)


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


def test_a_parameter_can_be_a_formula_of_another():
    grammar = ambiguous(sweep=Sweep("alpha", (1.0, 2.0)))

    assert dict(grammar.parameters) == {"alpha": 1, "beta": 0.5}
    assert dict(grammar.at(alpha=2).parameters) == {"alpha": 2, "beta": 0.25}
    assert grammar.at(alpha=2).probabilities.tolist() == [0.75, 0.25, 0.25, 0.75]
    assert grammar.at(alpha=2).sweep == grammar.sweep


def test_a_number_replaces_a_formula_and_the_parameters_that_only_the_formula_used():
    grammar = ambiguous(sweep=Sweep("alpha", (1.0, 2.0))).at(beta=0.3)

    assert dict(grammar.parameters) == {"beta": 0.3}
    assert grammar.sweep is None
    with pytest.raises(UnknownName, match="No parameter"):
        grammar.at(alpha=1)


@pytest.mark.parametrize("beta", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_parameter_that_gives_invalid_probabilities_is_refused(beta):
    with pytest.raises(BadUsage, match="beta"):
        ambiguous().at(beta=beta)


def test_an_unknown_parameter_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'beta'"):
        ambiguous().at(betta=0.3)


def test_words_are_in_the_order_of_rules_maps_and_extra_sentences():
    rules = (rule("S", "a mu(S)"),)
    grammar = Grammar("small", "", rules, maps={"mu": ("x", "y")}, extra=(("a", "z"),))

    assert grammar.words == ("a", "x", "y", "z")


def test_the_expected_length_of_sentences_is_exact():
    once_more = (rule("S", "a S", "1/3"), rule("S", "b c", "2/3"))

    assert ambiguous().length == pytest.approx(3)
    assert Grammar("more", "", once_more).length == pytest.approx(2.5)  # L = 1/3 (1 + L) + 4/3


def test_the_training_set_is_all_but_the_held_out_words_with_or_without_contexts():
    target = Target(("w", "x"), ("v", "a"), held_out=("x",), contexts=("a",))

    assert target.training() == ("w", "v", "a")
    assert target.training(contexts=False) == ("w", "v")


def test_the_fingerprint_depends_on_content_not_on_names_or_notation():
    grammar = ambiguous()
    probed = ambiguous(targets={"q": Target(("v",), ("w", "a"), ("w",))})

    assert grammar.at(alpha=2).fingerprint == grammar.at(beta=0.25).fingerprint
    assert grammar.at(alpha=1).fingerprint == grammar.fingerprint
    assert grammar.at(alpha=2).fingerprint != grammar.fingerprint
    assert probed.fingerprint != grammar.fingerprint


def test_a_grammar_can_be_pickled():
    grammar = ambiguous(targets={"q": Target(("v",), ("w", "a"), ("w",))})

    there = pickle.loads(pickle.dumps(grammar))

    assert there.fingerprint == grammar.fingerprint
    assert there.target == grammar.target
    assert there.at(alpha=2).parameters["beta"] == 0.25


def test_a_grammar_cannot_be_changed():
    grammar = ambiguous()

    with pytest.raises(TypeError):
        grammar.parameters["alpha"] = 3
    with pytest.raises(ValueError, match="read-only"):
        grammar.probabilities[0] = 1


def test_a_grammar_without_a_target_says_so():
    with pytest.raises(BadUsage, match=r"has no target. Add a \[target\] table"):
        _ = ambiguous().target


@pytest.mark.parametrize("again", [0.5, 0.6, 1.0])
def test_infinite_expected_length_is_refused(again):
    rules = (rule("S", "S S", str(again)), rule("S", "a", str(1 - again)))

    with pytest.raises(BadData, match="infinite expected length"):
        Grammar("endless", "", rules)


def test_long_but_finite_expected_length_is_accepted():
    rules = (rule("S", "S S", "0.49"), rule("S", "a", "0.51"))

    assert Grammar("late", "", rules).length == pytest.approx(0.51 / 0.02)


def test_termination_agrees_with_the_largest_eigenvalue():
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
