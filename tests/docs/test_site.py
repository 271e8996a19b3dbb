"""The documentation site builds without a warning, and every page can be reached."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import lexiscope

DOCS = Path(__file__).parents[2] / "docs"


def test_every_public_name_is_in_the_api_reference():
    documented = re.findall(
        r"^\.\. auto\w+:: lexiscope\.(\w+)$", (DOCS / "api.md").read_text("utf-8"), re.M
    )

    assert sorted(documented) == sorted(n for n in lexiscope.__all__ if not n.startswith("__"))


def test_every_figure_of_the_gallery_has_its_script():
    drawn = {
        "".join(name)
        for script in (DOCS / "gallery").glob("*.py")
        for name in re.findall(
            r'^ +"([a-z-]+)": "|FIGURES / "([a-z-]+)\.svg"', script.read_text("utf-8"), re.M
        )
    }
    shown = {
        name
        for page in DOCS.rglob("*.md")
        for name in re.findall(r"figures/([a-z-]+)\.svg", page.read_text("utf-8"))
    }

    assert shown == drawn


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("furo", reason="needs the extra docs")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]

    built = subprocess.run(
        [*command, str(DOCS), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )

    assert built.returncode == 0, built.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))
    assert not [p for p in pages if p.name != "report.html" and _foreign(p.read_text("utf-8"))]


def _foreign(page: str) -> list[str]:
    """Scripts, styles, fonts and images that a page loads from other servers."""
    return re.findall(
        r'<(?:script|img|link[^>]*stylesheet)[^>]*(?:src|href)="(?:https?:)?//[^"]+', page
    )
