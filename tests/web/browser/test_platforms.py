"""Whole studies inside the frame of Mechanical Turk, and some that return to Prolific.

Stand-ins answer for the platforms: their addresses are intercepted in the browser.
"""

from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from lexiscope.core.study import ClosingAnswers
from tests.web.browser.studies import six_options
from tests.web.browser.visits import answer, answer_rest, begin, expect_number, login

_WORKER = "https://workersandbox.mturk.com"
_PROLIFIC = "https://app.prolific.com"
_FRAME = """<!doctype html><title>HIT</title><iframe name="hit" width="100%" height="800"
 sandbox="allow-scripts allow-forms allow-same-origin" src="{address}"></iframe>"""


_LONG = six_options(25, items_per_judge=25, ask_first_language=True, ask_other_help=True)


class StandIn:
    """Answers for a platform in the browser, and keeps what it receives."""

    def __init__(self, context, origin, frame=""):
        self.received, self._frame = [], frame
        context.route(f"{origin}/**", self._answer)

    def _answer(self, route):
        self.received.append(route.request)
        frame = self._frame if route.request.url.endswith("/task") else "<title>Received</title>"
        route.fulfill(content_type="text/html", body=frame)


def _in_frame(page, server, assignment):
    """Open the page of the worker site that shows the study in a frame."""
    query = f"workerId=W1&hitId=H1&turkSubmitTo={_WORKER}&assignmentId={assignment}"
    frame = _FRAME.format(address=f"{server.url}/?{query}")
    site = StandIn(page.context, _WORKER, frame)
    page.goto(f"{_WORKER}/task")
    return site, page.frame_locator("iframe")


def test_a_hit_in_the_frame_of_mechanical_turk_is_submitted_there(serve, visit):
    server, page = serve(six_options(6, items_per_judge=3), "mturk"), visit()
    site, hit = _in_frame(page, server, "ASSIGN1")
    hit.get_by_role("checkbox").check()
    hit.get_by_role("button", name="Start").click()
    hit.get_by_role("link", name="Go to the questions").click()
    for number in range(1, 5):
        expect(hit.locator(".count")).to_have_text(f"{number} of 4")
        hit.locator("label.option").first.click()
        hit.locator("#item button").click()
    with page.context.expect_event(
        "request", lambda request: request.url.endswith("/mturk/externalSubmit")
    ) as event:
        hit.get_by_role("button", name="Submit the task").click()
    sent = event.value

    [judge] = {each.judge for each in server.judgments()}
    assert (sent.url, sent.method) == (f"{_WORKER}/mturk/externalSubmit", "POST")
    assert parse_qs(sent.post_data) == {"assignmentId": ["ASSIGN1"], "judge": [judge]}
    assert len(server.judgments()) == 4
    assert page.context.cookies() == []
    assert {each.method for each in site.received} == {"GET", "POST"}


def test_the_preview_in_the_frame_of_mechanical_turk_cannot_be_answered(serve, visit):
    server, page = serve(mode="mturk"), visit()
    _, hit = _in_frame(page, server, "ASSIGNMENT_ID_NOT_AVAILABLE")
    expect(hit.get_by_role("status")).to_contain_text("Accept the task to answer.")

    assert hit.locator("form, input, button").count() == 0
    with server.file() as file:
        assert file.judges() == ()


def test_no_other_site_can_show_the_study_in_a_frame(serve, visit):
    for mode in ("link", "mturk"):
        server, page = serve(mode=mode), visit()
        frame = _FRAME.format(address=server.url)
        StandIn(page.context, "https://evil.example", frame)
        page.goto("https://evil.example/task")
        page.wait_for_timeout(300)

        assert page.frame_locator("iframe").get_by_role("heading").count() == 0
        blocked = visit.seen[-1].errors
        assert blocked
        assert all("frame-ancestors" in each for each in blocked)
        blocked.clear()


