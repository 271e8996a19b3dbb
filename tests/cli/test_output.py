"""What `run`, `check` and `correlate` print: brief, quiet, and 80 columns wide."""

import json
import os
import pty
import subprocess
import sys

import pytest

_RUN = ("run", "first.vec", "second.vec", "--task", "similarity", "--dataset", "pairs.tsv")


def test_brief_is_one_grid_and_the_verdict(call):
    lines = call(*_RUN, "--brief").stdout.splitlines()

    assert sum("pairs" in line for line in lines) <= 3
    assert any(line.startswith("No recommendation: ") for line in lines)
    assert lines[-1].startswith("Not known: ") or "Not known: " in " ".join(lines[-4:])
    assert not any("95 % interval" in line for line in lines)


def test_quiet_prints_nothing_and_keeps_the_exit_code(call, folder):
    ended = call(*_RUN, "--quiet", "--report", "page.html")

    assert ended.stdout == ended.stderr == ""
    assert (folder / "page.html").stat().st_size > 10_000


def test_quiet_json_is_only_the_document(call):
    ended = call(*_RUN, "--quiet", "--json")

    assert json.loads(ended.stdout)["recommendation"]["kind"] == "none"
    assert ended.stderr == ""


def test_a_quiet_check_has_only_an_exit_code(call):
    saved = call("check", "first.vec", "--save", "base.json", "--dataset", "pairs.tsv", "--quiet")
    checked = call("check", "first.vec", "--baseline", "base.json", "--quiet")

    assert saved.stdout == saved.stderr == checked.stdout == checked.stderr == ""


def test_a_brief_check_is_one_sentence(call):
    call("check", "first.vec", "--save", "base.json", "--dataset", "pairs.tsv", "--quiet")

    text = call("check", "first.vec", "--baseline", "base.json", "--brief").stdout

    assert text.startswith("Passed: ")
    assert "spearman" not in text


def _on_a_terminal(folder, *arguments):
    """The output of a command on a terminal of 80 columns."""
    parent, child = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}
    ended = subprocess.Popen(
        [sys.executable, "-m", "lexiscope", *arguments],
        stdout=child, stderr=subprocess.DEVNULL, cwd=folder, env=environment,
    )  # fmt: skip
    os.close(child)
    parts = []
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the terminal is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(parent)
    assert ended.wait(timeout=120) in (0, 1)
    return b"".join(parts).decode().replace("\r\n", "\n")


@pytest.mark.parametrize("more", [(), ("--brief",)])
def test_run_fits_80_columns(folder, more):
    text = _on_a_terminal(folder, *_RUN, *more)

    assert max(map(len, text.splitlines())) <= 80
    assert "No recommendation: " in text


def test_check_fits_80_columns_and_breaks_no_number(call, folder):
    call("check", "first.vec", "--save", "base.json", "--dataset", "pairs.tsv", "--quiet")
    text = _on_a_terminal(folder, "check", "second.vec", "--baseline", "base.json")

    assert max(map(len, text.splitlines())) <= 80
    head = next(line for line in text.splitlines() if "baseline" in line and "new" in line)
    assert head.split()[-5:] == ["difference", "95", "%", "interval", "verdict"]


def test_a_bar_appears_within_a_second_of_the_call(folder):
    """The bar is started before anything slow is imported."""
    text = (
        "import sys; sys.stderr.isatty = lambda: True\n"
        "from lexiscope.cli import progress\n"
        "seen = []\n"
        "real = progress._Bar.__init__\n"
        "def first(self, bar):\n"
        "    slow = ('numba', 'scipy', 'sklearn', 'pandas')\n"
        "    seen.append([m for m in slow if m in sys.modules])\n"
        "    real(self, bar)\n"
        "progress._Bar.__init__ = first\n"
        "from lexiscope.cli.main import main\n"
        "try:\n"
        f"    main({list(_RUN)!r})\n"
        "finally:\n"
        "    print('SEEN', seen)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip

    assert "SEEN [[]]" in ended.stdout, ended.stderr[-500:]
