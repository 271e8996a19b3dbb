"""A judge walks through a study: consent, instructions, items, corrections and thanks."""

import re
from dataclasses import replace

import pytest

from lexiscope.core.study import OPT_OUT, Item, Study
from lexiscope.human.assignment import option_order
from tests.web.http import (
    Visitor,
    checked_value,
    hidden_fields,
    served,
    shown_options,
    start,
    start_form,
)  # fmt: skip
from tests.web.studies import SETTINGS, comparison, intrusion, write

CODE = "C0DE42"
NAMES = ("glove-secret-name", "cbow-secret-name")


def test_a_judge_goes_from_consent_to_the_completion_code(serve_study):
    site = serve_study()
    judge = start(site)
    assert "How it works" in judge.get("/instructions").text
    replies = [judge.get(), *(judge.answer(k, choice=1) for k in range(1, 7))]  # a control item too
    addresses = [reply.headers["location"] for reply in replies]
    home = f"/j/{judge.token}"
    assert addresses == [*(f"{home}/{k}" for k in range(1, 7)), f"{home}/thanks"]
    thanks = judge.get("/thanks").text
    assert "All 6 answers are stored." in thanks
    assert CODE in thanks
    assert judge.id in thanks
    with site.file() as file:
        (found,) = file.judges()
        assert found.finished is not None
        assert found.consent != ""
        assert len(file.judgments()) == 6


@pytest.mark.parametrize("agree", [{}, {"agree": "no"}, {"agree": ""}, {"agree": "yes "}])
def test_nobody_starts_without_agreeing(site, agree):
    form, before = hidden_fields(site.get("/").text), site.contents()
    answer = site.post("/start", {**form, **agree})
    assert answer.status_code == 400
    assert "Please tick the box" in answer.text
    assert hidden_fields(answer.text) == form  # ticking the box goes on with the same form
    assert site.contents() == before


@pytest.mark.parametrize("start_token", ["", "x", "x.y", "é", "a" * 5000])
def test_a_start_form_needs_a_token_of_this_server(site, start_token):
    before = site.contents()
    answer = site.post("/start", {"start": start_token, "agree": "yes"})
    assert answer.status_code == 403
    assert site.contents() == before


def test_sending_the_start_form_twice_adds_one_judge(serve_study):
    site = serve_study()
    form = start_form(site)
    first, second = site.post("/start", form), site.post("/start", form)
    assert first.headers["location"] == second.headers["location"]
    with site.file() as file:
        assert len(file.judges()) == 1


def test_the_completion_code_appears_only_after_the_last_answer(serve_study):
    judge = start(serve_study())
    for number in range(1, 7):
        pages = [judge.get("/thanks"), judge.get("/instructions"), judge.get(f"/{number}")]
        assert pages[0].status_code == 303
        assert not any(CODE in page.text for page in pages)
        assert CODE not in judge.answer(number).text
    assert CODE in judge.get("/thanks").text


def test_later_items_are_not_open_yet(site):
    judge = start(site)
    assert judge.get("/2").headers["location"] == f"/j/{judge.token}/1"
    judge.answer(1)
    assert judge.get("/2").status_code == 200
    assert judge.get("/3").headers["location"] == f"/j/{judge.token}/2"


@pytest.mark.parametrize("number", ["0", "7", "99999999999999999999999", "9" * 5000])
def test_an_item_that_does_not_exist_leads_to_the_next_one(site, number):
    judge = start(site)
    answer = judge.get(f"/{number}")
    assert (answer.status_code, answer.headers.get("location")) in {
        (303, f"/j/{judge.token}/1"), (404, None)
    }  # fmt: skip


def test_back_shows_the_stored_answer_and_a_change_is_a_revision(site):
    judge = start(site)
    item = judge.item(1)
    judge.answer(1, choice=2)
    back = judge.get("/1")
    assert checked_value(back.text) == "2"
    assert "Change answer" in back.text
    answer = judge.answer(1, choice="unknown")
    assert answer.headers["location"] == f"/j/{judge.token}/2"
    assert checked_value(judge.get("/1").text) == "unknown"
    with site.file() as file:
        order = option_order(file.study, judge.id, file.items[item])
    assert judge.judgments()[item].choice == OPT_OUT
    assert judge.revisions() == [(item, order[2])]


