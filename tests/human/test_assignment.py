from collections import Counter

import pytest
from scipy.stats import chisquare

from lexiscope.core.study import Judgment
from lexiscope.human.assignment import choose_items, current_items, option_order
from lexiscope.store.study_file import StudyFile
from tests.human.study_builders import comparison, study


def test_the_order_of_options_is_a_permutation_that_can_be_repeated():
    some = study()
    item = some.items[0]

    assert sorted(option_order(some, "anna", item)) == [0, 1, 2]
    assert option_order(some, "anna", item) == option_order(some, "anna", item)


def test_positions_of_options_are_uniform():
    some = study()
    first = Counter(option_order(some, f"judge{k}", some.items[0])[0] for k in range(10_000))

    assert chisquare([first[k] for k in range(3)]).pvalue > 0.001


def test_items_with_the_fewest_judgments_come_first():
    loads = {f"item{k}": 2 for k in range(10)} | {"item3": 0, "item7": 1}
    chosen = choose_items(study(items_per_judge=2, controls_per_judge=0), loads, "anna")

    assert set(chosen) == {"item3", "item7"}


def test_items_with_enough_judgments_are_not_assigned():
    loads = {f"item{k}": 3 for k in range(10)}

    assert choose_items(study(), loads, "anna") == []


def test_a_judge_gets_control_items_but_not_first():
    for judge in range(30):
        chosen = choose_items(study(controls_per_judge=2), {}, f"judge{judge}")
        assert len(chosen) == 7
        assert sum(item.startswith("control") for item in chosen) == 2
        assert not chosen[0].startswith("control")


def test_a_judge_never_gets_a_query_twice_unless_asked():
    items = [comparison(k, query=f"query{k // 3}") for k in range(9)]
    once, often = (study(repeat_queries=r, controls_per_judge=0, items_per_judge=9)
                   for r in (False, True))  # fmt: skip
    queries = {item.id: item.query for item in items}

    chosen = choose_items(_with(once, items), {}, "anna")
    assert sorted(queries[item] for item in chosen) == ["query0", "query1", "query2"]
    assert len(choose_items(_with(often, items), {}, "anna")) == 9


def _with(some, items):
    from dataclasses import replace

    return replace(some, items=tuple(items))


def test_answered_items_count_towards_the_number_of_items():
    chosen = choose_items(study(controls_per_judge=0), {}, "anna", ["item0", "item1"])

    assert len(chosen) == 3
    assert not {"item0", "item1"} & set(chosen)


@pytest.fixture
def file(tmp_path):
    some = study(items=6, controls=0, items_per_judge=6, judges_per_item=1, controls_per_judge=0)
    with StudyFile.create(tmp_path / "words.study", some) as opened:
        yield opened


def test_reserved_items_go_to_nobody_else_until_the_reservation_expires(file):
    anna = file.add_judge("link", 0.0)
    berta = file.add_judge("link", 0.0)

    assert len(current_items(file, anna.id, 0.0)) == 6
    assert current_items(file, berta.id, 1.0) == ()
    assert len(current_items(file, berta.id, 3601.0)) == 6


def test_whoever_returns_late_gets_only_what_is_still_needed(file):
    anna = file.add_judge("link", 0.0)
    berta = file.add_judge("link", 0.0)
    first = current_items(file, anna.id, 0.0)[0].item
    file.record(Judgment(anna.id, first, 0, (0, 1, 2), 1.0, 1.0))
    for each in current_items(file, berta.id, 4000.0)[:3]:
        file.record(Judgment(berta.id, each.item, 0, (0, 1, 2), 1.0, 1.0))

    left = current_items(file, anna.id, 4001.0)

    assert [each.item for each in left] == [first]  # the other two are reserved for Berta


def test_every_item_reaches_its_number_of_judges_and_no_more(tmp_path):
    some = study(items=12, items_per_judge=4, judges_per_item=3, controls_per_judge=0)
    with StudyFile.create(tmp_path / "words.study", some) as file:
        for k in range(20):
            judge = file.add_judge("link", float(k))
            for each in current_items(file, judge.id, float(k)):
                file.record(Judgment(judge.id, each.item, 0, (0, 1, 2), 1.0, float(k)))
        counts = Counter(each.item for each in file.judgments())

    assert set(counts.values()) == {3}
    assert len(counts) == 12
