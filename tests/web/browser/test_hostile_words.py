"""Words, names and statements that attempt injection are shown as text on every page."""

import csv
import io
import json
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from lexiscope.cli.commands.study import command
from lexiscope.core.display import shown
from lexiscope.core.study import Item, Study, StudySettings
from lexiscope.human.assignment import option_order
from lexiscope.human.export_files import ExportOptions, format_named
from lexiscope.store.study_file import StudyFile
from lexiscope.web.answers import Answer, Arrival, start_judge, store_answer
from lexiscope.web.stopwatch import Stopwatch
from tests.report.hostile_words import NAMES
from tests.web.browser.visits import expect_number, fits, login
from tests.web.hostile_words import WORDS
from tests.web.studies import write

_TITLE = "</title><script>alert(1)</script><img src=x onerror=alert(2)>"
_CONTACT = "<a href=javascript:alert(1) onfocus=alert(2) autofocus>\u202email</a>"
_CROWD = '<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>'
_SUBMIT = """() => {
  document.querySelector("input[type=radio]").checked = true;
  document.getElementById("item").submit();
}"""
_BOXES = """() => [...document.querySelectorAll("label.option")].map((e) => {
  const box = e.getBoundingClientRect();
  return [box.left, box.right, box.top, box.bottom];
})"""


