"""Machine proxies of human studies: choices by hand, and win ratios on small items."""

import numpy as np
from scipy.stats import t

from lexiscope.core.embedding import embedding
from lexiscope.core.study import Item, Study, StudySettings
from lexiscope.papers.proxies import ALL, OTHERS, WORDNET, compare, credit, groups, query_means
from tests.human.test_proxies import small_wordnet

WORDS = ("cat", "dog", "cow", "car")


def item(number, options, sources, query="cat", rank=1, **attributes):
    return Item(
        f"i{number}", "comparison", query, options, sources, rank=rank, attributes=attributes
    )


def study(*items, embeddings="ABC"):
    return Study("comparison", StudySettings(), dict.fromkeys(embeddings, ""), items)


def vectors(name, rows):
    return embedding(name, WORDS, np.array(rows, np.float32))


LIKES_DOG = [[1, 0], [1, 0.1], [0, 1], [0, 1]]  # of cat: the dog is nearest
LIKES_CAR = [[1, 0], [0, 1], [0, 1], [1, 0.1]]


def test_a_word_of_several_embeddings_credits_all_of_them():
    both = item(0, ("dog", "car"), (("A", "B"), ("C",)))

    assert credit(both, np.array([0.5, 0.5]), "ABC").tolist() == [0.5, 0.5, 0.5]
    assert credit(both, np.array([1.0, 0.0]), "ABC").tolist() == [1, 1, 0]


def test_wordnet_chooses_the_word_with_the_shortest_path():
    ratios, _ = compare(
        study(item(0, ("dog", "car"), (("A", "B"), ("C",)))), [], small_wordnet(), 0
    )

    whole = {r.embedding: r.ratio.value for r in ratios if (r.proxy, r.group) == (WORDNET, ALL)}
    assert whole == {"A": 1.0, "B": 1.0, "C": 0.0}


def test_wordnet_shares_ties_and_leaves_out_items_it_cannot_compare():
    tie = item(0, ("dog", "cow"), (("A",), ("B", "C")))
    unknown = item(1, ("zebu", "dog"), (("A",), ("B", "C")))
    ratios, _ = compare(study(tie, unknown), [], small_wordnet(), 0)

    whole = {r.embedding: r for r in ratios if r.group == ALL}
    assert {name: each.ratio.value for name, each in whole.items()} == {
        "A": 0.5,
        "B": 0.5,
        "C": 0.5,
    }
    assert whole["A"].items == 1


def test_an_embedding_is_judged_by_the_others_only():
    # A and B prefer the dog, which only A offers; C prefers the car, which B and C offer.
    judges = [vectors("A", LIKES_DOG), vectors("B", LIKES_DOG), vectors("C", LIKES_CAR)]
    options = item(0, ("dog", "car", "cow"), (("A",), ("B", "C"), ("A", "B")))
    ratios, _ = compare(study(options), judges, None, 0)

    whole = {r.embedding: r.ratio.value for r in ratios if r.group == ALL}
    # A may not choose the dog: car and cow are equally far, the first counts, for B and C.
    # B chooses the dog (A); C chooses the car (B and C).
    assert whole == {"A": 0.5, "B": 1.0, "C": 0.5}
    assert {r.proxy for r in ratios} == {OTHERS}


def test_ratios_are_means_over_queries_with_a_t_interval():
    near, far = ("dog", "car"), ("car", "dog")  # A or B offers the word that is nearer
    offers = {"cat": (near, near), "cow": (near, far), "animal": (far, far)}
    items = [item(f"{query}{k}", pair, (("A",), ("B",)), query=query, rank=k)
             for query, pairs in offers.items() for k, pair in enumerate(pairs)]  # fmt: skip
    ratios, _ = compare(study(*items, embeddings="AB"), [], small_wordnet(), 0)

    found = next(r for r in ratios if (r.embedding, r.group) == ("A", ALL))
    values = [1.0, 0.5, 0.0]
    low, high = t.interval(0.95, 2, np.mean(values), np.std(values, ddof=1) / np.sqrt(3))
    assert (found.items, found.ratio.value) == (6, 0.5)
    assert (found.ratio.low, found.ratio.high) == (max(0.0, low), min(1.0, high))
    assert query_means(items, np.eye(6)[:, :2]).tolist() == [[0.5, 0.5], [0, 0], [0, 0]]


def test_the_permutation_test_enumerates_the_signs_of_few_queries():
    items = [item(n, ("dog", "car"), (("A",), ("B",)), query=q, rank=n)
             for n, q in enumerate(("cat", "cow"))]  # fmt: skip
    _, pairs = compare(study(*items, embeddings="AB"), [], small_wordnet(), 0)

    (pair,) = pairs
    # The dog is nearer than the car to both queries; 2 of the 4 sign patterns are as extreme.
    assert (pair.difference, pair.p) == (1.0, 0.5)


def test_items_are_grouped_by_rank_and_attributes():
    one = item(0, ("dog", "car"), (("A",), ("B",)), frequency="rare", category="noun.animal")
    two = item(1, ("dog", "car"), (("A",), ("B",)), rank=5, frequency="rare")

    assert groups([one, two]) == {
        ("", ALL): [0, 1], ("rank", "1"): [0], ("rank", "5"): [1], ("frequency", "rare"): [0, 1],
    }  # fmt: skip
