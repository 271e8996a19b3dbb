"""An integer and the equal float are one value of a float setting."""

from dataclasses import dataclass

import pytest

from lexiscope.core.contracts.settings import Configurable, setting
from lexiscope.evaluation.resolve import resolve_tasks
from lexiscope.tasks.analogy import Analogy
from tests.evaluation.outside import Outside


@dataclass(frozen=True)
class Model(Configurable):
    """Settings of several types."""

    size: int = 5
    rate: float = setting(1, "A rate whose default is an integer.", minimum=0)
    limit: float | None = None
    either: int | float = 2
    flag: bool = False


def test_an_integer_becomes_a_float_where_the_setting_is_one():
    found = Model(size=3, rate=2, limit=4, either=3, flag=True).settings

    assert found == {"size": 3, "rate": 2, "limit": 4, "either": 3, "flag": True}
    assert [type(each) for each in found.values()] == [int, float, float, int, bool]
    assert repr(Model()) == "Model(size=5, rate=1.0, limit=None, either=2, flag=False)"


@pytest.mark.parametrize("value", [1, 1.0, "1"])
def test_a_setting_gives_one_variant_however_it_is_written(value):
    from lexiscope.evaluation.cell import variant_of

    ((name, task),) = resolve_tasks(Outside, [("outside", "power", value)])

    assert variant_of(name, task) == variant_of(name, Outside(power=1)) == "outside (power=1.0)"


def test_equal_values_of_one_setting_give_one_task():
    given = [Analogy(epsilon=1), Analogy(epsilon=1.0)]

    assert len(resolve_tasks(given)) == 1
    assert str(resolve_tasks(given)[0][1].settings["epsilon"]) == "1.0"
