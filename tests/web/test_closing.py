"""Voluntary questions after the last item: first language, and other help."""

import re
from dataclasses import replace

import pytest

from lexiscope.core.study import ClosingAnswers
from lexiscope.human.exchange import judges, publish
from lexiscope.human.export_files import ExportOptions, ImportOptions
from lexiscope.human.imports import import_files
from tests.web.http import start, start_form
from tests.web.studies import SETTINGS, comparison

BOTH = replace(SETTINGS, ask_first_language=True, ask_other_help=True)
SAID = {"first_language": "Finnish", "other_help": "some"}
CODE = "C0DE42"


@pytest.fixture
def site(serve_study):
    return serve_study(comparison(settings=BOTH))


def _answered(site):
    """A judge who has answered all items."""
    judge = start(site)
    for number in range(1, 7):
        last = judge.answer(number)
    assert last.headers["location"] == f"/j/{judge.token}/closing"
    return judge


def _send(judge, **form):
    return judge.site.post(f"/j/{judge.token}/closing", form)


def _said(judge):
    with judge.site.file() as file:
        return file.judge(judge.id).closing


def test_the_questions_follow_the_last_item_and_are_stored_with_the_judge(site):
    judge = _answered(site)
    page = judge.get("/closing").text
    assert "Two last questions" in page
    assert "Which language did you learn first as a child?" in page
    assert "Did you use other help for your answers" in page
    reply = _send(judge, **SAID)

    assert reply.headers["location"] == f"/j/{judge.token}/thanks"
    assert _said(judge) == ClosingAnswers("Finnish", "some")
    assert judge.get().headers["location"].endswith("/thanks")
    assert CODE in judge.get("/thanks").text


def test_by_default_there_are_no_questions(serve_study):
    judge = start(serve_study())
    page = judge.answer_all().text

    assert CODE in page
    assert judge.get("/closing").headers["location"].endswith("/thanks")
    assert _send(judge, **SAID).headers["location"].endswith("/thanks")
    assert _said(judge) is None
    assert "If you choose to say so" not in judge.site.get("/").text


@pytest.mark.parametrize("form", [{}, {"first_language": "  ", "other_help": ""}])
def test_questions_can_be_left_out(site, form):
    judge = _answered(site)

    assert _send(judge, **form).headers["location"].endswith("/thanks")
    assert _said(judge) == ClosingAnswers()
    assert judge.get().headers["location"].endswith("/thanks")


def test_the_code_and_the_end_depend_on_no_question(site):
    silent, honest = _answered(site), _answered(site)
    with site.file() as file:
        assert all(each.finished is not None for each in file.judges())
    _send(honest, other_help="most")

    assert CODE in silent.get("/thanks").text
    assert CODE in honest.get("/thanks").text
    assert "You are paid in full whatever you say" in honest.get("/closing").text


def test_nothing_is_asked_before_the_last_item(site):
    judge = start(site)
    judge.answer(1)

    assert judge.get("/closing").headers["location"].endswith("/thanks")
    _send(judge, **SAID)
    assert _said(judge) is None


def test_after_the_study_is_closed_the_judge_still_gets_the_code(site):
    judge = _answered(site)
    with site.file() as file:
        file.close_study(1.0)

    assert judge.get().headers["location"].endswith("/thanks")
    assert _send(judge, **SAID).headers["location"].endswith("/thanks")
    assert _said(judge) is None
    assert CODE in judge.get("/thanks").text


def test_only_what_the_study_asks_is_shown_and_stored(serve_study):
    settings = replace(SETTINGS, ask_other_help=True, pay_per_judge=0.0)
    judge = _answered(serve_study(comparison(settings=settings)))
    page = judge.get("/closing").text
    _send(judge, **SAID)

    assert "One last question" in page
    assert "paid" not in page
    assert "first_language" not in page
    assert _said(judge) == ClosingAnswers("", "some")


@pytest.mark.parametrize("form", [{"other_help": "often"}, {"first_language": "x" * 41}])
def test_what_the_page_does_not_offer_is_refused(site, form):
    judge = _answered(site)
    reply = _send(judge, **form)

    assert reply.status_code == 400
    assert "Please choose one of the answers" in reply.text
    assert _said(judge) is None


def test_a_changed_answer_replaces_the_first_one_and_is_shown(site):
    judge = _answered(site)
    _send(judge, first_language="<b>&=\x00\n 1\u202e", other_help="no")
    _send(judge, first_language="<b>&= \t1", other_help="most")
    page = judge.get("/closing").text

    assert _said(judge) == ClosingAnswers("<b>&= 1", "most")
    assert 'value="&lt;b&gt;&amp;= 1"' in page
    assert re.findall('value="([a-z]*)" checked', page) == ["most"]


def test_the_consent_page_names_what_may_be_stored(site):
    text = site.get("/").text
    assert "If you choose to say so at the end: your first language and whether you used" in text
    assert start_form(site)["agree"] == "yes"


def test_forgetting_a_judge_deletes_what_they_said(site):
    judge = _answered(site)
    _send(judge, first_language="Xhosa", other_help="most")
    assert any("Xhosa" in line for line in site.contents())
    form = {"judge": judge.id}
    site.post("/admin/forget", form, headers={**site.bearer, "sec-fetch-site": "same-origin"})

    assert not any("Xhosa" in line for line in site.contents())
    assert b"Xhosa" not in site.path.read_bytes()


def test_exports_have_what_judges_said_and_publications_restore_it(site, tmp_path):
    said, empty, silent = (_answered(site) for _ in range(3))
    _send(said, first_language="=1+1", other_help="no")
    _send(empty)
    with site.file() as file:
        table = judges.write(file, ExportOptions(".csv"))["judges.csv"].decode()
        lines = judges.write(file, ExportOptions(".jsonl"))["judges.jsonl"].decode()
        files = publish.write(file, ExportOptions())
        before = {judge.id: judge.closing for judge in file.judges()}
    rows = {line.split(",")[1]: line.split(",")[-2:] for line in table.splitlines()}
    assert rows[said.id] == ["'=1+1", "no"]
    assert rows[empty.id] == rows[silent.id] == ["", ""]
    assert lines.count('"first_language":null') == 1
    folder = tmp_path / "published"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    again = tmp_path / "again.study"
    import_files(str(again), publish, [folder], ImportOptions(), 2e9)
    with replace(site, path=again).file() as file:
        assert {judge.id: judge.closing for judge in file.judges()} == before
