"""Results of Yaghoobzadeh and Schütze 2016 that hold by construction, at a small size.

Results that need many trials are published in docs/papers/s0.md, not asserted.
"""

import numpy as np
import pytest
from numpy.random import default_rng

from lexiscope.core.corpus import corpus
from lexiscope.papers.reproduce import plan_for, reproduce
from lexiscope.pcfg.reader import read
from lexiscope.pcfg.sampling import sample

MODELS = ["PPMI", "LBL", "vLBL", "CBOW", "CWIN", "SKIP", "SSKIP"]


def trainer(name):
    return next(model.trainer for model in plan_for("s0").models if model.name == name)


def test_the_ppmi_vector_of_a_singleton_has_two_nonzero_entries():
    embedding = trainer("PPMI").train(
        sample(read("sparseness"), 3000, default_rng(0)), default_rng(0)
    )
    once = [f"{letter}{i}" for letter in "ux" for i in range(10)]

    rows = embedding[once].toarray()

    assert (np.count_nonzero(rows, axis=1) == 2).all()
    # One in the block of left neighbours, one in that of right neighbours, each of length 1.
    words = len(embedding)
    assert (np.count_nonzero(rows[:, :words], axis=1) == 1).all()
    np.testing.assert_allclose(np.linalg.norm(rows[:, words:], axis=1), 1, rtol=1e-6)


def test_ppmi_vectors_of_v_and_w_are_equal():
    # Every sentence of figure 1 occurs exactly in proportion to its probability.
    sentences = [f"a v{i} b" for i in range(5)] * 2 + [f"b v{i} a" for i in range(5)] * 2
    sentences += [f"{x} w{i} {y}" for x in "ab" for y in "ab" for i in range(5)]
    embedding = trainer("PPMI").train(corpus("exact", map(str.split, sentences)), default_rng(0))

    rows = embedding[[f"{letter}{i}" for letter in "vw" for i in range(5)]].toarray()

    assert np.count_nonzero(rows) == 40
    assert (rows == rows[0]).all()


def test_at_alpha_two_one_sense_is_three_times_as_frequent():
    grammar = read("ambiguity").at(alpha=2.0)
    text = sample(grammar, 100_000, default_rng(0))
    words = np.array(text.vocabulary.words, object)[text.tokens].reshape(-1, 3)
    senses = [w[0] for w, middle in words[:, :2].tolist() if middle in {f"w{i}" for i in range(5)}]

    assert grammar.parameters["beta"] == 0.25
    assert senses.count("a") / senses.count("c") == pytest.approx(3, rel=0.1)


@pytest.fixture(scope="module")
def rare():
    return reproduce("s0", criteria=["sparseness"], models=["PPMI"], sentences=4000, trials=3)


def test_ppmi_predicts_no_rare_word_to_be_positive(rare):
    results = rare.results
    (ours,) = results.rows("sparseness", model="PPMI", probe="subspace", main=True)
    (facet,) = [f for f in results.facets if f.label == "yes"]

    assert ours.value == 0.5
    assert facet.consistent.value == 0  # all twenty are predicted to be negative
    judged = [v for v in rare.verdicts if v.verdict != "not run"]
    assert [v.matching_trials for v in judged] == [1.0]


def test_no_model_has_errors_on_gender_but_neighbours_do():
    options = {"criteria": ["multifacetedness"], "sentences": 5000, "trials": 2}
    found = reproduce("s0", **options).results

    for model in MODELS:
        (ours,) = found.rows("multifacetedness", model=model, probe="subspace", main=True)
        assert ours.value == 1.0, model
    (near,) = found.rows("multifacetedness", model="PPMI", probe="neighbour", main=True)
    assert near.value < 1.0


def test_rare_words_are_kept_and_windows_are_fixed():
    for model in plan_for("s0").models:
        settings = model.trainer.settings
        assert (settings["window"], settings["dynamic_window"], settings["subsample"]) == (
            1,
            False,
            0,
        )
