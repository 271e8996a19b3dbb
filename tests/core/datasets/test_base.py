import numpy as np
import pytest

from lexiscope.core.datasets import KINDS, WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.vocabulary import Vocabulary
from tests.builders import analogies, word_pairs

PAIRS = word_pairs(("cat", "dog", 9), ("cat", "zyx", 1), ("Sun", "moon", 7))


def test_only_items_with_all_their_words_are_covered():
    assert PAIRS.covered_by(Vocabulary(("cat", "dog", "Sun"))).tolist() == [True, False, False]


def test_missing_words_are_listed_once_those_of_most_items_first():
    assert PAIRS.missing_from(Vocabulary(("dog",))) == ["cat", "Sun", "moon", "zyx"]


def test_take_keeps_all_columns_of_the_chosen_items():
    taken = PAIRS.take(np.array([True, False, True]))

    assert taken.left.tolist() == ["cat", "Sun"]
    assert taken.right.tolist() == ["dog", "moon"]
    assert taken.gold.tolist() == [9, 7]
    assert taken.name == "pairs"


def test_map_words_changes_the_words_and_not_the_ratings():
    map_words = PAIRS.map_words(str.upper)

    assert map_words.left.tolist() == ["CAT", "CAT", "SUN"]
    assert map_words.rating.tolist() == [9, 1, 7]
    assert PAIRS.left.tolist() == ["cat", "cat", "Sun"]


def test_mapped_analogies_keep_the_names_of_their_sections():
    questions = analogies(("a", "b", "c", "d", "Family"))

    assert questions.map_words(str.upper).answer.tolist() == ["D"]
    assert questions.map_words(str.upper).section.tolist() == ["Family"]


def test_the_fingerprint_is_of_the_items_and_not_of_the_name():
    rows = ("cat", "dog", 9), ("cat", "zyx", 1), ("Sun", "moon", 7)

    assert word_pairs(*rows, name="other").fingerprint == PAIRS.fingerprint
    assert word_pairs(*rows[:2]).fingerprint != PAIRS.fingerprint
    assert word_pairs(*rows[::-1]).fingerprint != PAIRS.fingerprint
    assert word_pairs(*rows[:2], ("Sun", "moon", 7.5)).fingerprint != PAIRS.fingerprint


def test_words_cannot_move_between_items():
    first, second = (
        word_pairs(("a", "bc", 1), ("d", "e", 1)),
        word_pairs(("ab", "c", 1), ("d", "e", 1)),
    )

    assert first.fingerprint != second.fingerprint


def test_the_columns_are_read_only_but_the_users_arrays_are_not():
    rating = np.array([1.0])

    pairs = WordPairs("mine", word_array(["a"]), word_array(["b"]), rating)

    assert rating.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        pairs.rating[0] = 2


def test_duplicate_and_reversed_pairs_are_all_kept():
    pairs = word_pairs(("money", "cash", 9.15), ("money", "cash", 9.08), ("cash", "money", 9))

    assert len(pairs) == 3
    assert pairs.covered_by(Vocabulary(("cash", "money"))).all()


def test_labels_name_the_words_of_an_item():
    assert PAIRS.labels[0] == "cat · dog"
    assert analogies(("a", "b", "c", "d")).labels == ["a : b = c : ?"]


def test_semantic_and_syntactic_totals_follow_section_names_and_not_their_order():
    questions = analogies(
        ("a", "b", "c", "d", "gram1-adjective-to-adverb"),
        ("a", "b", "c", "d", "family"),
        ("a", "b", "c", "d", "gram8-plural"),
        ("a", "b", "c", "d", "currency"),
    )

    slices = {name: mask.tolist() for name, mask in questions.slices.items()}

    assert slices["semantic"] == [False, True, False, True]
    assert slices["syntactic"] == [True, False, True, False]
    assert slices["currency"] == [False, False, False, True]
    assert len(slices) == 6


def test_sections_without_a_semantic_name_get_no_totals():
    questions = analogies(("a", "b", "c", "d", "one"), ("a", "b", "c", "d", "two"))

    assert list(questions.slices) == ["one", "two"]


def test_one_section_or_none_gives_no_slices():
    assert analogies(("a", "b", "c", "d")).slices == {}
    assert analogies(("a", "b", "c", "d", "family")).slices == {}
    assert PAIRS.slices == {}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_has_an_example_whose_columns_fit(kind):
    example = kind.example()

    assert len(example) > 2
    assert {len(column) for column in example.words} == {len(example.gold)} == {len(example)}
    assert len(example.labels) == len(example)


def test_a_very_long_word_needs_only_its_own_memory():
    assert word_array(["a", "b" * 1000]).itemsize == 8
