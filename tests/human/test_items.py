import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import chisquare

from lexiscope.core.errors import BadUsage
from lexiscope.human.intrusion import first_intruder
from lexiscope.human.inventory import Query
from lexiscope.human.items import comparison_items, intrusion_items
from tests.builders import counted, seeded, synthetic_words

WORDS = synthetic_words(400)
QUERIES = [Query("w3", {"frequency": "rare"}), Query("w7"), Query("w20")]


def rng():
    return np.random.default_rng(0)


def neighbours(embedding, word):
    """All other words by descending cosine, the slow way."""
    row = list(embedding.words).index(word)
    distances = cdist(embedding.vectors[[row]], embedding.vectors, "cosine")[0]
    order = np.argsort(distances, kind="stable")
    return [embedding.words[k] for k in order if k != row]


def test_options_are_the_neighbours_at_the_rank_in_each_embedding():
    embeddings = [seeded(name, WORDS, seed) for seed, name in enumerate("ABC")]
    made = comparison_items(embeddings, QUERIES, rng(), (1, 5, 50))

    assert len(made.items) == 9
    for item in made.items:
        expected = {each.name: neighbours(each, item.query)[item.rank - 1] for each in embeddings}
        credited = {n: w for w, names in zip(item.options, item.sources, strict=True)
                    for n in names}  # fmt: skip
        assert credited == expected
    assert made.items[0].attributes == {"frequency": "rare"}


def test_a_word_of_several_embeddings_is_shown_once_and_credited_to_all():
    first = seeded("A", WORDS, 1)
    embeddings = [first, seeded("B", WORDS, 1), seeded("C", WORDS, 2)]
    items = comparison_items(embeddings, QUERIES, rng(), (1,)).items

    assert all(sorted(item.sources) == [("A", "B"), ("C",)] for item in items)


def test_an_item_without_a_choice_is_left_out_and_named():
    made = comparison_items([seeded("A", WORDS), seeded("B", WORDS)], QUERIES[:1], rng(), (1,))

    assert made.items == ()
    assert "w3, rank 1: all embeddings have the same neighbour" in made.left_out[0]


def test_ids_and_order_do_not_reveal_the_embedding():
    embeddings = [seeded(name, WORDS, seed) for seed, name in enumerate("ABC")]
    items = comparison_items(embeddings, [Query(w) for w in WORDS[:100]], rng(), (1, 5)).items
    first = [item.sources[0][0] for item in items if len(item.options) == 3]

    assert len({item.id for item in items}) == len(items)
    assert all(len(item.id) == 16 for item in items)
    assert 40 < sum(name == "A" for name in first) < 95  # a third of 200


def test_ranks_beyond_the_vocabulary_are_refused():
    with pytest.raises(BadUsage, match="too few for neighbours at rank 400"):
        comparison_items([seeded("A", WORDS), seeded("B", WORDS, 1)], QUERIES, rng(), (400,))


def with_counts(seed=0, high=2000):
    numbers = np.random.default_rng(9).integers(1, high, len(WORDS))
    return counted("A", WORDS, seeded("A", WORDS, seed).vectors, numbers)


def test_the_intruder_is_that_of_the_walk_down_the_neighbours():
    embedding = with_counts()
    counts = dict(zip(WORDS, embedding.counts.tolist(), strict=True))
    items = {
        item.query: item for item in intrusion_items([embedding], QUERIES, counts, rng()).items
    }

    for query in QUERIES:
        near = [WORDS.index(word) for word in neighbours(embedding, query.word)]
        shown = [WORDS.index(query.word), *near[:2]]
        expected = first_intruder(shown, np.array(near), WORDS, embedding.counts)
        item = items[query.word]
        assert set(item.options) == {WORDS[k] for k in (*shown, expected)}
        assert item.options[item.answer] == WORDS[expected]
        assert item.width == 500


def test_pitfall_30_the_position_of_the_intruder_is_random_and_reproducible():
    embedding = with_counts()
    counts = dict(zip(WORDS, embedding.counts.tolist(), strict=True))
    one, again = (
        intrusion_items([embedding], [Query(word) for word in WORDS], counts, rng()).items
        for _ in range(2)
    )

    assert one == again
    assert len(one) == 400
    assert chisquare(np.bincount([item.answer for item in one], minlength=4)).pvalue > 0.001


def test_the_width_is_doubled_until_a_word_qualifies_and_recorded():
    embedding = with_counts(high=200_000)
    counts = dict(zip(WORDS, embedding.counts.tolist(), strict=True))
    items = intrusion_items([embedding], QUERIES, counts, rng(), 1.0).items

    for item in items:
        intruder = counts[item.options[item.answer]]
        others = [counts[w] for k, w in enumerate(item.options) if k != item.answer]
        assert abs(intruder - np.mean(others)) <= item.width
        assert item.width in {2.0**k for k in range(12)}
    assert any(item.width > 1 for item in items)


def test_without_any_word_that_qualifies_the_item_is_left_out():
    embedding = with_counts()
    counts = dict.fromkeys(WORDS[:3], 10**9) | dict.fromkeys(WORDS[3:], 1)
    made = intrusion_items([embedding], [Query("w0")], {**counts, "w0": 10**9}, rng(), 1.0)

    assert made.items == ()
    assert "w0, A: no word qualifies" in made.left_out[0]


def test_only_neighbours_and_intruder_are_credited_to_the_embedding():
    embedding = with_counts()
    counts = dict(zip(WORDS, embedding.counts.tolist(), strict=True))
    item = intrusion_items([embedding], QUERIES[:1], counts, rng()).items[0]

    assert sorted(item.sources) == [(), ("A",), ("A",), ("A",)]
    assert item.sources[item.options.index("w3")] == ()
    assert item.embeddings == ("A",)
