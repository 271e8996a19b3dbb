import sqlite3
from contextlib import closing

import numpy as np
import pytest
from scipy.stats import spearmanr

import lexiscope
from lexiscope.core.datasets import Categories, Preferences
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import UnknownName
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.data.inputs import Inputs
from lexiscope.evaluation.analysis.policy_sensitivity import variations
from tests.builders import (
    categories,
    counted,
    seeded,
    synthetic_analogies,
    synthetic_pairs,
    synthetic_words,
    word_pairs,
)

WORDS = synthetic_words(80)
THREE = [seeded("a", WORDS, 1), seeded("b", WORDS[:60], 2), seeded("c", WORDS, 3)]
PAIRS = synthetic_pairs(60, 84)
QUESTIONS = synthetic_analogies(40, 80)


def test_every_part_of_a_policy_is_changed_one_at_a_time():
    large = seeded("large", synthetic_words(40_000), dimension=2)

    found = variations(Policy(), [large, THREE[0]])

    assert found[0] == Policy()
    assert set(found[1:]) == {
        Policy(vocabulary="shared"),
        Policy(case="exact"),
        Policy(oov="zero"),
        Policy(oov="mean"),
        Policy(limit=10_000),
        Policy(limit=30_000),
    }


def test_one_embedding_shares_nothing_and_unsorted_words_have_no_limit():
    unsorted = counted("u", WORDS, np.ones((80, 2)), np.arange(80))

    assert variations(Policy(), [unsorted]) == (
        Policy(),
        Policy(case="exact"),
        Policy(oov="zero"),
        Policy(oov="mean"),
    )


@pytest.fixture(scope="module")
def results():
    return lexiscope.run(THREE, ["similarity", "analogy"], [PAIRS, QUESTIONS], all_policies=True)


def test_a_score_under_another_policy_is_that_of_a_run_with_it(results):
    for policy in results.policies[1:]:
        alone = lexiscope.run(THREE, ["similarity", "analogy"], [PAIRS, QUESTIONS], policy=policy)

        here = [r for r in results.other_policies if Policy(**r.policy) == policy]
        assert [
            (r.embedding, r.dataset, r.metric, r.slice, r.value, r.low, r.used) for r in here
        ] == [(r.embedding, r.dataset, r.metric, r.slice, r.value, r.low, r.used) for r in alone]


def test_other_policies_do_not_change_the_scores_of_the_own_policy(results):
    alone = lexiscope.run(THREE, ["similarity", "analogy"], [PAIRS, QUESTIONS])

    assert [(r.value, r.low, r.high) for r in results] == [(r.value, r.low, r.high) for r in alone]
    assert [(c.p, c.p_holm) for c in results.comparisons] == [
        (c.p, c.p_holm) for c in alone.comparisons
    ]


def test_oov_items_are_skipped_or_get_an_empty_prediction_or_the_mean_vector():
    source = embedding("e", ("cat", "dog", "cow"), [[1, 0], [0.8, 0.6], [0, 1]])
    pairs = word_pairs(("cat", "dog", 9), ("cat", "cow", 2), ("dog", "cow", 5), ("cat", "zyx", 1))

    scores = {
        unknown: lexiscope.run(source, "similarity", pairs, policy=Policy(oov=unknown)).main()[0]
        for unknown in ("skip", "zero", "mean")
    }

    assert [(score.used, score.total) for score in scores.values()] == [(3, 4), (4, 4), (4, 4)]
    # Cosines 0.8, 0, 0.6 and 0 for the unknown pair: ranks 4, 1.5, 3, 1.5 against 4, 2, 3, 1.
    assert scores["zero"].value == pytest.approx(4.5 / np.sqrt(5 * 4.5))
    # The mean vector is near all: 0.747 with cat, so the worst pair is called the second best.
    assert scores["mean"].value == pytest.approx(0.4)
    assert scores["skip"].value == pytest.approx(1)


def test_an_analogy_with_an_oov_word_is_wrong_if_it_counts(results):
    skipped = {r.embedding: r for r in results if r.metric == "accuracy" and r.slice == "all"}
    counted_ = {
        r.embedding: r
        for r in results.other_policies
        if r.metric == "accuracy" and r.slice == "all" and r.policy["oov"] == "zero"
    }

    for name in "abc":
        before, after = skipped[name], counted_[name]
        assert after.used == after.total
        assert after.value == pytest.approx(before.value * before.used / before.total)


