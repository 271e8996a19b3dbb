import json
import os
import subprocess
import sys
import time

import numpy as np

import lexiscope


def test_help_is_quick():
    best = min(_seconds("--help") for _ in range(3))

    # The target is 0.4 s on an idle machine; a busy one gets some room.
    assert best < 0.8


def _seconds(*arguments):
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "lexiscope", *arguments], check=True, capture_output=True)
    return time.perf_counter() - begun


def test_help_imports_no_heavy_library():
    code = (
        "import sys\nfrom lexiscope.cli.main import lexiscope\n"
        "lexiscope.main(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'scipy', 'pandas', 'numba', 'altair', 'rich', 'sklearn'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )

    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stderr


def test_neighbours_are_listed_nearest_first(call):
    found = json.loads(call("neighbours", "first.vec", "cat", "-n", "3", "--json").stdout)

    vectors = lexiscope.load("first.vec")
    unit = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
    order = np.argsort(-(unit @ unit[0]))[1:4]
    assert [n["word"] for n in found["cat"]] == [vectors.words[i] for i in order]


def test_neighbours_are_printed_for_known_words_and_unknown_ones_are_reported(call):
    ended = call("neighbours", "first.vec", "CAT", "unicorn", "-n", "2", code=1)

    lines = ended.stdout.splitlines()
    assert lines[0] == "CAT (as cat)"
    assert len(lines) == 3
    assert ended.stderr == "'unicorn' is not in the vocabulary of first.\n"


def test_neighbours_in_two_embeddings_are_side_by_side(call):
    ended = call("neighbours", "first.vec", "cat", "--compare", "other=second.vec", "-n", "2")

    head, *rows = ended.stdout.splitlines()[1:]
    assert head.split() == ["first", "other"]
    assert [len(row.split()) for row in rows] == [4, 4]


def test_convert_round_trip(call, folder):
    call("convert", "first.vec", "first.bin")
    call("convert", "first.bin", "back.safetensors")

    first, back = lexiscope.load("first.vec"), lexiscope.load("back.safetensors")
    assert first.fingerprint == back.fingerprint


def test_convert_skips_and_reports_broken_rows(call, folder):
    (folder / "broken.vec").write_text("a 1 2\nb 1\nc 3 4\n", "utf-8")

    call("convert", "broken.vec", "good.vec", code=3)
    ended = call("convert", "broken.vec", "good.vec", "--on-error", "skip")

    assert "broken.vec:2" in ended.stderr
    assert list(lexiscope.load("good.vec").words) == ["a", "c"]


def test_tasks_describes_settings(call):
    printed = call("tasks", "analogy").stdout

    assert "--set analogy.epsilon=1e-06" in printed
    assert "google-analogies" in printed
    assert {t["name"] for t in json.loads(call("tasks", "--json").stdout)} >= {
        "analogy",
        "similarity",
    }


def test_data_list_knows_licences_and_sizes(call):
    rows = {row["name"]: row for row in json.loads(call("data", "list", "--json").stdout)}

    assert rows["glove-6b-50d"]["rows"] == 400_000
    assert rows["men"]["downloaded"] is False
    assert all(row["licence"] and row["citation"] and row["sources"] for row in rows.values())
    printed = call("data", "list", env={**os.environ, "COLUMNS": "80"}).stdout
    assert "glove-6b-50d" in printed
    assert "400,000" in printed


def test_data_show_has_licence_and_citation(call):
    printed = call("data", "show", "men").stdout

    assert "licence:   CC BY 2.0" in printed
    assert "@article{bruni2014" in printed
    assert max(map(len, printed.splitlines())) <= 160  # addresses are not broken


def test_doctor_prints_versions_and_variables(call):
    printed = call("doctor").stdout

    assert "numpy" in printed
    assert "LEXISCOPE_OFFLINE=1" in printed


def test_a_run_can_be_reported_again(call, folder):
    call("run", "first.vec", "second.vec", "--dataset", "pairs.tsv")

    call("report", "-o", "again.html")

    assert "first" in (folder / "again.html").read_text("utf-8")
    assert "finished" in call("report", "--list").stdout


def test_the_demo_runs_on_generated_data_without_a_network(call, folder):
    ended = call("demo")

    assert "GENERATED" in ended.stderr
    assert "generated-pairs" in ended.stdout
    assert (folder / "demo" / "report.html").stat().st_size > 100_000
