"""Real data for tests: downloaded once into the cache; tests skip without a network."""

import os
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import DownloadFailed, fetch
from lexiscope.data.local_data import LocalData

CACHE = os.environ.get("LEXISCOPE_CACHE_DIR")
SHARED = Path(__file__).parents[3] / "shared" / "datasets"


def fetched(*names: str) -> LocalData:
    """Local data with these entries."""
    local_data = LocalData()
    try:
        for name in names:
            fetch(local_data, catalogue()[name])
    except DownloadFailed as problem:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no network: {problem}")
    return local_data


def shared() -> Path:
    """The folder of shared data next to the project."""
    if not SHARED.is_dir():
        pytest.skip("no shared folder next to the project")
    return SHARED


def kept(name: str) -> list[Path]:
    """The files of an entry in the cache; nothing is downloaded, because some are large."""
    local_data = LocalData()
    local_data.cache = Path(CACHE) if CACHE else user_cache_path("lexiscope")
    found = local_data.find(catalogue()[name])
    if found is None:
        pytest.skip(f"not in the cache: {name}")
    return found
