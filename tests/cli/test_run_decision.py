"""Options of `lexiscope run` that decide about the recommendation."""

import json

import numpy as np
import pytest

import lexiscope
from lexiscope.cli.options import decision_from
from lexiscope.core.decision import DecisionRule
from lexiscope.core.embedding import embedding

ITEMS = 60


@pytest.fixture
def rated(folder):
    """Two vector files, each of which is better on one of two datasets."""
    words = [f"{dataset}{side}{k}" for dataset in "xy" for side in "ab" for k in range(ITEMS)]
    for name, noises in (("one", (0.02, 2.0)), ("two", (2.0, 0.02)), ("two-again", (2.5, 0.1))):
        blocks = []
        for seed, noise in enumerate(noises):
            rng = np.random.default_rng([seed, len(name)])
            cosines = np.linspace(-0.9, 0.9, ITEMS) + noise * rng.normal(size=ITEMS)
            cosines = np.clip(cosines, -1, 1)
            blocks += [np.tile([1.0, 0.0], (ITEMS, 1))]
            blocks += [np.column_stack([cosines, np.sqrt(1 - cosines**2)])]
        lexiscope.save(embedding(name, words, np.vstack(blocks)), folder / f"{name}.vec")
    for dataset in "xy":
        rows = (f"{dataset}a{k}\t{dataset}b{k}\t{k}\n" for k in range(ITEMS))
        (folder / f"{dataset}.tsv").write_text("".join(rows), "utf-8")
    return folder


BOTH = ("run", "one.vec", "two.vec", "--task", "similarity", "--dataset", "x.tsv",
        "--dataset", "y.tsv", "--json")  # fmt: skip


def recommended(ended):
    found = json.loads(ended.stdout)["recommendation"]
    return found["kind"], found["embeddings"]


def test_primary_datasets_decide(call, rated):
    assert recommended(call(*BOTH)) == ("depends", ["one", "two"])
    assert recommended(call(*BOTH, "--primary", "y")) == ("use", ["two"])
    assert recommended(call(*BOTH, "--primary", "y.tsv", "--primary", "x=2")) == ("use", ["one"])


def test_an_unknown_primary_dataset_is_an_error_with_the_known_names(call, rated):
    ended = call(*BOTH, "--primary", "z=2", code=2)

    assert "No dataset in this run named 'z'" in ended.stderr
    assert "Available: x, y." in ended.stderr


def test_margin_and_coverage_are_in_the_manifest(call, rated):
    ended = call(*BOTH, "--margin", "0.1", "--min-coverage", "0.7")

    found = json.loads(ended.stdout)
    assert found["manifest"]["decision"] == DecisionRule(0.1, 0.7).as_dict()
    assert {c["margin"] for c in found["comparisons"]} == {0.1}
    for wrong in (("--margin", "0"), ("--min-coverage", "1.5")):
        assert wrong[0] in call(*BOTH, *wrong, code=2).stderr


def test_runs_of_one_model_are_compared_as_models(call, rated):
    ended = call(*BOTH, "two-again.vec", "--same-model", "two*")

    found = json.loads(ended.stdout)["model_comparisons"]
    assert [(c["first"], c["second"], c["dataset"]) for c in found] == [
        ("one", "two*", "x"), ("one", "two*", "y"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "primary"),
    [
        (("men",), {"men": 1.0}),
        (("men=2", "ws353"), {"men": 2.0, "ws353": 1.0}),
        (("odd=name.csv",), {"odd=name.csv": 1.0}),
        (("odd=name.csv=3",), {"odd=name.csv": 3.0}),
    ],
)
def test_weights_follow_the_last_equals_sign(texts, primary):
    options = {"margin": 0.05, "min_coverage": 0.5, "primary": texts}

    assert decision_from(options) == DecisionRule(primary=primary)
