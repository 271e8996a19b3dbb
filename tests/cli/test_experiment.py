import json

import pytest

import lexiscope
from tests.cli.test_train import TEXT

EXPERIMENT = """
seed = 3

[text]
sources = "text.txt"
min_count = 5

[[train]]
trainer = "svd"
name = "small"
dimension = 3

[[train]]
trainer = "retrofit"
name = "nearer"
base = "small"
lexicon = "lexicon.txt"

[evaluate]
vectors = ["first.vec"]
datasets = ["pairs.tsv"]
case = "exact"
"""


@pytest.fixture
def experiment(folder):
    """An experiment that trains two embeddings and evaluates three."""
    (folder / "text.txt").write_text(TEXT, "utf-8")
    (folder / "lexicon.txt").write_text("cat dog\nsun moon\n", "utf-8")
    (folder / "experiment.toml").write_text(EXPERIMENT, "utf-8")
    return folder / "experiment.toml"


def test_an_experiment_trains_and_evaluates(call, folder, experiment):
    document = json.loads(call("experiment", "experiment.toml", "--json").stdout)

    assert {r["embedding"] for r in document["results"]} == {"small", "nearer", "first"}
    assert document["manifest"]["seed"] == 3
    assert document["manifest"]["policy"]["case"] == "exact"
    small = lexiscope.load(folder / "experiment" / "small.safetensors")
    nearer = lexiscope.load(folder / "experiment" / "nearer.safetensors")
    assert small.dimension == nearer.dimension == 3
    assert small.fingerprint != nearer.fingerprint


def test_an_experiment_continues_where_it_stopped(call, folder, experiment):
    call("experiment", "experiment.toml")
    small, nearer = (folder / "experiment" / f"{name}.safetensors" for name in ("small", "nearer"))
    before = small.stat().st_mtime_ns
    nearer.unlink()

    call("experiment", "experiment.toml")

    assert small.stat().st_mtime_ns == before
    assert nearer.exists()


def test_an_experiment_may_only_train(call, folder, experiment):
    experiment.write_text(EXPERIMENT.partition("[evaluate]")[0], "utf-8")

    assert call("experiment", "experiment.toml").stdout == ""
    assert (folder / "experiment" / "small.safetensors").exists()


@pytest.mark.parametrize(
    ("old", "new", "code", "sentence"),
    [
        ("seed = 3", "sed = 3", 3, "No key of the file named 'sed'. Did you mean 'seed'?"),
        ("dimension = 3", "dimensions = 3", 3, "Did you mean 'dimension'?"),
        ("dimension = 3", "dimension = 0", 3, "small: svd.dimension must be 1 or more"),
        ("dimension = 3", 'dimension = "many"', 3, "svd.dimension=many"),
        ('trainer = "svd"', 'trainer = "svdd"', 3, "Did you mean 'svd'?"),
        ('trainer = "svd"', "window = 2", 3, "train[0]: Object missing required field `trainer`"),
        ('name = "nearer"', 'name = "small"', 3, "two [[train]] tables are named 'small'"),
        ('name = "nearer"', 'name = "../nearer"', 3, "cannot be the name of a file"),
        ("min_count = 5", "min_counts = 5", 3, "Did you mean 'min_count'?"),
        ("datasets =", "dataset =", 3, "Did you mean 'datasets'?"),
        ("pairs.tsv", "pair.tsv", 3, "No file next to the experiment"),
        ('base = "small"', 'base = "smal"', 3, "Did you mean 'small'?"),
        ("[text]", "[text", 3, "is not an experiment in TOML"),
        ("seed = 3", 'seed = "abc"', 3, "seed: Expected `int`, got `str`"),
        ("min_count = 5", "min_count = 0", 3, "min_count must be 1 or more"),
        ("min_count = 5", 'preset = "bloem"', 3, "Did you mean 'bloem2019'?"),
        ("min_count = 5", 'on_error = "skip"', 3, "text.on_error: Invalid enum value 'skip'"),
        ("seed = 3", "seed = true", 3, "Expected `int`"),
        ("seed = 3", "seed = -1", 3, "seed: Expected `int` >= 0"),
        ("seed = 3", "folder = 3", 3, "Expected `str`"),
        ("[text]", "[[text]]", 3, "Expected `object`"),
        ('sources = "text.txt"', "sources = 3", 3, "text.sources: Expected `str | array`"),
        ("min_count = 5", "preset = 3", 3, "text.preset: Expected `str`"),
        ("min_count = 5", 'min_count = "x"', 3, "text.min_count: Expected `int`"),
        ('name = "nearer"', 'name = "a\\u001b[31m"', 3, "cannot be the name of a file"),
        ('name = "nearer"', 'name = ""', 3, "cannot be the name of a file"),
        ('case = "exact"', 'case = "upper"', 3, "evaluate.case: Invalid enum value 'upper'"),
        ('case = "exact"', 'limit = "x"', 3, "evaluate.limit: Expected `int`"),
        ('case = "exact"', 'tasks = "similarty"', 3, "Did you mean 'similarity'?"),
        ('case = "exact"', "tasks = [3]", 3, "Expected `str`"),
        ('case = "exact"', "settings = 3", 3, "Expected `object`"),
        ('case = "exact"', 'settings = {"analogy.solver" = "x"}', 3, "analogy.solver"),
    ],
)
def test_a_wrong_experiment_file_is_reported_before_training(
    call, folder, experiment, old, new, code, sentence
):
    experiment.write_text(EXPERIMENT.replace(old, new), "utf-8")

    ended = call("experiment", "experiment.toml", code=code)

    assert sentence in ended.stderr
    assert "experiment.toml" in ended.stderr
    assert "Internal error" not in ended.stderr
    assert not list(folder.glob("experiment/*.safetensors"))  # before any training


