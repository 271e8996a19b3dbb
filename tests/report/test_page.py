"""The report in a browser: no word runs code, nothing uses the network."""

import json
import re
from dataclasses import replace

import pytest

from lexiscope.report.notebook import html
from lexiscope.report.page import page, safe_json
from tests.report.browsing import unfold, visit
from tests.web.browser.axe import axe_source


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


def test_hostile_words_are_harmless_in_a_browser(hostile_page, browser):
    view, seen = visit(browser, hostile_page)
    unfold(view)
    view.locator("th button").first.click()

    assert seen["dialogs"] == []
    assert seen["errors"] == []
    assert seen["requests"] == [hostile_page.as_uri()]
    assert view.get_by_text("</script><script>alert(1)</script>").count() > 0
    view.close()


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1600, "light")])
def test_every_chart_is_drawn_and_nothing_overflows(written, browser, width, scheme):
    size = {"width": width, "height": 700}
    view, seen = visit(browser, written, viewport=size, color_scheme=scheme)

    assert view.evaluate("document.documentElement.scrollWidth") <= width
    unfold(view)
    assert seen["errors"] == []
    assert seen["requests"] == [written.as_uri()]
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    view.close()


def test_a_chart_fits_a_narrow_screen(written, browser):
    view, _ = visit(browser, written, viewport={"width": 320, "height": 700})
    unfold(view)
    box = view.locator("[data-chart=chart-1] svg.marks").bounding_box()

    assert box["x"] + box["width"] <= 320
    view.close()


def test_the_page_fits_a_narrow_screen_and_a_keyboard(hostile_page, browser):
    view, _ = visit(browser, hostile_page, viewport={"width": 320, "height": 700})

    assert view.evaluate("document.documentElement.scrollWidth") <= 320
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.tagName") == "A"
    view.close()


def test_charts_have_a_description_for_screen_readers(written, browser):
    view, _ = visit(browser, written)

    labels = view.locator(".chart").evaluate_all(
        "all => all.map(c => c.getAttribute('aria-label'))"
    )

    assert labels
    assert all("The table below has the same data." in label for label in labels)
    view.close()


def test_chart_text_is_light_in_dark_mode(written, browser):
    view, _ = visit(browser, written, color_scheme="dark")
    unfold(view)
    fill = "element => getComputedStyle(element).fill"
    label = view.locator(".chart .role-axis-label text").first.evaluate(fill)

    assert label == "rgb(230, 233, 236)"
    view.close()


def test_details_are_folded_and_the_verdict_is_above_the_fold(many_page, browser):
    view, _ = visit(browser, many_page, viewport={"width": 1200, "height": 900})

    assert view.locator("details[open]:not(.narrow):visible").count() == 0
    verdict = view.locator(".lead > p").first.bounding_box()
    assert verdict["y"] + verdict["height"] < 900
    assert view.locator("details.fold").count() >= 6
    view.close()


def _column(view, index):
    return view.locator("table.grid tbody tr:not(.group)").evaluate_all(
        "(rows, k) => rows.map(({cells}) => cells[k].dataset.value ?? cells[k].textContent)", index
    )


def test_a_click_sorts_the_grid_and_a_second_one_reverses_it(many_page, browser):
    view, _ = visit(browser, many_page)
    given = [float(value) for value in _column(view, 2)]
    button = view.locator("table.grid th button").nth(2)

    button.click()
    assert [float(value) for value in _column(view, 2)] == sorted(given, reverse=True)
    assert view.locator("th[aria-sort=descending]").count() == 1
    button.click()
    assert [float(value) for value in _column(view, 2)] == sorted(given)
    view.locator("table.grid th button").first.click()
    names = _column(view, 0)
    assert names == sorted(names)
    view.close()


def test_the_page_can_be_read_without_scripts(many_page, browser):
    context = browser.new_context(java_script_enabled=False)
    view = context.new_page()
    view.goto(many_page.as_uri())

    assert view.locator("table.grid .score").count() == 60
    assert view.locator("table.grid .bar .line").first.is_visible()
    assert view.locator("table.forest").count() == 12
    assert view.locator("th button").count() == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["many_page", "written"])
def test_axe_finds_no_violations(name, scheme, browser, request, pytestconfig):
    path = request.getfixturevalue(name)
    context = browser.new_context(bypass_csp=True, color_scheme=scheme)
    view = context.new_page()
    view.goto(path.as_uri())
    view.wait_for_selector("html[data-drawn=yes]", state="attached")
    view.add_script_tag(content=axe_source(pytestconfig.cache.mkdir("axe")))
    assert _violations(view) == []
    unfold(view)
    assert _violations(view) == []
    context.close()


def _violations(view):
    found = view.evaluate("axe.run()")["violations"]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found]
