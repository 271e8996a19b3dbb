"""Pitfalls 9 to 16: similarity and correlation."""

import json

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

import lexiscope
from lexiscope import tasks
from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.task import Predictions, Task
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData
from lexiscope.core.policy import Policy
from lexiscope.linalg import analogy_search as solving
from lexiscope.linalg import neighbours as searching
from lexiscope.metrics.correlation import spearman
from lexiscope.stats.resampling import Resamples, resampled_metric
from tests.builders import analogies, seeded, synthetic_words, word_pairs
from tests.pitfalls.scoring import pairs_for, predictions_of, scores, with_cosines


def test_pitfall_09_gold_scores_are_numbers(tmp_path):
    """10.0 is more than 2.0 and -1 less than -0.5, unlike in alphabetical order."""
    ratings = ["10.0", "2.0", "-1", "-0.5", "9", "1e1", "0.30"]
    cosines = [0.9, 0.5, -0.2, -0.1, 0.7, 0.9, 0.3]
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"l{k}\tr{k}\t{text}\n" for k, text in enumerate(ratings)))

    def as_the_peer_does():
        columns = [np.unique(column, return_inverse=True)[1] for column in (ratings, cosines)]
        return spearmanr(*columns).statistic

    assert as_the_peer_does() < 0.8
    results = lexiscope.run(with_cosines("s", cosines), "similarity", file)
    assert scores(results)["s", "spearman"] == pytest.approx(1)


@pytest.mark.parametrize("text", ["ten", "nan", "inf", "1_0", "", "3;5"])
def test_pitfall_09_a_rating_that_is_not_a_number_raises_an_error(tmp_path, text):
    """A rating that is no finite number stops the reading, with its line."""
    file = tmp_path / "pairs.tsv"
    file.write_text(f"l0\tr0\t1.0\nl1\tr1\t{text}\nl2\tr2\t3.0\n")

    with pytest.raises(BadData, match=r"pairs\.tsv:2: expected a number"):
        lexiscope.run(with_cosines("s", [0.1, 0.2, 0.3]), "similarity", file)


# Yaghoobzadeh and Schütze 2016, table 1 (S0-27): two columns of six models for all, head, tail.
TABLE = {
    0.314: ([61.6, 63.5, 63.0, 66.1, 64.5, 66.2], [44.0, 51.7, 53.5, 53.0, 57.1, 52.8]),
    0.029: ([69.2, 72.7, 71.7, 73.5, 69.9, 73.9], [63.8, 66.4, 69.4, 68.6, 71.5, 68.5]),
    0.754: ([43.0, 44.1, 39.1, 46.8, 49.8, 45.5], [28.5, 32.8, 29.9, 31.4, 34.0, 31.4]),
}


@pytest.mark.parametrize("printed", TABLE)
def test_pitfall_10_ties_share_their_average_rank(printed):
    """The subspace paper's correlations come out as printed, the column with a tie too."""
    given, gold = TABLE[printed]

    results = lexiscope.run(
        with_cosines("s", [value / 100 for value in given]), "similarity", pairs_for(gold)
    )

    assert scores(results)["s", "spearman"] == pytest.approx(printed, abs=5e-4)
    predictions = Predictions(np.array(given), np.array(gold))
    resampled = resampled_metric(spearman, predictions)(Resamples.of(np.arange(6)[None]))
    assert resampled[0] == pytest.approx(printed, abs=5e-4)


def test_pitfall_10_ranks_in_file_order_give_a_different_score():
    """Ties on both sides agree with SciPy and not with ranks that break them by position."""
    given, gold = np.array([0.1, 0.5, 0.5, 0.5, 0.9, 0.1]), np.array([2, 2, 2, 3, 2, 3])

    def as_the_peer_does():
        ranks = [rankdata(column, method="ordinal") for column in (given, gold)]
        return np.corrcoef(ranks)[0, 1]

    found = scores(lexiscope.run(with_cosines("s", given), "similarity", pairs_for(gold)))

    assert found["s", "spearman"] == pytest.approx(spearmanr(given, gold).statistic)
    assert abs(as_the_peer_does() - found["s", "spearman"]) > 0.2
    for order in ([5, 4, 3, 2, 1, 0], [2, 0, 5, 1, 4, 3]):
        turned = lexiscope.run(
            with_cosines("s", given[order]), "similarity", pairs_for(gold[order])
        )
        assert scores(turned)["s", "spearman"] == pytest.approx(found["s", "spearman"])


