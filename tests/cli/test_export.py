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
def test_text_formats_write_one_file(stored, folder, kind, beginning):
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
        f"01-score-tables-similarity.{kind}"
    ]


def test_a_missing_store_is_an_error(call):
    assert "there is no such store" in call("export", "--format", "md", "-o", "a.md", code=3).stderr


def test_an_unknown_run_is_an_error(stored):
    ended = stored("export", "--run", "nine", "--format", "md", "-o", "a.md", code=2)

    assert "No run named 'nine'" in ended.stderr


def test_a_path_that_cannot_be_written_is_an_error(stored, folder):
    (folder / "file").write_text("", "utf-8")

    ended = stored("export", "--format", "svg", "-o", "file", code=3)

    assert "cannot be written" in ended.stderr


def test_the_list_of_runs_has_evaluations_and_embeddings(stored):
    (line,) = stored("report", "--list").stdout.splitlines()

    assert "; finished; 1 evaluation; first, second" in line
    assert "UTC" in line


def test_the_list_of_runs_as_json(stored):
    (run,) = json.loads(stored("report", "--list", "--json").stdout)

    assert run["evaluations"] == [["similarity", "pairs"]]
    assert run["embeddings"] == ["first", "second"]


def test_the_written_files_as_json(stored, folder):
    report = json.loads(stored("report", "-o", "r.html", "--json").stdout)
    export = json.loads(stored("export", "--format", "md", "-o", "a.md", "--json").stdout)

    assert report["report"] == "r.html"
    assert export == {"files": ["a.md"]}


@pytest.mark.parametrize(
    ("arguments", "beginning"),
    [
        (("latex",), "% Needs"),
        (("latex", "-o", "-"), "% Needs"),
        (("latex", "--compact"), "% Needs"),
        (("md",), "| task | dataset |"),
        (("json",), '{\n  "run"'),
        (("csv",), "embedding,task"),
    ],
)
def test_text_formats_print_without_an_output_file(stored, folder, arguments, beginning):
    before = set(folder.iterdir())
    printed = stored("export", "--format", *arguments).stdout

    assert printed.startswith(beginning)
    assert set(folder.iterdir()) == before
    assert (r"\footnotesize" in printed) == ("--compact" in arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("svg",), "Name a folder with -o FOLDER."),
        (("md", "--compact"), "--compact is for --format latex only."),
        (("latex", "--json"), "Name a file with -o"),
    ],
)
def test_options_of_an_export_that_do_not_fit_are_refused(call, arguments, sentence):
    assert sentence in call("export", "--format", *arguments, code=2).stderr
