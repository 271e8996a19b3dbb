"""Judges who come and answer at the same time: no item gets more judgments than it should."""

import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.web.http import Visitor, start, start_form
from tests.web.studies import SETTINGS, comparison

JUDGES, TARGET, ITEMS = 24, 3, 6
SHORT = replace(SETTINGS, judges_per_item=TARGET, items_per_judge=2)


def _all_at_once(work, count=JUDGES):
    """Run something in threads that begin together; returns what they return."""
    barrier = threading.Barrier(count)

    def begin(number):
        barrier.wait(60)
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


def _arrive(site):
    """Start as a new judge; None if the study has all answers."""
    reply = site.post("/start", start_form(site))
    if reply.status_code == 303:
        return Visitor(site, reply.headers["location"].split("/")[2])
    assert "We have all answers" in reply.text
    return None


def _judgments_per_item(site):
    """The number of judgments of each item that is scored."""
    with site.file() as file:
        scored = {item.id for item in file.study.scored}
        return Counter(each.item for each in file.judgments() if each.item in scored)


def test_every_item_gets_exactly_its_number_of_judgments(serve_study):
    site = serve_study(comparison(ITEMS, SHORT))

    def take_part(_):
        judge = _arrive(site)
        return judge is not None and judge.answer_all().status_code == 200

    took_part = _all_at_once(take_part)

    assert sum(took_part) == TARGET * ITEMS // 2
    found = _judgments_per_item(site)
    assert len(found) == ITEMS
    assert set(found.values()) == {TARGET}


def test_reservations_never_exceed_the_target_either(serve_study):
    site = serve_study(comparison(ITEMS, SHORT))
    judges = [judge for judge in _all_at_once(lambda _: _arrive(site)) if judge is not None]

    with site.file() as file:
        scored = {item.id for item in file.study.scored}
        reserved = Counter(each.item for judge in judges for each in file.assigned(judge.id)
                           if each.item in scored)  # fmt: skip
    assert reserved == dict.fromkeys(scored, TARGET)


@pytest.mark.parametrize("seed", range(3))
def test_late_answers_and_those_who_replace_them_do_not_overshoot(serve_study, seed):
    """Reservations expire while their judges still have the page open, and others take over."""
    site = serve_study(comparison(ITEMS, SHORT))
    late = [start(site) for _ in range(TARGET * ITEMS // 2)]
    with site.file() as file:
        old = {judge.id: [each.item for each in file.assigned(judge.id)] for judge in late}
    site.execute("UPDATE assignment SET reserved = 0")
    order = random.Random(seed).sample(range(JUDGES), JUDGES)

    def act(number):
        if order[number] >= len(late):
            judge = _arrive(site)
            return judge is None or judge.answer_all().status_code == 200
        judge = late[order[number]]
        replies = [judge.answer(1, item=item).status_code for item in old[judge.id]]
        return set(replies) <= {303, 409}

    assert all(_all_at_once(act))
    assert max(_judgments_per_item(site).values()) <= TARGET
