"""What follows from Yaghoobzadeh and Schütze 2016 by construction, in small.

Claims that need many seeds are published in docs/papers/s0.md, not asserted.
"""

import numpy as np
import pytest
from numpy.random import default_rng

from lexiscope.bench.study import reproduce
from lexiscope.bench.studyfile import of_paper
from lexiscope.core.corpus import corpus
from lexiscope.data.grammars import read
from lexiscope.stats.grammars import sample

MODELS = ["PPMI", "LBL", "CBOW", "CWIN", "SKIP", "SSKIP"]


def trainer(name):
    return next(model.trainer for model in of_paper("s0").models if model.name == name)


def test_a_word_seen_once_has_two_numbers_that_are_not_zero():
    embedding = trainer("PPMI").train(
        sample(read("sparseness"), 3000, default_rng(0)), default_rng(0)
    )
    once = [f"{letter}{i}" for letter in "ux" for i in range(10)]

    rows = embedding[once].toarray()

    assert (np.count_nonzero(rows, axis=1) == 2).all()
    # One in the block of left neighbours, one in that of right ones, each of length 1.
    words = len(embedding)
    assert (np.count_nonzero(rows[:, :words], axis=1) == 1).all()
    np.testing.assert_allclose(np.linalg.norm(rows[:, words:], axis=1), 1, rtol=1e-6)


def test_pair_counts_cannot_tell_v_from_w():
    # Every sentence of figure 1 exactly as often as it is likely: nothing is left to chance.
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


def test_ppmi_finds_no_rare_word_of_the_kind(rare):
    (ours,) = rare.rows("sparseness", model="PPMI", study="subspace", main=True)
    (facet,) = [f for f in rare.facets if f.answer == "yes"]

    assert ours.value == 0.5
    assert facet.consistent.value == 0  # all twenty were called negative
    assert rare.verdicts[0].alike == 1.0


def test_no_model_errs_on_gender_but_neighbours_do():
    found = reproduce("s0", criteria=["multifacetedness"], sentences=5000, trials=2)

    for model in MODELS:
        (ours,) = found.rows("multifacetedness", model=model, study="subspace", main=True)
        assert ours.value == 1.0, model
    (near,) = found.rows("multifacetedness", model="PPMI", study="neighbour", main=True)
    assert near.value < 1.0


def test_the_plan_holds_the_numbers_of_the_paper():
    plan = of_paper("s0", "paper")
    said = {(p.criterion, p.study, p.model, p.at): (p.least, p.most) for p in plan.published}

    assert [model.name for model in plan.models] == MODELS
    assert (plan.sentences, plan.trials) == (100_000, 50)
    assert said["nonconflation", "subspace", "CBOW", None] == (0.5, 0.5)
    assert said["nonconflation", "subspace", "SKIP", None] == (1.0, 1.0)
    assert said["ambiguity", "subspace", "PPMI", 1.5] == (0.0, 0.0)
    assert said["multifacetedness", "neighbour", "PPMI", None][0] <= 1 - 0.29
    assert said["multifacetedness", "triples", "LBL", None][1] >= 1 - 0.14
    assert plan.orders == (("ambiguity", ("PPMI", "CBOW", "LBL", "SSKIP", "SKIP", "CWIN")),)


def test_rare_words_stay_and_windows_are_not_drawn():
    for model in of_paper("s0").models:
        settings = model.trainer.settings
        assert (settings["window"], settings["dynamic"], settings["subsample"]) == (1, False, 0)
