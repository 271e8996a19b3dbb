"""Models of which several training runs are given."""

import json

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import UnknownName
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.evaluation.analysis.score_table import models_of
from lexiscope.evaluation.load import load_results
from lexiscope.stats.paired import difference_of_models
from lexiscope.store.store import Store
from tests.builders import categories, synthetic_words, word_pairs

ITEMS = 120
PAIRS = word_pairs(*((f"a{k}", f"b{k}", float(k)) for k in range(ITEMS)))


def rated(noise, seed, known=ITEMS):
    """Words and vectors whose cosines follow the ratings up to noise."""
    rng = np.random.default_rng(seed)
    cosines = np.clip(np.linspace(-0.9, 0.9, ITEMS) + noise * rng.normal(size=ITEMS), -1, 1)
    right = np.column_stack([cosines, np.sqrt(1 - cosines**2)])
    words = [f"{side}{k}" for side in "ab" for k in range(known)]
    return words, np.vstack([np.tile([1.0, 0.0], (known, 1)), right[:known]])


@pytest.fixture(scope="module")
def runs():
    """Three runs of a model that vary much, and two of another."""
    noises = {"cbow-1": 0.1, "cbow-2": 0.6, "cbow-3": 1.5, "sg-1": 1.2, "sg-2": 1.3}
    return {name: rated(noise, seed) for seed, (name, noise) in enumerate(noises.items())}


@pytest.fixture(scope="module")
def results(runs, tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "s.sqlite"
    found = lexiscope.run(
        runs, "similarity", PAIRS, same_model=["cbow-*", "sg-*"], execution=Execution(store)
    )
    with Store(store) as opened:
        assert load_results(opened, found.run).model_comparisons == found.model_comparisons
    return found


def test_models_are_compared_with_the_variance_between_runs(results):
    (found,) = results.model_comparisons
    scores = results.scores("similarity", "pairs")

    cbow, sg = (
        np.mean([value for name, value in scores.items() if name.startswith(model)])
        for model in ("cbow", "sg")
    )
    assert (found.first, found.second, found.items, found.total) == ("cbow-*", "sg-*", 120, 120)
    assert found.difference == pytest.approx(cbow - sg)
    assert "3 + 2 runs" in found.test
    # One run of a model is significantly better, but the runs of that model vary too much.
    best = next(c for c in results.comparisons if (c.first, c.second) == ("cbow-1", "sg-1"))
    assert best.significant
    assert not found.significant
    assert found.error > best.error


def test_comparisons_of_models_are_a_family_of_their_own(results):
    assert results.model_comparisons[0].p_holm == results.model_comparisons[0].p
    document = json.loads(results.to_json())
    assert [c["first"] for c in document["model_comparisons"]] == ["cbow-*"]
    assert document["manifest"]["same_model"] == ["cbow-*", "sg-*"]


def test_the_analyses_of_a_run_use_its_patterns(results):
    assert set(models_of(results).values()) == {"cbow-*", "sg-*"}
    assert models_of(results, ["cbow-*"])["sg-1"] == "sg-1"
    (table,) = results.correlations.scored
    assert table.model_names == ["cbow-*", "sg-*"]


def test_a_model_with_one_run_takes_part_and_two_of_them_are_not_compared(runs):
    alone = {"other": rated(0.2, 8), "last": rated(0.3, 9)}
    found = lexiscope.run(
        {**{k: v for k, v in runs.items() if k.startswith("cbow")}, **alone},
        "similarity", PAIRS, same_model="cbow-*",
    ).model_comparisons  # fmt: skip

    assert [(c.first, c.second) for c in found] == [("cbow-*", "other"), ("cbow-*", "last")]
    assert all(c.p_holm >= c.p for c in found)


def test_equal_content_is_no_further_run():
    one, other = rated(0.3, 1), rated(0.6, 2)

    found = lexiscope.run({"a-1": one, "a-2": one, "b": other}, "similarity", PAIRS)

    assert models_of(found)["a-2"] == "a-1"
    assert found.model_comparisons == ()


def test_models_are_compared_on_the_items_of_all_runs(runs):
    few = {"cbow-1": rated(0.1, 0), "cbow-2": rated(0.6, 1, known=100), "sg": rated(1.2, 3, 90)}

    results = lexiscope.run(few, "similarity", PAIRS, same_model="cbow-*")

    (found,) = results.model_comparisons
    assert found.items == 90


def test_joint_tasks_predict_the_items_of_all_runs_again():
    rng = np.random.default_rng(0)
    words = synthetic_words(80)
    centres = np.repeat(rng.normal(size=(8, 5)), 10, axis=0)
    items = categories(**{f"c{k}": " ".join(words[10 * k : 10 * k + 10]) for k in range(8)})
    vectors = {
        name: embedding(name, words[:known], (centres + s * rng.normal(size=(80, 5)))[:known])
        for name, known, s in (("a-1", 80, 0.4), ("a-2", 70, 0.5), ("b", 80, 1.5))
    }

    results = lexiscope.run(vectors, "categorization", items, same_model="a-*")

    (found,) = results.model_comparisons
    assert (found.items, found.total) == (70, 80)
    assert found.difference > 0


def test_a_pattern_without_an_embedding_raises_an_error(runs):
    with pytest.raises(UnknownName, match="No embedding of this run named 'glove"):
        lexiscope.run(runs, "similarity", PAIRS, same_model="glove-*")


def test_the_test_is_that_of_difference_of_models(results, runs):
    from lexiscope import Predictions
    from lexiscope.linalg.cosine import cosine
    from lexiscope.metrics.correlation import spearman

    def predicted(model):
        vectors = [embedding(n, *v) for n, v in runs.items() if n.startswith(model)]
        normalised = PAIRS.normalised(Policy())
        return [
            Predictions(
                cosine(v[normalised.left], v[normalised.right]), PAIRS.rating, normalised.units
            )
            for v in vectors
        ]

    expected = difference_of_models(spearman, predicted("cbow"), predicted("sg"))
    (found,) = results.model_comparisons
    assert found.p == pytest.approx(expected.p, rel=1e-3)
    assert found.error == pytest.approx(expected.error, rel=1e-3)
