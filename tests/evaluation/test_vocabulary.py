import numpy as np
import pytest

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData
from lexiscope.core.policy import Policy
from lexiscope.evaluation import vocabulary
from lexiscope.evaluation.vocabulary import gained_by_folding, shared_words
from tests.builders import analogies, counted, word_pairs


def align(sources, policy):
    shared = shared_words(sources, policy)
    return [vocabulary.restrict(vocabulary.align(source, policy), shared) for source in sources]


def cover(source, dataset, policy):
    return vocabulary.cover(source, dataset.map_words(policy.normalise))


def aligned(source, **policy):
    return align([source], Policy(**policy))[0]


def test_the_most_frequent_variant_wins_when_there_are_counts():
    source = counted("c", ("us", "US", "cat"), [[1], [2], [3]], [10, 90, 5])

    folded = aligned(source).embedding

    assert list(folded.words) == ["us", "cat"]
    assert folded["us"].tolist() == [2]
    assert folded.counts.tolist() == [90, 5]


def test_the_first_variant_wins_when_there_are_no_counts():
    source = embedding("e", ("US", "us", "Us"), [[1], [2], [3]])

    assert aligned(source).embedding["us"].tolist() == [1]
    assert len(aligned(source).embedding) == 1


def test_of_equally_frequent_variants_the_first_wins():
    source = counted("c", ("Us", "US"), [[1], [2]], [7, 7])

    assert aligned(source).embedding["us"].tolist() == [1]


def test_german_sharp_s_and_double_s_are_one_word_when_folded():
    source = embedding("e", ("Straße", "STRASSE", "groß"), [[1], [2], [3]])

    assert list(aligned(source).embedding.words) == ["strasse", "gross"]
    covered = cover(aligned(source), word_pairs(("Strasse", "GROSS", 1)), Policy())
    assert covered.items.tolist() == [0]


def test_exact_case_keeps_every_variant():
    source = embedding("e", ("US", "us"), [[1], [2]])

    assert aligned(source, case="exact").embedding is source


def test_the_order_of_words_does_not_change():
    source = counted("c", ("b", "A", "a", "B", "c"), [[1], [2], [3], [4], [5]], [1, 2, 9, 8, 3])

    assert list(aligned(source).embedding.words) == ["a", "b", "c"]
    assert aligned(source).embedding.vectors.ravel().tolist() == [3, 4, 5]


def test_a_shared_vocabulary_keeps_the_order_of_each_embedding():
    first = embedding("f", ("cat", "dog", "cow"), [[1], [2], [3]])
    second = embedding("s", ("pig", "cow", "Cat"), [[4], [5], [6]])

    ours, theirs = align([first, second], Policy(vocabulary="shared"))

    assert list(ours.embedding.words) == ["cat", "cow"]
    assert ours.embedding.vectors.ravel().tolist() == [1, 3]
    assert list(theirs.embedding.words) == ["cow", "cat"]
    assert theirs.embedding.vectors.ravel().tolist() == [5, 6]


def test_embeddings_without_a_shared_word_raise_an_error():
    sources = [embedding("f", ("cat",), [[1]]), embedding("s", ("dog",), [[1]])]

    with pytest.raises(BadData, match="have no word in common"):
        align(sources, Policy(vocabulary="shared"))


def test_an_embedding_alone_shares_with_itself():
    source = embedding("f", ("cat",), [[1]])

    assert align([source], Policy("shared", "exact"))[0].embedding is source


def test_zero_vectors_are_named_and_treated_as_missing():
    source = embedding("e", ("cat", "Nil", "dog"), [[1, 0], [0, 0], [0, 1]])

    found = aligned(source)
    covered = cover(
        found, word_pairs(("cat", "dog", 1), ("cat", "nil", 2), ("zyx", "nil", 3)), Policy()
    )

    assert list(found.embedding.words) == ["cat", "dog"]
    assert found.zero == {"nil"}
    assert covered.items.tolist() == [0]
    assert covered.zero == ("nil",)
    assert covered.missing == ("zyx",)


def test_a_word_whose_vector_is_zero_anywhere_is_not_shared():
    first = embedding("f", ("cat", "dog"), [[1], [0]])
    second = embedding("s", ("cat", "dog"), [[1], [1]])

    parts = align([first, second], Policy(vocabulary="shared"))

    assert [list(part.embedding.words) for part in parts] == [["cat"], ["cat"]]


def test_only_zero_vectors_raise_an_error():
    with pytest.raises(BadData, match="e: every vector is zero"):
        aligned(embedding("e", ("cat",), [[0.0, 0.0]]))


def test_an_embedding_without_words_raises_an_error():
    with pytest.raises(BadData, match="e: contains no words"):
        aligned(embedding("e", (), np.empty((0, 2))))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38])
def test_an_error_names_a_vector_that_is_not_finite_or_too_long(value):
    source = embedding("e", ("cat", "bad"), [[1.0, 1.0], [value, 1.0]])

    with pytest.raises(BadData, match=r"e: the vector of 'bad' \(row 2\) is not finite"):
        aligned(source)


