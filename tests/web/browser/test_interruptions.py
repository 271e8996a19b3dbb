"""Repeated, late and interrupted requests: every answer is stored once."""

import time

import pytest
from playwright.sync_api import Error, expect

from tests.web.browser.studies import six_options
from tests.web.browser.visits import (
    agree,
    answer,
    answer_rest,
    choose,
    expect_number,
    resume_link,
    send,
    words,
)
from tests.web.http import hidden_fields


@pytest.fixture
def later(monkeypatch):
    """A function that moves the server's clock by some seconds, also backwards."""
    moved = [0.0]
    for module in ("judging", "starting", "admin"):
        monkeypatch.setattr(f"lexiscope.web.{module}.now", lambda: time.time() + moved[0])

    def move(seconds):
        moved[0] += seconds

    return move


def _stored(server):
    """The stored answers of the only judge, in the order of their items."""
    with server.file() as file:
        [judge] = file.judges()
        given = {each.item: each for each in file.judgments()}
        return [given[each.item] for each in file.assigned(judge.id) if each.item in given]


def _positions(server):
    return [each.order.index(each.choice) for each in _stored(server)]


def test_a_double_click_answers_one_question(serve, visit):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    choose(page, 1)
    page.locator("#item button").dblclick()
    expect_number(page, 2)
    page.wait_for_timeout(100)

    expect_number(page, 2)
    assert _positions(server) == [1]
    assert server.revisions() == ()


def test_a_form_that_is_sent_twice_is_stored_once(serve, visit):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    form = {**hidden_fields(page.content()), "choice": "1"}
    sent = [page.context.request.post(page.url, form=form, max_redirects=0) for _ in range(2)]

    assert {each.status for each in sent} == {303}
    assert {each.headers["location"][-2:] for each in sent} == {"/2"}
    assert _positions(server) == [1]
    assert server.revisions() == ()


def test_a_double_click_on_start_adds_one_judge(serve, visit):
    server, page = serve(), visit()
    page.goto(server.url)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").dblclick()
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()

    with server.file() as file:
        assert len(file.judges()) == 1


def test_the_back_button_shows_the_stored_answer_and_a_change_is_a_revision(serve, visit):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    answer(page, 1)
    expect_number(page, 2)
    page.go_back()
    expect_number(page, 1)
    assert page.locator("label.option input").nth(1).is_checked()
    answer(page, 2)
    expect_number(page, 2)

    assert _positions(server) == [2]
    [(_, item, choice, _)] = server.revisions()
    [stored] = _stored(server)
    assert (item, stored.order.index(choice)) == (stored.item, 1)


def test_two_tabs_of_a_judge_keep_one_answer_and_the_revision(serve, visit):
    server, first = serve(), visit()
    first.goto(server.new_judge())
    second = first.context.new_page()
    second.goto(first.url)
    assert words(second) == words(first)
    answer(first, 0)
    expect_number(first, 2)
    answer(second, 1)
    expect_number(second, 2)
    answer(first, 2)
    expect_number(first, 3)
    answer(second, 2)
    expect_number(second, 3)

    assert _positions(server) == [1, 2]
    assert len(server.revisions()) == 1


