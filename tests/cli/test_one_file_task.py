"""A task is one file: nothing else is edited for it to appear everywhere."""

import json
import os
import re
from pathlib import Path

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
    assert found["comparisons"][0]["p"] is not None
    assert "distance (power=1.0)" in (folder / "r.html").read_text("utf-8")
    _runs_under_the_checks(more["env"])


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
