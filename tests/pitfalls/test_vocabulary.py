"""Pitfalls 1 to 8: vocabulary, letter case, OOV words."""

import csv
import io

import numpy as np
import pytest
from gensim.models import KeyedVectors
from scipy.stats import spearmanr

import lexiscope
from lexiscope.cli.commands.run import command as run_command
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData
from lexiscope.core.policy import Policy
from lexiscope.linalg.cosine import cosine
from lexiscope.report.exports import (
    comparisons_csv,
    policies_csv,
    scores_csv,
    to_latex,
    to_markdown,
)
from lexiscope.report.terminal import summary
from tests.builders import analogies, counted, seeded, synthetic_words, word_pairs
from tests.pitfalls.scoring import predictions_of, scores

CATTLE = embedding("cattle", ("cat", "dog", "cow"), [[1, 0], [0.8, 0.6], [0, 1]])
ODD = Policy("shared", "exact", 9, "zero", "zero")


def odd_results():
    """Results of two embeddings under a policy without default values, and under all others."""
    words = synthetic_words(12)
    pairs = word_pairs(*((f"w{k}", f"w{k + 1}", float(k)) for k in range(10)))
    both = [seeded("a", words, 1), seeded("b", words, 2)]
    return lexiscope.run(both, "similarity", pairs, policy=ODD, all_policies=True)


def test_pitfall_01_one_embedding_has_a_score_for_every_policy():
    """Three policies for OOV words give three scores, each with its policy."""
    pairs = word_pairs(("cat", "dog", 9), ("cat", "cow", 2), ("dog", "cow", 5), ("cat", "zyx", 1))

    found = {}
    for unknown in ("skip", "zero", "mean"):
        (result,) = lexiscope.run(CATTLE, "similarity", pairs, policy=Policy(oov=unknown)).main()
        found[result.policy["oov"]] = round(result.value, 3)

    assert found == {"skip": 1.0, "zero": 0.949, "mean": 0.4}


def test_pitfall_01_the_policy_is_part_of_every_result(tmp_path):
    """Results, JSON, frame, tables, terminal and page report the whole policy of a score."""
    results = odd_results()

    whole = ODD.as_dict()
    assert all(r.policy == whole for r in results)
    assert all(r["policy"] == whole for r in results.to_dict()["results"])
    assert all(policy == whole for policy in results.to_frame()["policy"])
    others = [r.policy for r in results.other_policies]
    assert whole not in others
    page = lexiscope.write_report(results, tmp_path / "report.html").read_text("utf-8")
    sentence = "shared vocabulary, case exact, first 9 words, OOV words zero, digits as 0"
    for text in (page, to_latex(results), to_markdown(results), "\n".join(summary(results))):
        assert sentence in text


@pytest.mark.parametrize("table", [scores_csv, policies_csv, comparisons_csv])
def test_pitfall_01_every_row_of_a_table_has_the_whole_policy(table):
    """A row of a table contains every part of the policy."""
    results = odd_results()

    rows = list(csv.DictReader(io.StringIO(table(results), newline="")))

    for row in rows:
        assert set(ODD.as_dict()) <= set(row)
    if table is not policies_csv:
        usual = {part: str(value) for part, value in ODD.as_dict().items()}
        assert all({part: row[part] for part in usual} == usual for row in rows)


def test_pitfall_01_predictions_are_stored_per_policy(tmp_path):
    """The store keeps scores of different policies separate."""
    pairs = word_pairs(("cat", "dog", 9), ("cat", "cow", 2), ("dog", "cow", 5), ("cat", "zyx", 1))
    path = tmp_path / "store.sqlite"

    values = [
        lexiscope.run(
            CATTLE, "similarity", pairs, policy=policy, execution=lexiscope.Execution(path)
        )
        .main()[0]
        .value
        for policy in (Policy(oov="mean"), Policy(), Policy(oov="mean"))
    ]

    assert values == pytest.approx([0.4, 1, 0.4])


def test_pitfall_02_the_mean_vector_is_never_the_default():
    """Two OOV words have equal vectors only with the mean vector policy."""
    pairs = word_pairs(("cat", "dog", 6), ("cat", "cow", 2), ("dog", "cow", 5), ("zyx", "qqq", 10))

    def first_words():
        known = dict(zip(CATTLE.words, CATTLE.vectors, strict=True))
        mean = CATTLE.vectors.mean(axis=0)
        rows = [[known.get(word, mean) for word in words] for words in pairs.words]
        return cosine(*map(np.array, rows))

    assert first_words()[3] == pytest.approx(1)
    assert spearmanr(first_words(), pairs.rating).statistic == pytest.approx(1)
    assert 3 not in predictions_of(CATTLE, "similarity", pairs)
    assert predictions_of(CATTLE, "similarity", pairs, policy=Policy(oov="zero"))[3] == 0
    meant = predictions_of(CATTLE, "similarity", pairs, policy=Policy(oov="mean"))
    assert meant[3] == pytest.approx(1)
    (option,) = [o for o in run_command.params if o.name == "oov"]
    assert option.default == Policy().oov == "skip"