def test_the_resume_link_continues_on_another_device(serve, visit):
    server, desk = serve(), visit()
    agree(desk, server.url)
    desk.locator("summary").click()
    link = desk.locator(".link").text_content()
    desk.get_by_role("link", name="Go to the questions").click()
    expect_number(desk, 1)
    answer(desk)
    expect_number(desk, 2)
    phone = visit(viewport={"width": 390, "height": 844})
    phone.goto(link)
    expect_number(phone, 2)
    assert words(phone) == words(desk)
    answer_rest(phone)
    desk.goto(link)

    expect(desk.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert len(server.judgments()) == 5
    with server.file() as file:
        assert len(file.judges()) == 1


def test_an_expired_link_stores_nothing(serve, visit, later):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    answer(page)
    expect_number(page, 2)
    later(31 * 86_400.0)
    answer(page)

    expect(page.get_by_role("heading", name="This link has expired")).to_be_visible()
    assert len(server.judgments()) == 1


def test_an_item_that_someone_else_answered_after_the_reservation_is_refused(serve, visit, later):
    study = six_options(4, judges_per_item=1, controls_per_judge=0)
    server, slow, other = serve(study), visit(), visit()
    slow.goto(server.new_judge())
    answer(slow)
    expect_number(slow, 2)
    later(2 * 3600.0)
    other.goto(server.new_judge())
    answer_rest(other)
    answer(slow)
    expect(slow.get_by_role("heading", name="This question is not yours")).to_be_visible()
    slow.get_by_role("link", name="Continue").click()

    expect(slow.locator("main")).to_contain_text("Your answer is stored.")
    assert len({each.item for each in server.judgments()}) == 4
    assert sorted(_per_judge(server)) == [1, 3]


def _per_judge(server):
    with server.file() as file:
        return file.judgments_per_judge().values()


def test_an_expired_reservation_without_others_continues(serve, visit, later):
    server, page = serve(six_options(4)), visit()
    page.goto(server.new_judge())
    answer(page)
    expect_number(page, 2)
    later(2 * 3600.0)
    answer(page)
    expect_number(page, 3)
    answer_rest(page)

    assert len(server.judgments()) == 5


def test_a_restart_between_two_items_loses_nothing(serve, visit):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    answer(page, 1)
    expect_number(page, 2)
    shown = words(page)
    server.stop()
    server.start()
    choose(page, 2)
    send(page)
    expect_number(page, 3)

    assert _positions(server) == [1, 2]
    assert words(page) != []
    page.get_by_role("link", name="Back").click()
    expect_number(page, 2)
    assert words(page) == shown
    assert all(0.0 <= each.seconds < 60.0 for each in _stored(server))


def test_an_answer_to_a_stopped_server_can_be_given_again(serve, visit):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    home = resume_link(page)
    answer(page, 1)
    expect_number(page, 2)
    choose(page, 2)
    server.stop()
    with pytest.raises(Error, match="ERR_"):
        page.goto(home)
    server.start()
    page = page.context.new_page()  # the first one may still show Chromium's own page
    page.goto(home)
    expect_number(page, 2)
    answer(page, 2)
    expect_number(page, 3)

    assert _positions(server) == [1, 2]


def test_a_study_that_is_closed_midway_takes_no_more_answers(serve, visit):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    home = resume_link(page)
    answer(page)
    expect_number(page, 2)
    choose(page, 0)
    server.close_study()
    send(page)
    expect(page.get_by_role("heading", name="The study is closed")).to_be_visible()
    for address in (home, f"{home}/1", f"{home}/thanks", server.url):
        page.goto(address)
        expect(page.get_by_role("heading", name="The study is closed")).to_be_visible()

    assert _positions(server) == [0]


@pytest.mark.parametrize("seconds", [-86_400.0, -90.0, 1500.0, 86_400.0])
def test_a_clock_that_jumps_does_not_change_the_stored_seconds(serve, visit, later, seconds):
    server, page = serve(six_options(4)), visit()
    page.goto(server.new_judge())
    answer(page)
    expect_number(page, 2)
    later(seconds)
    answer(page)
    expect_number(page, 3)

    assert len(_stored(server)) == 2
    assert all(0.0 < each.seconds < 30.0 for each in _stored(server))


def test_a_clock_that_jumps_back_over_a_restart_gives_no_negative_seconds(serve, visit, later):
    server, page = serve(), visit()
    page.goto(server.new_judge())
    server.stop()
    later(-3600.0)
    server.start()
    answer(page)
    expect_number(page, 2)

    [stored] = _stored(server)
    assert stored.seconds is None or stored.seconds == 0.0