def test_the_range_of_a_score_covers_every_policy(results):
    found = results.policy_ranges

    assert len(found) == 6
    for one in found:
        values = [
            r.value
            for r in (*results.main(), *results.other_policies)
            if r.main
            and r.slice == "all"
            and (r.embedding, r.dataset) == (one.embedding, one.dataset)
        ]
        assert (one.lowest.value, one.highest.value) == (min(values), max(values))


def test_a_change_of_the_best_embedding_with_the_policy_is_found():
    pairs = word_pairs(
        *((f"w{k}", f"w{k + 1}", float(k)) for k in range(0, 20, 2)), ("w0", "lost", 30.0)
    )
    order = np.linspace(0.1, 1.4, 10)
    good = {f"w{2 * k}": [1, 0] for k in range(10)} | {
        f"w{2 * k + 1}": [np.sin(order[k]), np.cos(order[k])] for k in range(10)
    }
    swapped = {**good, "w1": good["w3"], "w3": good["w1"], "lost": [1, 0.01]}

    results = lexiscope.run(
        {"good": good, "complete": swapped}, "similarity", pairs, all_policies=True
    )

    (turn,) = [turn for turn in results.best_changes if turn.policy == Policy(oov="zero")]
    assert (turn.usual, turn.instead) == ("good", "complete")
    assert not turn.significant


def test_a_mismatch_of_letter_case_gives_a_warning():
    source = embedding("shouting", ("CAT", "DOG", "COW"), [[1, 0], [1, 1], [0, 1]])
    pairs = word_pairs(("cat", "dog", 1), ("cow", "dog", 2))

    exact = lexiscope.run(source, "similarity", pairs, policy=Policy(case="exact"))
    folded = lexiscope.run(source, "similarity", pairs)

    (warning,) = exact.warnings
    assert "shouting covers 2 more of 2 items of pairs if case is folded" in warning
    assert folded.warnings == []


def test_evaluations_agree_if_they_rank_embeddings_equally_on_shared_items():
    rule = lexiscope.DecisionRule(min_coverage=0.2)
    results = lexiscope.run(THREE, ["similarity", "analogy"], [PAIRS, QUESTIONS], decision=rule)

    found = results.agreement

    shared = [results.shared_scores(*column) for column in found.evaluations]
    scores = [[each[name] for name in "abc"] for each in shared]
    assert found.matrix[0, 0] == pytest.approx(1)
    assert found.matrix[0, 1] == pytest.approx(spearmanr(*scores).statistic)
    assert found.embeddings == 3


def test_two_embeddings_are_too_few_for_agreement():
    results = lexiscope.run(THREE[:2], ["similarity", "analogy"], [PAIRS, QUESTIONS])

    assert results.agreement is None


def test_the_largest_disagreement_comes_first(results):
    found = [d for d in results.disagreements if d.task == "similarity"]

    gaps = [d.gap for d in found]
    assert gaps == sorted(gaps, reverse=True)
    assert len(found) == 10
    assert set(found[0].predictions) == {"a", "b", "c"}
    assert " · " in found[0].item


def test_scores_are_broken_down_by_frequency():
    words = synthetic_words(3000)
    source = seeded("s", words)
    common = [(f"w{k}", f"w{k + 1}", float(k % 7)) for k in range(0, 60, 2)]
    rare = [(f"w{k}", f"w{k + 1500}", float(k % 5)) for k in range(30)]
    pairs = word_pairs(*common, *rare)

    results = lexiscope.run([source, source.named("t")], "similarity", pairs, by="frequency")

    parts = {(r.slice, r.embedding): r for r in results.breakdowns}
    first = parts["frequency: first 1,000 words", "s"]
    alone = lexiscope.run(source, "similarity", word_pairs(*common)).main()[0]
    assert (first.used, first.total) == (30, 30)
    assert first.value == pytest.approx(alone.value)
    assert parts["frequency: to 10,000", "t"].used == 30
    assert results.manifest["by"] == [{"name": "frequency", "source": "rank in s"}]


def test_frequencies_may_come_from_a_table(tmp_path):
    table = tmp_path / "counts.tsv"
    table.write_text("word\tcount\n" + "".join(f"w{k}\t{5000 - k}\n" for k in range(2000)))
    pairs = word_pairs(*((f"w{k}", f"w{k + 1}", float(k % 7)) for k in range(0, 40, 2)))

    results = lexiscope.run(
        seeded("s", WORDS), "similarity", pairs, by=["frequency"], inputs=Inputs(frequencies=table)
    )

    assert {r.slice for r in results.breakdowns} == {"frequency: first 1,000 words"}
    assert results.manifest["by"] == [{"name": "frequency", "source": "counts.tsv"}]


