from playwright.sync_api import expect

from tests.web.browser.visits import expect_number, words


def _focused(page, selector):
    return page.evaluate(f"document.activeElement.matches({selector!r})")


def test_a_whole_study_by_keyboard_with_a_correction(serve, visit):
    server, page = serve(), visit()
    page.goto(server.url)
    page.keyboard.press("Tab")
    assert _focused(page, "input[name=agree]")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()
    page.keyboard.press("Tab")
    assert _focused(page, "a.button")
    page.keyboard.press("Enter")
    chosen = []
    for number in (1, 2):
        expect_number(page, number)
        page.keyboard.press(str(number))
        chosen.append(words(page)[number - 1])
        page.keyboard.press("Enter")
    expect_number(page, 3)
    page.keyboard.press("Backspace")
    expect_number(page, 2)
    assert page.locator("label.option input").nth(1).is_checked()
    page.keyboard.press("3")
    corrected = words(page)[2]
    page.keyboard.press("Enter")
    for number in (3, 4, 5):
        expect_number(page, number)
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()

    stored, items = server.judgments(), server.file().items
    given = [items[each.item].options[each.choice] for each in stored]
    assert len(given) == 5
    assert {chosen[0], corrected} <= set(given)
    [(judge, item, choice, _)] = server.revisions()
    assert judge == stored[0].judge
    assert items[item].options[choice] == chosen[1]


def test_the_last_key_is_for_unknown_words_and_other_keys_do_nothing(serve, visit):
    server, page = serve(), visit()
    _start_by_keyboard(page, server)
    options = page.locator("label.option input")
    for key in ("9", "0", "a", "Backspace", "Control+1"):
        page.keyboard.press(key)
    assert page.locator("input:checked").count() == 0
    expect_number(page, 1)
    page.keyboard.press(str(options.count()))
    assert page.locator("input:checked").get_attribute("value") == "unknown"
    page.keyboard.press("ArrowUp")
    assert options.nth(options.count() - 2).is_checked()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_number(page, 2)

    assert [each.choice for each in server.judgments()] == [-1]


def test_enter_without_a_choice_stays_on_the_question(serve, visit):
    server, page = serve(), visit()
    _start_by_keyboard(page, server)
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)

    expect_number(page, 1)
    assert server.judgments() == []


def test_a_key_that_is_held_down_acts_once(serve, visit):
    server, page = serve(), visit()
    _start_by_keyboard(page, server)
    for number in (1, 2):
        expect_number(page, number)
        page.keyboard.press("1")
        page.keyboard.press("Enter")
    expect_number(page, 3)
    page.keyboard.down("Backspace")
    expect_number(page, 2)
    page.keyboard.down("Backspace")
    page.keyboard.down("Backspace")
    page.wait_for_timeout(100)

    expect_number(page, 2)


def _start_by_keyboard(page, server):
    page.goto(server.url)
    for key in ("Tab", "Space", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_number(page, 1)
