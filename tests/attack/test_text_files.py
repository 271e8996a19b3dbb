"""Plans, grammars, baselines and answers from strangers: one sentence, nothing written outside."""

import json
import os

import pytest

from lexiscope.cli import main
from lexiscope.core.errors import BadData, TooLarge
from lexiscope.data import datasets
from lexiscope.data.atomic_write import replacing
from lexiscope.data.datasets.formats import toefl
from lexiscope.experiments import config
from lexiscope.pcfg import reader
from lexiscope.regression import baseline

PLAN = '[[train]]\ntrainer = "svd"\n[text]\nsources = "a.txt"\n'


@pytest.fixture
def plan(tmp_path):
    folder = tmp_path / "downloaded"
    folder.mkdir()

    def write(name):
        path = folder / "plan.toml"
        path.write_text(f"folder = {json.dumps(name)}\n{PLAN}")
        return path

    return write


@pytest.mark.parametrize("name", ["..", "../other", "a/../../other", "/tmp", "link", "link/a", "."])
def test_a_plan_writes_inside_its_own_folder_only(plan, tmp_path, name):
    path = plan(name)
    (path.parent / "link").symlink_to(tmp_path)

    if name == ".":
        assert config.read(path).folder == path.parent
        return
    with pytest.raises(BadData, match=r"plan\.toml: folder: .* not inside the folder of this file"):
        config.read(path)


@pytest.mark.parametrize("name", ["a\0b", "a\x1b[31m", "x" * 300, "x" * 5000])
def test_a_folder_that_cannot_be_made_is_one_sentence(plan, name):
    with pytest.raises(BadData, match=r"plan\.toml: folder: "):
        config.read(plan(name))


def test_a_plan_in_a_linked_folder_is_read(plan, tmp_path):
    (tmp_path / "here").symlink_to(plan("vectors").parent)

    found = config.read(tmp_path / "here" / "plan.toml")

    assert found.folder == tmp_path / "here" / "vectors"


@pytest.mark.parametrize("read", [config.read, baseline.read])
def test_a_device_without_an_end_is_refused(read, tmp_path, monkeypatch):
    monkeypatch.setattr(baseline, "_LARGEST", 1 << 20)
    endless = tmp_path / "endless"
    endless.symlink_to("/dev/zero")

    with pytest.raises(TooLarge, match="is larger than"):
        read(endless)


@pytest.mark.parametrize(
    "table", ["[parameters]\np", "[sweep]\np", "[parameters]\np = 1\n[sweep]\np"]
)
@pytest.mark.parametrize("digits", [401, 5000])
def test_a_long_integer_in_a_grammar_is_one_sentence(tmp_path, table, digits):
    number = "1" + "0" * digits
    value = f"[{number}]" if "sweep" in table else number
    (tmp_path / "g.toml").write_text(f'rules = """\nS -> a [p] | b\n"""\n{table} = {value}\n')

    with pytest.raises(BadData, match=r"g\.toml"):
        reader.read(tmp_path / "g.toml")


@pytest.mark.parametrize("where", ["questions", "answers"])
def test_a_long_number_of_a_question_is_one_sentence(tmp_path, where):
    number = "9" * 5000
    first, second = (number, "1") if where == "questions" else ("1", number)
    options = "".join(f"{letter}.\tw{letter}\n" for letter in "abcd")
    (tmp_path / "t.qst").write_text(f"{first}.\tword\n{options}")
    (tmp_path / "t.ans").write_text(f"{second} a\n")

    with pytest.raises(BadData, match=r"t\.(qst|ans):1: expected"):
        _toefl(tmp_path / "t.qst")


def _toefl(path):
    from lexiscope.data.datasets.formats.tables import rows

    return toefl.questions(path, list(rows(path)))


def _document(**changes):
    score = {
        "embedding": "a", "task": "similarity", "variant": "similarity", "dataset": "d",
        "metric": "spearman", "slice": "all", "value": 0.5, "low": 0.1, "high": 0.9, "used": 3,
        "total": 3, "state": "", "settings": {}, "level": 0.95, "main": True, "task_version": 1,
        "dataset_fingerprint": "f",
    }  # fmt: skip
    policy = {}
    return {
        "results": [{**score, **changes}], "sources": {},
        "manifest": {"seed": 0, "policy": policy, "embeddings": [{"name": "a"}]},
    }  # fmt: skip


@pytest.mark.parametrize("field", ["embedding", "variant", "dataset", "task", "metric"])
def test_half_a_surrogate_pair_in_a_baseline_is_one_sentence(tmp_path, field):
    path = tmp_path / "b.json"
    path.write_text(json.dumps(_document(**{field: "a\ud800"})))

    with pytest.raises(BadData, match=r"b\.json: is not a baseline"):
        baseline.read(path)


def test_half_a_surrogate_pair_in_a_key_of_a_baseline_is_one_sentence(tmp_path):
    path = tmp_path / "b.json"
    path.write_text(json.dumps({**_document(), "\ud800": 1}))

    with pytest.raises(BadData, match=r"b\.json: is not a baseline"):
        baseline.read(path)


def test_a_long_path_in_a_baseline_is_one_sentence(tmp_path):
    from lexiscope.regression import datasets as files

    path = tmp_path / "b.json"
    path.write_text(json.dumps({**_document(), "sources": {"d": "x" * 2000}}))

    with pytest.raises(BadData, match="has no path for the dataset 'd'") as caught:
        files._source("d", baseline.read(path), ())
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "arguments", [["\x1b[2J\x07evil"], ["data", "\x1b]0;evil\x07"], ["--\x1bx"]]
)
def test_an_argument_reaches_no_terminal_raw(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        main.main(arguments)

    output = capsys.readouterr()
    assert ended.value.code == 2
    assert "\x1b" not in output.err + output.out
    assert "\x07" not in output.err + output.out


@pytest.mark.parametrize(
    ("problem", "sentence", "code"),
    [
        (MemoryError(), "The memory is full", 1),
        (OSError(5, os.strerror(5), "a.vec"), "a.vec: cannot be read or written", 3),
    ],
)
def test_failures_of_the_machine_are_sentences(monkeypatch, capsys, problem, sentence, code):
    def fail(*_, **__):
        raise problem

    monkeypatch.setattr(main.lexiscope, "main", fail)
    with pytest.raises(SystemExit) as ended:
        main.main(["tasks"])

    assert ended.value.code == code
    assert capsys.readouterr().err.startswith(f"lexiscope: {sentence}")


@pytest.mark.parametrize("content", ["# only\n# comments\n", "\u00a0\n\u00a0\n", "\n", "#\n"])
def test_properties_without_a_row_are_one_sentence(tmp_path, content):
    (tmp_path / "p.txt").write_text(content)

    with pytest.raises(BadData, match=r"p\.txt"):
        datasets.read("properties", tmp_path / "p.txt", "p")


def test_figures_for_standard_output_are_refused_and_write_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main.main(["export", "--format", "png", "-o", "-"])

    assert ended.value.code == 2
    assert "Name a folder with -o FOLDER" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(BadData, match="is a device or a pipe"), replacing(tmp_path / "pipe"):
        raise AssertionError("nothing is written")

    assert (tmp_path / "pipe").is_fifo()
