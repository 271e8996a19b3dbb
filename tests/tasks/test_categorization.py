import numpy as np
import pytest

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import Categories
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.stats.clusters import purity
from lexiscope.tasks.categorization import Categorization
from tests.making import categories, seeded, synthetic_words

ITEMS = categories(animal="cat dog cow hen", drink="tea milk", tool="saw axe awl")
WORDS = ITEMS.word.tolist()
# Three directions, each word a little off its own.
APART = embedding(
    "apart",
    WORDS,
    np.repeat(np.eye(3), [4, 2, 3], axis=0) * np.arange(1, 10)[:, None]
    + np.random.default_rng(0).normal(size=(9, 3)) * 0.01,
)


def answered(vectors, items, seed=0, **settings):
    return Categorization(**settings).answer(vectors, items, np.random.default_rng(seed))


def test_words_of_one_direction_are_one_cluster_whatever_their_lengths():
    answers = answered(APART, ITEMS)

    # k-means may stop early from a bad start, but not from all.
    assert purity.per_run(answers.given, answers.gold).mean(axis=0).max() == 1


def test_an_answer_holds_a_cluster_for_each_repeat():
    rows = [text.split() for text in answered(APART, ITEMS, repeats=4).given]

    assert {len(row) for row in rows} == {4}
    assert {number for row in rows for number in row} == {"0", "1", "2"}


def test_the_gold_is_not_looked_at():
    vectors = seeded("seeded", synthetic_words(60), 1)
    words, kinds = word_array(vectors.words), np.repeat(["x", "y", "z"], 20).astype(object)
    shuffled = np.random.default_rng(5).permutation(kinds)

    straight, mixed = (
        answered(vectors, Categories("set", words, gold)) for gold in (kinds, shuffled)
    )

    assert straight.given.tolist() == mixed.given.tolist()
    assert straight.gold.tolist() != mixed.gold.tolist()


def test_repeats_and_the_seed_change_the_answers():
    vectors = seeded("seeded", synthetic_words(60), 1)
    kinds = word_array(["x", "y", "z"] * 20)
    items = Categories("set", word_array(vectors.words), kinds)

    one, other, more = (
        answered(vectors, items, seed, repeats=repeats).given.tolist()
        for seed, repeats in ((0, 3), (1, 3), (0, 5))
    )

    assert one != other
    assert [text.split()[:3] for text in more] == [text.split() for text in one]


def test_clustering_has_one_thread_so_that_sums_have_one_order(monkeypatch):
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_info

    seen = set()

    class Watched(KMeans):
        def fit(self, rows):
            seen.update(pool["num_threads"] for pool in threadpool_info())
            return super().fit(rows)

    monkeypatch.setattr("sklearn.cluster.KMeans", Watched)

    answered(APART, ITEMS)

    assert seen == {1}


def test_a_word_may_stand_in_two_categories():
    items = categories(animal="cat dog cow hen", drink="tea milk cat", tool="saw axe awl")

    given = answered(APART, items).given

    assert given[0] == given[6]


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        (categories(animal="cat dog"), "of 1 category, at least 2 are needed"),
        (categories(animal="cat", drink="cat"), "only 1 different vectors for 2 categories"),
    ],
)
def test_too_little_to_cluster_is_undefined(items, sentence):
    with pytest.raises(Undefined, match=sentence):
        answered(APART, items)


def test_no_repeats_are_refused():
    with pytest.raises(BadUsage, match=r"categorization\.repeats must be 1 or more, found 0"):
        Categorization(repeats=0)
