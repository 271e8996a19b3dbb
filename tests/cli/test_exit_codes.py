"""The exit code means the same in every command that has results."""

from types import SimpleNamespace

import pytest

from lexiscope.cli import main
from lexiscope.cli.commands import demo
from lexiscope.cli.results import exit_code
from lexiscope.experiments.synthetic.results import ProbeScore, SyntheticResults
from tests.builders import seeded, word_pairs


def code_of(*arguments):
    with pytest.raises(SystemExit) as ended:
        main.main(list(arguments))
    return ended.value.code


def results(*values, failures=()):
    return SimpleNamespace(scores=[SimpleNamespace(value=v) for v in values], failures=failures)


def test_the_code_of_an_experiment_is_0_if_there_is_a_score_and_nothing_failed():
    assert exit_code(results(0.5, None)) == 0
    assert exit_code(results(None)) == 1
    assert exit_code(results()) == 1
    assert exit_code(results(0.5, failures=("a training",))) == 1


def test_a_demo_without_any_score_ends_with_code_1(folder, monkeypatch):
    pairs = [word_pairs(("zyx", "xyz", 1), ("yzx", "zxy", 2))]
    monkeypatch.setattr(demo, "_generated", lambda: ({"e": seeded("e", ["cat"])}, pairs, []))

    assert code_of("demo", "--generated") == 1


@pytest.mark.parametrize(("value", "code"), [(0.5, 0), (None, 1)])
def test_a_probe_without_any_score_ends_with_code_1(folder, monkeypatch, value, code):
    from lexiscope.papers import probe

    score = ProbeScore("c", "p", "v", "m", None, value, None, None, 1, 2)
    found = SyntheticResults(None, (score,), (), (), {})
    monkeypatch.setattr(probe, "probe", lambda *_, **__: found)

    assert code_of("probe", "ambiguity", "--json") == code