def _study():
    sources = tuple((name,) for name in NAMES) * 2
    groups = [
        [WORDS[(7 * k + j) % len(WORDS)] for j in range(7)] for k in range(-(-len(WORDS) // 7))
    ]
    items = tuple(
        Item(f"h{k:04d}x", "comparison", query, tuple(options), sources)
        for k, (query, *options) in enumerate(groups)
    )
    settings = StudySettings(
        title=_TITLE, contact=_CONTACT, institution=WORDS[0], ethics=WORDS[1], retention=WORDS[2],
        completion_code="<b>{{7*7}}</b>", items_per_judge=len(items), controls_per_judge=0,
    )  # fmt: skip
    return Study("comparison", settings, dict.fromkeys(NAMES, "f"), items)


def _exported(tmp_path, name):
    study = _study()
    few = replace(study, settings=replace(study.settings, items_per_judge=5))
    with StudyFile.create(tmp_path / "h.study", few) as file:
        return few, dict(format_named(name, "write").write(file, ExportOptions("")))


def test_the_template_of_mechanical_turk_shows_hostile_words_literally(tmp_path, visit):
    study, files = _exported(tmp_path, "mturk")
    page = visit(viewport={"width": 390, "height": 844})
    items = {item.id: item for item in study.items}
    template = files["template.html"].decode()
    for row in csv.DictReader(io.StringIO(files["hits.csv"].decode("utf-8-sig"))):
        html = template.replace("${questions}", row["questions"])
        assert "${" not in html
        page.set_content(html.replace(_CROWD, ""))  # the script of MTurk, from another site
        expect(page.get_by_role("heading", level=1)).to_have_text(shown(_TITLE, 200))
        keys = [key.removeprefix("i") for key in row["items"].split()]
        for key, box in zip(keys, page.locator("fieldset").all(), strict=True):
            expected = sorted(shown(word, 200) for word in items[key].options)
            assert sorted(box.locator("label bdi").all_text_contents()) == expected
    assert page.locator("p").filter(has_text=shown(_CONTACT, 200)).count()


def test_the_items_of_potato_show_hostile_words_literally(tmp_path, visit):
    study, files = _exported(tmp_path, "potato")
    page = visit(viewport={"width": 390, "height": 844})
    rows = [json.loads(line) for line in files["data/items.jsonl"].splitlines()]
    for item, row in zip(study.items, rows, strict=True):
        assert "{" not in row["text"]  # Potato would take it for a template
        page.set_content(row["text"])
        expected = sorted(shown(word, 200) for word in item.options)
        assert sorted(page.locator("li").all_text_contents()) == expected
        assert page.locator("body *").count() == len(expected) + 4  # p, b, ol, p
    consent = files["data/consent.json"].decode()
    assert "<" not in consent
    assert "{{" not in json.loads(consent)[0]["description"]


@pytest.fixture
def hostile(serve):
    """A served study in which every word and every statement is an attempted injection."""
    return serve(_study())


def _boxes_do_not_overlap(page, width):
    boxes = page.evaluate(_BOXES)
    assert all(left >= 0 and right <= width for left, right, _, _ in boxes)
    assert all(above[3] <= below[2] for above, below in pairwise(boxes))


def test_there_are_a_hundred_different_words():
    assert len({shown(word, 200) for word in WORDS}) == len(WORDS) >= 100


def test_hostile_words_are_shown_literally_on_every_page_of_a_judge(hostile, visit):
    page = visit(viewport={"width": 390, "height": 844})
    page.goto(hostile.url)
    expect(page.get_by_role("heading", level=1)).to_have_text(shown(_TITLE, 120))
    statements = page.locator("dd").all_text_contents()
    assert shown(_CONTACT, 200) in statements
    assert WORDS[1] in statements
    assert fits(page, 390)
    page.goto(hostile.new_judge() + "/instructions")
    expect(page.locator(".eyebrow")).to_have_text(shown(_TITLE, 120))
    assert fits(page, 390)
    page.get_by_role("link", name="Go to the questions").click()
    with hostile.file() as file:
        study, [judge] = file.study, file.judges()
        assigned = file.assigned(judge.id)
        items = [file.items[each.item] for each in assigned]
    for number, item in enumerate(items, 1):
        expect_number(page, number)
        order = option_order(study, judge.id, item)
        assert page.locator(".query").text_content() == shown(item.query, 200)
        assert page.locator("bdi.word").all_text_contents() == [
            shown(item.options[k], 200) for k in order
        ]
        assert fits(page, 390)
        _boxes_do_not_overlap(page, 390)
        page.evaluate(_SUBMIT)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    expect(page.locator("main")).to_contain_text(shown(_CONTACT, 200))
    expect(page.locator("code").first).to_have_text("<b>{{7*7}}</b>")

    [seen] = visit.seen
    assert (seen.dialogs, seen.errors, seen.elsewhere(hostile.url)) == ([], [], [])
    assert len(hostile.judgments()) == len(items)


def test_hostile_statements_are_shown_literally_in_the_preview_of_a_platform(serve, visit):
    hostile, page = serve(_study(), mode="mturk"), visit(viewport={"width": 390, "height": 844})
    page.goto(f"{hostile.url}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    expect(page.get_by_role("heading", level=1)).to_have_text(shown(_TITLE, 120))
    statements = page.locator("dd").all_text_contents()
    assert {shown(_CONTACT, 200), WORDS[1], WORDS[2]} <= set(statements)
    assert fits(page, 390)

    [seen] = visit.seen
    assert (seen.dialogs, seen.errors, seen.elsewhere(hostile.url)) == ([], [], [])


def test_hostile_words_are_shown_literally_to_the_administrator(serve, visit):
    study = _study()
    hostile = serve(replace(study, items=study.items[:3]))
    with hostile.file() as file:
        _judge_all(file)
    page = visit(viewport={"width": 390, "height": 844})
    login(page, hostile)
    expect(page.get_by_role("heading", level=1)).to_have_text(shown(_TITLE, 120))
    assert fits(page, 390)
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("link", name="Show results").click()
    expect(page.get_by_role("heading", name="Scores")).to_be_visible()
    text = page.locator("body").text_content()
    assert all(shown(name) in text for name in NAMES)
    assert fits(page, 390)

    [seen] = visit.seen
    assert (seen.dialogs, seen.errors, seen.elsewhere(hostile.url)) == ([], [], [])


def _judge_all(file):
    for name in ("first", "second", "third"):
        judge = start_judge(file, Arrival("link", "", name), 1.0).judge
        for each in file.assigned(judge):
            store_answer(file, Answer(judge, each.item, 0), 2.0, Stopwatch())


def test_hostile_words_are_harmless_in_the_terminal(tmp_path):
    path = write(tmp_path / "hostile.study", _study())
    for more in ([], ["--blind"]):
        ended = CliRunner().invoke(command, ["preview", str(path), "-n", "100", *more])

        assert ended.exit_code == 0
        assert "</script><script>alert(1)</script>" in ended.output
        assert "[bold red]x[/]" in ended.output
        control = {c for c in ended.output if shown(c) != c} - {"\n"}
        assert control == set()


def test_a_hostile_token_in_the_address_is_not_part_of_the_page(hostile, visit):
    page = visit()
    page.goto(
        f"{hostile.url}/j/%3Cscript%3Ealert(1)%3C%2Fscript%3E/1?q=%3Cimg%20onerror=alert(1)%3E"
    )

    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert "alert" not in page.content()


def test_a_hostile_language_tag_stays_in_its_attribute(serve, visit):
    study = _study()
    tag = '"><script>alert(1)</script>'
    page = visit()
    page.goto(serve(replace(study, settings=replace(study.settings, language=tag))).new_judge())

    assert page.locator(".query").get_attribute("lang") == tag