def test_a_missing_experiment_file_is_reported(call):
    assert "no such experiment file" in call("experiment", "nowhere.toml", code=3).stderr


def test_paths_are_relative_to_the_experiment_file(call, folder, experiment):
    (folder / "elsewhere").mkdir()

    call("experiment", "experiment.toml")
    before = (folder / "experiment" / "nearer.safetensors").stat().st_mtime_ns

    call("experiment", "../experiment.toml", cwd=folder / "elsewhere")
    call("experiment", str(experiment), "--store", str(folder / "other.sqlite"), cwd="/")

    assert (folder / "experiment" / "nearer.safetensors").stat().st_mtime_ns == before


def test_a_missing_text_is_reported(call, folder, experiment):
    experiment.write_text(EXPERIMENT.replace("text.txt", "other.txt"), "utf-8")

    assert "other.txt: there is no file" in call("experiment", "experiment.toml", code=3).stderr


def test_an_empty_evaluation_uses_all_available_datasets(call, folder, experiment):
    experiment.write_text(EXPERIMENT.partition("[evaluate]")[0] + "[evaluate]\n", "utf-8")

    assert (
        "No dataset for these tasks is available locally"
        in call("experiment", "experiment.toml", code=3).stderr
    )


def test_a_step_may_have_the_name_of_a_setting_value(call, folder, experiment):
    steps = EXPERIMENT.partition("[evaluate]")[0].replace('name = "small"', 'name = "linear"')
    steps = steps.replace('base = "small"', 'base = "linear"')
    experiment.write_text(steps + "[[train]]\ntrainer = 'ppmi'\nweights = 'linear'\n", "utf-8")

    call("experiment", "experiment.toml")

    assert (folder / "experiment" / "ppmi.safetensors").exists()


def test_a_trainer_may_be_a_python_file(call, folder, experiment):
    (folder / "mine.py").write_text(
        "from dataclasses import dataclass\n"
        "from lexiscope.trainers.svd import Svd\n\n"
        "@dataclass(frozen=True)\n"
        "class Mine(Svd):\n"
        "    version = 2\n",
        "utf-8",
    )
    steps = EXPERIMENT.partition("[evaluate]")[0].replace('"svd"', '"mine.py"')
    experiment.write_text(steps, "utf-8")
    (folder / "elsewhere").mkdir()

    call("experiment", "../experiment.toml", cwd=folder / "elsewhere")

    record = json.loads((folder / "experiment" / "small.safetensors.json").read_text("utf-8"))
    assert (record["trainer"]["name"], record["trainer"]["version"]) == ("mine", 2)
