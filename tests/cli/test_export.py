import csv
import json

import pytest


@pytest.fixture
def stored(call):
    call("run", "first.vec", "second.vec", "--dataset", "pairs.tsv", "--task", "similarity")
    return call


def test_csv_of_the_newest_run(stored, folder):
    stored("export", "--format", "csv", "-o", "tables")

    with (folder / "tables" / "scores.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["embedding"] for row in rows} == {"first", "second"}
    assert (folder / "tables" / "comparisons.csv").exists()


@pytest.mark.parametrize(
    ("kind", "beginning"),
    [("md", "| task | dataset |"), ("latex", "% Needs"), ("json", '{\n  "run"')],
)
def test_one_file(stored, folder, kind, beginning):
    ended = stored("export", "--format", kind, "-o", "out.txt")

    assert (folder / "out.txt").read_text("utf-8").startswith(beginning)
    assert ended.stdout == ""
    assert "Written: out.txt" in ended.stderr


def test_json_is_the_document_of_the_run(stored, folder):
    stored("export", "--format", "json", "-o", "out.json")

    document = json.loads((folder / "out.json").read_text("utf-8"))
    assert {"results", "comparisons", "manifest", "ranks"} <= set(document)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_figures_go_into_a_folder(stored, folder, kind):
    stored("export", "--format", kind, "-o", "figures")

    assert [path.name for path in (folder / "figures").iterdir()] == [
        f"01-scores-similarity.{kind}"
    ]


def test_what_is_missing_is_said(call):
    assert "there is no such store" in call("export", "--format", "md", "-o", "a.md", code=3).stderr


def test_a_run_that_is_not_there(stored):
    ended = stored("export", "--run", "nine", "--format", "md", "-o", "a.md", code=2)

    assert "No run named 'nine'" in ended.stderr


def test_a_place_that_cannot_be_written(stored, folder):
    (folder / "file").write_text("", "utf-8")

    ended = stored("export", "--format", "svg", "-o", "file", code=3)

    assert "cannot be written" in ended.stderr


def test_the_list_of_runs_says_what_is_in_them(stored):
    (line,) = stored("report", "--list").stdout.splitlines()

    assert "  finished  1 question  first, second" in line
    assert "UTC" in line
