"""A plug-in that cannot be imported is left out with a warning, unless it is named."""

import json
import os

import pytest

from lexiscope.core.contracts.registry import TASKS, TRAINERS


@pytest.fixture
def env(folder):
    """An environment in which a package provides a task and a trainer that cannot be imported."""
    site = folder / "site"
    about = site / "broken-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\n", "utf-8")
    (about / "entry_points.txt").write_text(
        f"[{TASKS}]\nnovel = broken:Novel\n[{TRAINERS}]\nhasty = broken:Hasty\n", "utf-8"
    )
    (site / "broken.py").write_text("import nothing_like_it\n", "utf-8")
    return {"env": {**os.environ, "PYTHONPATH": str(site)}}


@pytest.mark.parametrize(
    ("arguments", "name", "listed"),
    [
        (("tasks",), "novel", "similarity"),
        (("tasks", "--json"), "novel", "similarity"),
        (("trainers",), "hasty", "svd"),
        (("trainers", "--json"), "hasty", "svd"),
        (("train", "--help"), "hasty", "svd"),
    ],
)
def test_a_list_leaves_it_out_with_a_warning(call, env, arguments, name, listed):
    ended = call(*arguments, **env)

    assert listed in ended.stdout
    assert name not in ended.stdout
    assert ended.stderr.startswith(f"lexiscope: The entry point {name} = broken:")
    assert ended.stderr.endswith(
        "of the package 'broken' cannot be loaded (ModuleNotFoundError: No module named "
        "'nothing_like_it'). It is left out.\n"
    )
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("tasks", "novel"),
        ("trainers", "hasty"),
        ("run", "first.vec", "--task", "novel", "--dataset", "pairs.tsv"),
        ("train", "hasty", "pairs.tsv", "-o", "x.vec"),
    ],
)
def test_it_is_an_error_if_it_is_named(call, env, arguments):
    ended = call(*arguments, code=2, **env)

    assert "cannot be loaded (ModuleNotFoundError: No module named 'nothing_like_it')." in (
        ended.stderr
    )


def test_all_tasks_run_without_it(call, env):
    ended = call("run", "first.vec", "--dataset", "pairs.tsv", "--json", **env)

    assert {r["task"] for r in json.loads(ended.stdout)["results"]} == {"similarity"}
    assert "The entry point novel = broken:Novel of the package 'broken' cannot" in ended.stderr


def test_named_tasks_run_without_it(call, env):
    arguments = ("run", "first.vec", "--task", "similarity", "--dataset", "pairs.tsv", "--json")
    ended = call(*arguments, **env)

    assert {r["task"] for r in json.loads(ended.stdout)["results"]} == {"similarity"}
    assert "novel" not in ended.stderr