@pytest.mark.parametrize(
    ("cosines", "ratings", "reason"),
    [
        ([0.1, 0.9], [1, 2], "only 2 items are covered, at least 3 are needed"),
        ([0.1], [1], "only 1 items are covered, at least 3 are needed"),
        ([0.5] * 4, [1, 2, 3, 4], "the predictions are all equal"),
        ([0.1, 0.2, 0.3, 0.4], [7] * 4, "the gold ratings are all equal"),
    ],
    ids=["two", "one", "constant predictions", "constant gold"],
)
def test_pitfall_11_constant_or_short_input_has_no_correlation(cosines, ratings, reason):
    """Where there is no correlation there is a reason: no 0, no -1, no NaN, no test."""
    sources = [with_cosines("s", cosines), with_cosines("t", np.linspace(0.1, 0.8, len(cosines)))]

    results = lexiscope.run(sources, "similarity", pairs_for(ratings))

    for result in [r for r in results if r.embedding == "s"]:
        assert (result.value, result.low, result.high) == (None, None, None)
        assert reason in result.state
    (comparison,) = results.comparisons
    assert comparison.difference is comparison.p is comparison.p_holm is None
    assert comparison.state
    assert not comparison.significant
    assert json.loads(results.to_json(), parse_constant=pytest.fail)


def test_pitfall_11_a_query_without_an_order_is_left_out_of_the_mean_over_queries():
    """A word whose ratings are all equal counts neither as 0 nor as a failure of the others."""
    lefts = ["good"] * 5 + ["flat"] * 5
    cosines = [0.1, 0.2, 0.3, 0.4, 0.5] * 2
    ratings = [1, 2, 3, 4, 5, *[3] * 5]

    def as_the_peer_does():
        return np.mean([1.0, 0.0])

    found = lexiscope.run(with_cosines("s", cosines, lefts), "ranking", pairs_for(ratings, lefts))

    assert as_the_peer_does() == 0.5
    assert found.main()[0].value == pytest.approx(1)


REPEATED = word_pairs(
    ("money", "cash", 9.15), ("cash", "money", 9.0), ("Money", "cash", 1.0),
    ("money", "bank", 8.5), ("cash", "bank", 7.0), ("money", "cash", 9.08),
    name="repeated",
)  # fmt: skip
MONEY = embedding("m", ("money", "cash", "bank"), [[1, 0, 0.1], [0.9, 0.4, 0], [0.3, 0.9, 0.2]])


def test_pitfall_12_repeated_and_reversed_pairs_are_all_used():
    """Every line is an item of its own, also after folding; none replaces another."""

    def as_the_peer_does():
        kept = {(left.lower(), right.lower()): rating for left, right, rating
                in zip(*REPEATED.words, REPEATED.rating, strict=True)}  # fmt: skip
        return len(kept)

    given = predictions_of(MONEY, "similarity", REPEATED)
    (found,) = lexiscope.run(MONEY, "similarity", REPEATED).main()

    assert as_the_peer_does() == 4
    assert (found.used, found.total) == (6, 6)
    assert given[0] == given[1] == given[2] == given[5]
    expected = spearmanr([given[k] for k in range(6)], REPEATED.rating).statistic
    assert found.value == pytest.approx(expected)


def test_pitfall_12_repeated_pairs_are_reported():
    """A run reports how many pairs occur more than once, in either order, after normalisation."""
    results = lexiscope.run(MONEY, "similarity", [REPEATED, word_pairs(("money", "cash", 1))])

    (sentence,) = [text for text in results.warnings if "more than once" in text]
    assert "repeated" in sentence
    assert "3 " in sentence  # three of the lines bring a pair that stood already


