"""Changes of the clock, expired reservations and expired links."""

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.web.http import start, start_form
from tests.web.studies import SETTINGS, comparison

HOUR, DAY = 3600.0, 86_400.0
ONE_EACH = replace(SETTINGS, judges_per_item=1, items_per_judge=3, controls_per_judge=0)


@pytest.fixture
def clock(monkeypatch):
    """The clock of the server, which can be moved."""
    moved = SimpleNamespace(by=0.0)
    now = SimpleNamespace(time=lambda: time.time() + moved.by)
    monkeypatch.setattr("lexiscope.web.site.time", now)
    return moved


@pytest.mark.parametrize("change", [-DAY, -HOUR, -1.0, HOUR / 2, 2 * HOUR, DAY])
def test_an_answer_after_a_change_of_the_clock_is_stored_with_its_true_time(
    serve_study, clock, change
):
    judge = start(serve_study())
    item = judge.item(1)
    clock.by = change
    assert judge.answer(1, 1, item).status_code == 303
    stored = judge.judgments()[item]
    assert 0.0 <= stored.seconds < 5.0


def test_a_judge_finishes_while_the_clock_jumps_back_and_forth(serve_study, clock):
    judge = start(serve_study())
    items = []
    for number in range(1, 7):
        clock.by = (-1) ** number * 600.0
        items.append(judge.item(number))
        judge.answer(number, 1, items[-1])
    assert "All 6 answers are stored." in judge.get("/thanks").text
    stored = judge.judgments()
    assert set(stored) == set(items)
    assert all(each.seconds >= 0.0 for each in stored.values())


def test_an_item_shown_before_a_restart_has_no_negative_time(serve_study, clock):
    site = serve_study()
    judge = start(site)
    item = judge.item(1)
    site.execute("UPDATE assignment SET shown = shown + 1000000.0")
    clock.by = -DAY
    judge.answer(1, 0, item)
    assert judge.judgments()[item].seconds >= 0.0


def test_items_of_a_judge_who_left_go_to_others(serve_study, clock):
    site = serve_study(comparison(number=3, settings=ONE_EACH))
    first = start(site)
    assert "We have all answers" in site.post("/start", start_form(site)).text
    clock.by = 1.1 * HOUR
    second = start(site)
    assert "All 3 answers are stored." in second.answer_all().text
    # Nothing is left for the first judge, who gave no answer and gets no code.
    thanks = first.site.get(first.get().headers["location"]).text
    assert "nothing left to do" in thanks
    assert "C0DE42" not in thanks


def test_an_answer_that_comes_too_late_is_refused_if_someone_else_gave_it(serve_study, clock):
    site = serve_study(comparison(number=3, settings=ONE_EACH))
    first = start(site)
    item = first.item(1)
    clock.by = 1.1 * HOUR
    start(site).answer_all()
    answer = first.answer(1, 0, item)
    assert answer.status_code == 409
    assert "someone else answered it" in answer.text
    assert first.judgments() == {}
    with site.file() as file:
        assert set(file.judgments_per_item().values()) == {1}


def test_a_late_answer_is_stored_if_the_item_still_needs_it(serve_study, clock):
    """The judge would get other items now, but has already spent time on this one."""
    settings = replace(ONE_EACH, judges_per_item=2, items_per_judge=1)
    site = serve_study(comparison(number=6, settings=settings))
    first = start(site)
    item = first.item(1)
    clock.by = 1.1 * HOUR
    site.execute("INSERT INTO judge VALUES ('j', 'link', 0.0, NULL, '')")
    site.execute("INSERT INTO judgment VALUES ('j', ?, 0, x'000102', 1.0, 1.0)", item)
    assert first.answer(1, 0, item).status_code == 303
    assert list(first.judgments()) == [item]


def test_a_judge_whose_last_items_others_answered_is_finished(serve_study, clock):
    site = serve_study(comparison(number=3, settings=ONE_EACH))
    first = start(site)
    first.answer(1)
    clock.by = 1.1 * HOUR
    start(site).answer_all()
    assert first.get().headers["location"].endswith("/thanks")
    assert "C0DE42" in first.get("/thanks").text
    with site.file() as file:
        assert file.judge(first.id).finished is not None


def test_a_judge_who_goes_on_keeps_the_reservation(serve_study, clock):
    site = serve_study(comparison(number=3, settings=ONE_EACH))
    judge = start(site)
    items = [judge.item(1)]
    for minutes in (40, 80):  # each less than an hour after the answer before
        clock.by = 60.0 * minutes
        judge.answer(len(items), 0, items[-1])
        items.append(judge.item(len(items) + 1))
    assert "We have all answers" in site.post("/start", start_form(site)).text
    assert len(set(items)) == 3


def test_a_link_expires_after_thirty_days(serve_study, clock):
    site = serve_study()
    judge = start(site)
    item = judge.item(1)
    clock.by = 29.9 * DAY
    assert judge.get("/instructions").status_code == 200
    clock.by = 30.1 * DAY
    before = site.contents()
    pages = [judge.get(page) for page in ("", "/1", "/thanks", "/instructions")]
    assert {page.status_code for page in [*pages, judge.answer(1, 0, item)]} == {403}
    assert site.contents() == before


def test_a_closed_study_assigns_nothing(serve_study, clock):
    site = serve_study()
    judge = start(site)
    judge.answer(1)
    with site.file() as file:
        file.close_study(1.0)
    clock.by = DAY
    before = site.contents()
    for page in ("", "/1", "/thanks"):
        judge.get(page)
    assert site.contents() == before
