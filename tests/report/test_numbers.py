from types import SimpleNamespace

import pytest

from lexiscope.report import numbers


def estimate(value=0.5, low=0.25, high=0.75, state=""):
    return SimpleNamespace(value=value, low=low, high=high, state=state)


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (numbers.score, 0.12345, "0.123"),
        (numbers.correlation, 0.5, "+0.50"),
        (numbers.signed, -0.0001, "-0.000"),
        (numbers.percent, 0.1234, "12.3 %"),
        (numbers.whole_percent, 0.126, "13%"),
        (numbers.points, -0.0, "0.0"),
        (numbers.signed_points, 0.012, "+1.2"),
        (numbers.p_value, 0.0004, "< 0.001"),
        (numbers.p_value, 0.04, "0.040"),
        (numbers.p_equals, 0.0004, "p < 0.001"),
        (numbers.p_equals, 0.04, "p = 0.040"),
        (numbers.significant, 50.0, "50"),
        (numbers.detectable, 0.01949, "0.019"),
        (numbers.seconds, 1.25, "1.250"),
        (numbers.count, 2278, "2,278"),
    ],
)
def test_each_kind_of_number_has_one_format(write, value, text):
    assert write(value) == text


@pytest.mark.parametrize(
    "write", [numbers.score, numbers.correlation, numbers.percent, numbers.p_value]
)
def test_a_missing_number_is_a_dash(write):
    assert write(None) == "–"


def test_an_interval_has_the_format_of_its_value():
    assert numbers.interval(0.1, 0.2) == "0.100 to 0.200"
    assert numbers.interval_of(estimate(), numbers.correlation) == "+0.25 to +0.75"
    assert numbers.with_interval(estimate()) == "0.500 (0.250 to 0.750)"


def test_a_missing_interval_is_replaced_by_the_reason():
    assert numbers.interval_of(estimate(low=None, state="too few items")) == "too few items"
    assert numbers.interval_of(estimate(low=None)) == "–"
    assert numbers.with_interval(estimate(value=None, state="undefined")) == "undefined"
    assert numbers.with_interval(estimate(low=None, state="one trial")) == "0.500"


def test_a_score_in_the_unit_of_a_paper_has_one_digit():
    assert numbers.plain(61.25) == "61.2"
    assert numbers.plain(None) == numbers.MISSING
