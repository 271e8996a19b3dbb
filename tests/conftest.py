"""Nothing of the machine that runs the tests reaches them."""

import shutil

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


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium."""
    path = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if path is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        chromium = player.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync", "--no-first-run",
                  # Stand-ins of public sites show studies of this machine in frames.
                  "--disable-features=LocalNetworkAccessChecks"],
        )  # fmt: skip
        yield chromium
        chromium.close()
