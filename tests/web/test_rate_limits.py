"""Limits on answers, new judges and failed log-ins."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from lexiscope.web.rate_limit import RateLimit
from lexiscope.web.settings import Limits, default_limits
from tests.web.http import FAST, SAME_ORIGIN, start, start_form

SLOW = replace(FAST, answers_per_second=1e-6, answer_burst=3.0)


def test_a_judge_who_answers_too_fast_is_slowed_down(serve_study):
    site = serve_study(limits=SLOW)
    first, second = start(site), start(site)
    statuses = [first.answer(number).status_code for number in (1, 2, 3)]
    item, before = first.item(4), site.contents()
    refused = first.answer(4, 0, item)
    assert (statuses, refused.status_code) == ([303] * 3, 429)
    assert "send it again" in refused.text
    assert site.contents() == before
    assert second.answer(1).status_code == 303  # others are not affected


def test_malformed_answers_count_too(serve_study):
    judge = start(serve_study(limits=SLOW))
    statuses = [judge.answer(1, "x", "nothing").status_code for _ in range(4)]
    assert statuses == [409, 409, 409, 429]


def test_new_judges_from_one_address_are_limited(serve_study):
    site = serve_study(limits=replace(FAST, starts_per_minute=2.0))
    start(site)
    start(site)
    form, before = start_form(site), site.contents()
    assert site.post("/start", form).status_code == 429
    assert site.contents() == before


def test_a_forwarded_address_is_not_believed_without_a_proxy(serve_study):
    site = serve_study(limits=replace(FAST, starts_per_minute=1.0))
    start(site)
    headers = {"x-forwarded-for": "203.0.113.7", "forwarded": "for=203.0.113.7"}
    assert site.post("/start", start_form(site), headers=headers).status_code == 429


def test_guessing_the_administrators_token_ends_soon(serve_study):
    site = serve_study(limits=replace(FAST, logins_per_hour=4.0))
    cookie = {"cookie": f"lexiscope_admin={site.tokens.new_session()}"}
    for k in range(2):
        site.post("/admin/login", {"token": f"wrong{k}"}, headers=SAME_ORIGIN)
        site.get("/admin/status", headers={"authorization": f"Bearer wrong{k}"})
    right = site.post("/admin/login", {"token": site.tokens.admin}, headers=SAME_ORIGIN)
    assert right.status_code == 403
    assert site.get("/admin/status", headers=site.bearer).status_code == 401
    assert site.get("/admin/status", headers=cookie).status_code == 200  # logged in before


def test_logging_in_correctly_is_not_limited(serve_study):
    site = serve_study(limits=replace(FAST, logins_per_hour=2.0))
    statuses = {site.get("/admin/status", headers=site.bearer).status_code for _ in range(6)}
    assert statuses == {200}


def test_the_default_limits():
    found = Limits()
    assert (found.answers_per_second, found.answer_burst) == (5.0, 20.0)
    assert (found.starts_per_minute, found.logins_per_hour) == (30.0, 50.0)
    assert found.body_bytes == 16_384
    assert default_limits("class").starts_per_minute == 600.0


def test_a_bucket_fills_again_up_to_its_burst():
    clock = SimpleNamespace(time=0.0)
    limit = RateLimit(rate=1.0, burst=2.0, clock=lambda: clock.time)
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    clock.time = 1.0
    assert [limit.allows("a") for _ in range(2)] == [True, False]
    clock.time = 100.0
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]


def test_the_memory_for_addresses_is_bounded():
    limit = RateLimit(rate=1.0, burst=1.0, clock=lambda: 0.0, capacity=10)
    for k in range(1000):
        limit.allows(f"address {k}")
    assert len(limit) == 10


@pytest.mark.parametrize("change", [0.0, 5.0])
def test_asking_whether_a_limit_is_reached_counts_nothing(change):
    limit = RateLimit(rate=0.0, burst=1.0, clock=lambda: change)
    assert [limit.exhausted("a"), limit.exhausted("a"), limit.allows("a")] == [False, False, True]
    assert limit.exhausted("a")