def test_the_stored_choice_is_the_word_that_was_clicked(site):
    judge = start(site)
    item = judge.item(1)
    words = shown_options(judge.get("/1").text)
    judge.answer(1, choice=1)
    stored = judge.judgments()[item]
    with site.file() as file:
        options = file.items[item].options
    assert options[stored.choice] == words[1]
    assert [options[k] for k in stored.order] == words
    assert stored.position == 1


def test_answers_can_be_corrected_after_the_end_until_the_study_is_closed(serve_study):
    site = serve_study()
    judge = start(site)
    judge.answer_all()
    assert judge.answer(6, choice=2).headers["location"] == f"/j/{judge.token}/thanks"
    assert len(judge.revisions()) == 1
    with site.file() as file:
        file.close_study(1.0)
    assert "Correct an answer" not in judge.get("/thanks").text
    assert CODE in judge.get("/thanks").text
    assert judge.answer(6, choice=0, item=judge.items[6]).status_code == 403
    assert len(judge.revisions()) == 1


def test_a_closed_study_takes_neither_judges_nor_answers(serve_study):
    site = serve_study()
    judge, form = start(site), start_form(site)
    item = judge.item(1)
    with site.file() as file:
        file.close_study(1.0)
    before = site.contents()
    pages = [
        site.get("/"), site.post("/start", form), judge.get("/1"), judge.answer(1, item=item)
    ]  # fmt: skip
    assert [page.status_code for page in pages] == [403] * 4
    assert all("closed" in page.text for page in pages)
    assert site.contents() == before


def test_a_study_that_needs_nobody_says_so(serve_study):
    site = serve_study(comparison(settings=replace(SETTINGS, judges_per_item=1), number=2))
    start(site).answer_all()
    answer = site.post("/start", start_form(site))
    assert answer.status_code == 200
    assert "We have all answers" in answer.text
    with site.file() as file:
        assert len(file.judges()) == 1


def test_the_resume_link_leads_to_the_same_item_after_a_restart(tmp_path):
    path = write(tmp_path / "study.db", comparison())
    with served(path) as site:
        judge = start(site)
        judge.answer(1)
        before = judge.get("/2").text
    with served(path) as site:
        judge = Visitor(site, judge.token)
        assert judge.get().headers["location"] == f"/j/{judge.token}/2"
        assert judge.get("/2").text == before


def test_an_intrusion_item_shows_four_words_and_no_query(serve_study):
    judge = start(serve_study(intrusion()))
    page = judge.get("/1").text
    assert len(shown_options(page)) == 4
    assert "Which word does not belong" in page
    assert 'class="query"' not in page


def test_no_page_of_a_judge_names_an_embedding(serve_study):
    judge_pages = _all_pages(serve_study(_named_study()))
    assert len(judge_pages) == 9
    assert not any(name in page for page in judge_pages for name in NAMES)


def test_a_control_item_looks_like_the_others(site):
    judge = start(site)
    shapes = set()
    for number in range(1, 7):
        page = judge.get(f"/{number}").text
        shapes.add(re.sub(r'value="\d"|\d of \d|value="item\w+"|<bdi.*?</bdi>|/\d"', "", page))
        judge.answer(number)
    # The first page has no link back: one shape for it, one for the other five.
    assert len(shapes) == 2


def test_ids_of_judges_are_random(site):
    judges = [start(site).id for _ in range(5)]
    assert len(set(judges)) == 5
    assert all(re.fullmatch(r"[0-9a-f]{16}", judge) for judge in judges)


def _named_study():
    first, second = NAMES
    items = tuple(
        Item(f"id{k}", "comparison", f"query{k}", ("river", "copper"), ((first,), (second,)))
        for k in range(5)
    )
    return Study("comparison", SETTINGS, {first: "f1", second: "f2"}, items)


def _all_pages(site):
    judge = start(site)
    pages = [site.get("/").text, judge.get("/instructions").text]
    for number in range(1, 6):
        pages.append(judge.get(f"/{number}").text)
        judge.answer(number)
    return [*pages, judge.get("/thanks").text, site.get("/admin").text]