def test_pitfall_13_zero_vectors_are_listed_and_treated_as_oov():
    """A vector without a direction has no cosine: its items are left out, counted and named."""
    source = embedding(
        "z", ("a", "b", "c", "d", "nil"), [[1, 0], [0.9, 0.1], [0.5, 0.5], [-1, 0.2], [0, 0]]
    )
    pairs = word_pairs(("a", "b", 9), ("a", "c", 5), ("a", "d", 1), ("a", "nil", 8))

    def as_the_peer_does(first):
        rows = {w: v.astype(float) for w, v in zip(source.words, source.vectors, strict=True)}
        rows["nil"][0] = first
        unit = {word: row / (np.linalg.norm(row) or 1.0) for word, row in rows.items()}
        given = [unit[left] @ unit[right] for left, right in zip(*pairs.words, strict=True)]
        return spearmanr(given, pairs.rating).statistic

    results = lexiscope.run(source, "similarity", pairs)

    assert scores(results)["z", "spearman"] == pytest.approx(1)
    assert as_the_peer_does(0.01) < 0.9  # MUSE: the first coordinate becomes 0.01
    assert as_the_peer_does(0) < 0.9  # spaCy: the cosine is 0
    (coverage,) = results.coverage
    assert (coverage.used, coverage.total) == (3, 4)
    assert (coverage.zero, coverage.missing) == (("nil",), ())


def test_pitfall_13_a_zero_vector_is_neither_a_prediction_nor_a_neighbour():
    """In a search, a zero vector is not even better than words that point the other way."""
    words, vectors = ("a", "b", "c", "nil", "x"), [[0, -1], [1, 0], [-1, 0], [0, 0], [0.6, -0.8]]
    source = embedding("z", words, vectors)

    near = lexiscope.neighbours(source, "b", 4)["b"]

    assert predictions_of(source, "analogy", analogies(("a", "b", "c", "x"))) == {0: "x"}
    assert [word for word, _ in near] == ["x", "a", "c"]


@pytest.mark.parametrize(
    "source",
    [
        embedding("z", ("n", "s", "e", "w"), [[0, 1], [0, -1], [1, 0], [-1, 0]]),
        embedding("c", ("n", "s", "e", "w"), [[9, 8], [9, 6.3], [10.1, 7], [8, 7.2]]).centred(),
    ],
    ids=["zero", "zero but for rounding"],
)
def test_pitfall_13_a_mean_vector_that_is_zero_has_no_direction(source):
    """If all vectors cancel out, the mean cannot replace OOV words: they stay OOV."""
    pairs = word_pairs(("n", "s", 1), ("n", "e", 2), ("e", "w", 1), ("n", "zyx", 3))

    results = lexiscope.run(source, "similarity", pairs, policy=Policy(oov="mean"))

    assert not results.failures
    assert [(r.used, r.total) for r in results.main()] == [(3, 4)]


# Here lengths are part of the question, as the papers have it: QVEC correlates dimensions, and
# sums, means and forests take vectors as they are.
BY_LENGTH = {"qvec", "sentiment", "classification", "metaphor"}


@pytest.mark.parametrize("name", names(tasks))
def test_pitfall_14_every_task_uses_cosine_and_ignores_lengths(name):
    """No prediction changes with the lengths of vectors, except where a page says so."""
    items = load(tasks, name, Task).example()
    rng = np.random.default_rng(4)
    source = seeded("s", sorted(items.all_words) + synthetic_words(20), 7)
    # Powers of two leave every digit as it is.
    scale = 2.0 ** rng.integers(-40, 40, len(source))
    scaled = embedding("scaled", source.words, source.vectors * scale[:, None])

    same = predictions_of(scaled, name, items) == predictions_of(source, name, items)
    assert same is (name not in BY_LENGTH)


