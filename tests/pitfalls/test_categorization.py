"""Pitfalls 26 to 29: categorization and synonyms."""

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import adjusted_rand_score

import lexiscope
from lexiscope.cli.commands.tasks import command as tasks_command
from lexiscope.core.datasets import Categories
from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import embedding
from lexiscope.metrics.purity import adjusted_rand, purity, purity_chance_level
from lexiscope.tasks.categorization import Categorization
from tests.builders import categories, seeded, synonym_questions, synthetic_words
from tests.pitfalls.scoring import predictions_of, scores

WORDS = synthetic_words(60)
NOISE = seeded("noise", WORDS, 1)


def labelled(labels):
    """Sixty words in categories."""
    return Categories("set", word_array(WORDS), word_array(labels))


def test_pitfall_26_the_clusters_do_not_depend_on_the_gold():
    """Other labels for the same words leave every clustering as it is."""
    labels = ["x", "y", "z"] * 20
    shuffled = np.random.default_rng(5).permutation(labels).tolist()

    straight, mixed = (
        Categorization().predict(NOISE, labelled(gold), np.random.default_rng(0)).predicted.tolist()
        for gold in (labels, shuffled)
    )

    assert straight == mixed


def test_pitfall_26_the_score_is_the_mean_of_seeded_clusterings_not_the_best():
    """Purity is the mean over all repeats with its spread; the best by the gold would be higher."""
    items = labelled(["x", "y", "z"] * 20)

    given = word_array(predictions_of(NOISE, "categorization", items).values())
    found = lexiscope.run(NOISE, "categorization", items)

    purities = purity.per_repeat(given, items.category).mean(axis=0)

    def as_the_peer_does():
        return purities.max()

    assert len(purities) == 10
    assert scores(found)["noise", "purity"] == pytest.approx(purities.mean())
    assert scores(found)["noise", "purity_std"] == pytest.approx(purities.std(ddof=1))
    assert as_the_peer_does() > purities.mean() + 0.01
    again, other = (lexiscope.run(NOISE, "categorization", items, seed=seed) for seed in (0, 1))
    assert scores(again) == scores(found)
    assert scores(other) != scores(found)


def test_pitfall_26_the_clustering_has_one_name():
    """What a person reads about the task names the algorithm."""
    shown = CliRunner().invoke(tasks_command, ["categorization"])

    assert shown.exit_code == 0
    assert "k-means" in shown.output


def test_pitfall_27_purity_is_of_clusters_not_of_categories():
    """With clusters and categories of unequal size, purity and inverse purity differ."""
    # k-means finds {a a a} and {a a a b b}.
    items = categories(a="a1 a2 a3 a4 a5 a6", b="b1 b2")
    rows = [[1, 0.01 * k] for k in range(3)] + [[0.01 * k, 1] for k in range(5)]
    source = embedding("s", items.word, rows)

    def as_the_peer_does():
        return (max(3, 3) + max(0, 2)) / 8  # each category's largest cluster

    found = scores(lexiscope.run(source, "categorization", items))

    assert as_the_peer_does() == 5 / 8
    assert found["s", "purity"] == pytest.approx((3 + 3) / 8)


def test_pitfall_28_chance_level_and_an_adjusted_index_are_reported_next_to_purity():
    """Noise in many small categories has a high purity; its chance level and index show that."""
    few = scores(lexiscope.run(NOISE, "categorization", labelled([f"k{k % 3}" for k in range(60)])))
    many = scores(
        lexiscope.run(NOISE, "categorization", labelled([f"k{k % 30}" for k in range(60)]))
    )

    assert many["noise", "purity"] > few["noise", "purity"] + 0.1
    for found in (few, many):
        chance, index = found["noise", "purity_chance_level"], found["noise", "adjusted_rand"]
        assert found["noise", "purity"] == pytest.approx(chance, abs=0.06)
        assert index == pytest.approx(0, abs=0.06)


def test_pitfall_28_purity_rises_with_the_number_of_clusters_and_the_index_does_not():
    """Cutting clusters up makes purity 1 in the end; the adjusted index is 0 by then."""
    gold = word_array(["a", "b", "c"] * 20)
    rng = np.random.default_rng(0)
    cuts = [word_array(map(str, rng.permutation(60) % number)) for number in (2, 6, 20, 60)]

    pure = [purity(cut, gold) for cut in cuts]

    assert pure == sorted(pure)
    assert pure[-1] == purity_chance_level(cuts[-1], gold) == 1
    for cut in cuts:
        assert adjusted_rand(cut, gold) == pytest.approx(adjusted_rand_score(gold, cut))
        assert abs(adjusted_rand(cut, gold)) < 0.05
        assert purity(cut, gold) == pytest.approx(purity_chance_level(cut, gold), abs=0.1)


def test_pitfall_29_the_synonym_is_the_most_similar_option():
    """A similarity is taken for what it is: the highest wins."""
    source = embedding(
        "s",
        ("big", "large", "green", "early", "wet"),
        [[1, 0], [0.9, 0.1], [0, 1], [-1, 0], [-1, -1]],
    )
    items = synonym_questions(("big", "green", "early", "large", "wet", "large"))

    def as_the_peer_does():
        near = {word: float(source["big"] @ source[word]) for word in source.words[1:]}
        return min(near, key=near.__getitem__)

    assert as_the_peer_does() in {"early", "wet"}
    assert predictions_of(source, "synonymy", items) == {0: "large"}
    assert scores(lexiscope.run(source, "synonymy", items))["s", "accuracy"] == 1
