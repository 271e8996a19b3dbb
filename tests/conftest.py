"""Nothing of the machine that runs the tests reaches them."""

import pytest
from hypothesis import settings

# The first call of a kernel compiles it: time says nothing about an example.
settings.register_profile("lexiscope", deadline=None)
settings.load_profile("lexiscope")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch, tmp_path_factory):
    for name in ("THREADS", "MEMORY", "DATA_DIR", "DASK", "SEED"):
        monkeypatch.delenv(f"LEXISCOPE_{name}", raising=False)
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))
