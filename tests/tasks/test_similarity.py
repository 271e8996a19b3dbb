import numpy as np
import pytest
from gensim.models import KeyedVectors
from numpy.testing import assert_allclose

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.tasks.similarity import Similarity
from tests.builders import seeded, synthetic_pairs, synthetic_words, word_pairs

PETS = embedding("pets", ("cat", "dog", "cup", "tea"), [[1, 0], [0.8, 0.6], [0, 1], [-1, 0]])


def test_the_prediction_of_a_pair_is_its_cosine():
    pairs = word_pairs(("cat", "dog", 9), ("dog", "cup", 5), ("cat", "cup", 2), ("cat", "tea", 1))

    predictions = Similarity().predict(PETS, pairs, np.random.default_rng(0))

    assert_allclose(predictions.predicted, [0.8, 0.6, 0, -1], atol=1e-7)
    assert predictions.gold.tolist() == [9, 5, 2, 1]


def test_pairs_in_the_order_of_their_cosines_score_one():
    pairs = word_pairs(("cat", "dog", 9), ("dog", "cup", 5), ("cat", "cup", 2), ("cat", "tea", 1))

    results = lexiscope.run(PETS, "similarity", [pairs])

    assert results.main()[0].value == pytest.approx(1)


def test_scores_equal_gensims(tmp_path):
    words = synthetic_words(300)
    ours = seeded("ours", words, 1, 20)
    pairs = synthetic_pairs(200, 310, 2)  # a few words are unknown to both
    theirs = KeyedVectors(20)
    theirs.add_vectors(words, ours.vectors.copy())
    path = tmp_path / "pairs.tsv"
    rows = zip(pairs.left, pairs.right, pairs.rating, strict=True)
    path.write_text("".join(f"{a}\t{b}\t{rating}\n" for a, b, rating in rows))

    pearson, spearman, unknown = theirs.evaluate_word_pairs(str(path))
    found = {r.metric: r for r in lexiscope.run(ours, "similarity", [pairs])}

    assert found["pearson"].value == pytest.approx(pearson.statistic, abs=1e-6)
    assert found["spearman"].value == pytest.approx(spearman.statistic, abs=1e-6)
    assert 100 * (1 - found["spearman"].used / found["spearman"].total) == pytest.approx(unknown)
