import json

import pytest

import lexiscope
from tests.cli.test_train import TEXT

PLAN = """
seed = 3

[text]
sources = "text.txt"
minimum = 5

[[train]]
trainer = "svd"
name = "small"
dimension = 3

[[train]]
trainer = "retrofit"
name = "nearer"
base = "small"
lexicon = "ties.txt"

[ask]
vectors = ["first.vec"]
datasets = ["pairs.tsv"]
case = "exact"
"""


@pytest.fixture
def plan(folder):
    """A plan that trains two embeddings and asks three."""
    (folder / "text.txt").write_text(TEXT, "utf-8")
    (folder / "ties.txt").write_text("cat dog\nsun moon\n", "utf-8")
    (folder / "plan.toml").write_text(PLAN, "utf-8")
    return folder / "plan.toml"


def test_a_plan_trains_these_then_asks_these(call, folder, plan):
    document = json.loads(call("plan", "plan.toml", "--json").stdout)

    assert {r["embedding"] for r in document["results"]} == {"small", "nearer", "first"}
    assert document["manifest"]["seed"] == 3
    assert document["manifest"]["policy"]["case"] == "exact"
    small = lexiscope.load(folder / "plan" / "small.safetensors")
    nearer = lexiscope.load(folder / "plan" / "nearer.safetensors")
    assert small.dimension == nearer.dimension == 3
    assert small.fingerprint != nearer.fingerprint


def test_a_plan_goes_on_where_it_stopped(call, folder, plan):
    call("plan", "plan.toml")
    small, nearer = (folder / "plan" / f"{name}.safetensors" for name in ("small", "nearer"))
    before = small.stat().st_mtime_ns
    nearer.unlink()

    call("plan", "plan.toml")

    assert small.stat().st_mtime_ns == before
    assert nearer.exists()


def test_a_plan_may_only_train(call, folder, plan):
    plan.write_text(PLAN.partition("[ask]")[0], "utf-8")

    assert call("plan", "plan.toml").stdout == ""
    assert (folder / "plan" / "small.safetensors").exists()


@pytest.mark.parametrize(
    ("old", "new", "code", "sentence"),
    [
        ("seed = 3", "sed = 3", 3, "Did you mean 'seed'?"),
        ("dimension = 3", "dimensions = 3", 2, "Did you mean 'dimension'?"),
        ("dimension = 3", "dimension = 0", 2, "small: dimension must be 1 or more"),
        ("dimension = 3", 'dimension = "many"', 2, "svd.dimension=many"),
        ('trainer = "svd"', 'trainer = "svdd"', 2, "Did you mean 'svd'?"),
        ('trainer = "svd"', "window = 2", 3, "number 1 does not say which trainer"),
        ('name = "nearer"', 'name = "small"', 3, "two [[train]] tables are called 'small'"),
        ('name = "nearer"', 'name = "../nearer"', 3, "cannot be the name of a file"),
        ("minimum = 5", "minimal = 5", 2, "Did you mean 'minimum'?"),
        ("datasets =", "dataset =", 3, "Did you mean 'datasets'?"),
        ("pairs.tsv", "pair.tsv", 2, "No file beside the plan"),
        ('base = "small"', 'base = "smal"', 2, "Did you mean 'small'?"),
        ("[text]", "[text", 3, "is no plan in TOML"),
        ("seed = 3", 'seed = "abc"', 3, "Expected `int`"),
        ("seed = 3", "seed = true", 3, "Expected `int`"),
        ("seed = 3", "seed = -1", 2, "A seed is a number from 0"),
        ("seed = 3", "folder = 3", 3, "Expected `str`"),
        ("[text]", "[[text]]", 3, "Expected `object`"),
        ('sources = "text.txt"', "sources = 3", 3, "sources are texts by name"),
        ("minimum = 5", "preset = 3", 2, "No preset named '3'"),
        ("minimum = 5", 'minimum = "x"', 2, "minimum"),
        ('name = "nearer"', 'name = "a\\u001b[31m"', 3, "cannot be the name of a file"),
        ('name = "nearer"', 'name = ""', 3, "cannot be the name of a file"),
        ('case = "exact"', 'case = "upper"', 2, "upper"),
        ('case = "exact"', 'limit = "x"', 2, "limit"),
        ('case = "exact"', 'tasks = "similarty"', 2, "Did you mean 'similarity'?"),
        ('case = "exact"', "tasks = [3]", 3, "Expected `str`"),
        ('case = "exact"', "settings = 3", 3, "Expected `object`"),
        ('case = "exact"', 'settings = {"analogy.solver" = "x"}', 2, "analogy.solver"),
    ],
)
def test_a_broken_plan_gets_one_sentence(call, folder, plan, old, new, code, sentence):
    plan.write_text(PLAN.replace(old, new), "utf-8")

    ended = call("plan", "plan.toml", code=code)

    assert sentence in ended.stderr
    assert "plan.toml" in ended.stderr
    assert "should not have happened" not in ended.stderr
    assert not list(folder.glob("plan/*.safetensors"))  # before any training


def test_a_plan_that_is_not_there_is_told(call):
    assert "no such plan file" in call("plan", "nowhere.toml", code=3).stderr


def test_paths_stand_beside_the_plan(call, folder, plan):
    (folder / "elsewhere").mkdir()

    call("plan", "plan.toml")
    before = (folder / "plan" / "nearer.safetensors").stat().st_mtime_ns

    call("plan", "../plan.toml", cwd=folder / "elsewhere")
    call("plan", str(plan), cwd="/")

    assert (folder / "plan" / "nearer.safetensors").stat().st_mtime_ns == before


def test_a_text_that_is_not_there_is_told(call, folder, plan):
    plan.write_text(PLAN.replace("text.txt", "other.txt"), "utf-8")

    assert "other.txt: there is no such file" in call("plan", "plan.toml", code=3).stderr


def test_an_empty_ask_asks_what_is_at_hand(call, folder, plan):
    plan.write_text(PLAN.partition("[ask]")[0] + "[ask]\n", "utf-8")

    assert "No dataset for these tasks is at hand" in call("plan", "plan.toml", code=3).stderr


def test_a_step_may_be_called_as_a_setting_is(call, folder, plan):
    steps = PLAN.partition("[ask]")[0].replace('name = "small"', 'name = "linear"')
    steps = steps.replace('base = "small"', 'base = "linear"')
    plan.write_text(steps + "[[train]]\ntrainer = 'ppmi'\nweights = 'linear'\n", "utf-8")

    call("plan", "plan.toml")

    assert (folder / "plan" / "ppmi.safetensors").exists()
