import numpy as np
import pytest

from lexiscope.core.datasets import Categories
from lexiscope.core.datasets.base import word_array
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.metrics.purity import purity
from lexiscope.tasks.categorization import Categorization
from tests.builders import categories, seeded, synthetic_words

ITEMS = categories(animal="cat dog cow hen", drink="tea milk", tool="saw axe awl")
WORDS = ITEMS.word.tolist()
# Three directions with a little noise.
SEPARATE = embedding(
    "separate",
    WORDS,
    np.repeat(np.eye(3), [4, 2, 3], axis=0) * np.arange(1, 10)[:, None]
    + np.random.default_rng(0).normal(size=(9, 3)) * 0.01,
)


def predictions_of(vectors, items, seed=0, **settings):
    return Categorization(**settings).predict(vectors, items, np.random.default_rng(seed))


def test_clusters_do_not_depend_on_the_lengths_of_vectors():
    predictions = predictions_of(SEPARATE, ITEMS)

    # k-means may end in a local optimum, but not from every initialisation.
    assert purity.per_repeat(predictions.predicted, predictions.gold).mean(axis=0).max() == 1


def test_a_prediction_has_a_cluster_for_each_repetition():
    rows = [text.split() for text in predictions_of(SEPARATE, ITEMS, repeats=4).predicted]

    assert {len(row) for row in rows} == {4}
    assert {number for row in rows for number in row} == {"0", "1", "2"}


def test_clusters_do_not_depend_on_the_gold_categories():
    vectors = seeded("seeded", synthetic_words(60), 1)
    words, kinds = word_array(vectors.words), np.repeat(["x", "y", "z"], 20).astype(object)
    shuffled = np.random.default_rng(5).permutation(kinds)

    straight, mixed = (
        predictions_of(vectors, Categories("set", words, gold)) for gold in (kinds, shuffled)
    )

    assert straight.predicted.tolist() == mixed.predicted.tolist()
    assert straight.gold.tolist() != mixed.gold.tolist()


def test_predictions_depend_on_repeats_and_seed():
    vectors = seeded("seeded", synthetic_words(60), 1)
    kinds = word_array(["x", "y", "z"] * 20)
    items = Categories("set", word_array(vectors.words), kinds)

    one, other, more = (
        predictions_of(vectors, items, seed, repeats=repeats).predicted.tolist()
        for seed, repeats in ((0, 3), (1, 3), (0, 5))
    )

    assert one != other
    assert [text.split()[:3] for text in more] == [text.split() for text in one]


def test_clustering_is_single_threaded(monkeypatch):
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_info

    seen = set()

    class Watched(KMeans):
        def fit(self, rows):
            seen.update(pool["num_threads"] for pool in threadpool_info())
            return super().fit(rows)

    monkeypatch.setattr("sklearn.cluster.KMeans", Watched)

    predictions_of(SEPARATE, ITEMS)

    assert seen == {1}


def test_a_word_can_be_in_two_categories():
    items = categories(animal="cat dog cow hen", drink="tea milk cat", tool="saw axe awl")

    predicted = predictions_of(SEPARATE, items).predicted

    assert predicted[0] == predicted[6]


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        (categories(animal="cat dog"), "of 1 category, at least 2 are needed"),
        (categories(animal="cat", drink="cat"), "only 1 different vectors for 2 categories"),
    ],
)
def test_too_few_categories_or_vectors_are_undefined(items, sentence):
    with pytest.raises(Undefined, match=sentence):
        predictions_of(SEPARATE, items)


def test_no_repeats_are_refused():
    with pytest.raises(BadUsage, match=r"categorization\.repeats must be 1 or more, found 0"):
        Categorization(repeats=0)
