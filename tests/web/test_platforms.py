"""Judges who come from Prolific or Mechanical Turk."""

import re
from base64 import urlsafe_b64decode
from dataclasses import replace

import pytest

from lexiscope.web.platforms import PREVIEW, participant
from tests.web.http import hidden_fields, start, start_form
from tests.web.studies import SETTINGS, comparison

LIVE, SANDBOX = "https://www.mturk.com", "https://workersandbox.mturk.com"
EVIL = [
    "https://evil.example",
    "https://www.mturk.com.evil.example",
    "https://www.mturk.com@evil.example",
    "https://evil.example/https://www.mturk.com",
    "https://evil.example#https://www.mturk.com",
    "https://evil.example?https://www.mturk.com",
    "https://www.mturk.com\\.evil.example",
    "https:\\\\www.mturk.com",
    "https:/www.mturk.com",
    "//www.mturk.com",
    "www.mturk.com",
    "http://www.mturk.com",
    "HTTPS://WWW.MTURK.COM",
    "https://www.mturk.com:443",
    "https://www.mturk.com:8443",
    "https://www.mturk.com/path",
    "https://www.mturk.com//",
    "https://www.mturk.com\t",
    " https://www.mturk.com",
    "https://www.mturk.com\n",
    "https://wwwXmturk.com",
    "https://www.mturk.com%2eevil.example",
    "https://ｗｗｗ.mturk.com",
    "javascript:alert(1)",
    "",
]


def _mturk(assignment="A1", worker="W1", submit_to=LIVE):
    return f"?assignmentId={assignment}&hitId=H1&turkSubmitTo={submit_to}&workerId={worker}"


def _prolific(person="P1", session="S1"):
    return f"?PROLIFIC_PID={person}&STUDY_ID=T1&SESSION_ID={session}"


@pytest.mark.parametrize("query", ["", f"?assignmentId={PREVIEW}&hitId=H1"])
def test_a_preview_on_mturk_cannot_be_answered_and_stores_nothing(serve_study, query):
    site = serve_study(mode="mturk")
    before = site.contents()
    page = site.get("/" + query).text
    assert "Accept the task to answer." in page
    assert "<form" not in page
    assert "<input" not in page
    assert site.contents() == before


@pytest.mark.parametrize("session", [PREVIEW, "", "a b", "x" * 65, "é"])
def test_a_start_form_with_the_ids_of_a_preview_is_refused(serve_study, session):
    site = serve_study(mode="mturk")
    form = start_form(site, _mturk())
    before = site.contents()
    assert site.post("/start", {**form, "session": session}).status_code == 403
    assert site.contents() == before


@pytest.mark.parametrize("submit_to", [LIVE, SANDBOX, LIVE + "/"])
def test_the_last_form_goes_to_the_host_that_mturk_named(serve_study, submit_to):
    judge = start(serve_study(mode="mturk"), _mturk(submit_to=submit_to))
    page = judge.answer_all().text
    (action,) = re.findall(r'<form method="post" action="([^"]*)">', page)
    assert action == submit_to.removesuffix("/") + "/mturk/externalSubmit"
    assert hidden_fields(page) == {"assignmentId": "A1", "judge": judge.id}


def test_the_form_for_mturk_appears_only_after_the_last_answer(serve_study):
    judge = start(serve_study(mode="mturk"), _mturk())
    for number in range(1, 7):
        assert judge.get("/thanks").status_code == 303
        assert "externalSubmit" not in judge.get(f"/{number}").text
        judge.answer(number)
    assert "externalSubmit" in judge.get("/thanks").text


@pytest.mark.parametrize("host", EVIL)
def test_no_other_host_receives_the_form(host):
    query = {"assignmentId": "A1", "workerId": "W1", "hitId": "H1", "turkSubmitTo": host}
    assert participant("mturk", query) is None


def test_another_host_is_refused_by_the_page_and_by_the_start_form(serve_study):
    site = serve_study(mode="mturk")
    form = start_form(site, _mturk())
    before = site.contents()
    answer = site.get("/" + _mturk(submit_to="https://evil.example"))
    assert answer.status_code == 403
    assert "evil" not in answer.text
    for value in ("https://evil.example", "LIVE", "", "live "):
        assert site.post("/start", {**form, "submit_to": value}).status_code == 403
    assert site.contents() == before


