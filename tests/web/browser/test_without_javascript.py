from playwright.sync_api import expect

from lexiscope.core.study import ClosingAnswers
from tests.web.browser.studies import six_options
from tests.web.browser.visits import (
    answer,
    answer_rest,
    begin,
    choose,
    expect_number,
    fits,
    send,
)


def test_a_whole_study_without_javascript(serve, visit):
    server, page = serve(), visit(java_script_enabled=False)
    begin(page, server.url)
    answer(page, 0)
    expect_number(page, 2)
    page.get_by_role("link", name="Back").click()
    expect_number(page, 1)
    assert page.locator("input:checked").get_attribute("value") == "0"
    choose(page, 2)
    page.get_by_role("button", name="Change answer").click()
    expect_number(page, 2)
    answer_rest(page)

    expect(page.locator("main")).to_contain_text("All 5 answers are stored.")
    assert len(server.judgments()) == 5
    assert len(server.revisions()) == 1


def test_closing_questions_without_javascript_and_by_keyboard(serve, visit):
    study = six_options(2, ask_first_language=True, ask_other_help=True, items_per_judge=1)
    server = serve(study)
    page = visit(java_script_enabled=False, viewport={"width": 320, "height": 640})
    begin(page, server.url)
    answer(page)
    expect_number(page, 2)
    answer(page)
    expect(page.get_by_role("heading", name="Two last questions")).to_be_visible()
    assert fits(page, 320)
    page.get_by_label("Which language did you learn first as a child?").fill("Deutsch")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")  # from "No answer" to the one above
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("All 2 answers are stored.")

    with server.file() as file:
        (judge,) = file.judges()
    assert judge.closing == ClosingAnswers("Deutsch", "most")


def test_the_box_must_be_ticked_and_an_answer_chosen(serve, visit):
    server, page = serve(), visit(java_script_enabled=False)
    page.goto(server.url)
    page.get_by_role("button", name="Start").click()
    assert page.url == server.url + "/"
    begin(page, server.url)
    send(page)
    expect_number(page, 1)

    assert server.judgments() == []
    with server.file() as file:
        assert len(file.judges()) == 1


def test_the_administrator_logs_in_by_pasting_the_token(serve, visit):
    server, page = serve(mode="class"), visit(java_script_enabled=False)
    page.goto(f"{server.url}/admin")
    page.get_by_label("Token").fill(server.tokens.admin)
    page.get_by_role("button", name="Log in").click()

    expect(page.get_by_role("heading", name="Progress")).to_be_visible()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
