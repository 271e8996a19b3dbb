"""Neighbours of words: letter case, counts, stop words, words that are absent."""

from dataclasses import replace

import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage
from lexiscope.evaluation.analysis.word_neighbours import (
    stop_words_from,
    word_neighbours,
)
from lexiscope.linalg.neighbours import neighbours

WORDS = ("the", "King", "king", "queen", "prince", "Paris", "of", "tea")
COUNTS = np.array([900, 3, 40, 30, 20, 15, 800, 10])
ANGLES = np.array([5, 12, 10, 20, 30, 60, 13, 90])


@pytest.fixture
def royals():
    radians = np.deg2rad(ANGLES)
    vectors = np.stack([np.cos(radians), np.sin(radians)], axis=1)
    return replace(embedding("royals", WORDS, vectors), counts=COUNTS)


def near(embedding, word, **options):
    (found,) = word_neighbours(embedding, [word], **options)
    return [each.word for each in found.neighbours]


def test_neighbours_are_those_of_the_exact_search_with_counts(royals):
    (found,) = word_neighbours(royals, ["king"], 3)

    exact = neighbours(royals, "king", 3)["king"]
    assert [(n.word, n.cosine) for n in found.neighbours] == list(map(tuple, exact))
    assert [n.count for n in found.neighbours] == [3, 800, 900]


def test_stop_words_and_rare_words_are_no_neighbours(royals):
    assert near(royals, "king", number=2, stop_words={"the", "of"}) == ["King", "queen"]
    assert near(royals, "king", number=2, min_count=5, stop_words={"the", "of"}) == [
        "queen", "prince",
    ]  # fmt: skip


def test_a_query_word_that_is_left_out_still_has_neighbours(royals):
    found = word_neighbours(royals, ["the", "king"], 2, stop_words={"the", "of"})

    assert [[n.word for n in each.neighbours] for each in found] == [
        ["king", "King"], ["King", "queen"],
    ]  # fmt: skip


def test_letter_case_is_ignored_where_the_exact_word_is_absent(royals):
    assert royals.matching("King") == "King"
    assert royals.matching("KING") == "king"  # the most frequent variant
    assert replace(royals, counts=None).matching("KING") == "King"  # the first variant
    assert royals.matching("paris") == "Paris"
    assert royals.matching("coffee") is None


def test_an_absent_word_has_no_neighbours_and_the_others_have(royals):
    absent, found = word_neighbours(royals, ["coffee", "Tea"], 1)

    assert (absent.matched, absent.neighbours) == (None, ())
    assert (found.query, found.matched) == ("Tea", "tea")


def test_a_minimum_count_needs_counts(royals):
    with pytest.raises(BadUsage, match="royals has no word counts"):
        word_neighbours(replace(royals, counts=None), ["king"], min_count=5)


def test_stop_words_from_a_file_and_in_english(tmp_path):
    (tmp_path / "stop.txt").write_text("The\n\n of \n", "utf-8")

    assert stop_words_from(str(tmp_path / "stop.txt")) == {"the", "of"}
    assert {"the", "of", "and"} <= stop_words_from("english")


def test_most_similar_and_analogy_equal_a_slow_search():
    rng = np.random.default_rng(3)
    words = [f"word{n}" for n in range(60)]
    found = embedding("random", words, rng.normal(size=(60, 7)))
    units = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)

    def slow(target, excluded):
        cosines = {
            w: float(u @ target / np.linalg.norm(target)) for w, u in zip(words, units, strict=True)
        }
        return sorted(set(words) - excluded, key=lambda word: -cosines[word])[:5]

    similar = found.most_similar("word7", 5)
    assert [word for word, _ in similar] == slow(units[7], {"word7"})
    exact = [near.cosine for near in neighbours(found, "word7", 5)["word7"]]
    assert [cosine for _, cosine in similar] == pytest.approx(exact, abs=1e-6)
    answers = found.analogy("word1", "word2", "word3", 5)
    assert [word for word, _ in answers] == slow(
        units[2] - units[1] + units[3], {"word1", "word2", "word3"}
    )


def test_words_that_share_a_vector_are_one_neighbour():
    rows = {
        "cat": [2, 1, 0],
        "tom": [2, 1, 0],
        "dog": [2, 2, 0],
        "pug": [2, 2, 0],
        "car": [0, 1, 9],
    }
    shared = lexiscope.load({word: np.float32(row) for word, row in rows.items()}, name="shared")

    (found,) = word_neighbours(shared, ["cat"], 2)

    assert found.duplicates == 1
    assert [(near.word, near.duplicates) for near in found.neighbours] == [("dog", 1), ("car", 0)]
    (twin,) = word_neighbours(shared, ["pug"], 2)
    assert [near.word for near in twin.neighbours] == ["cat", "car"]
    (other,) = word_neighbours(shared, ["cat"], 2, stop_words={"dog"})
    assert [near.word for near in other.neighbours] == ["pug", "car"]