def test_the_frame_of_mturk_may_show_the_pages_and_no_other(serve_study):
    headers = serve_study(mode="mturk").get("/").headers
    policy = dict(each.split(" ", 1) for each in headers["content-security-policy"].split("; "))
    assert policy["form-action"] == f"'self' {LIVE} {SANDBOX}"
    assert all(re.fullmatch(r"https://\w+\.mturk\.com", each)
               for each in policy["frame-ancestors"].split())  # fmt: skip
    assert "x-frame-options" not in headers


def test_opening_an_assignment_again_resumes_it(serve_study):
    site = serve_study(mode="mturk")
    first = start(site, _mturk())
    first.answer(1)
    again = start(site, _mturk())
    assert (again.token, again.id) == (first.token, first.id)
    assert again.get().headers["location"].endswith("/2")
    with site.file() as file:
        assert list(file.platform_ids().values()) == [("W1", "A1")]


def test_an_answer_in_a_frame_with_a_sandbox_is_stored(serve_study):
    judge = start(serve_study(mode="mturk"), _mturk())
    headers = {"sec-fetch-site": "cross-site", "origin": "null"}
    assert judge.answer(1, headers=headers).status_code == 303


@pytest.mark.parametrize(
    ("mode", "query"),
    [
        ("prolific", ""),
        ("prolific", "?PROLIFIC_PID=P1"),
        ("prolific", "?SESSION_ID=S1"),
        ("prolific", "?PROLIFIC_PID=&SESSION_ID="),
        ("prolific", "?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}"),
        ("prolific", f"?PROLIFIC_PID={'x' * 65}&SESSION_ID=S1"),
        ("mturk", "?assignmentId=A1"),
        ("mturk", f"?assignmentId=A1&turkSubmitTo={LIVE}"),
        ("mturk", f"?assignmentId=&workerId=W1&turkSubmitTo={LIVE}"),
        ("mturk", f"?assignmentId=A%201&workerId=W1&turkSubmitTo={LIVE}"),
        ("mturk", "?assignmentId=A1&workerId=W1"),
    ],
)
def test_a_link_without_the_ids_of_the_platform_does_not_start(serve_study, mode, query):
    site = serve_study(mode=mode)
    before = site.contents()
    answer = site.get("/" + query)
    assert answer.status_code == 403
    assert "Please open this study from your page" in answer.text
    assert site.contents() == before


@pytest.mark.parametrize("missing", ["person", "session"])
def test_a_start_form_without_the_ids_of_prolific_is_refused(serve_study, missing):
    site = serve_study(mode="prolific")
    form = start_form(site, _prolific())
    before = site.contents()
    assert site.post("/start", {**form, missing: ""}).status_code == 403
    assert site.contents() == before


def test_a_session_on_prolific_is_resumed(serve_study):
    site = serve_study(mode="prolific")
    first = start(site, _prolific())
    first.answer(1)
    again = start(site, _prolific())
    assert again.token == first.token
    with site.file() as file:
        assert list(file.platform_ids().values()) == [("P1", "S1")]


@pytest.mark.parametrize("mode", ["prolific", "mturk"])
def test_the_id_of_a_person_alone_opens_nothing_of_a_judge_who_has_answers(serve_study, mode):
    site = serve_study(mode=mode)
    query = _prolific() if mode == "prolific" else _mturk()
    judge = start(site, query)
    judge.answer(1)
    form = {**start_form(site, query), "session": "another"}
    refused = site.post("/start", form)
    assert refused.status_code == 403
    assert "You have started already" in refused.text
    assert judge.token not in refused.text + str(refused.headers)
    judge.answer_all()
    before = site.contents()
    refused = site.post("/start", form)
    assert refused.status_code == 403
    assert "You have taken part already" in refused.text
    assert "C0DE42" not in refused.text
    assert "externalSubmit" not in refused.text
    assert site.contents() == before


def test_a_session_without_answers_is_replaced_by_the_next_one_of_the_person(serve_study):
    site = serve_study(mode="mturk")
    first = start(site, _mturk("A1"))
    second = start(site, _mturk("A2"))
    assert second.id != first.id
    assert first.get("/1").status_code == 404
    with site.file() as file:
        assert file.platform_ids() == {second.id: ("W1", "A2")}
    assert 'value="A2"' in second.answer_all().text


