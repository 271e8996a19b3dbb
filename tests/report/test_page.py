"""The report in a browser: no word runs code, nothing uses the network."""

import json
import re
from dataclasses import replace

import pytest

from lexiscope.report.notebook import html
from lexiscope.report.page import page, safe_json


def test_chart_data_cannot_end_its_script():
    assert "<" not in safe_json({"word": "</script>"})
    assert json.loads(safe_json({"word": "</script>&\u2028"})) == {"word": "</script>&\u2028"}


def test_words_are_escaped_in_the_page(hostile):
    text = page(hostile)

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "<svg onload" not in text


def test_the_notebook_table_is_escaped(hostile):
    for text in (hostile._repr_html_(), html(hostile)):
        assert "<script>" not in text
        assert "&lt;/script&gt;" in text


def test_the_page_links_to_no_address(hostile):
    outside = re.sub(r"<script>.*?</script>", "", page(hostile), flags=re.S)

    assert not re.search(r"(src|href)=[\"']?https?:", outside)


def test_every_score_and_difference_is_on_the_page(results):
    text = page(results)

    for row in results.main():
        if row.value is not None:
            assert f"{row.value:.3f}" in text
    assert f"{len(results.comparisons)} comparisons" in text
    assert results.manifest["embeddings"][0]["sha256"] in text


def test_a_run_of_one_embedding_has_a_page(alone):
    text = page(alone)

    assert "One embedding was evaluated" in text
    assert "1 embedding, 1 evaluation, 0 comparisons." in text


def test_a_run_without_results_has_a_page(alone):
    text = page(replace(alone, results=(), coverage=(), finished=None))

    assert "This run is not finished" in text


def test_the_page_is_smaller_than_3_mb(written):
    assert written.stat().st_size < 3_000_000


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


def _all_drawn(view):
    charts = view.locator("[data-chart]").count()
    return charts > 0 and view.locator("[data-chart][data-drawn=yes]").count() == charts


def test_hostile_words_are_harmless_in_a_browser(hostile_page, browser):
    view, seen = _visit(browser, hostile_page)
    view.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")

    assert seen["dialogs"] == []
    assert seen["errors"] == []
    assert seen["requests"] == [hostile_page.as_uri()]
    assert _all_drawn(view)
    assert view.get_by_text("</script><script>alert(1)</script>").count() > 0
    view.close()


@pytest.mark.parametrize("width", [320, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_chart_is_drawn_and_nothing_overflows(written, browser, width, scheme):
    size = {"width": width, "height": 700}
    view, seen = _visit(browser, written, viewport=size, color_scheme=scheme)
    view.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")

    assert seen["errors"] == []
    assert seen["requests"] == [written.as_uri()]
    assert _all_drawn(view)
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    view.close()


def test_a_forest_fits_a_narrow_screen(written, browser):
    view, _ = _visit(browser, written, viewport={"width": 320, "height": 700})
    box = view.locator("[data-chart=chart-1] svg.marks").bounding_box()

    assert box["x"] + box["width"] <= 320
    view.close()


def test_the_page_fits_a_narrow_screen_and_a_keyboard(hostile_page, browser):
    view, _ = _visit(browser, hostile_page, viewport={"width": 320, "height": 700})

    assert view.evaluate("document.documentElement.scrollWidth") <= 320
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.tagName") == "A"
    view.close()


def test_charts_have_a_description_for_screen_readers(written, browser):
    view, _ = _visit(browser, written)

    labels = view.locator(".chart").evaluate_all(
        "all => all.map(c => c.getAttribute('aria-label'))"
    )

    assert labels
    assert all("The table below has the same data." in label for label in labels)
    view.close()


def test_chart_text_is_light_in_dark_mode(written, browser):
    view, _ = _visit(browser, written, color_scheme="dark")
    fill = "element => getComputedStyle(element).fill"
    label = view.locator(".chart .role-axis-label text").first.evaluate(fill)

    assert label == "rgb(230, 237, 243)"
    view.close()
