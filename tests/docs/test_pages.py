from pathlib import Path

import pytest

from lexiscope import probes, tasks, trainers
from lexiscope.cli import commands
from lexiscope.core.contracts.registry import names

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", names(tasks))
def test_every_task_has_its_page(name):
    assert (DOCS / "tasks" / f"{name}.md").read_text("utf-8").startswith(f"# {name}\n")


@pytest.mark.parametrize("name", names(trainers))
def test_every_trainer_has_its_page(name):
    page = (DOCS / "trainers" / f"{name}.md").read_text("utf-8")

    assert page.startswith(f"# {name}\n")
    assert f"({name}.md)" in (DOCS / "trainers" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", names(probes))
def test_every_probe_has_its_page(name):
    assert (DOCS / "probes" / f"{name}.md").read_text("utf-8").startswith(f"# {name}\n")
    assert f"({name}.md)" in (DOCS / "probes" / "README.md").read_text("utf-8")


PAPERS = sorted(path.stem for path in (DOCS.parent / "src/lexiscope/papers").glob("*.toml"))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_its_page(paper):
    page = (DOCS / "papers" / f"{paper}.md").read_text("utf-8")

    assert page.startswith(f"# {paper.upper()}: ")
    assert f"lexiscope reproduce {paper}" in page


@pytest.mark.parametrize("name", names(commands))
def test_every_command_has_its_page(name):
    assert (DOCS / "commands" / f"{name}.md").read_text("utf-8").startswith(f"# lexiscope {name}\n")


def test_the_readme_says_both_commands_on_its_first_screen():
    first = (DOCS.parent / "README.md").read_text("utf-8").splitlines()[:25]

    assert any("make demo" in line for line in first)
    assert any("make test" in line for line in first)


def test_links_between_pages_lead_somewhere():
    import re

    for page in [*DOCS.rglob("*.md"), *DOCS.parent.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            drawn = "gallery/figures/" in str(page.parent / target)  # when the site is built
            if "://" not in target and not drawn:
                assert (page.parent / target).exists(), f"{page}: {target}"
