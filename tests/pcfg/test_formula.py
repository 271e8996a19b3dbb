import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.errors import BadData
from lexiscope.pcfg.formula import Formula


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/4", 0.25),
        ("10/20", 0.5),
        ("(1 - beta) / 20", 0.0375),
        ("beta / 20", 0.0125),
        ("2 ** -alpha", 0.25),
        ("-2 ** 2", -4.0),
        ("2 ** 3 ** 2", 512.0),
        ("1 - 2 - 3", -4.0),
        ("8 / 4 / 2", 1.0),
        ("--1", 1.0),
        ("1e-3 + .5", 0.501),
        ("2 * (3 + 4)", 14.0),
    ],
)
def test_operators_have_the_usual_precedence(text, value):
    assert Formula(text).value({"alpha": 2.0, "beta": 0.25}) == pytest.approx(value, rel=1e-15)


def formulas():
    leaves = st.sampled_from(["1", "2", "0.5", "3.25", "x", "y"])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner).map(" ".join),
            inner.map("({})".format),
            inner.map("-{}".format),
        ),
        max_leaves=8,
    )


@given(formulas())
def test_formulas_agree_with_python(text):
    names = {"x": 1.5, "y": 0.75}
    try:
        expected = eval(text, {"__builtins__": {}}, {k: float(v) for k, v in names.items()})
    except ArithmeticError:
        expected = None
    if isinstance(expected, complex) or expected is None or not math.isfinite(expected):
        with pytest.raises(BadData):
            Formula(text).value(names)
    else:
        assert Formula(text).value(names) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    ["", "1 +", "1 2", "(1", "1)", "a.b", "f(1)", "__import__('os')", "1 // 2", "lambda: 1", "[1]"],
)
def test_an_invalid_formula_is_refused(text):
    with pytest.raises(BadData, match="formula"):
        Formula(text)


@pytest.mark.parametrize("text", ["1 / 0", "9 ** 9 ** 9", "(0 - 1) ** 0.5", "1e999"])
def test_a_formula_without_a_finite_value_is_refused(text):
    with pytest.raises(BadData, match=r"is not a (finite )?number"):
        Formula(text).value({})


def test_long_and_deep_formulas_are_refused_or_parsed():
    with pytest.raises(BadData, match="at most 200"):
        Formula("(" * 201)
    assert Formula("(" * 99 + "1" + ")" * 99).value({}) == 1


def test_a_formula_lists_its_names_and_can_be_pickled():
    formula = Formula("(1 - beta) * gamma")

    assert formula.names == {"beta", "gamma"}
    assert pickle.loads(pickle.dumps(formula)).value({"beta": 0.5, "gamma": 3}) == 1.5
