"""--json: one document on standard output, by one rule, in every command."""

import json
from pathlib import Path

import click
import pytest

from lexiscope.cli import main
from lexiscope.cli.json_output import json_text, print_json

SOURCE = Path(main.__file__).parent
TAGGED = "the/AT cat/NN sat/VB\n" * 5


def commands(command=main.lexiscope, path=()):
    """Every command that has no subcommands, with its path."""
    context = click.Context(command)
    if not isinstance(command, click.Group):
        return {" ".join(path): command}
    return {
        name: found
        for each in command.list_commands(context)
        for name, found in commands(command.get_command(context, each), (*path, each)).items()
    }


@pytest.mark.parametrize(("path", "command"), commands().items())
def test_every_command_has_the_option(path, command):
    texts = [each.help for each in command.params if "--json" in each.opts]

    assert texts == ["Print one JSON document on standard output."]


def test_json_is_written_in_one_place():
    files = [p.name for p in SOURCE.rglob("*.py") if "import json\n" in p.read_text("utf-8")]

    assert files == ["json_output.py"]


def test_numbers_that_json_does_not_have_become_null():
    found = json_text({"a": float("nan"), "b": [float("inf"), (1.5, -float("inf"))], "c": 1})

    assert json.loads(found) == {"a": None, "b": [None, [1.5, None]], "c": 1}


def test_letters_are_kept_and_control_characters_are_escaped():
    found = json_text({"wörd": "\x9b\u202eé", "file": "caf\udce9.vec"})

    assert found == '{\n  "wörd": "\\u009b\\u202eé",\n  "file": "caf?.vec"\n}'


def test_the_output_is_utf_8_whatever_the_terminal_is(capfdbinary):
    print_json(["é"])

    assert capfdbinary.readouterr().out == '[\n  "é"\n]\n'.encode()


def document(ended):
    """The only document on standard output."""
    return json.loads(ended.stdout)


def test_convert_describes_the_file(call, folder):
    (folder / "broken.vec").write_text("a 1 2\nb 1\nc 3 4\n", "utf-8")

    found = document(call("convert", "broken.vec", "good.vec", "--on-error", "skip", "--json"))

    assert (found["file"], found["words"], found["dimension"]) == ("good.vec", 2, 2)
    assert found["repairs"][0].startswith("broken.vec:2: expected 2 numbers")


def test_tags_counts_words_and_tags(call, folder):
    (folder / "tagged.txt").write_text(TAGGED, "utf-8")

    ended = call("tags", "tagged.txt", "-o", "pos.tags", "--json")

    assert document(ended) == {"file": "pos.tags", "words": 3, "tags": 3}
    assert "words 3, tags 3" in ended.stderr


def test_doctor_lists_everything_that_it_prints(call, folder):
    found = document(call("doctor", "--json"))

    assert found["versions"]["numpy"]
    assert found["environment"]["LEXISCOPE_OFFLINE"] == "1"
    assert found["environment"]["LEXISCOPE_DATA_DIR"] is None
    assert (found["cache"], found["offline"]) == (str(folder / "cache"), True)
    assert found["problems"] == []


def test_doctor_lists_problems(call, folder):
    (folder / "cache").write_text("not a folder")

    ended = call("doctor", "--json", code=1)

    (problem,) = document(ended)["problems"]
    assert "is not writeable" in problem
    assert f"PROBLEM: {problem}" in ended.stderr


def test_the_demo_prints_the_document_of_a_run(call):
    ended = call("demo", "--generated", "--json")

    assert {"results", "comparisons", "coverage", "manifest"} <= set(document(ended))
    assert "Next: lexiscope run" in ended.stderr


def test_a_new_baseline_prints_the_document_of_a_run(call, folder):
    what = ("--dataset", "pairs.tsv", "--json")
    ended = call("check", "first.vec", "--save", "base.json", *what)
    plain = call("run", "first.vec", *what)

    assert document(ended)["results"] == document(plain)["results"]
    assert "Baseline: base.json" in ended.stderr
    assert document(ended).keys() < json.loads((folder / "base.json").read_text("utf-8")).keys()


def test_an_exported_document_is_the_one_that_run_prints(call, folder):
    printed = call("run", "first.vec", "--dataset", "pairs.tsv", "--json").stdout

    found = document(call("export", "--format", "json", "-o", "run.json", "--json"))

    assert found == {"files": ["run.json"]}
    assert (folder / "run.json").read_text("utf-8") == printed


def test_grammar_shows_a_file_and_samples_sentences(call):
    shown = call("grammar", "show", "ambiguity").stdout
    sampled = call("grammar", "sample", "ambiguity", "-n", "3", "--seed", "2").stdout

    assert document(call("grammar", "show", "ambiguity", "--json")) == {
        "name": "ambiguity",
        "text": shown,
    }
    assert document(call("grammar", "sample", "ambiguity", "-n", "3", "--seed", "2", "--json")) == {
        "name": "ambiguity",
        "seed": 2,
        "sentences": sampled.splitlines(),
    }


@pytest.fixture
def cached(folder):
    """A file of the dataset men in the cache, with invalid content."""
    path = folder / "cache" / "men" / "MEN-TR-3k.tsv"
    path.parent.mkdir(parents=True)
    path.write_text("invalid", "utf-8")
    return str(path)


def test_data_verify_lists_files_and_what_is_not_downloaded(call, cached):
    ended = call("data", "verify", "men", "ws353", "--json", code=3)

    assert document(ended) == {
        "files": [{"name": "men", "path": cached, "valid": False}],
        "not_downloaded": ["ws353"],
    }
    assert "download them again" in ended.stderr


@pytest.fixture
def invoke(monkeypatch, capfd):
    """Run a command in this process."""

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main.main(list(arguments))
        captured = capfd.readouterr()
        assert ended.value.code == 0, captured.err
        return captured

    return run


def test_data_get_and_where_list_files(folder, invoke, monkeypatch):
    from lexiscope.data import download
    from lexiscope.data.local_data import LocalData

    paths = [Path("cache/men/one.tsv"), Path("cache/men/two.tsv")]
    monkeypatch.setattr(download, "fetch", lambda *_: paths)
    monkeypatch.setattr(LocalData, "paths", lambda *_: paths)

    got, where = invoke("data", "get", "men", "--json"), invoke("data", "where", "men", "--json")

    expected = {"name": "men", "files": list(map(str, paths))}
    assert json.loads(got.out) == [expected]
    assert json.loads(where.out) == expected
    assert "men: cache/men" in got.err
