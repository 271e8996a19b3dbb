from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.study import Item, Judgment, Study, StudySettings
from lexiscope.data.wordnet import Relation, Synset, WordNet
from lexiscope.human.proxies import ALL, WORDNET, _spearman, coherence_scores, proxy_scores
from tests.human.study_builders import study as comparison_study

WORDS = ("cat", "dog", "cow", "car")


def intrusion(number, options=WORDS, answer=3):
    sources = tuple(() if word == "cat" else ("A",) for word in options)
    return Item(f"i{number}", "intrusion", "cat", options, sources, answer=answer)


def study(*items):
    return Study("intrusion", StudySettings(), {"A": "", "B": ""}, items or (intrusion(0),))


def other(vectors):
    return embedding("B", WORDS, np.array(vectors, np.float32))


def small_wordnet():
    """cat, dog and cow are animals; an animal and a car are things."""
    above = {"thing": None, "animal": "thing", "car": "thing",
             "cat": "animal", "dog": "animal", "cow": "animal"}  # fmt: skip
    synsets = {
        word: Synset(word, "n", False, "noun.Tops", (word,), ("0",),
                     (Relation("@", up, 0, 0),) if up else (), "")
        for word, up in above.items()
    }  # fmt: skip
    return WordNet("small", synsets, {(w, "n"): (w,) for w in above}, {}, {})


def test_the_proxy_chooses_the_word_with_the_lowest_mean_similarity():
    score = proxy_scores(study(), [other([[1, 0], [1, 0.1], [1, 0.2], [0, 1]])])[0]
    fooled = proxy_scores(study(), [other([[0, 1], [1, 0.1], [1, 0.2], [1, 0.1]])])[0]

    assert (score.embedding, score.proxy, score.precision) == ("A", "B", 1.0)
    assert fooled.precision == 0.0


def test_ties_count_as_their_share():
    assert proxy_scores(study(), [other([[1, 0]] * 4)])[0].precision == 0.25


def test_wordnet_finds_the_word_without_a_near_hypernym():
    score = proxy_scores(study(), [], small_wordnet())[0]

    assert (score.proxy, score.precision) == (WORDNET, 1.0)


def test_path_similarity_is_that_of_the_shortest_path():
    from lexiscope.human.proxies import PathSimilarity

    table = PathSimilarity(small_wordnet())(WORDS)

    assert table[0, 1] == pytest.approx(1 / 3)  # cat - animal - dog
    assert table[0, 3] == pytest.approx(1 / 4)  # cat - animal - thing - car


def test_an_embedding_does_not_solve_its_own_items():
    own = embedding("A", WORDS, np.eye(4, dtype=np.float32))

    assert proxy_scores(study(), [own]) == ()


def test_items_with_unknown_words_are_counted():
    strange = intrusion(1, ("cat", "dog", "cow", "zebu"))
    score = proxy_scores(study(intrusion(0), strange), [other(np.eye(4))])[0]

    assert (score.items, score.unsolved) == (1, 1)


def test_the_correlation_with_judges_is_over_items():
    orders = [(0, 1, 2, 3), (3, 1, 2, 0), (1, 0, 2, 3), (2, 3, 0, 1), (0, 2, 3, 1)]
    items = [intrusion(k, tuple(WORDS[i] for i in order), order.index(3) if k % 2 else 0)
             for k, order in enumerate(orders)]  # fmt: skip
    vectors = other([[1, 0], [1, 0.1], [1, 0.2], [0, 1]])  # always chooses "car"
    judged = [Judgment("judge", item.id, item.options.index("car"), (0, 1, 2, 3)) for item in items]

    score = proxy_scores(study(*items), [vectors], judgments=judged)[0]

    assert score.judged_items == 5
    assert score.correlation == pytest.approx(1.0)


def test_proxies_are_for_intrusion_only():
    with pytest.raises(BadUsage, match="intrusion"):
        proxy_scores(comparison_study(), [])


def test_coherence_is_the_mean_over_the_proxies_of_an_item():
    finds, fails = [[1, 0], [1, 0.1], [1, 0.2], [0, 1]], [[0, 1], [1, 0.1], [1, 0.2], [1, 0.1]]
    vectors = [embedding(name, WORDS, np.array(rows, np.float32))
               for name, rows in (("B", finds), ("C", fails))]  # fmt: skip
    coherence, first, second = coherence_scores(study(), vectors)

    assert (first.precision, second.precision) == (1.0, 0.0)
    assert (coherence.proxy, coherence.items, coherence.precision) == (ALL, 1, 0.5)


def test_coherence_follows_by_frequency():
    items = [
        replace(intrusion(0), attributes={"frequency": "rare"}),
        replace(intrusion(1, answer=0), attributes={"frequency": "frequent"}),
    ]
    found = coherence_scores(study(*items), [other([[1, 0], [1, 0.1], [1, 0.2], [0, 1]])])

    assert [(each.frequency, each.precision) for each in found[:3]] == [
        ("", 0.5), ("frequent", 0.0), ("rare", 1.0),
    ]  # fmt: skip


def test_a_correlation_with_judges_has_an_interval_and_its_number_of_items():
    rng = np.random.default_rng(0)
    ours, theirs = rng.random(20), rng.random(20)
    found = _spearman(ours.tolist(), theirs.tolist())

    assert found.low < found.value < found.high
    assert _spearman([1.0, 2.0], [1.0, 2.0]).value is None
