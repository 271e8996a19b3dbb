"""Real data for tests: from the user's own cache, fetched once; tests skip without a network."""

import os
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from lexiscope.data.catalogue import catalogue
from lexiscope.data.fetching import NotFetched, fetch
from lexiscope.data.library import Library

CACHE = os.environ.get("LEXISCOPE_CACHE_DIR")
SHARED = Path(__file__).parents[3] / "shared" / "datasets"


def fetched(*names: str) -> Library:
    """A library that holds these entries."""
    library = Library()
    try:
        for name in names:
            fetch(library, catalogue()[name])
    except NotFetched as problem:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no network: {problem}")
    return library


def shared() -> Path:
    """The folder of shared data beside the project."""
    if not SHARED.is_dir():
        pytest.skip("no shared folder beside the project")
    return SHARED


def kept(name: str) -> list[Path]:
    """The files of an entry in the user's own cache; nothing is fetched, for some are large."""
    library = Library()
    library.cache = Path(CACHE) if CACHE else user_cache_path("lexiscope")
    found = library.find(catalogue()[name])
    if found is None:
        pytest.skip(f"not in the cache: {name}")
    return found
