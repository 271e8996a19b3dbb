"""Studies that are served to Chromium, whose visits are watched."""

from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.web.browser.server import Server
from tests.web.browser.studies import six_options
from tests.web.browser.visits import watch
from tests.web.studies import write

expect.set_options(timeout=60_000)


@pytest.fixture
def serve(tmp_path):
    """A function that serves a study; its server can be stopped and started again."""
    with ExitStack() as stack:

        def start(study=None, mode="link"):
            path = write(tmp_path / f"{mode}.study", study or six_options())
            server = Server(path, mode)
            stack.callback(server.stop)
            return server

        yield start


@pytest.fixture
def visit(browser):
    """A function that opens a page in a context of its own, as `page`, and what it does.

    No visit may open a dialog, violate the content policy or cause an error on the console.
    """
    watched = []
    with ExitStack() as stack:

        def open_page(**options):
            context = browser.new_context(**options)
            stack.callback(context.close)
            context.set_default_timeout(60_000)  # the machine may be busy
            watched.append(watch(context))
            return context.new_page()

        open_page.seen = watched
        yield open_page
    assert [each.dialogs for each in watched] == [[]] * len(watched)
    assert [each.errors for each in watched] == [[]] * len(watched)