def test_an_unknown_attribute_raises_an_error():
    with pytest.raises(UnknownName, match="Did you mean 'frequency'"):
        lexiscope.run(THREE[0], "similarity", PAIRS, by="frequence")


def test_cells_that_a_policy_does_not_affect_are_copied(tmp_path):
    store = tmp_path / "s.sqlite"
    lexiscope.run(THREE, "similarity", PAIRS, all_policies=True, execution=Execution(store))

    with closing(sqlite3.connect(store)) as database:
        seconds = [s for (s,) in database.execute("SELECT seconds FROM cell")]

    # Equal to the last bit only where a cell was stored again: lower-case words, exact or folded.
    assert len(seconds) == 3 * 5
    assert len(set(seconds)) <= 3 * 4


def test_an_encoder_encodes_every_form_that_a_policy_needs():
    class Letters:
        def encode(self, words):
            return np.array([[len(w), w.count("a") + 1.0, w[:1].isupper() + 0.5] for w in words])

    pairs = word_pairs(
        ("Athens", "Greece", 9), ("Athens", "tea", 1), ("tea", "cup", 7), ("cup", "Greece", 2)
    )

    alone = lexiscope.run({"letters": Letters()}, "similarity", pairs)
    results = lexiscope.run({"letters": Letters()}, "similarity", pairs, all_policies=True)

    exact = [r for r in results.other_policies if r.policy["case"] == "exact" and r.main]
    assert [(r.used, r.total) for r in exact] == [(4, 4)]
    assert results.main()[0].value == alone.main()[0].value


@pytest.mark.parametrize("own", [Policy(), Policy(oov="mean")])
def test_every_task_scores_under_each_policy_as_it_would_alone(own):
    words = [*preferences_words(), *synthetic_words(11_000)]
    sources = [seeded("s", words, 3), seeded("t", words[1:], 4)]
    for name, dataset in (
        ("preference", Preferences.example()),
        ("similarity", word_pairs(*((f"w{k}", f"w{k + 10_995}", k % 7) for k in range(20)))),
        ("categorization", Categories.example()),
    ):
        together = lexiscope.run(sources, name, dataset, policy=own, all_policies=True)
        for policy in together.policies[1:]:
            alone = lexiscope.run(sources, name, dataset, policy=policy)
            here = [r for r in together.other_policies if Policy(**r.policy) == policy]
            assert [(r.embedding, r.metric, r.value) for r in here] == [
                (r.embedding, r.metric, r.value) for r in alone
            ], (name, str(policy))


def preferences_words():
    """Some words of the example, so that a filler and a rated word are unknown."""
    return [
        "apple",
        "song",
        "bread",
        "soup",
        "tune",
        "cat",
        "dog",
        "horse",
        "tea",
        "milk",
        "saw",
        "axe",
    ]


def test_joint_tasks_are_compared_on_items_that_all_cover():
    """The same vectors are the same embedding, whatever else one of them lacks."""
    rng = np.random.default_rng(0)
    words = synthetic_words(60)
    vectors = rng.normal(size=(60, 5)) + np.repeat(2 * rng.normal(size=(6, 5)), 10, axis=0)
    whole = embedding("whole", words, vectors)
    part = embedding("part", words[:45], vectors[:45])
    items = categories(**{f"c{k}": " ".join(words[10 * k : 10 * k + 10]) for k in range(6)})

    results = lexiscope.run([whole, part], "categorization", items)

    (comparison,) = results.comparisons
    assert (comparison.difference, comparison.p, comparison.items) == (0, 1, 45)


def test_an_undefined_task_is_not_a_failure():
    one = categories(a="w1 w2 w3")

    results = lexiscope.run(THREE[0], "categorization", one)

    assert not results.failures
    assert results.main()[0].value is None
    assert "1 category" in results.main()[0].state


def test_embeddings_without_a_common_word_fail_alike_on_every_backend():
    disjoint = [seeded("a", ["x", "y", "z"], 1), seeded("b", ["u", "v", "w"], 2)]
    pairs = word_pairs(("x", "y", 1), ("y", "z", 2), ("x", "z", 3), ("u", "v", 1), ("v", "w", 2))

    serial, processes = (
        lexiscope.run(
            disjoint, "similarity", pairs, all_policies=True, execution=Execution(n_jobs=n)
        )
        for n in (1, 2)
    )

    assert [f.reason for f in serial.failures] == [f.reason for f in processes.failures]
    assert "have no word in common" in serial.failures[0].reason
