from dataclasses import dataclass
from typing import Literal

import pytest

from lexiscope.core.contracts.settings import (
    Configurable,
    convert_setting,
    name_of,
    setting,
    validate_setting,
)
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.trainers.skipgram import Skipgram


@dataclass(frozen=True)
class Model(Configurable):
    """Settings with all kinds of bounds."""

    size: int = setting(5, "A size.", minimum=1)
    rate: float = setting(0.1, "A rate.", exclusive_minimum=0)
    exponent: float = setting(0.5, "An exponent.", minimum=0, maximum=1)
    fraction: float = setting(0.5, "A fraction.", exclusive_minimum=0, exclusive_maximum=1)
    power: float = setting(0.5, "A power.", exclusive_minimum=0, maximum=1)
    angle: float = setting(0.5, "An angle.", minimum=0, exclusive_maximum=360)
    small: int = setting(0, "Small.", maximum=3)
    low: float = setting(0.0, "Low.", exclusive_maximum=3)
    rotations: int = setting(0, "Rotations.", minimum=0, maximum=1_000_000)
    kind: Literal["mean", "sum"] = setting("mean", "A choice.")
    limit: int | None = setting(None, "An optional limit.", minimum=1)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"size": 0}, "model.size must be 1 or more, found 0."),
        ({"rate": 0}, "model.rate must be more than 0, found 0."),
        ({"rate": float("nan")}, "model.rate must be a finite number, found nan."),
        ({"exponent": 1.5}, "model.exponent must be from 0 to 1, found 1.5."),
        ({"fraction": 1.0}, "model.fraction must be between 0 and 1, found 1.0."),
        ({"power": 0}, "model.power must be more than 0, and 1 or less, found 0."),
        ({"angle": 360}, "model.angle must be 0 or more, and less than 360, found 360."),
        ({"small": 4}, "model.small must be 3 or less, found 4."),
        ({"low": 3}, "model.low must be less than 3, found 3."),
        ({"rotations": -1}, "model.rotations must be from 0 to 1,000,000, found -1."),
        ({"limit": 0}, "model.limit must be 1 or more, found 0."),
    ],
)
def test_a_value_out_of_bounds_is_refused(changes, expected):
    with pytest.raises(BadUsage) as caught:
        Model(**changes)

    assert str(caught.value) == expected


def test_a_value_that_is_not_a_choice_is_refused():
    with pytest.raises(UnknownName, match=r"No value of model\.kind named 'men'\. Did you mean"):
        Model(kind="men")


def test_bounds_themselves_are_allowed_unless_exclusive():
    found = Model(size=1, exponent=1, power=1, angle=0, small=3, limit=None)

    assert found.settings["exponent"] == 1


def test_text_is_converted_to_the_type_of_the_field():
    assert convert_setting(Model, "model", "size", "7") == 7
    assert convert_setting(Model, "model", "rate", "0.25") == 0.25
    assert convert_setting(Model, "model", "size", "-7") == -7  # bounds are not checked
    with pytest.raises(BadUsage, match=r"model\.size=many: Expected `int`"):
        convert_setting(Model, "model", "size", "many")
    with pytest.raises(
        UnknownName, match=r"No setting of model named 'sise'\. Did you mean 'size'"
    ):
        convert_setting(Model, "model", "sise", "1")


def test_validation_converts_and_checks():
    assert validate_setting(Model, "model", "size", "7") == 7
    with pytest.raises(BadUsage, match=r"model\.size must be 1 or more, found 0"):
        validate_setting(Model, "model", "size", "0")


def test_a_setting_without_a_default_is_required():
    @dataclass(frozen=True)
    class Needy(Configurable):
        base: str = setting(help="A base.")

    with pytest.raises(TypeError, match="base"):
        Needy()


def test_built_in_classes_have_the_name_of_their_file():
    assert name_of(Skipgram) == "skipgram"
    assert name_of(Model) == "model"
