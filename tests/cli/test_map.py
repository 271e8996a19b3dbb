"""Maps of words as pages and figures."""

import json
import re

import pytest

from lexiscope.report.word_map import map_section
from tests.report.browsing import visit
from tests.report.overlaps import overlapping_texts


def test_a_map_is_a_page_that_needs_no_network(call, folder):
    ended = call("map", "first.vec", "cat", "DOG", "sun", "moon", "unicorn")

    page = (folder / "words.html").read_text("utf-8")
    assert "4 words: words.html" in ended.stderr
    assert "'unicorn' is not in the vocabulary of first." in ended.stderr
    assert "http-equiv" in page
    assert "unicorn" not in page


@pytest.mark.parametrize(("name", "start"), [("map.svg", b"<svg"), ("map.png", b"\x89PNG")])
def test_the_ending_selects_the_format(call, folder, name, start):
    call("map", "first.vec", "cat", "dog", "sun", "-o", name)

    assert (folder / name).read_bytes().startswith(start)


def test_neighbours_are_added(call):
    found = json.loads(call("map", "first.vec", "cat", "--neighbours", "4", "--json").stdout)

    near = json.loads(call("neighbours", "first.vec", "cat", "-n", "4", "--json").stdout)
    assert {point["word"] for point in found["words"]} == {
        "cat", *(neighbour["word"] for neighbour in near["cat"]),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ((), 2, "Give words, or a file of words with --words."),
        (("cat", "dog", "sun", "-o", "map.pdf"), 2, "the output ends with .html, .svg or .png"),
        (("cat", "dog"), 3, "a map needs 3 words and two dimensions, found 2 words"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(call, arguments, code, sentence):
    ended = call("map", "first.vec", *arguments, code=code)

    assert sentence in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_labels_every_word_and_clips_no_text(call, folder, browser, width):
    call("map", "first.vec", "cat", "dog", "sun", "moon", "--neighbours", "9", "-o", "m.html")
    view, seen = visit(browser, folder / "m.html", viewport={"width": width, "height": 900})
    texts = view.locator(".chart .labels_marks text")

    visible = texts.evaluate_all(
        "all => all.filter(e => e.getAttribute('opacity') !== '0').map(e => e.textContent)"
    )
    assert len(visible) == int(re.search(r"(\d+) words", view.locator("h1").inner_text())[1])
    assert overlapping_texts(view) == []
    legend = view.locator(".chart .role-legend").bounding_box()
    chart = view.locator(".chart").bounding_box()
    assert legend["x"] >= chart["x"]
    assert legend["x"] + legend["width"] <= chart["x"] + chart["width"]
    assert seen["errors"] == []
    view.close()


def test_a_map_in_a_report_does_not_move_when_the_page_scrolls(call, folder):
    from lexiscope.data.vectors import load
    from lexiscope.experiments.inspection.mapped_words import mapped_words

    embedding = load(str(folder / "first.vec"))
    section = map_section(mapped_words(embedding, embedding.words[:9]))

    [figure] = section.parts
    assert "params" not in json.dumps(figure.spec)
    assert figure.title == "9 words of first"
    assert "by principal components" in section.text[0]
