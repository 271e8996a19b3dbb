"""Visits of a page in Chromium, and what they must never cause."""

from dataclasses import dataclass, field

from playwright.sync_api import expect

_VIOLATIONS = """document.addEventListener("securitypolicyviolation",
  (event) => console.error("CSP: " + event.violatedDirective + " " + event.blockedURI));"""
# Chromium reports pages with an error status, and a server that is stopped, on the console.
_EXPECTED = ("Failed to load resource: the server responded", "Failed to load resource: net::ERR_")


@dataclass
class Seen:
    """What a context of the browser did."""

    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def elsewhere(self, *origins):
        """Requests that went to none of these origins."""
        return [url for url in self.requests if not url.startswith((*origins, "data:"))]


def watch(context):
    """Record requests, dialogs, script errors and violations of the content policy."""
    seen = Seen()
    context.add_init_script(_VIOLATIONS)
    context.on("request", lambda request: seen.requests.append(request.url))
    context.on("dialog", lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()))
    context.on("weberror", lambda problem: seen.errors.append(str(problem.error)))
    context.on("console", lambda message: _record(seen, message))
    return seen


def _record(seen, message):
    if message.type == "error" and not message.text.startswith(_EXPECTED):
        seen.errors.append(message.text)


def agree(page, url):
    """Agree to take part; the instructions follow."""
    page.goto(url)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()


def begin(page, url):
    """Agree to take part, and go to the first question."""
    agree(page, url)
    page.get_by_role("link", name="Go to the questions").click()
    expect_number(page, 1)


def expect_number(page, number):
    """The page shows the question with this number, and its script runs."""
    expect(page.locator(".count")).to_contain_text(f"{number} of ")
    page.wait_for_load_state()


def choose(page, position):
    """Choose the option at a position, without sending it."""
    page.locator("label.option").nth(position).click()


def send(page):
    """Send the answer."""
    page.locator("#item button").click()


def answer(page, position=0):
    """Choose the option at a position, and send it."""
    choose(page, position)
    send(page)


def answer_rest(page):
    """Answer everything that is left with the first option."""
    while "/thanks" not in page.url:
        answer(page)
        page.wait_for_load_state()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()


def words(page):
    """The options in the order of the page."""
    return page.locator("bdi.word").all_text_contents()


def resume_link(page):
    """The address without the number of the item."""
    return page.url.rsplit("/", 1)[0]


def fits(page, width):
    """Whether nothing is wider than the screen."""
    return page.evaluate("document.documentElement.scrollWidth") <= width


def login(page, server):
    """Log in as the administrator."""
    page.goto("about:blank")
    page.goto(server.admin_link)
    expect(page.get_by_role("heading", name="Progress")).to_be_visible()
