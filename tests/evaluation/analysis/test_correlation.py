"""Correlations of evaluations: the numbers of Tsvetkov et al. 2015, consensus rankings."""

import json
from itertools import permutations

import numpy as np
import pytest

import lexiscope
from lexiscope.evaluation.analysis.correlation import (
    ScoreTable,
    against_consensus,
    consensus_rankings,
    correlate,
    correlations,
)
from lexiscope.evaluation.analysis.score_table import models_of
from tests.builders import seeded, synthetic_pairs, synthetic_words
from tests.papers.test_golden_numbers import QVEC, SCORES, SENTI, SENTIMENT, SIMLEX

MODELS = (
    "CBOW", "SG", "CWindow", "SSG", "Attention", "GloVe",
    "GloVe+WN", "GloVe+PPDB", "LSA", "LSA+WN", "LSA+PPDB",
)  # fmt: skip


def scored(columns, models=None, dimension=300):
    """Scores of embeddings by evaluation; each is its own model by default."""
    values = np.array(list(columns.values()), float).T
    names = tuple(f"e{k}" for k in range(len(values)))
    return ScoreTable(tuple(columns), names, tuple(models or names), values, dimension)


def printed(cbow):
    """Table 2 of the paper, with a score of CBOW on the sentiment task."""
    return scored({"QVEC": SCORES, "Senti": [cbow, *SENTIMENT]}, MODELS)


def test_the_correlation_of_table_2_depends_on_a_misprint():
    (pair,) = correlations([printed(90.0)]).pairs

    assert pair.pearson.value == pytest.approx(0.60, abs=5e-3)
    assert pair.influential == "CBOW"
    assert pair.without == pytest.approx(0.8554, abs=5e-4)
    assert pair.pearson.low == pytest.approx(0.004, abs=5e-4)


def test_the_correlation_of_table_2_without_the_misprint():
    (pair,) = correlations([printed(80.6)]).pairs

    assert pair.pearson.value == pytest.approx(0.867, abs=5e-4)
    assert pair.pearson.number == 11
    assert (pair.pearson.low, pair.pearson.high) == pytest.approx((0.556, 0.965), abs=2e-3)
    assert pair.spearman.value == pytest.approx(0.7818, abs=5e-5)  # the rankings of the text
    assert pair.verdict == "predicts"


def test_the_printed_rankings_have_the_printed_correlations():
    columns = {
        name: [-ranking.index(model) for model in MODELS]
        for name, ranking in (("Senti", SENTI), ("QVEC", QVEC), ("SimLex", SIMLEX))
    }
    found = correlations([scored(columns, MODELS)])

    qvec, simlex = (found.between("Senti", name, 300).spearman for name in ("QVEC", "SimLex"))
    assert qvec.value == pytest.approx(0.7818, abs=5e-5)
    assert simlex.value == pytest.approx(0.4636, abs=5e-5)
    assert simlex.low < 0 < qvec.low  # 0.46 of eleven models is not significant


def test_runs_of_one_model_count_as_their_mean():
    columns = {"one": [1.0, 3, 5, 2, 9], "other": [2.0, 4, 1, 7, 8]}
    found = correlations([scored(columns, ["a", "a", "b", "c", "d"])])

    (pair,) = found.pairs
    assert pair.pearson.number == 4
    assert pair.pearson.value == pytest.approx(np.corrcoef([2, 5, 2, 9], [3, 1, 7, 8])[0, 1])
    assert (pair.points, pair.as_points) == (
        5,
        pytest.approx(np.corrcoef(columns["one"], columns["other"])[0, 1]),
    )


def test_copies_of_embeddings_do_not_narrow_the_interval():
    columns = {"one": [1.0, 4, 2, 6, 5], "other": [2.0, 3, 1, 6, 4]}
    models = ["a", "b", "c", "d", "e"]
    thrice = {name: values * 3 for name, values in columns.items()}

    (once,) = correlations([scored(columns, models)]).pairs
    (again,) = correlations([scored(thrice, models * 3)]).pairs

    assert again.pearson == once.pearson
    assert again.spearman == once.spearman


def test_holms_correction_is_over_the_pairs_of_one_dimension():
    rng = np.random.default_rng(0)
    one = rng.normal(size=12)
    columns = {"a": one, "b": one + 0.1 * rng.normal(size=12), "c": rng.normal(size=12)}
    found = correlations([scored(columns), scored({"a": one, "b": columns["b"]}, dimension=50)])

    three, alone = found.between("a", "b", 300), found.between("a", "b", 50)
    assert three.pearson == alone.pearson
    assert three.p_holm == pytest.approx(3 * alone.p_holm)
    assert alone.p_holm == alone.pearson.p


def test_the_best_predictors_of_a_target_come_first():
    rng = np.random.default_rng(2)
    target = rng.normal(size=8)
    columns = {"near": target + 0.1 * rng.normal(size=8), "target": target, "against": -target}
    found = correlations([scored(columns)]).of("target")

    assert [(pair.first, pair.second) for pair in found] == [
        ("near", "target"),
        ("against", "target"),
    ]


