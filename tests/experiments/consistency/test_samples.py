"""The sampling rules as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.contracts.term_model import TERM
from lexiscope.core.corpus import corpus
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.local_data import LocalData
from lexiscope.data.term_samples import PublishedSamples, PublishedTerm, load
from lexiscope.experiments.consistency.occurrences import LeftOut, Occurrences
from lexiscope.experiments.consistency.samples import (
    ALL,
    SIZES,
    SamplingRule,
    TermSamples,
    half_samples,
    part_samples,
    published_samples,
    random_samples,
    samples_of,
    size_samples,
)
from tests.data.local_files import shared

COUNTS = st.lists(st.integers(1, 3), min_size=1, max_size=70)
SEEDS = st.integers(0, 2**31)


def _occurrences(counts, term="mind", step=2):
    sentences = tuple(np.array([TERM, number]) for number in range(len(counts)))
    return Occurrences(term, sentences, step * np.arange(len(counts)), np.array(counts, np.int64))


def _disjoint(found):
    every = np.concatenate(found.numbers)
    return len(every) == len(set(every.tolist())) == sum(found.sizes)


@given(COUNTS, SEEDS)
def test_random_samples_are_disjoint_and_even(counts, seed):
    found = random_samples(_occurrences(counts), seed)

    if sum(counts) < 10 or len(counts) < 5:
        assert isinstance(found, LeftOut)
        return
    assert isinstance(found, TermSamples)
    assert _disjoint(found)
    assert len(found.samples) == 5
    assert sum(found.sizes) == min(len(counts), 50)
    assert max(found.sizes) - min(found.sizes) <= 1
    assert sorted(found.sizes, reverse=True) == list(found.sizes)
    assert bool(found.note) == (len(counts) < 50)
    assert found.frequency == sum(counts)
    for sample, numbers in zip(found.samples, found.numbers, strict=True):
        assert [2 * int(sentence[1]) for sentence in sample] == numbers.tolist()
        assert sorted(numbers.tolist()) == numbers.tolist()


@given(st.integers(10, 80), SEEDS)
def test_random_samples_depend_on_the_seed_and_the_term(number, seed):
    counts = [1] * number
    first, again = (random_samples(_occurrences(counts), seed) for _ in range(2))

    assert [each.tolist() for each in first.numbers] == [each.tolist() for each in again.numbers]


def test_other_seeds_and_terms_have_other_samples():
    counts = [1] * 60
    drawn = [
        random_samples(_occurrences(counts, term), seed)
        for term, seed in (("mind", 0), ("mind", 1), ("body", 0))
    ]

    assert len({str([n.tolist() for n in each.numbers]) for each in drawn}) == 3


def test_every_sentence_is_equally_likely():
    drawn = np.zeros(60)
    for seed in range(400):
        found = random_samples(_occurrences([1] * 60), seed)
        drawn[np.concatenate(found.numbers) // 2] += 1

    assert drawn.mean() == pytest.approx(400 * 50 / 60)
    assert np.abs(drawn - drawn.mean()).max() < 5 * np.sqrt(400 * (5 / 6) * (1 / 6))


def test_rare_terms_are_left_out_with_a_reason():
    assert random_samples(_occurrences([1])) == (
        "mind",
        "occurs once, fewer than 10 times",
    )
    assert random_samples(_occurrences([3, 3, 3, 3])) == (
        "mind",
        "occurs in 4 sentences, fewer than 5 samples",
    )


@given(COUNTS, st.integers(0, 140))
def test_half_samples_are_all_sentences_of_each_half(counts, sentence):
    occurrences = _occurrences(counts)
    first = occurrences.numbers < sentence

    found = half_samples(occurrences, sentence)

    if min(occurrences.counts[first].sum(), occurrences.counts[~first].sum()) < 2:
        assert isinstance(found, LeftOut)
        return
    assert [each.tolist() for each in found.numbers] == [
        occurrences.numbers[first].tolist(),
        occurrences.numbers[~first].tolist(),
    ]
    assert _disjoint(found)


def test_the_reason_has_the_frequencies_of_both_halves():
    assert half_samples(_occurrences([1, 1, 1]), 3).reason == (
        "occurs 2 and 1 times in the two halves; 2 times in each are needed"
    )


def test_documents_in_which_a_term_is_rare_are_no_samples():
    rule = SamplingRule("documents")

    found = part_samples(_occurrences([1, 1, 1, 2]), np.array([0, 3, 5]), rule, "document")

    assert [each.tolist() for each in found.numbers] == [[0, 2], [6]]
    assert part_samples(_occurrences([1, 2]), np.array([0, 2]), rule, "document").reason == (
        "occurs 2 times or more in 1 document; 2 times in two are needed"
    )


@given(COUNTS, SEEDS)
def test_two_disjoint_samples_of_each_size_are_nested(counts, seed):
    found = size_samples(_occurrences(counts), seed)

    assert set(found) == {
        size for size in SIZES if 0 < (size or len(counts) // 2) * 2 <= len(counts)
    }
    previous = [set(), set()]
    for size in sorted(found, key=lambda size: size or len(counts)):
        each = found[size]
        assert each.sizes == (size or len(counts) // 2,) * 2
        assert _disjoint(each)
        current = [set(numbers.tolist()) for numbers in each.numbers]
        if size != ALL:
            assert all(old <= new for old, new in zip(previous, current, strict=True))
            previous = current
        else:
            assert sum(map(len, current)) == len(counts) // 2 * 2


def _book():
    rng = np.random.default_rng(0)
    words = [f"word{number}" for number in range(30)]
    return [
        [*rng.choice(words, 6).tolist(), *(["mind"] if number % 3 else ["sense", "data"])]
        for number in range(120)
    ]


def test_samples_are_the_same_for_every_background_and_order_of_terms():
    text, terms = corpus("book", _book()), ["mind", "sense data", "word1"]
    first = samples_of(text, terms, "random", ["word1", "word2"], seed=3)
    second = samples_of(text, terms[::-1], "random", text.vocabulary.words, seed=3)

    for one, other in zip(first.terms, second.terms[::-1], strict=True):
        assert one.term == other.term
        assert [n.tolist() for n in one.numbers] == [n.tolist() for n in other.numbers]
        assert [len(s) for sample in one.samples for s in sample] == [
            len(s) for sample in other.samples for s in sample
        ]


def test_the_result_has_saturation_left_out_terms_and_occurrences():
    found = samples_of(_book(), ["zebra", "mind", "sense data"], "random", ["word1"])

    assert [each.term for each in found.terms] == ["mind", "sense data"]
    assert [each.term for each in found.occurrences] == ["mind", "sense data"]
    assert [each.sizes for each in found.terms] == [(10,) * 5, (8,) * 5]
    assert found.saturation == 0.5
    assert found.left_out == (("zebra", "does not occur in the text"),)
    assert found.coverage < 0.5
    assert found.warnings[0].startswith("text: only ")
    by_size = found.by_size(seed=1)
    assert list(by_size) == list(SIZES)
    assert [each.sizes for each in by_size[ALL]] == [(40, 40), (20, 20)]


def test_halves_say_where_the_text_is_divided():
    words = [f"word{number}" for number in range(30)]

    found = samples_of(_book(), ["mind"], "halves", [*words, "sense", "data"])

    assert found.saturation is None
    assert found.terms[0].sizes == (40, 40)
    (note,) = found.notes
    assert note.startswith("The second half of the text begins at the sentence nearest")


def test_paths_are_read(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text("The mind is here. A mind. Mind it.", "utf-8")

    found = samples_of([tmp_path / "a", tmp_path / "b"], ["mind"], "documents", ["the", "is"])

    assert found.terms[0].sizes == (3, 3)
    assert found.notes[0] == "Each of 2 documents is a sample."
    with pytest.raises(BadData, match="is one document"):
        samples_of(tmp_path / "a", ["mind"], "documents", [])


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (["zebra", "lion"], r"text: none of the 2 terms occurs in the text \(880 tokens\)\."),
        (
            ["zebra"],
            r"text: no term can be used in this text of 880 tokens: 'zebra' does not occur",
        ),
    ],
)
def test_a_text_without_the_terms_is_refused(terms, message):
    with pytest.raises(BadData, match=message):
        samples_of(_book(), terms, "random", ["word1"])


def test_a_short_text_is_refused_with_the_reasons():
    sentences = [["the", "mind", "is"], ["a", "mind"]]

    with pytest.raises(BadData, match=r"'mind' occurs 2 times, fewer than 10 times\."):
        samples_of(sentences, ["mind"], "random", ["the", "is"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SamplingRule("thirds"), "The split is one of"),
        (lambda: SamplingRule(samples=1), "two or more samples"),
        (lambda: samples_of(_book(), [], "random", []), "No term is given"),
        (lambda: samples_of(_book(), ["mind"], "published", []), "Published samples"),
    ],
)
def test_wrong_arguments_are_refused(call, message):
    with pytest.raises(BadUsage, match=message):
        call()


def test_published_samples_are_encoded_as_they_are():
    term = PublishedTerm("owl", ((("an", "___", "sees"), ("___",)), (("two", "an", "___"),)))

    found = published_samples(PublishedSamples("set", (term,), ("A note.",)), ["an", "sees", "an"])

    (each,) = found.terms
    assert [[s.tolist() for s in sample] for sample in each.samples] == [
        [[0, TERM, 1], [TERM]],
        [[-1, 0, TERM]],
    ]
    assert (each.frequency, found.coverage, found.saturation) == (3, 0.75, None)
    assert found.notes == ("A note.",)


def test_nine_of_ten_terms_of_wiki_rnd_are_saturated():
    found = published_samples(load("wiki-rnd", LocalData(shared())), ["the"])

    assert found.saturation == pytest.approx(269 / 298)
    assert all(len(each.samples) == 5 for each in found.terms)
    assert all(
        (sentence == TERM).any() for each in found.terms for s in each.samples for sentence in s
    )