def near_north(source, word, **policy):
    """The cosine of a word and 'north' after case folding."""
    pairs = word_pairs((word, "north", 1))
    return predictions_of(source, "similarity", pairs, policy=Policy(**policy)).get(0)


def test_pitfall_03_the_most_frequent_variant_wins():
    """Folding uses the vector of the most frequent variant, not of the last or first line."""
    words, vectors = ("Us", "US", "us", "north"), [[0, 1], [1, 0], [-1, 0], [1, 0]]
    with_counts = counted("c", words, vectors, [20, 90, 5, 7])
    in_order = embedding("e", ("US", "Us", "us", "north"), [[1, 0], [0, 1], [-1, 0], [1, 0]])

    def first_words():
        folded = {word.lower(): vector for word, vector in zip(words, vectors, strict=True)}
        return np.dot(folded["us"], folded["north"])

    assert first_words() == -1
    for word in ("us", "US", "uS"):
        assert near_north(with_counts, word) == pytest.approx(1)
        assert near_north(in_order, word) == pytest.approx(1)
    assert near_north(with_counts, "us", case="exact") == pytest.approx(-1)


def test_pitfall_03_german_sharp_s_is_double_s():
    """Straße, STRASSE and Strasse are one word when folded, but not in lower case."""
    source = embedding("e", ("Straße", "north"), [[1, 1], [1, 0]])

    assert "STRASSE".lower() != "Straße".lower()
    for word in ("STRASSE", "Strasse", "straße", "STRAẞE"):
        assert near_north(source, word) == pytest.approx(np.sqrt(0.5))


def test_pitfall_03_turkish_dotless_i_is_another_letter():
    """kır and kir are two words, which upper case would merge."""
    source = embedding("e", ("kir", "kır", "north"), [[1, 0], [0, 1], [1, 0]])

    assert "kır".upper() == "kir".upper()
    assert near_north(source, "kir") == pytest.approx(1)
    assert near_north(source, "kır") == pytest.approx(0)


@pytest.mark.parametrize("word", ["İzmir", "İZMİR", "izmir", "İzmir".lower()])
@pytest.mark.parametrize("held", ["İzmir", "İZMİR", "izmir", "İzmir".lower()])
def test_pitfall_03_turkish_dotted_i_finds_its_small_letter(held, word):
    """A dotted capital I matches the small i: folding leaves no combining dot."""
    source = embedding("e", (held, "north"), [[1, 1], [1, 0]])

    assert near_north(source, word) == pytest.approx(np.sqrt(0.5))


def test_pitfall_04_question_words_are_excluded_by_their_folded_form():
    """With folding, King is not a candidate if king is in the question; with exact case it is."""
    words = ("man", "woman", "king", "queen", "King")
    vectors = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [0.9, 1, 1], [0.8, 1, 1]])
    question = analogies(("man", "woman", "king", "queen"))
    source = embedding("royal", words, vectors)

    def first_words():
        rows = dict(zip(words, vectors / np.linalg.norm(vectors, axis=1)[:, None], strict=True))
        wish = rows["woman"] - rows["man"] + rows["king"]
        left = [word for word in words if word not in ("man", "woman", "king")]
        return max(left, key=lambda word: rows[word] @ wish).lower()

    assert first_words() == "king"
    assert predictions_of(source, "analogy", question) == {0: "queen"}
    results = lexiscope.run(source, "analogy", question, all_policies=True)
    exact = [r.value for r in results.other_policies if r.main and r.policy["case"] == "exact"]
    assert scores(results)["royal", "accuracy"] == 1
    assert exact == [0]


def test_pitfall_05_there_is_no_hidden_limit():
    """Word 300,002 is found unless a limit is set; a limit is reported."""
    words = [*synthetic_words(299_998), "a", "b", "c", "last"]
    vectors = np.tile(np.float32([-1, -1, -1]), (len(words), 1))
    vectors[-4:] = [[1, 0, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1]]
    source = embedding("large", words, vectors)
    question = analogies(("a", "b", "c", "last"))

    def first_words(limit=300_000):
        return "last" in words[:limit]

    assert not first_words()
    (found,) = lexiscope.run(source, "analogy", question).main()
    assert (found.value, found.used, found.policy["limit"]) == (1, 1, None)
    limited = lexiscope.run(source, "analogy", question, policy=Policy(limit=300_000))
    assert limited.main()[0].used == 0
    assert limited.main()[0].policy["limit"] == 300_000
    assert limited.coverage[0].missing == ("c", "last")
    assert "first 300,000 words" in summary(limited)[0]


