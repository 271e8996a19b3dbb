"""The layout of the report in a browser: its length, and that no text covers other text."""

import itertools

import pytest

from tests.report.browsing import unfold, visit
from tests.report.overlaps import overlapping_texts

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1200, "height": 900}
DESKTOP = {"width": 1600, "height": 1000}
PAGES = ["few_page", "demo_sized_page", "written"]

_VISIBLE_WORDS = r"""
() => {
  let words = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest(".hidden, script, style") || !parent.checkVisibility()) continue;
    words += walker.currentNode.textContent.split(/\s+/).filter(Boolean).length;
  }
  return words;
}
"""


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("name", ["many_page", "demo_sized_page"])
def test_a_page_is_at_most_8_screens_with_fewer_than_3000_visible_words(
    name, viewport, browser, request
):
    view, _ = visit(browser, request.getfixturevalue(name), viewport=viewport)

    height = view.evaluate("document.documentElement.scrollHeight")
    words = view.evaluate(_VISIBLE_WORDS)
    assert viewport["height"] < height <= 8 * viewport["height"]
    assert 200 < words < 3000
    view.close()


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP, DESKTOP], ids=["phone", "laptop", "desktop"])
@pytest.mark.parametrize("name", PAGES)
def test_no_text_covers_other_text(name, viewport, browser, request):
    view, _ = visit(browser, request.getfixturevalue(name), viewport=viewport)

    assert overlapping_texts(view) == []
    unfold(view)
    assert overlapping_texts(view) == []
    view.close()


def test_ticks_have_space_between_them_on_a_phone(demo_sized_page, browser):
    view, _ = visit(browser, demo_sized_page, viewport=PHONE)
    unfold(view)
    ends = view.locator("table.forest .axis").first.evaluate(
        "axis => [...axis.children].map(e => e.getBoundingClientRect())"
        ".filter(b => b.width).map(b => [b.left, b.right])"
    )

    assert 2 <= len(ends) <= 3
    assert all(after[0] - before[1] >= 8 for before, after in itertools.pairwise(ends))
    view.close()


def test_forest_plots_are_folded_on_a_phone_only(few_page, browser):
    view, _ = visit(browser, few_page, viewport=PHONE)
    folded = view.locator("details.narrow")

    assert view.get_by_text("3 forest plots").is_visible()
    assert not view.locator("table.forest").first.is_visible()
    view.set_viewport_size(LAPTOP)
    folded.and_(view.locator("[open]")).wait_for()
    assert view.locator("table.forest").first.is_visible()
    assert not view.get_by_text("3 forest plots").is_visible()
    view.close()
