import json

import pytest

from lexiscope.pcfg import reader as grammars


def test_grammars_are_listed_and_their_files_printed(call, folder):
    assert "ambiguity " in call("grammar", "list").stdout
    shown = call("grammar", "show", "ambiguity").stdout
    (folder / "mine.toml").write_text(shown, "utf-8")

    assert grammars.read(folder / "mine.toml").fingerprint == grammars.read("ambiguity").fingerprint


def test_a_sample_is_the_same_for_the_same_seed(call):
    first = call("grammar", "sample", "nonconflation", "-n", "50").stdout
    other = call("grammar", "sample", "nonconflation", "-n", "50", "--seed", "1").stdout

    assert call("grammar", "sample", "nonconflation", "-n", "50").stdout == first
    assert other != first
    assert len(first.splitlines()) == 50
    assert all(line[0] in "ab" and line[-1] in "ab" for line in first.splitlines())


def test_a_check_summarises_a_grammar(call):
    printed = call("grammar", "check", "ambiguity", "--set", "alpha=2").stdout
    summary = " ".join(printed.split())

    assert "144 rules, 140 words, 3 words per sentence" in summary
    assert "parameter beta = 0.25" in summary
    assert "50 positive and 90 negative words; of these 5 held out, 40 contexts" in summary


def test_list_and_check_print_json(call):
    listed = json.loads(call("grammar", "list", "--json").stdout)
    checked = json.loads(call("grammar", "check", "ambiguity", "--json").stdout)

    assert [each["name"] for each in listed] == grammars.names()
    assert checked["sha256"] == grammars.read("ambiguity").fingerprint
    assert checked["targets"]["ambiguity"]["held_out"] == [f"w{i}" for i in range(5)]


def test_a_parameter_set_changes_the_sample(call):
    text = call("grammar", "sample", "ambiguity", "-n", "400", "--set", "beta=1").stdout

    rare = [line.split() for line in text.splitlines() if line.split()[1] in {"w0", "w1", "w2"}]
    assert rare
    assert all(left[0] == "c" for left, _, _ in rare)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("check", "broken.toml"), 3, "broken.toml:1: The symbol V has no rule."),
        (("check", "absent.toml"), 3, "absent.toml: there is no such file."),
        (("check", "ambiguty"), 2, "No grammar or file named 'ambiguty'. Did you mean"),
        (("show", "ambiguty"), 2, "Did you mean 'ambiguity'?"),
        (("sample", "ambiguity", "--set", "beta"), 2, "--set takes NAME=NUMBER"),
        (("sample", "ambiguity", "--set", "beta=2"), 2, "probabilities are between 0 and 1"),
        (("sample", "ambiguity", "--set", "gamma=2"), 2, "No parameter of the grammar"),
    ],
)
def test_an_error_is_one_line(call, folder, arguments, code, sentence):
    (folder / "broken.toml").write_text("rules = 'S -> a V'", "utf-8")

    ended = call("grammar", *arguments, code=code)

    assert sentence in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