def test_pitfall_14_dot_products_give_a_different_score():
    """A long vector is not nearer: dot products would turn this order round."""
    source = embedding("s", ("q", "near", "mid", "far"), [[1, 0], [0.1, 0.01], [3, 3], [5, 50]])
    pairs = word_pairs(("q", "near", 9), ("q", "mid", 5), ("q", "far", 1))

    def as_the_peer_does():
        dots = (source[pairs.left] * source[pairs.right]).sum(axis=1)
        return spearmanr(dots, pairs.rating).statistic

    found = scores(lexiscope.run(source, "similarity", pairs))

    assert as_the_peer_does() == pytest.approx(-1)
    assert found["s", "spearman"] == pytest.approx(1)


def test_pitfall_15_a_pooled_correlation_hides_what_each_query_shows():
    """Every query puts its own partners in the wrong order, and the pooled score stays high."""
    lefts = ["near"] * 5 + ["far"] * 5
    cosines = [0.91, 0.92, 0.93, 0.94, 0.95, 0.11, 0.12, 0.13, 0.14, 0.15]
    ratings = [9.5, 9.4, 9.3, 9.2, 9.1, 1.5, 1.4, 1.3, 1.2, 1.1]

    found = scores(
        lexiscope.run(
            with_cosines("s", cosines, lefts), ["similarity", "ranking"], pairs_for(ratings, lefts)
        )
    )

    # Within five ranks the squared differences are 16, 4, 0, 4, 16: 1 - 6 * 80 / 990.
    assert found["s", "spearman"] == pytest.approx(1 - 480 / 990)
    assert found["s", "spearman_by_query"] == pytest.approx(-1)


def with_twins(words, dimension, seed):
    """Vectors whose last third repeats earlier rows, and questions about the others."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(words, dimension)).astype(np.float32)
    twins = words // 3
    vectors[-twins:] = vectors[rng.integers(0, words - twins, twins)]
    return vectors, rng.integers(0, words - twins, (25, 3))


def firsts(vectors):
    """The first row that is equal to each row."""
    _, first, same = np.unique(vectors, axis=0, return_index=True, return_inverse=True)
    return first[same.ravel()]


def solved(vectors, questions):
    """The rows that both solvers predict."""
    a, b, c = questions.T
    added = solving.three_cos_add(vectors, a, b, c)
    return np.stack([added, solving.three_cos_mul(vectors, a, b, c, 1e-6)])


SIZES = [(words, dimension) for words in (259, 511, 513, 770) for dimension in (3, 50, 100, 300)]


@pytest.mark.parametrize(("words", "dimension"), SIZES)
def test_pitfall_16_of_equal_vectors_the_first_is_predicted(words, dimension, monkeypatch):
    """Equal vectors have equal scores, so the earlier word wins."""
    vectors, questions = with_twins(words, dimension, words + dimension)
    first = firsts(vectors)

    found = []
    for block, threads in ((256, "1"), (256, "3"), (100, "2"), (64, "1")):
        monkeypatch.setattr(solving, "_BLOCK", block)
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        found.append(solved(vectors, questions))

    for rows in found:
        # The first itself may be a word of the analogy; then its twin may be predicted.
        excluded = (first[rows][..., None] == questions).any(axis=2)
        assert (rows[~excluded] == first[rows][~excluded]).all()
        assert (rows == found[0]).all()


@pytest.mark.parametrize(("words", "dimension"), [(2049, 50), (2100, 100), (2303, 300), (4097, 7)])
def test_pitfall_16_equal_vectors_are_neighbours_in_the_order_of_their_rows(
    words, dimension, monkeypatch
):
    """Neighbours come by score, then by row, in whatever block they are found."""
    vectors, questions = with_twins(words, dimension, words)
    queries = questions[:, 0]
    first = firsts(vectors)

    found = []
    for block, threads in ((2048, "1"), (2048, "3"), (300, "2")):
        monkeypatch.setattr(searching, "_WORDS", block)
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        found.append(searching.nearest(vectors, queries, 10).indices)

    for rows in found:
        for query, row in zip(queries.tolist(), rows.tolist(), strict=True):
            for index in row:
                earlier = np.flatnonzero(first[:index] == first[index]).tolist()
                ahead = row[: row.index(index)]
                assert all(twin in ahead for twin in earlier if twin != query)
        assert (rows == found[0]).all()
