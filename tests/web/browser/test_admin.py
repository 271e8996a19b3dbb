"""The administrator's page counts while people answer, without a reload."""

from dataclasses import replace

from playwright.sync_api import expect

from tests.web.browser.visits import login
from tests.web.http import Served, start
from tests.web.studies import SETTINGS, comparison

_TICK = 3_000  # milliseconds between two updates
_HIDE = "(hidden) => Object.defineProperty(document, 'hidden', {value: hidden, configurable: true})"
_ONE_EACH = comparison(6, replace(SETTINGS, judges_per_item=1, items_per_judge=3))


def _open(server, page):
    """The page with a clock that the test moves."""
    page.clock.install()
    login(page, server)
    return Served(server.path, server.url, server.tokens)


def _expect_counts(page, **counts):
    for name, value in counts.items():
        expect(page.locator(f"[data-count={name}]")).to_have_text(str(value))


def _updated(page):
    with page.expect_response("**/admin/status") as response:
        page.clock.run_for(_TICK)
    return response.value


def test_the_numbers_follow_the_judges(serve, visit):
    server, page = serve(_ONE_EACH), visit()
    site = _open(server, page)
    _expect_counts(page, percent=0, judges=0, finished=0, judgments=0, complete=0)
    first = start(site)
    first.answer(1)
    _updated(page)
    _expect_counts(page, judges=1, finished=0, judgments=1)
    first.answer_all()
    _updated(page)
    _expect_counts(page, percent=50, judges=1, finished=1, judgments=4, complete=3)
    assert page.locator("#bar").evaluate("(bar) => bar.value") == 50
    start(site).answer_all()
    _updated(page)

    _expect_counts(page, percent=100, judges=2, finished=2, judgments=8, complete=6)
    assert page.locator("#bar").evaluate("(bar) => bar.value") == 100
    with server.file() as file:
        assert len(file.judgments()) == 8


def test_a_hidden_page_does_not_load_the_server(serve, visit):
    server, page = serve(_ONE_EACH), visit()
    site = _open(server, page)
    page.evaluate(_HIDE, True)
    start(site)
    before = len(visit.seen[-1].requests)
    page.clock.run_for(10 * _TICK)
    page.wait_for_timeout(200)

    assert len(visit.seen[-1].requests) == before
    page.evaluate(_HIDE, False)
    _updated(page)
    _expect_counts(page, judges=1)


def test_the_numbers_go_on_after_the_server_was_away(serve, visit):
    server, page = serve(_ONE_EACH), visit()
    site = _open(server, page)
    server.stop()
    with page.expect_event("requestfailed"):
        page.clock.run_for(_TICK)
    _expect_counts(page, judges=0)
    server.start()
    start(site)
    _updated(page)

    _expect_counts(page, judges=1)


def test_after_the_session_has_ended_the_last_numbers_stay(serve, visit):
    server, page = serve(_ONE_EACH), visit()
    site = _open(server, page)
    start(site)
    _updated(page)
    page.context.clear_cookies()
    start(site)

    assert _updated(page).status == 401
    _expect_counts(page, judges=1)