def test_a_limit_takes_the_first_words_before_folding():
    source = counted("c", ("cat", "dog", "DOG"), [[1], [2], [3]], [9, 5, 4])

    assert list(aligned(source, limit=2).embedding.words) == ["cat", "dog"]
    assert list(aligned(embedding("e", ("b", "a"), [[1], [2]]), limit=1).embedding.words) == ["b"]


def test_a_limit_needs_words_sorted_by_frequency():
    source = counted("c", ("cat", "dog", "cow"), [[1], [2], [3]], [9, 2, 4])

    with pytest.raises(BadData, match=r"'cow' \(word 3\) is more frequent"):
        aligned(source, limit=2)
    assert len(aligned(source).embedding) == 3  # without a limit the order does not matter


def test_items_are_covered_if_all_their_words_are_in_the_vocabulary():
    source = embedding("e", ("Athens", "Greece", "Oslo", "Norway"), np.eye(4))
    questions = analogies(("ATHENS", "greece", "Oslo", "Norway"), ("Oslo", "Norway", "Bern", "x"))

    covered = cover(aligned(source), questions, Policy())

    assert covered.items.tolist() == [0]
    assert covered.dataset.answer.tolist() == ["norway"]
    assert covered.missing == ("bern", "x")
    assert (
        cover(aligned(source, case="exact"), questions, Policy(case="exact")).items.tolist() == []
    )


def test_aligning_does_not_change_the_users_embedding():
    mine = np.array([[1, 0], [0, 0], [0, 1]], np.float32)
    source = embedding("e", ("A", "a", "b"), mine)

    align([source, source], Policy(vocabulary="shared"))

    assert mine.tolist() == [[1, 0], [0, 0], [0, 1]]
    assert list(source.words) == ["A", "a", "b"]


def test_oov_words_get_the_mean_vector_with_oov_mean():
    source = embedding("e", ("cat", "dog", "nil"), [[1, 0], [0, 1], [0, 0]])
    pairs = word_pairs(("cat", "zyx", 1), ("nil", "dog", 2))
    policy = Policy(oov="mean")

    filled = vocabulary.add_mean_vectors(aligned(source), pairs, policy)

    assert filled.embedding["zyx"].tolist() == filled.embedding["nil"].tolist() == [0.5, 0.5]
    assert list(filled.embedding.words) == ["cat", "dog", "nil", "zyx"]
    assert (
        vocabulary.add_mean_vectors(aligned(source), pairs, Policy()).embedding
        is not filled.embedding
    )
    assert source.vectors[2].tolist() == [0, 0]


def test_digits_are_replaced_in_datasets_and_embeddings_with_digits_zero():
    source = counted("c", ("1999", "2000", "route66"), [[1], [2], [3]], [5, 9, 1])

    zeros = aligned(source, digits="zero").embedding

    assert list(zeros.words) == ["0000", "route00"]
    assert zeros["0000"].tolist() == [2]  # the more frequent year
    pairs = word_pairs(("1984", "ROUTE66", 1))
    assert cover(aligned(source, digits="zero"), pairs, Policy(digits="zero")).items.tolist() == [0]
    assert cover(aligned(source), pairs, Policy()).items.tolist() == []


def test_the_items_gained_by_folding_are_counted():
    source = embedding("e", ("Cat", "DOG", "cow"), [[1], [2], [3]])
    pairs = word_pairs(("cat", "dog", 1), ("cow", "dog", 2), ("cow", "zyx", 3))

    assert gained_by_folding(source, [pairs]) == [2]


def test_the_letters_of_a_language_are_compared_in_datasets_and_embeddings_alike():
    source = counted("t", ("ISI", "ısı", "isi"), [[1], [2], [3]], [1, 9, 5])
    turkish = Policy(language="tr")

    folded = aligned(source, language="tr").embedding

    assert list(folded.words) == ["ısı", "isi"]
    assert folded["ısı"].tolist() == [2]  # the most frequent variant
    pairs = word_pairs(("ISI", "ısı", 1), ("İSİ", "isi", 2), ("isi", "zyx", 3))
    assert cover(aligned(source, language="tr"), pairs, turkish).items.tolist() == [0, 1]


def test_composed_and_decomposed_words_are_one_word_under_every_policy():
    source = counted("f", ("e\u0301te\u0301", "été", "Été"), [[1], [2], [3]], [1, 9, 5])
    pairs = word_pairs(("E\u0301te\u0301", "été", 1))

    for case, words in (("exact", ["été", "Été"]), ("fold", ["été"])):
        found = aligned(source, case=case)
        assert list(found.embedding.words) == words
        assert found.embedding["été"].tolist() == [2]
        assert cover(found, pairs, Policy(case=case)).items.tolist() == [0]


def test_a_word_that_occurs_twice_stays_an_error_if_case_is_matched():
    source = embedding("e", ("cat", "cat"), [[1], [2]])

    with pytest.raises(BadData, match="'cat' occurs twice"):
        cover(aligned(source, case="exact"), word_pairs(("cat", "cat", 1)), Policy(case="exact"))
