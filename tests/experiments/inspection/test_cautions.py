"""Vectors that limit an inspection get one clear sentence each, on terminal and page."""

import numpy as np
import pytest

import lexiscope
from lexiscope.report import inspection as report
from lexiscope.report.inspection.verdict import cautions, verdict_sentences

rng = np.random.default_rng(0)


def inspected(vectors, **options):
    vectors = np.asarray(vectors, np.float32)
    words = [f"w{k}" for k in range(len(vectors))]
    plan = lexiscope.InspectionPlan(queries=words[:30], thresholds=(50, 150), neighbours=100)
    return lexiscope.inspect({"odd": (words, vectors)}, plan=plan, **options)


def test_one_word_has_nothing_to_be_compared_with():
    found = inspected(np.ones((1, 20)))

    assert cautions(found) == ["odd has one word, and everything here compares words."]
    assert verdict_sentences(found) == []


def test_equal_vectors_have_one_sentence_and_no_trace_of_frequency():
    found = inspected(np.ones((300, 20)))

    assert cautions(found) == [
        "All 300 words of odd have the same vector, so nothing distinguishes them."
    ]
    (each,) = found.embeddings
    assert each.neighbours.exponent.value is None
    assert each.neighbours.state == "all neighbours have the same cosine"
    assert each.map.state == "the vectors of all 30 words have the same direction"
    hubs = [point for point in each.shape if point.metric == "hubness"]
    assert {point.value.state for point in hubs} == {
        "all neighbours have the same cosine, so none is nearer than another"
    }


def test_equal_cosines_do_not_follow_the_order_of_the_words():
    # Ten clusters of 60 equal vectors: by position, near neighbours would be the frequent words.
    vectors = np.repeat(rng.normal(size=(10, 20)), 60, axis=0)[rng.permutation(600)]
    found = inspected(vectors)

    assert abs(found.embeddings[0].neighbours.exponent.value) < 0.05
    assert cautions(found) == [
        "590 of the 600 words of odd have the vector of another word, so some neighbours are "
        "equally near."
    ]


def test_zero_vectors_are_counted():
    vectors = rng.normal(size=(300, 20))
    vectors[7] = 0

    assert cautions(inspected(vectors)) == [
        "1 of the 300 words of odd have a zero vector and are left out."
    ]


def test_words_without_a_frequency_are_reported():
    counts = {f"w{k}": 1000 - k for k in range(100)}
    found = inspected(rng.normal(size=(500, 20)), frequencies=counts)

    (sentence,) = cautions(found)
    assert sentence.startswith("Only 100 of the 500 words of odd have a frequency in given freq")
    assert max(point.words for point in found.embeddings[0].shape) == 100


@pytest.mark.parametrize("form", ["terminal", "markdown", "page"])
def test_a_rank_that_stands_in_for_a_frequency_is_said_to_do_so_everywhere(form):
    found = inspected(rng.normal(size=(300, 20)))
    text = " ".join(map(str, report.terminal(found))) if form == "terminal" else (
        getattr(report, form)(found)
    )  # fmt: skip

    assert "odd has no counts. The position of a word in the file stands in for its" in text
    assert "stands in for its" not in "".join(text.split("<details")[1:])