def test_the_session_that_has_the_answers_goes_on_after_another_was_refused(serve_study):
    site = serve_study(mode="prolific")
    first = start(site, _prolific())
    first.answer(1)
    assert site.post("/start", start_form(site, _prolific(session="S2"))).status_code == 403
    again = start(site, _prolific())
    assert again.token == first.token
    assert again.get().headers["location"].endswith("/2")


def test_two_persons_are_two_judges(serve_study):
    site = serve_study(mode="prolific")
    first, second = start(site, _prolific()), start(site, _prolific("P2", "S2"))
    assert first.id != second.id
    assert first.token != second.token


def test_prolific_gets_the_code_after_the_last_answer(serve_study):
    settings = replace(SETTINGS, completion_code="A&B 1")
    judge = start(serve_study(comparison(settings=settings), mode="prolific"), _prolific())
    judge.answer(1)
    assert judge.get("/thanks").status_code == 303
    page = judge.answer_all().text
    assert "https://app.prolific.com/submissions/complete?cc=A%26B%201" in page
    assert "A&amp;B 1" in page


def test_ids_of_the_platform_stay_out_of_pages_and_links(serve_study):
    site = serve_study(mode="prolific")
    judge = start(site, _prolific("PERSONALID", "SESSIONID"))
    pages = [judge.get("/instructions"), judge.get("/1"), judge.answer_all()]
    pages.append(site.get("/admin", headers=site.bearer))
    assert not any("PERSONALID" in page.text for page in pages)
    assert "PERSONALID" not in judge.id
    payload = judge.token.split(".")[0]
    assert b"SESSIONID" not in urlsafe_b64decode(payload + "=" * (-len(payload) % 4))


def test_a_plain_link_ignores_the_parameters_of_platforms(serve_study):
    site = serve_study()
    start(site, _prolific())
    with site.file() as file:
        assert file.platform_ids() == {}


FULL = replace(SETTINGS, judges_per_item=1, items_per_judge=9, full_code="FULL1")
FULL_LINK = "https://app.prolific.com/submissions/complete?cc=FULL1"


def test_a_participant_who_finds_the_study_full_returns_to_prolific_with_a_second_code(serve_study):
    site = serve_study(comparison(settings=FULL), mode="prolific")
    start(site, _prolific()).answer_all()
    answer = site.post("/start", start_form(site, _prolific("P2", "S2")))
    assert answer.status_code == 200
    assert "We have all answers" in answer.text
    assert FULL_LINK in answer.text
    assert "C0DE42" not in answer.text


def test_a_participant_whose_items_others_answered_returns_with_the_second_code(serve_study):
    settings = replace(FULL, reservation_minutes=-1.0)  # every reservation has expired
    site = serve_study(comparison(settings=settings), mode="prolific")
    late = start(site, _prolific("P2", "S2"))
    start(site, _prolific()).answer_all()
    page = late.get("/thanks").text
    assert FULL_LINK in page
    assert "C0DE42" not in page


def test_a_participant_who_finds_the_study_closed_returns_with_the_second_code(serve_study):
    site = serve_study(comparison(settings=FULL), mode="prolific")
    with site.file() as file:
        file.close_study(1.0)
    assert FULL_LINK in site.get("/" + _prolific()).text


def test_without_a_second_code_a_participant_is_asked_to_return_the_submission(serve_study):
    site = serve_study(comparison(settings=replace(FULL, full_code="")), mode="prolific")
    start(site, _prolific()).answer_all()
    answer = site.post("/start", start_form(site, _prolific("P2", "S2")))
    assert "Please return this submission on Prolific." in answer.text
    assert "complete?cc=" not in answer.text


@pytest.mark.parametrize("mode", ["link", "mturk"])
def test_the_second_code_is_for_prolific_only(serve_study, mode):
    site = serve_study(comparison(settings=FULL), mode=mode)
    start(site, _mturk()).answer_all()
    answer = site.post("/start", start_form(site, _mturk("A2", "W2")))
    assert "We have all answers" in answer.text
    assert "FULL1" not in answer.text
