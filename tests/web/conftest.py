"""A study that is served to the tests of a module."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from tests.web.http import served
from tests.web.studies import SETTINGS, comparison, write

ROOMY = replace(SETTINGS, judges_per_item=1000)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A study with room for many judges."""
    path = write(tmp_path_factory.mktemp("served") / "study.db", comparison(settings=ROOMY))
    with served(path) as found:
        yield found


@pytest.fixture
def serve_study(tmp_path):
    """A function that serves a study of its own, for tests that change more than a judge."""
    with ExitStack() as stack:
        yield lambda study=None, **options: stack.enter_context(
            served(write(tmp_path / "own.db", study or comparison()), **options)
        )
