"""CITATION.cff is what citation tools read, and agrees with the package."""

import tomllib
from pathlib import Path

import pytest

import lexiscope

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_citation_has_the_keys_that_the_format_requires():
    assert str(CITATION["cff-version"]) == "1.2.0"
    assert {"message", "title", "authors"} <= CITATION.keys()
    assert all(author.keys() & {"name", "family-names"} for author in CITATION["authors"])
    assert CITATION["type"] == "software"


def test_the_citation_agrees_with_the_package():
    assert str(CITATION["version"]) == lexiscope.__version__
    assert CITATION["license"] == PROJECT["license"]
    assert [author["name"] for author in CITATION["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