def by_all_orders(own, others):
    """The mean ranks over all best orders, found by going through every order."""
    number = len(own)

    def disagreements(order):
        return sum(
            column[later] > column[earlier]
            for column in others.T
            for index, earlier in enumerate(order)
            for later in order[index + 1 :]
        )

    orders = list(permutations(range(number)))
    fewest = min(map(disagreements, orders))
    best = [order for order in orders if disagreements(order) == fewest]
    return best, np.mean([[-order.index(m) for m in range(number)] for order in best], axis=0)


@pytest.mark.parametrize(("model_names", "seed"), [(4, 0), (5, 1), (6, 2), (7, 3)])
def test_an_evaluation_is_compared_with_the_consensus_ranking_of_the_others(model_names, seed):
    from scipy.stats import spearmanr

    rng = np.random.default_rng(seed)
    columns = {name: rng.permutation(model_names).astype(float) for name in "abcd"}
    given = scored(columns)
    others = np.stack([columns[name] for name in "bcd"], axis=1)
    best, ranks = by_all_orders(columns["a"], others)

    found = against_consensus(given, "a", others)

    assert found.orders == len(best)
    assert found.spearman.value == pytest.approx(spearmanr(columns["a"], ranks).statistic)
    assert found.least <= found.spearman.value + 1e-9
    assert correlations([given]).consensus[0] == found


def test_up_to_sixteen_models_have_a_kemeny_ranking_and_more_a_borda_ranking():
    rng = np.random.default_rng(4)
    truth = np.arange(15.0)
    scores = np.stack([truth + rng.normal(size=15) for _ in range(6)], axis=1)

    orders, method = consensus_rankings(scores)
    assert method == "kemeny"
    assert sorted(orders[0].tolist()) == list(range(15))
    assert consensus_rankings(rng.normal(size=(17, 3)))[1] == "borda"


def embeddings(number, dimension, words, prefix=""):
    return {
        f"{prefix}{k}": seeded(f"{prefix}{k}", words, 10 * dimension + k, dimension)
        for k in range(number)
    }


def test_correlations_of_a_run_are_computed_for_each_dimension():
    words = synthetic_words(40)
    vectors = {**embeddings(4, 3, words, "a"), **embeddings(5, 4, words, "b")}
    datasets = [synthetic_pairs(30, 40), synthetic_pairs(30, 40, seed=9, name="more")]

    found = lexiscope.run(vectors, "similarity", datasets)
    document = json.loads(found.to_json())["correlations"]

    assert [(pair["dimension"], pair["pearson"]["number"]) for pair in document["pairs"]] == [
        (3, 4),
        (4, 5),
    ]
    (first, _) = found.correlations.scored
    assert first.evaluations == ("similarity on pairs", "similarity on more")
    scores = found.scores("similarity", "pairs")
    assert first.of("similarity on pairs").tolist() == [
        scores[name] for name in ("a0", "a1", "a2", "a3")
    ]


def test_few_embeddings_of_several_dimensions_share_one_table():
    words = synthetic_words(40)
    vectors = {**embeddings(3, 3, words, "a"), **embeddings(2, 4, words, "b")}
    datasets = [synthetic_pairs(30, 40), synthetic_pairs(30, 40, seed=9, name="more")]

    (scored_,) = correlate(lexiscope.run(vectors, "similarity", datasets)).scored

    assert scored_.dimension is None
    assert len(scored_.model_names) == 5


def test_trainings_that_differ_only_in_the_seed_are_runs_of_one_model(tmp_path):
    from lexiscope.data.local_data import LocalData
    from lexiscope.training.spec import training_from
    from lexiscope.training.train import run_training

    text = tmp_path / "text.txt"
    rng = np.random.default_rng(0)
    text.write_text(
        "\n".join(" ".join(f"w{k}" for k in rng.integers(0, 30, 12)) for _ in range(80))
    )
    files = []
    for name, trainer, seed in (("one", "cbow", 0), ("two", "cbow", 1), ("three", "skipgram", 0)):
        settings = {"dimension": 4}
        training = training_from(trainer, settings, [str(text)], LocalData(), seed=seed, name=name)
        files.append(tmp_path / f"{name}.safetensors")
        run_training(training, LocalData(), files[-1])

    found = lexiscope.run([*map(str, files)], "similarity", [synthetic_pairs(20, 30)])

    assert models_of(found) == {"one": "one", "two": "one", "three": "three"}
    assert models_of(found, ["t*"]) == {"one": "one", "two": "t*", "three": "t*"}


def test_equal_vectors_under_two_names_are_one_model():
    words = synthetic_words(40)
    one = seeded("one", words, 1, 3)
    found = lexiscope.run({"one": one, "copy": one}, "similarity", [synthetic_pairs(30, 40)])

    assert models_of(found) == {"one": "one", "copy": "one"}
