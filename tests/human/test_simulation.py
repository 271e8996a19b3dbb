"""Simulated judges: known probabilities, and the assignment of real studies."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.study import OPT_OUT
from lexiscope.human.scoring.quality import FAST_SECONDS, judge_quality, position_bias
from lexiscope.human.simulation import Behaviour, simulate
from tests.human.study_builders import study

PLAIN = Behaviour(item_effect=0, judge_effect=0, lapse=0, opt_out=0)


def large(**settings):
    return study(600, judges_per_item=3, items_per_judge=30, controls_per_judge=0, **settings)


def test_choices_have_the_probabilities_of_the_qualities():
    given = simulate(large(), np.random.default_rng(0), quality={"A": 1.0}, behaviour=PLAIN)[1]
    counts = Counter(each.choice for each in given)

    assert counts[0] / len(given) == pytest.approx(np.e / (np.e + 2), abs=0.04)
    assert counts[1] / len(given) == pytest.approx(1 / (np.e + 2), abs=0.04)


def test_opt_outs_and_lapses_occur_as_often_as_stated():
    how = replace(PLAIN, opt_out=0.2)
    given = simulate(large(), np.random.default_rng(0), behaviour=how)[1]

    assert np.mean([each.choice == OPT_OUT for each in given]) == pytest.approx(0.2, abs=0.04)
    how = replace(PLAIN, lapse=0.6)
    given = simulate(large(), np.random.default_rng(1), quality={"A": 30.0}, behaviour=how)[1]
    assert np.mean([each.choice == 0 for each in given]) == pytest.approx(0.6, abs=0.04)


def test_every_item_gets_its_number_of_judges():
    judges, given = simulate(large(), np.random.default_rng(0))

    assert set(Counter(each.item for each in given).values()) == {3}
    assert {each.judge for each in given} == {judge.id for judge in judges}


def test_a_stated_number_of_judges_answers():
    assert len(simulate(large(), np.random.default_rng(0), 2)[0]) == 2
    with pytest.raises(BadUsage, match="1 or more"):
        simulate(large(), np.random.default_rng(0), 0)
    with pytest.raises(UnknownName, match="Z"):
        simulate(large(), np.random.default_rng(0), quality={"Z": 1.0})


def test_positions_are_uniform_for_judges_without_a_bias_only():
    some = large()
    given = simulate(some, np.random.default_rng(0))[1]
    first = [replace(each, choice=each.order[0]) for each in given if each.choice != OPT_OUT]

    assert position_bias(some, given)[0].p > 0.001
    assert position_bias(some, first)[0].p < 1e-9


def test_judges_are_flagged_for_position_and_speed_by_fixed_rules():
    some = large()
    judges, given = simulate(some, np.random.default_rng(0))
    one, two = judges[0].id, judges[1].id
    changed = [
        replace(each, choice=each.order[0], seconds=4.0) if each.judge == one
        else replace(each, seconds=FAST_SECONDS / 2) if each.judge == two
        else each
        for each in given
    ]  # fmt: skip
    flags = {each.judge: each.flags for each in judge_quality(some, changed)}

    assert flags[one] == ("same position",)
    assert flags[two] == ("fast answers",)
    assert sum(map(bool, flags.values())) == 2