def test_pitfall_05_a_limit_needs_sorted_words_where_counts_exist(tmp_path):
    """A limit on words that are not sorted by frequency is refused, also below the limit."""
    pairs = word_pairs(("w0", "w1", 1), ("w1", "w2", 3), ("w0", "w2", 2))
    unsorted = counted("u", synthetic_words(4), np.eye(4), [9, 2, 4, 1])
    file = lexiscope.save(unsorted, tmp_path / "u.safetensors")

    def first_words(limit):
        return list(unsorted.words[:limit])

    assert first_words(2) == ["w0", "w1"]  # the second most frequent word is w2
    for source in (unsorted, file):
        with pytest.raises(BadData, match=r"'w2' \(word 3\) is more frequent"):
            lexiscope.run(source, "similarity", pairs, policy=Policy(limit=2))
        assert lexiscope.run(source, "similarity", pairs).coverage[0].used == 3


def test_pitfall_05_the_curve_over_limits_is_the_scores_under_those_limits():
    """With all policies there is a score for each limit, equal to that of a run with the limit."""
    words = synthetic_words(10_010)
    source = seeded("s", words, 3, 4)
    question = analogies(*((f"w{k}", f"w{k + 1}", f"w{k + 2}", f"w{10_009 - k}") for k in range(6)))

    curve = lexiscope.run(source, "analogy", question, all_policies=True)
    alone = lexiscope.run(source, "analogy", question, policy=Policy(limit=10_000))

    at_limit = [r for r in curve.other_policies if r.policy["limit"] == 10_000]
    assert [(r.metric, r.value, r.used) for r in at_limit] == [
        (r.metric, r.value, r.used) for r in alone
    ]
    assert {r.used for r in at_limit} == {0}
    assert {r.used for r in curve.main()} == {6}


def test_pitfall_06_a_run_does_not_change_the_users_objects():
    """The user's arrays and objects have the same bytes after a run, and stay writeable."""
    words = synthetic_words(30)
    mine = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32) * 3
    theirs = KeyedVectors(5)
    theirs.add_vectors(words, mine.copy())
    before = mine.tobytes(), list(theirs.index_to_key), theirs.vectors.tobytes()
    items = [
        word_pairs(*((f"w{k}", f"W{k + 1}", float(k % 3)) for k in range(28))),
        analogies(*((f"w{k}", f"w{k + 1}", f"W{k + 2}", f"w{k + 3}") for k in range(20))),
    ]

    lexiscope.run(
        {"mine": (words, mine), "theirs": theirs},
        ["similarity", "analogy"],
        items,
        all_policies=True,
    )

    assert (mine.tobytes(), list(theirs.index_to_key), theirs.vectors.tobytes()) == before
    assert theirs.key_to_index == {word: place for place, word in enumerate(words)}
    assert mine.flags.writeable
    assert theirs.vectors.flags.writeable


def test_pitfall_06_vectors_and_items_cannot_be_written_to():
    """In-place changes of vectors or items fail instead of changing later scores."""
    mine = np.array([[3.0, 4.0], [1.0, 0.0]], np.float32)
    source = lexiscope.load((["a", "b"], mine))
    pairs = word_pairs(("a", "b", 1))

    def first_words():
        source.vectors[:] /= np.linalg.norm(source.vectors, axis=1)[:, None]

    with pytest.raises(ValueError, match="read-only"):
        first_words()
    with pytest.raises(ValueError, match="read-only"):
        source.vectors[0] += 1e-6
    with pytest.raises(ValueError, match="read-only"):
        pairs.rating[0] = 2
    taken = source["a"]
    taken += 1
    assert source["a"].tolist() == [3, 4]


def test_pitfall_07_digits_are_mapped_on_both_sides():
    """Digits are mapped in the dataset and in the embedding."""
    source = embedding("e", ("1999", "north", "0"), [[1, 1], [1, 0], [0, 1]])
    policy = Policy(digits="zero")

    def first_words(word):
        return policy.normalise(word) in source

    assert not first_words("1999")
    assert near_north(source, "1999") == pytest.approx(np.sqrt(0.5))
    for word in ("1999", "2024", "0000"):
        assert near_north(source, word, digits="zero") == pytest.approx(np.sqrt(0.5))
    assert near_north(source, "2024") is None
    assert near_north(source, "7", digits="zero") == pytest.approx(0)


def test_pitfall_08_every_score_has_its_coverage(tmp_path):
    """A score is reported with its coverage and the missing words."""
    rows = [("cat", "dog", 9), ("cat", "cow", 2), ("dog", "cow", 5), ("cats", "cow", 3)]
    pairs = word_pairs(*rows, ("cats", "dogs", 8))

    results = lexiscope.run([CATTLE, seeded("all", ("cat", "dog", "cow", "cats", "dogs"))],
                            "similarity", pairs)  # fmt: skip

    counts = {(r.embedding, r.metric): (r.used, r.total) for r in results}
    assert counts["cattle", "spearman"] == counts["cattle", "pearson"] == (3, 5)
    assert counts["all", "spearman"] == (5, 5)
    assert results.coverage[0].missing == ("cats", "dogs")
    assert results.comparisons[0].items == 3
    page = lexiscope.write_report(results, tmp_path / "report.html").read_text("utf-8")
    assert "3/5" in page
    assert "Low coverage: cattle covers only 3 of 5 items of pairs." in summary(results)
