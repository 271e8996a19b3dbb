import pytest

from tests.web.browser.studies import odd_one_out
from tests.web.browser.visits import agree, answer, choose, expect_number, fits, login

# Controls that are visible and less than 44 pixels high; a box counts with its label.
_SMALL = """() => [...document.querySelectorAll("a, button, summary, label, input")]
  .filter((e) => e.checkVisibility() && !e.closest("label input") && e.type !== "hidden")
  .filter((e) => e.getBoundingClientRect().height < 44)
  .map((e) => e.outerHTML)"""

_TOPS = """() => [...document.querySelectorAll("label, button, h1")]
  .map((e) => e.getBoundingClientRect().top)"""


def _phone(visit, width):
    return visit(viewport={"width": width, "height": 844}, is_mobile=True, has_touch=True)


def _check(page, width):
    assert fits(page, width)
    assert page.evaluate(_SMALL) == []


@pytest.mark.parametrize("width", [390, 320])
def test_a_whole_study_on_a_phone(serve, visit, width):
    server, page = serve(), _phone(visit, width)
    page.goto(server.url)
    _check(page, width)
    agree(page, server.url)
    page.locator("summary").tap()
    _check(page, width)
    page.get_by_role("link", name="Go to the questions").tap()
    for number in range(1, 6):
        expect_number(page, number)
        _check(page, width)
        assert page.locator("kbd").first.is_hidden()
        button = page.locator("#item button").bounding_box()
        assert button["y"] + button["height"] <= 844
        page.locator("label.option").last.tap()
        page.locator("#item button").tap()
    page.wait_for_url("**/thanks")
    _check(page, width)

    assert [each.choice for each in server.judgments()] == [-1] * 5


@pytest.mark.parametrize("width", [390, 320])
def test_the_pages_of_the_administrator_on_a_phone(serve, visit, width):
    server, page = serve(mode="class"), _phone(visit, width)
    page.goto(f"{server.url}/admin")
    _check(page, width)
    login(page, server)
    page.locator("summary").tap()
    _check(page, width)
    page.get_by_role("button", name="Close the study").tap()
    page.get_by_role("link", name="Show results").wait_for()
    _check(page, width)


def test_the_last_option_can_be_scrolled_above_the_buttons(serve, visit):
    server = serve()
    page = visit(viewport={"width": 320, "height": 480}, is_mobile=True, has_touch=True)
    agree(page, server.url)
    page.get_by_role("link", name="Go to the questions").tap()
    expect_number(page, 1)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.locator("label.option").last.bounding_box()

    assert last["y"] + last["height"] <= page.locator(".actions").bounding_box()["y"]


def test_choosing_an_option_moves_nothing(serve, visit):
    server, page = serve(odd_one_out()), visit(viewport={"width": 390, "height": 844})
    agree(page, server.url)
    page.get_by_role("link", name="Go to the questions").click()
    expect_number(page, 1)
    before = page.evaluate(_TOPS)
    choose(page, 2)

    assert page.evaluate(_TOPS) == before
    answer(page, 1)
    expect_number(page, 2)
    assert page.evaluate(_TOPS)[:6] == before[:6]
