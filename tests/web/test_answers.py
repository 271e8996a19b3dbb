"""Answers that are repeated, changed, malformed or for items of others."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from lexiscope.store.study_file import StudyFile
from lexiscope.web.answers import Answer, Arrival, start_judge, store_answer
from lexiscope.web.stopwatch import Stopwatch
from tests.web.http import FORM, Visitor, start
from tests.web.studies import comparison


def test_the_same_answer_twice_is_one_judgment_without_a_revision(site):
    judge = start(site)
    item = judge.item(1)
    first, second = judge.answer(1, 1, item), judge.answer(1, 1, item)
    assert first.headers["location"] == second.headers["location"] == f"/j/{judge.token}/2"
    assert list(judge.judgments()) == [item]
    assert judge.revisions() == []


def test_a_double_click_is_one_judgment(site):
    judge = start(site)
    item = judge.item(1)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: judge.answer(1, 1, item), range(8)))
    assert {answer.status_code for answer in answers} == {303}
    assert list(judge.judgments()) == [item]
    assert judge.revisions() == []


def test_two_tabs_with_different_answers_give_one_judgment_and_one_revision(site):
    judge = start(site)
    item = judge.item(1)
    judge.answer(1, 0, item)
    judge.answer(1, 2, item)
    assert judge.judgments()[item].position == 2
    assert len(judge.revisions()) == 1


def test_a_late_tab_changes_the_item_it_shows_and_no_other(site):
    judge = start(site)
    first = judge.item(1)
    judge.answer(1, 0, first)
    second = judge.item(2)
    judge.answer(2, 1, first)  # the form decides, not the number in the address
    assert judge.judgments()[first].position == 1
    assert second not in judge.judgments()


@pytest.mark.parametrize(
    "choice", ["", "3", "-1", "+1", "1.0", "1e0", " 1", "٣", "²", "unknown ", "Unknown", "9" * 5000]
)
def test_a_choice_that_was_not_shown_is_refused(site, choice):
    judge = start(site)
    item, before = judge.item(1), site.contents()
    answer = judge.answer(1, choice, item)
    assert answer.status_code == 400
    assert "Please choose one of the answers." in answer.text
    assert site.contents() == before


@pytest.mark.parametrize("item", ["nothing", "item0000", "é", "x" * 10_000, "%00", "../study"])
def test_an_unknown_item_is_refused(site, item):
    judge = start(site)
    before = site.contents()
    assert judge.answer(1, 0, item).status_code == 409
    assert site.contents() == before


def test_an_item_of_the_study_that_was_not_assigned_is_refused(site):
    judge = start(site)
    with site.file() as file:
        own = {each.item for each in file.assigned(judge.id)}
        (other,) = set(file.items) - own
    before = site.contents()
    for choice in ("0", ""):
        assert judge.answer(1, choice, other).status_code == 409
    assert site.contents() == before


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="item"'),
        ("application/json", b'{"item": "item0000x", "choice": 0}'),
        ("text/plain", b"item=item0000x&choice=0"),
        ("", b"item=item0000x&choice=0"),
        ("application/x-www-form-urlencoded", b""),
        ("application/x-www-form-urlencoded", b"\xff\xfe=\x80&item=%ff%fe&choice=%c3%28"),
        ("application/x-www-form-urlencoded", b"&".join(b"f%d=1" % k for k in range(30))),
        ("application/x-www-form-urlencoded", b"&&&===&%%%&item"),
        ("application/x-www-form-urlencoded; charset=utf-16", "item=1".encode("utf-16")),
    ],
)
def test_other_contents_are_refused(site, kind, body):
    judge = start(site)
    before = site.contents()
    headers = {"content-type": kind} if kind else {}
    answer = site.post(f"/j/{judge.token}/1", body, headers=headers)
    assert answer.status_code == 409
    assert site.contents() == before


def test_a_form_may_say_its_character_set(site):
    judge = start(site)
    headers = {"content-type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8"}
    body = f"item={judge.item(1)}&choice=0"
    assert site.post(f"/j/{judge.token}/1", body, headers=headers).status_code == 303


def test_of_a_repeated_field_the_last_counts(site):
    judge = start(site)
    item = judge.item(1)
    body = f"choice=0&item=nothing&item={item}&choice=2"
    assert site.post(f"/j/{judge.token}/1", body, headers=FORM).status_code == 303
    assert judge.judgments()[item].position == 2


def test_no_judge_sees_or_changes_the_answers_of_another(site):
    first, second = start(site), start(site)
    item = first.item(1)
    first.answer(1, 2, item)
    stored = first.judgments()
    second.answer(1, 0)
    for form in ({"item": item, "choice": "1"}, {"item": item, "choice": "1", "judge": first.id}):
        site.post(f"/j/{second.token}/1", form)
    assert first.judgments() == stored
    assert first.revisions() == []
    for page in ("/instructions", "/1", "/2"):
        assert first.id not in second.get(page).text
        assert first.token not in second.get(page).text


def test_a_forgotten_judge_has_no_pages(site):
    judge = start(site)
    judge.answer(1)
    answer = site.post("/admin/forget", {"judge": judge.id}, headers=site.bearer)
    assert answer.status_code == 303
    assert judge.get().status_code == 404
    assert judge.answer(1, item="item0000x").status_code == 404
    with site.file() as file:
        assert file.judge(judge.id) is None
        assert judge.id not in file.judgments_per_judge()


def test_a_token_that_is_shortened_or_extended_opens_nothing(site):
    token = start(site).token
    for changed in (token[:-1], token + "A", token.upper(), token.split(".")[0], "." + token):
        assert Visitor(site, changed).get("/1").status_code == 404


def test_an_answer_that_waits_while_the_study_is_closed_is_not_stored(tmp_path):
    with StudyFile.create(tmp_path / "study.db", comparison()) as file:
        start_judge(file, Arrival("link", "text", "j1"), 0.0)
        answer = Answer("j1", file.assigned("j1")[0].item, 0)
        file.close_study(1.0)
        assert store_answer(file, answer, 2.0, Stopwatch()) is None
        assert start_judge(file, Arrival("link", "text", "j2"), 2.0).refusal == "full"
        assert file.judgments() == ()
        assert len(file.judges()) == 1


def test_an_answer_that_waits_while_its_judge_is_forgotten_is_not_stored(tmp_path):
    with StudyFile.create(tmp_path / "study.db", comparison()) as file:
        start_judge(file, Arrival("link", "text", "j1"), 0.0)
        answer = Answer("j1", file.assigned("j1")[0].item, 0)
        file.forget("j1")
        assert store_answer(file, answer, 2.0, Stopwatch()) is None
        assert file.judgments() == ()
