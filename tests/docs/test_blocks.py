"""Every command and Python block of README and docs runs as printed, from an empty cache.

By default the blocks that need neither a network nor minutes run; `pytest -m slow` runs each page
with all of its blocks, in order.
"""

import importlib
import sys

import pytest

import lexiscope
from tests.docs import stand_ins
from tests.docs.blocks import PAGES, blocks
from tests.docs.session import Session, environment

FAST = [page for page in PAGES if any(b.fast and not b.file for b in blocks(page))]
SLOW = [
    page for page in PAGES if any((b.network or b.slow) and not b.skipped for b in blocks(page))
]
_FROM_NOTHING = ("README.md", "docs/index.md")  # what a new user reads needs no file of the tests
_REAL = 20_000  # words of the vectors on pages that use published datasets


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    """A session in an empty folder, with an empty cache."""

    def prepare(page, offline, real=None):
        folder, cache = tmp_path / "page", tmp_path / "cache"
        folder.mkdir()
        variables = environment(folder, cache, offline)
        for name in ("LEXISCOPE_CACHE_DIR", "LEXISCOPE_OFFLINE", "PATH"):
            monkeypatch.setenv(name, variables[name])
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(str(folder))
        if page not in _FROM_NOTHING:
            stand_ins.make(page, folder, real() if real else None)
        session = Session(folder, variables)
        for block in blocks(page):
            if block.file:
                session.save(block)
        importlib.invalidate_caches()
        return session

    before = set(sys.modules)
    yield prepare
    for name in set(sys.modules) - before:
        if _is_of_a_page(name, tmp_path):
            del sys.modules[name]


def _is_of_a_page(name, folder):
    origin = getattr(sys.modules[name], "__file__", None)
    return name in {"page", "my_package"} or (origin or "").startswith(str(folder))


@pytest.mark.parametrize("page", FAST)
def test_the_fast_blocks_of_a_page_run_as_printed(page, prepared):
    session = prepared(page, offline=True)

    for block in blocks(page):
        if block.fast:
            session.run(block)


@pytest.mark.slow
@pytest.mark.parametrize("page", SLOW)
def test_all_blocks_of_a_page_run_as_printed(page, prepared):
    session = prepared(
        page, offline=False, real=lambda: lexiscope.load("glove-6b-50d", limit=_REAL)
    )

    for block in blocks(page):
        if not block.skipped:
            session.run(block)


def test_a_skipped_block_has_a_reason_and_is_rare():
    skipped = [block for page in PAGES for block in blocks(page) if block.skipped]

    assert all(len(block.skipped) > 15 for block in skipped)
    assert len(skipped) < 25


def test_a_block_that_fails_fails_the_test(prepared, tmp_path):
    from tests.docs.blocks import Block
    from tests.docs.session import BlockError

    session = prepared("docs/index.md", offline=True)

    with pytest.raises(BlockError, match="exit code 3"):
        session.run(Block("page.md", 1, "sh", "lexiscope neighbours nothing.vec cat\ntrue\n"))
    with pytest.raises(ZeroDivisionError):
        session.run(Block("page.md", 1, "python", "1 / 0\n"))
    with pytest.raises(BlockError, match="exit code 1"):
        session.run(Block("page.md", 1, "sh", "false | cat\ntrue\n"))
