"""The report in a real browser: nothing hidden in a word runs, nothing asks the network."""

import json
import re
import shutil

import numpy as np
import pytest

import lexiscope
from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Analogies, WordPairs
from lexiscope.core.embedding import embedding
from lexiscope.report.page import page, safe_json

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "'\"><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{7*7}}",
    "{% raw %}",
    "<!--",
    "]]>",
    "&lt;script&gt;",
    "\u2028\u2029",
    "\u202eevil",
    "${alert(1)}",
    "<iframe src='https://example.org'>",
    "<style>*{display:none}</style>",
    "a" * 900,
    "=HYPERLINK(1)",
    "<base href='https://example.org/'>",
    "<meta http-equiv=refresh content='0;url=https://example.org'>",
    "datum.x = 1",
]


def _hostile_results():
    rng = np.random.default_rng(0)
    words = [*HOSTILE, "cat", "dog"]
    names = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>"]
    vectors = {name: embedding(name, words, rng.normal(size=(len(words), 4))) for name in names}
    left, right = word_array(words), word_array([*words[1:], "</td><script>alert(2)</script>"])
    pairs = WordPairs("<b onmouseover=alert(1)>", left, right, rng.random(len(words)))
    parts = word_array(["<svg onload=alert(1)>", "two"] * (len(words) // 2))
    questions = Analogies("q", left, left[::-1].copy(), right, right, parts)
    return lexiscope.run(vectors, datasets=[pairs, questions])


@pytest.fixture(scope="module")
def results():
    return _hostile_results()


def test_chart_data_cannot_end_its_script():
    assert "<" not in safe_json({"word": "</script>"})
    assert json.loads(safe_json({"word": "</script>&\u2028"})) == {"word": "</script>&\u2028"}


def test_words_stay_words_in_the_page(results):
    text = page(results)

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "<svg onload" not in text


def test_the_notebook_table_is_escaped(results):
    text = results._repr_html_()

    assert "<script>" not in text
    assert "&lt;/script&gt;" in text


def test_the_page_names_no_address(results):
    outside = re.sub(r"<script>.*?</script>", "", page(results), flags=re.S)

    assert not re.search(r"(src|href)=[\"']?https?:", outside)


def test_every_score_and_difference_is_on_the_page(results):
    text = page(results)

    for row in results.main():
        if row.value is not None:
            assert f"{row.value:.3f}" in text
    assert f"{len(results.comparisons)} comparisons" in text
    assert results.manifest["embeddings"][0]["sha256"] in text


def test_a_run_of_one_embedding_has_a_page(tmp_path):
    words = ["cat", "dog", "sun", "moon", "cup", "tea"]
    one = embedding("one", words, np.random.default_rng(0).normal(size=(6, 3)))

    found = lexiscope.run(one, datasets=[WordPairs.example()])

    assert "One embedding was asked" in page(found)


@pytest.fixture(scope="module")
def browser():
    where = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if where is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        chromium = player.chromium.launch(
            executable_path=where,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync", "--no-first-run"],
        )  # fmt: skip
        yield chromium
        chromium.close()


def _visit(browser, path, **settings):
    seen = {"dialogs": [], "requests": [], "errors": []}
    view = browser.new_page(**settings)
    view.on("dialog", lambda dialog: (seen["dialogs"].append(dialog.message), dialog.dismiss()))
    view.on("request", lambda request: seen["requests"].append(request.url))
    view.on("pageerror", lambda problem: seen["errors"].append(str(problem)))
    view.on(
        "console",
        lambda line: seen["errors"].append(line.text) if line.type == "error" else None,
    )
    view.goto(path.as_uri())
    view.wait_for_selector("html[data-drawn=yes]", state="attached")
    view.wait_for_selector(".chart svg")
    return view, seen


def test_hostile_words_are_harmless_in_a_browser(results, browser, tmp_path):
    path = lexiscope.write_report(results, tmp_path / "report.html")

    view, seen = _visit(browser, path)

    assert seen["dialogs"] == []
    assert seen["errors"] == []
    assert seen["requests"] == [path.as_uri()]
    assert view.locator(".chart svg").count() >= 3
    assert view.get_by_text("</script><script>alert(1)</script>").count() > 0
    view.close()


def test_the_page_fits_a_narrow_screen_and_a_keyboard(results, browser, tmp_path):
    path = lexiscope.write_report(results, tmp_path / "report.html")

    view, _ = _visit(browser, path, viewport={"width": 320, "height": 700})

    assert view.evaluate("document.documentElement.scrollWidth") <= 320
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.tagName") == "A"
    view.close()


def test_charts_tell_their_content_in_words(results, browser, tmp_path):
    view, _ = _visit(browser, lexiscope.write_report(results, tmp_path / "report.html"))

    labels = view.locator(".chart").evaluate_all(
        "all => all.map(c => c.getAttribute('aria-label'))"
    )

    assert labels
    assert all("95 % interval" in label for label in labels)
    view.close()
