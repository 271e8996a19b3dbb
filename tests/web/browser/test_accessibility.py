"""axe-core finds no violation on any page, light and dark, at desktop and phone width."""

import pytest
from playwright.sync_api import expect

from lexiscope.web.answers import Answer, Arrival, start_judge, store_answer
from lexiscope.web.stopwatch import Stopwatch
from tests.web.browser.axe import axe_source
from tests.web.browser.studies import odd_one_out, six_options
from tests.web.browser.visits import agree, answer, answer_rest, begin, expect_number, login, send

_RUN = """async () => (await axe.run()).violations
  .map((each) => each.id + ": " + each.nodes.map((node) => node.html).join(" | "))"""
_VIEWS = ((1200, "light"), (1200, "dark"), (320, "light"), (320, "dark"))
_NO_CHECKS = "document.forms[0].noValidate = true"
_WORKER = "?workerId=W1&hitId=H1&turkSubmitTo=https://workersandbox.mturk.com&assignmentId="


@pytest.fixture
def page(visit, request):
    """A page in which axe-core is available."""
    source = axe_source(request.config.cache.mkdir("axe-core"))
    page = visit()
    page.context.add_init_script(source)
    return page


def _violations(page):
    found = []
    for width, scheme in _VIEWS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [(page.title(), width, scheme, each) for each in page.evaluate(_RUN)]
    return found


def test_the_pages_of_a_judge(serve, page):
    questions = {"ask_first_language": True, "ask_other_help": True}
    server, found = serve(six_options(2, **questions)), []
    page.goto(server.url)
    found += _violations(page)
    page.evaluate(_NO_CHECKS)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("Please tick the box")
    found += _violations(page)
    agree(page, server.url)
    page.locator("summary").click()
    found += _violations(page)
    page.get_by_role("link", name="Go to the questions").click()
    expect_number(page, 1)
    found += _violations(page)
    page.evaluate(_NO_CHECKS)
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("Please choose one of the answers.")
    found += _violations(page)
    answer(page)
    expect_number(page, 2)
    page.get_by_role("link", name="Back").click()
    expect_number(page, 1)
    found += _violations(page)
    send(page)
    for number in (2, 3):
        expect_number(page, number)
        answer(page)
    expect(page.get_by_role("heading", name="Two last questions")).to_be_visible()
    found += _violations(page)
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    found += _violations(page)
    page.goto(f"{server.url}/nowhere")
    found += _violations(page)

    assert found == []


def test_the_pages_of_the_administrator(serve, page):
    server, found = serve(odd_one_out(2), "class"), []
    begin(page, server.url)
    found += _violations(page)
    answer_rest(page)
    page.goto(f"{server.url}/admin")
    found += _violations(page)
    login(page, server)
    page.locator("summary").click()
    found += _violations(page)
    page.get_by_role("button", name="Close the study").click()
    expect(page.get_by_role("link", name="Show results")).to_be_visible()
    found += _violations(page)
    page.goto(server.url)
    found += _violations(page)

    assert found == []


def test_the_results(serve, page):
    server = serve(six_options(6))
    with server.file() as file:
        for k in range(6):
            judge = start_judge(file, Arrival("link", "", f"judge{k}"), 1.0).judge
            for n, each in enumerate(file.assigned(judge)):
                store_answer(file, Answer(judge, each.item, (k + n) % 3), 2.0, Stopwatch())
    server.close_study()
    login(page, server)
    page.get_by_role("link", name="Show results").click()
    expect(page.get_by_role("heading", name="Scores")).to_be_visible()
    page.wait_for_function("document.documentElement.dataset.drawn === 'yes'")

    assert _violations(page) == []


def test_the_pages_of_platforms(serve, page):
    server, found = serve(six_options(2), "mturk"), []
    page.goto(f"{server.url}/{_WORKER}ASSIGNMENT_ID_NOT_AVAILABLE")
    found += _violations(page)
    begin(page, f"{server.url}/{_WORKER}A1")
    answer_rest(page)
    found += _violations(page)
    login(page, server)
    found += _violations(page)
    server = serve(six_options(2), "prolific")
    page.goto(server.url)
    found += _violations(page)
    begin(page, f"{server.url}/?PROLIFIC_PID=P1&STUDY_ID=S1&SESSION_ID=X1")
    answer_rest(page)
    found += _violations(page)

    assert found == []
