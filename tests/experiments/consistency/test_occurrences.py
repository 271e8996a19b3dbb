"""Sentences of terms, compared with a slow reference implementation."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lexiscope.core.contracts.term_model import TERM, UNKNOWN
from lexiscope.core.corpus import corpus
from lexiscope.experiments.consistency.occurrences import find_occurrences
from lexiscope.experiments.consistency.texts import read_texts

WORDS = st.sampled_from(["a", "bb", "cc", "dd", "ee"])


def _slow(sentences, terms, background, min_length=2):
    """Claim the longest terms first, from left to right; then encode each sentence."""
    found = {term: [] for term in terms}
    for number, sentence in enumerate(sentences):
        owner = [None] * len(sentence)
        matches = {term: [] for term in terms}
        for length in sorted({len(term) for term in terms}, reverse=True):
            for at in range(len(sentence) - length + 1):
                window = tuple(sentence[at : at + length])
                if window in terms and owner[at : at + length] == [None] * length:
                    owner[at : at + length] = [window] * length
                    matches[window].append(at)
        for term, begins in matches.items():
            if begins:
                found[term].append((number, len(begins), _code(sentence, term, begins, background,
                                                               min_length)))  # fmt: skip
    return found


def _code(sentence, term, begins, background, min_length):
    coded, at = [], 0
    while at < len(sentence):
        if at in begins:
            coded.append(TERM)
            at += len(term)
            continue
        if len(sentence[at]) >= min_length:
            word = sentence[at]
            coded.append(background.index(word) if word in background else UNKNOWN)
        at += 1
    return coded


@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=6),
    st.lists(st.lists(WORDS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=6,
             unique=True),
    st.lists(WORDS, unique=True),
    st.sampled_from([1, 2]),
)  # fmt: skip
def test_occurrences_equal_the_reference(sentences, terms, background, min_length):
    expected = _slow(sentences, terms, background, min_length)
    names = [" ".join(term) for term in terms]

    found = find_occurrences(corpus("text", sentences), names, background, min_length)

    assert [each.term for each in found.occurrences] == [
        name for name, term in zip(names, terms, strict=True) if expected[term]
    ]
    assert {each.term for each in found.left_out} == {
        name for name, term in zip(names, terms, strict=True) if not expected[term]
    }
    for each in found.occurrences:
        numbers, counts, codes = zip(*expected[tuple(each.term.split())], strict=True)
        assert each.numbers.tolist() == list(numbers)
        assert each.counts.tolist() == list(counts)
        assert [sentence.tolist() for sentence in each.sentences] == list(codes)
        assert each.frequency == sum(counts)


def test_a_term_is_never_part_of_a_word_or_of_two_sentences(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("The mindful mind. Sense is here. Data: sense-data.", "utf-8")
    background = ["the", "mindful", "is"]

    found = find_occurrences(read_texts(path), ["mind", "Sense Data", "here data"], background)

    assert [(each.term, each.numbers.tolist()) for each in found.occurrences] == [
        ("mind", [0]),
        ("Sense Data", [2]),
    ]
    assert [each.tolist() for each in found.occurrences[0].sentences] == [[0, 1, TERM]]
    assert [each.tolist() for each in found.occurrences[1].sentences] == [[UNKNOWN, TERM]]
    assert found.left_out == (("here data", "does not occur in the text"),)


def test_one_character_words_belong_to_terms_but_not_to_contexts():
    text = corpus("text", [["a", "priori", "x", "truth", "a", "priori"]])

    (found,) = find_occurrences(text, ["a priori"], ["truth", "x"]).occurrences

    assert found.sentences[0].tolist() == [TERM, 0, TERM]
    assert found.frequency == 2


def test_terms_that_cannot_be_used_have_a_reason():
    text = corpus("text", [["sense", "data"], ["data", "mine"]])

    found = find_occurrences(text, ["sense data", "sense", "zebra", "...", "sense  data"], ["mine"])

    assert [each.term for each in found.occurrences] == ["sense data"]
    assert found.left_out == (
        ("sense", "occurs only inside longer terms"),
        ("zebra", "does not occur in the text"),
        ("...", "does not occur in the text"),
        ("sense  data", "is the same as 'sense data'"),
    )


def test_a_term_with_a_word_that_the_preprocessing_removed_is_left_out(tmp_path):
    from lexiscope.core.preprocessing import PRESETS

    path = tmp_path / "a.txt"
    path.write_text("Vitamin C and vitamin D. " * 5, "utf-8")
    text = read_texts(path, PRESETS["bloem2019"])

    found = find_occurrences(text, ["vitamin c", "?"], [])

    assert found.occurrences == ()
    assert found.left_out == (
        ("vitamin c", "has a word of fewer than 2 characters, which the text lacks"),
        ("?", "contains no word"),
    )


def test_with_the_words_of_the_text_no_word_is_unknown():
    text = corpus("text", [["one", "two", "three"], ["two", "four"]])

    (found,) = find_occurrences(text, ["two"], text.vocabulary.words).occurrences

    words = [[text.vocabulary.words[row] if row >= 0 else row for row in sentence.tolist()]
             for sentence in found.sentences]  # fmt: skip
    assert words == [["one", TERM, "three"], [TERM, "four"]]
    assert all(sentence.dtype == np.int64 for sentence in found.sentences)
