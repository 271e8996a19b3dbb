"""Maps of words as pages and figures."""

import json

import pytest


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
