import numpy as np
import pytest

from lexiscope.core.datasets import Analogies, Categories, Relations, Texts, WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.experiments.curves.items import curve_items
from tests.experiments.curves.builders import categories, relations, texts, words

KNOWN = Vocabulary(tuple(words(100)))


def items(dataset, known=KNOWN, candidates=50, most=2000):
    return curve_items(dataset, known, candidates, most, np.random.default_rng(0))


def labelled(*rows):
    word, label = zip(*rows, strict=True)
    return Categories("mine", word_array(word), word_array(label))


def alternating(number):
    return [(word, f"class{n % 2}") for n, word in enumerate(words(number))]


def test_words_with_classes():
    found = items(categories(30))

    assert (found.family, len(found), found.classes) == ("words", 30, ("class0", "class1"))
    assert found.gold[:4].tolist() == [0, 1, 0, 1]
    assert found.notes == ()


def test_a_word_with_two_labels_is_left_out_because_it_could_be_in_training_and_test_set():
    found = items(labelled(*alternating(30), ("word3", "class0"), ("Word5", "class0")))

    assert len(found) == 28
    assert found.notes == ("Left out: 2 words with two labels: word3, word5.",)


def test_a_repeated_word_counts_once():
    found = items(labelled(*alternating(30), ("word4", "class0")))

    assert len(found) == 30
    assert found.notes == ("Left out: 1 repetition of a word.",)


def test_unknown_words_are_left_out_and_named():
    found = items(labelled(*alternating(30), ("unheard", "class0")))

    assert (len(found), found.total) == (30, 31)
    assert found.notes == ("Left out: 1 word that some embedding does not have: unheard.",)


def test_twelve_words_are_too_few():
    with pytest.raises(BadData, match=r"mine: 12 of 12 items can be used, and a learning curve "):
        items(labelled(*alternating(12)))


def test_one_class_is_nothing_to_learn():
    rows = [(word, "class0") for word in words(30)]
    with pytest.raises(BadData, match="all items that can be used have the label 'class0'"):
        items(labelled(*rows))


def test_a_class_with_three_words_is_noted():
    found = items(labelled(*alternating(30), *((word, "rare") for word in words(33)[30:])))

    assert "Classes with few items: 'rare' (3); results say little about them." in found.notes


def test_pairs_with_equal_ratings_are_nothing_to_learn():
    columns = word_array(words(40)[::2]), word_array(words(40)[1::2])
    with pytest.raises(BadData, match="all pairs have the same rating"):
        items(WordPairs("flat", *columns, np.full(20, 3.0)))


def test_candidates_of_relations_are_the_most_frequent_words_and_those_of_the_pairs():
    found = items(relations(60), candidates=10)

    assert found.family == "analogies"
    assert found.candidates[:10] == tuple(words(10))
    assert set(found.candidates) == set(words(60))
    assert found.candidates[found.gold[0]] == "word1"


def test_analogies_become_distinct_pairs_of_their_sections():
    names = words(80)
    questions = [(names[n], names[n + 1], names[n + 2], names[n + 3]) for n in range(0, 60, 2)]
    columns = map(word_array, zip(*questions, strict=True))
    found = items(Analogies("questions", *columns, word_array(["s"] * 30)))

    assert len(found) == 31  # word0:word1 ... word60:word61, each once


def test_texts_with_training_and_test_part_are_one_set_and_texts_without_a_known_word_are_out():
    train = texts(40)
    test = Texts(
        "texts", word_array(["unheard of", "word1 word3 new"]), word_array(["class0", "class1"]),
        train,
    )  # fmt: skip
    found = items(test)

    assert found.family == "texts"
    assert (len(found), found.total) == (41, 42)
    assert found.notes == ("Left out: 1 text without a known word.",)
    assert len(found.texts.text) == 41


def test_a_sample_keeps_the_proportions_of_the_classes():
    found = items(categories(90, classes=3), most=30)

    assert np.bincount(found.gold).tolist() == [10, 10, 10]
    assert found.notes == ("60 items beyond a random sample of 30.",)


def test_the_number_of_words_that_are_not_named():
    unknown = [(f"unheard{n}", "class0") for n in range(5)]

    assert items(labelled(*alternating(30), *unknown)).notes == (
        "Left out: 5 words that some embedding does not have: unheard0, unheard1, unheard2 and "
        "2 more.",
    )


def test_labels_may_be_numbers():
    numbers = np.array([0, "a"] * 15, object)

    found = items(Categories("mine", word_array(words(30)), numbers))

    assert found.classes == ("0", "a")


def test_labels_that_all_occur_once_cannot_be_learned():
    rows = [(word, f"class{n}") for n, word in enumerate(words(30))]

    with pytest.raises(BadData, match="mine: 0 of 30 labels occur more than once"):
        items(labelled(*rows))


@pytest.mark.parametrize("rating", [np.nan, np.inf])
def test_a_rating_is_finite(rating):
    rated = WordPairs("mine", word_array(words(30)), word_array(words(30)[::-1]),
                      np.array([rating, *range(29)], float))  # fmt: skip

    with pytest.raises(BadData, match="mine: a rating is not a finite number"):
        items(rated)


def test_pairs_that_are_repeated_in_either_order_are_noted():
    left, right = words(60)[:30], words(60)[30:]
    rated = WordPairs("mine", word_array([*left, right[0]]), word_array([*right, left[0]]),
                      np.arange(31.0))  # fmt: skip

    found = items(rated)

    assert len(found) == 31
    assert found.notes == (
        "1 pair is a repetition of another pair, in either order; all are used.",
    )


def test_pairs_of_a_word_with_itself_are_left_out_and_counted():
    same = Relations("mine", word_array(words(30)), word_array(words(30)),
                     word_array(["relation"] * 30))  # fmt: skip

    with pytest.raises(BadData, match=r"mine: 0 of 30 items can be used.* itself"):
        items(same)
