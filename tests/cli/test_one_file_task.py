"""A task is one file: nothing else is edited for it to appear everywhere."""

import json
import os
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_a_task_in_one_file_appears_everywhere(call, folder):
    source = re.search(r"```python\n(.*?)```", (DOCS / "adding-a-task.md").read_text("utf-8"), re.S)
    package = folder / "more"
    package.mkdir()
    (package / "distance.py").write_text(source[1], "utf-8")
    # The folder of tasks is extended as if the file had been saved there.
    (folder / "sitecustomize.py").write_text(
        f"import lexiscope.tasks\nlexiscope.tasks.__path__.append({str(package)!r})\n", "utf-8"
    )
    more = {"env": {**os.environ, "PYTHONPATH": str(folder)}}

    assert "distance" in call("tasks", **more).stdout
    ended = call("run", "first.vec", "second.vec", "--task", "distance", "--dataset", "pairs.tsv",
                 "--set", "distance.power=1", "--report", "r.html", "--json", **more)  # fmt: skip

    found = json.loads(ended.stdout)
    assert {r["task"] for r in found["results"]} == {"distance"}
    assert found["results"][0]["settings"] == {"power": 1.0}
    assert found["comparisons"][0]["difference"] is not None
    assert found["comparisons"][0]["outcome"] == "undecided"  # too few items for a test
    assert "distance (power=1.0)" in (folder / "r.html").read_text("utf-8")
    _runs_under_the_checks(more["env"])


@pytest.mark.parametrize(
    ("removed", "message"),
    [
        ("    metric = spearman\n", "the task Distance must set `metric`"),
        ("@dataclass(frozen=True)\n", "decorate the class Distance with @dataclass(frozen=True)"),
    ],
)
def test_an_incomplete_task_file_is_explained(call, folder, removed, message):
    source = re.search(r"```python\n(.*?)```", (DOCS / "adding-a-task.md").read_text("utf-8"), re.S)
    assert removed in source[1]
    (folder / "distance.py").write_text(source[1].replace(removed, ""), "utf-8")

    ended = call("run", "first.vec", "--task", "distance.py", "--dataset", "pairs.tsv", code=3)

    assert message in ended.stderr


def test_a_task_file_is_described(call, folder):
    source = re.search(r"```python\n(.*?)```", (DOCS / "adding-a-task.md").read_text("utf-8"), re.S)
    (folder / "distance.py").write_text(source[1], "utf-8")

    found = call("tasks", "distance.py").stdout

    assert "--set distance.power=2.0\n      Exponent of" in found


def _runs_under_the_checks(environment):
    import subprocess
    import sys

    checks = Path(__file__).parents[1] / "checks"
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", str(checks), "-k", "distance", "-p", "no:cacheprovider",
         "-p", "no:randomly", "-c", str(DOCS.parent / "pyproject.toml"), "-o", "addopts="],
        capture_output=True, text=True, env=environment, check=False, cwd=DOCS.parent,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert re.search(r"\d+ passed", ended.stdout)