def test_a_participant_returns_to_prolific_with_the_code_after_the_last_answer(serve, visit):
    server, page = serve(six_options(6, items_per_judge=3), "prolific"), visit()
    site = StandIn(page.context, _PROLIFIC)
    begin(page, f"{server.url}/?PROLIFIC_PID=P1&STUDY_ID=S1&SESSION_ID=X1")
    answer(page)
    home = page.url.rsplit("/", 1)[0]
    page.goto(f"{home}/thanks")
    assert "C0DE42" not in page.content()
    answer_rest(page)
    page.get_by_role("link", name="Return to Prolific").click()
    expect(page).to_have_title("Received")

    [arrived] = site.received
    assert arrived.url == f"{_PROLIFIC}/submissions/complete?cc=C0DE42"
    assert "referer" not in arrived.headers
    assert len(server.judgments()) == 4


def _start(hit):
    """Agree, and go to the first question, in a frame.

    A mouse click right after the page of a frame has changed sometimes has no effect here, so the
    events are sent to the elements.
    """
    hit.get_by_role("checkbox").dispatch_event("click")
    hit.get_by_role("button", name="Start").dispatch_event("click")
    hit.get_by_role("link", name="Go to the questions").dispatch_event("click")


# Now and then the frame stays empty in headless Chromium, so not in every run of the tests.
@pytest.mark.slow
def test_25_items_on_mechanical_turk_from_the_preview_to_the_submission(serve, visit):
    server, page = serve(_LONG, "mturk"), visit()
    _in_frame(page, server, "ASSIGNMENT_ID_NOT_AVAILABLE")
    page.context.unroute_all()
    _, hit = _in_frame(page, server, "ASSIGN2")  # the worker accepts the task
    _start(hit)
    for number in range(1, 27):
        expect(hit.locator(".count")).to_have_text(f"{number} of 26")
        if number == 13:  # a worker who reloads the page of the task goes on there
            page.reload()
            _start(hit)
            expect(hit.locator(".count")).to_have_text("13 of 26")
        hit.locator("label.option input").nth(number % 3).dispatch_event("click")
        hit.locator("#item button").dispatch_event("click")
    hit.get_by_label("No", exact=True).check()
    hit.get_by_role("button", name="Finish").click()
    expect(hit.locator("main")).to_contain_text("All 26 answers are stored.")
    with page.expect_event("request", lambda sent: sent.method == "POST") as event:
        hit.get_by_role("button", name="Submit the task").click()

    with server.file() as file:
        (judge,) = file.judges()
        assert file.platform_ids() == {judge.id: ("W1", "ASSIGN2")}
    assert judge.finished is not None
    assert judge.closing == ClosingAnswers("", "no")
    assert event.value.url == f"{_WORKER}/mturk/externalSubmit"
    assert parse_qs(event.value.post_data) == {"assignmentId": ["ASSIGN2"], "judge": [judge.id]}
    assert len({each.item for each in server.judgments()}) == 26
    assert server.revisions() == ()


def test_25_items_on_prolific_from_the_link_of_the_study_to_the_code(serve, visit):
    server, page = serve(_LONG, "prolific"), visit()
    site = StandIn(page.context, _PROLIFIC)
    login(page, server)
    shown = page.locator(".link").text_content()
    values = {"PROLIFIC_PID": "P9", "STUDY_ID": "S9", "SESSION_ID": "X9"}
    for name, value in values.items():  # Prolific fills in the placeholders
        assert f"{name}={{{{%{name}%}}}}" in shown
        shown = shown.replace(f"{{{{%{name}%}}}}", value)
    begin(page, shown)
    for number in range(1, 27):
        expect_number(page, number)
        answer(page, number % 3)
    expect(page.get_by_role("heading", name="Two last questions")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("link", name="Return to Prolific").click()
    expect(page).to_have_title("Received")

    assert [each.url for each in site.received] == [f"{_PROLIFIC}/submissions/complete?cc=C0DE42"]
    with server.file() as file:
        (judge,) = file.judges()
        assert file.platform_ids() == {judge.id: ("P9", "X9")}
    assert judge.finished is not None
    assert judge.closing == ClosingAnswers()
    assert len({each.item for each in server.judgments()}) == 26
