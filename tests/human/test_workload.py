from dataclasses import replace

import pytest

from lexiscope.core.study import Study
from lexiscope.human.consent import consent
from lexiscope.human.workload import items_of_judge, minutes_of_judge
from lexiscope.report.study.overview import design
from tests.human.study_builders import EMBEDDINGS, comparison, control, study


def three_ranks(words=4, **settings):
    """Items at three ranks of each word, and one control item."""
    made = [replace(comparison(3 * k + n, query=f"word{k}"), rank=(1, 5, 50)[n])
            for k in range(words) for n in range(3)]  # fmt: skip
    given = replace(study(**settings).settings, items_per_judge=40, controls_per_judge=3)
    items = (*made, control(0))
    return Study("comparison", replace(given, **settings), dict.fromkeys(EMBEDDINGS, ""), items)


def test_a_judge_gets_as_many_items_as_there_are_query_words_and_controls():
    assert items_of_judge(three_ranks()) == 4 + 1
    assert items_of_judge(three_ranks(repeat_queries=True)) == 12 + 1
    assert items_of_judge(three_ranks(items_per_judge=2, controls_per_judge=0)) == 2


def test_consent_design_and_wage_assume_the_same_time():
    some = three_ranks(words=29, pay_per_judge=1.0)  # 29 words and a control item, 8 s each

    assert minutes_of_judge(some) == pytest.approx(4.0)
    assert design(some)["minutes_per_judge"] == pytest.approx(4.0)
    assert design(some)["pay_per_hour"] == pytest.approx(15.0)
    [what] = [each.text for each in consent(some, "link").statements if each.heading == "What"]
    assert "There are 30 short questions; most people need about 4 minutes." in what
