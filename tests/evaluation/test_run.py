import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, spearmanr

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.evaluation import dispatch
from lexiscope.store.store import Store
from tests.builders import (
    analogies,
    seeded,
    synthetic_analogies,
    synthetic_pairs,
    synthetic_words,
    word_pairs,
)
from tests.evaluation import outside
from tests.evaluation.outside import Outside

WORDS = synthetic_words(80)
PAIRS = synthetic_pairs(60, 90, name="sixty")  # some words are unknown to all
QUESTIONS = synthetic_analogies(40, 85)
THREE = [
    seeded("a", WORDS, 1),
    seeded("b", WORDS[:70], 2),
    seeded("c", WORDS[10:], 3),
]


def document(results):
    """What must be equal between runs: everything but the id and the manifest."""
    whole = results.to_dict()
    return {key: whole[key] for key in ("results", "comparisons", "coverage", "failures")}


BOTH = ("analogy", "similarity")


def evaluated_cells(monkeypatch):
    """A list that grows with every cell that is evaluated."""
    cells = []
    evaluate = dispatch.evaluate

    def counting(cell, aligned, known=None):
        cells.append(cell)
        return evaluate(cell, aligned, known)

    monkeypatch.setattr(dispatch, "evaluate", counting)
    return cells


def test_a_run_scores_every_task_dataset_and_embedding():
    results = lexiscope.run(THREE, datasets=[PAIRS, QUESTIONS])

    assert [(r.embedding, r.task) for r in results.main()] == [
        (name, task) for name in "abc" for task in ("analogy", "ranking", "similarity")
    ]
    assert results.evaluations == [
        ("analogy", "analogies"),
        ("ranking", "sixty"),
        ("similarity", "sixty"),
    ]
    assert results.embeddings == ["a", "b", "c"]
    assert results.finished is not None
    assert not results.failures


def test_a_score_is_scipys_on_the_pairs_that_were_covered():
    (result,) = lexiscope.run(THREE[0], "similarity", PAIRS).main()

    known = PAIRS.covered_by(THREE[0].vocabulary)
    left, right = (THREE[0][words[known]].astype(np.float64) for words in PAIRS.words)
    cosines = (left * right).sum(1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)
    assert result.value == pytest.approx(spearmanr(cosines, PAIRS.rating[known]).statistic)
    assert (result.used, result.total) == (known.sum(), 60)
    assert result.low < result.value < result.high


@pytest.mark.parametrize(
    "policy", [Policy(), Policy("shared"), Policy("own", "exact", 50)], ids=str
)
def test_results_do_not_change_with_the_order_of_embeddings(policy):
    forth, back = (
        lexiscope.run(order, BOTH, [PAIRS, QUESTIONS], policy=policy)
        for order in (THREE, THREE[::-1])
    )

    def by_name(results):
        return {(r.embedding, r.task, r.metric, r.slice): asdict(r) for r in results}

    assert by_name(forth) == by_name(back)
    others = {(c.second, c.first, c.task): c for c in back.comparisons}
    for c in forth.comparisons:
        other = others[c.first, c.second, c.task]
        assert (c.p, c.p_holm, c.items) == (other.p, other.p_holm, other.items)
        assert c.difference == pytest.approx(-other.difference)
        assert (c.low is None) == (other.low is None)
        if c.low is not None:
            assert (c.low, c.high) == (
                pytest.approx(-other.high, abs=0.02),
                pytest.approx(-other.low, abs=0.02),
            )


def test_ties_in_a_shared_vocabulary_do_not_depend_on_the_order_of_embeddings():
    # "x" and "y" are equally near; each embedding's own order decides between them.
    rows = {"a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1], "x": [0, 1, 1], "y": [0, 1, 1]}
    first = embedding("first", "abcxy", [rows[w] for w in "abcxy"])
    second = embedding("second", "yxcba", [rows[w] for w in "yxcba"])
    question = analogies(("a", "b", "c", "x"))

    for order in ([first, second], [second, first]):
        results = lexiscope.run(order, datasets=[question], policy=Policy("shared"))
        values = {r.embedding: r.value for r in results.main()}
        assert values == {"first": 1, "second": 0}


def test_the_same_seed_gives_the_same_document_and_another_seed_other_intervals():
    first, second, other = (lexiscope.run(THREE, datasets=[PAIRS], seed=seed) for seed in (5, 5, 6))

    assert document(first) == document(second)
    assert [r.value for r in first] == [r.value for r in other]
    assert [r.low for r in first] != [r.low for r in other]


def test_all_embeddings_get_the_same_random_numbers(toys):
    toys("slow")
    twins = {"one": THREE[0], "two": embedding("two", WORDS, THREE[0].vectors * 2)}

    one, two = lexiscope.run(twins, "slow", PAIRS).main()

    assert one.embedding_fingerprint != two.embedding_fingerprint
    assert one.value == pytest.approx(two.value)


def test_several_settings_are_several_evaluations():
    results = lexiscope.run(
        THREE[:2], "analogy", QUESTIONS, settings={"analogy.solver": ["3CosAdd", "3CosMul"]}
    )

    assert results.evaluations == [
        ("analogy", "analogies"), ("analogy (solver=3CosMul)", "analogies"),
    ]  # fmt: skip
    assert [c.settings["solver"] for c in results.comparisons] == ["3CosAdd", "3CosMul"]


def test_accuracy_over_all_items_counts_items_that_are_not_covered_as_wrong():
    words = ("man", "woman", "king", "queen")
    royal = embedding("royal", words, [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    unknown = [(f"a{k}", f"b{k}", f"c{k}", f"d{k}") for k in range(18)]
    questions = analogies(
        ("man", "woman", "king", "queen"), ("king", "queen", "man", "woman"), *unknown
    )

    found = {r.metric: r for r in lexiscope.run(royal, "analogy", questions)}

    assert found["accuracy"].value == 1
    assert found["accuracy_all_items"].value == 0.1
    assert (found["accuracy_all_items"].used, found["accuracy_all_items"].total) == (2, 20)
    assert found["accuracy_all_items"].low < 0.1 < found["accuracy_all_items"].high


def test_coverage_names_missing_words_and_zero_vectors():
    vectors = np.eye(4)
    vectors[3] = 0
    small = embedding("small", ("cat", "dog", "cup", "nil"), vectors)
    pairs = word_pairs(("cat", "dog", 1), ("Nil", "cat", 2), ("dog", "Tea", 3), ("cup", "cat", 4))

    (coverage,) = lexiscope.run(small, "similarity", pairs).coverage

    assert (coverage.used, coverage.total) == (2, 4)
    assert (coverage.missing, coverage.zero) == (("tea",), ("nil",))


@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        (np.ones((4, 2)), "the predictions are all equal"),
        (np.arange(1, 5)[:, None] * [[0.1, 0.7]], "the predictions are all equal"),
        (None, "no item is covered"),
    ],
)
def test_an_undefined_score_is_none_with_a_reason_and_never_nan(vectors, reason):
    words = ("cat", "dog", "cup", "tea") if vectors is not None else ("x", "y")
    flat = embedding("flat", words, vectors if vectors is not None else np.eye(2))
    pairs = word_pairs(("cat", "dog", 1), ("cat", "cup", 2), ("dog", "tea", 3), ("cup", "tea", 5))

    results = lexiscope.run(
        {"flat": flat, "good": seeded("", ("cat", "dog", "cup", "tea"))}, "similarity", pairs
    )

    for result in results.results[:2]:
        assert (result.value, result.low, result.high) == (None, None, None)
        assert reason in result.state
    (comparison,) = results.comparisons
    assert comparison.p is comparison.difference is comparison.p_holm is None
    assert comparison.state
    assert not comparison.significant
    assert "NaN" not in results.to_json()


def test_a_comparison_uses_only_items_that_both_cover():
    gold = [("w0", f"w{k}", float(k)) for k in range(1, 41)]
    first, second = seeded("first", WORDS[:30], 1), seeded("second", ["w0", *WORDS[10:50]], 2)

    (found,) = lexiscope.run([first, second], "similarity", word_pairs(*gold)).comparisons

    shared = lexiscope.run([first, second], "similarity", word_pairs(*gold[9:29]))
    assert found.items == 20
    values = [r.value for r in shared.main()]
    assert found.difference == pytest.approx(values[0] - values[1])


def test_a_comparison_of_analogies_is_mcnemars():
    rng = np.random.default_rng(0)
    good = rng.normal(size=(80, 8))
    good[1::2] = good[::2] + rng.normal(size=8) * 3
    rows = [
        (f"W{x}", f"w{x + 1}", f"w{y}", f"W{y + 1}")
        for x, y in zip(range(0, 40, 2), range(40, 80, 2), strict=True)
    ]

    results = lexiscope.run({"good": (WORDS, good), "poor": THREE[0]}, "analogy", analogies(*rows))

    (found,) = results.comparisons
    values = [r.value for r in results.main()]
    assert found.difference == pytest.approx(values[0] - values[1])
    assert values[0] >= 0.5
    assert values[1] == 0
    exact = binomtest(round(values[0] * 20), round(values[0] * 20)).pvalue
    assert found.test == "mid-p McNemar"
    assert found.p == pytest.approx(exact / 2)  # all differing items favour one embedding
    assert found.significant
    assert results.groups("analogy", "analogies") == [("good",), ("poor",)]


def test_embeddings_that_are_not_significantly_different_form_one_group():
    three = [seeded(name, WORDS, seed) for seed, name in enumerate("abc")]

    results = lexiscope.run(three, "similarity", synthetic_pairs(60, 80, name="sixty"))

    assert [sorted(group) for group in results.groups("similarity", "sixty")] == [["a", "b", "c"]]


def test_embeddings_that_share_too_few_items_share_no_letter():
    rule = lexiscope.DecisionRule(min_coverage=0.4)

    results = lexiscope.run(THREE, "similarity", PAIRS, decision=rule)

    items = {(c.first, c.second): c.items for c in results.comparisons}
    assert items == {("a", "b"): 37, ("a", "c"): 29, ("b", "c"): 21}  # of 60
    assert not any(c.significant for c in results.comparisons)
    groups = [sorted(group) for group in results.groups("similarity", "sixty")]
    assert sorted(groups) == [["a", "b"], ["a", "c"]]
    # With the default, c covers too few items: no letter and no rank.
    default = lexiscope.run(THREE, "similarity", PAIRS)
    assert [sorted(group) for group in default.groups("similarity", "sixty")] == [["a", "b"]]
    assert set(default.ranks("similarity", "sixty")) == {"a", "b"}
    assert default.best("similarity", "sixty") == ["a", "b"]


def test_p_values_are_corrected_over_all_comparisons_of_the_run():
    three = [seeded(name, WORDS, seed) for seed, name in enumerate("abc")]
    pairs = [synthetic_pairs(60, 80, seed, name) for seed, name in enumerate(("one", "two"))]

    results = lexiscope.run(three, "similarity", pairs)

    ps = sorted((c.p, c.p_holm) for c in results.comparisons)
    assert len(ps) == 6
    assert ps[0][1] == pytest.approx(min(1, 6 * ps[0][0]))


def test_a_test_that_cannot_reject_does_not_count_in_the_correction():
    results = lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS])

    tested = [c for c in results.comparisons if c.p is not None]
    able = [c for c in tested if c.min_p < 0.05]
    smallest = min(tested, key=lambda c: c.p)
    assert len(able) < len(tested)
    assert smallest.p_holm == pytest.approx(smallest.p * len(able))


def test_a_section_called_all_does_not_replace_the_whole():
    rows = [
        (f"w{k}", f"w{k + 1}", f"w{k + 2}", f"w{k + 3}", "all" if k < 3 else "b") for k in range(9)
    ]

    found = {
        r.slice: r.total for r in lexiscope.run(THREE[0], "analogy", analogies(*rows)) if r.main
    }

    assert found == {"all": 9, "b": 6}


@pytest.mark.parametrize("toy", ["broken", "unmeasured", "nothing", "short"])
def test_a_task_that_fails_is_reported_and_the_others_run(toys, toy):
    toys(toy)
    reason = {
        "broken": "RuntimeError: the toy broke",
        "unmeasured": "ZeroDivisionError: no metric",
        "nothing": "ValueError: no number for item 0",
        "short": "ValueError: ",
    }[toy]

    results = lexiscope.run(THREE[:2], [toy, "similarity"], PAIRS)

    assert [(f.embedding, f.task, f.dataset) for f in results.failures] == [
        ("a", toy, "sixty"), ("b", toy, "sixty"),
    ]  # fmt: skip
    assert all(f.reason.startswith(reason) for f in results.failures)
    assert [r.task for r in results.main()] == ["similarity"] * 2
    assert [c.task for c in results.comparisons] == ["similarity"]


def test_a_failure_names_the_settings_and_every_embedding_even_with_equal_content(toys):
    toys("broken")

    results = lexiscope.run(
        {"one": THREE[0], "two": THREE[0]}, "broken", PAIRS, settings={"broken.strict": True}
    )

    assert [(f.embedding, f.task) for f in results.failures] == [
        ("one", "broken (strict=True)"), ("two", "broken (strict=True)"),
    ]  # fmt: skip


def test_equal_content_is_evaluated_once_and_reported_for_each(monkeypatch):
    cells = evaluated_cells(monkeypatch)

    results = lexiscope.run({"one": THREE[0], "two": THREE[0]}, "similarity", PAIRS)

    assert len(cells) == 1
    assert [r.embedding for r in results.main()] == ["one", "two"]
    assert [c.p for c in results.comparisons] == [1]


def test_finished_work_is_not_repeated(tmp_path, monkeypatch):
    cells = evaluated_cells(monkeypatch)
    execution = Execution(tmp_path / "s.sqlite")
    arguments = {"tasks": BOTH, "datasets": [PAIRS, QUESTIONS], "execution": execution}

    first = lexiscope.run(THREE, **arguments)
    assert len(cells) == 6
    second = lexiscope.run(THREE, **arguments)

    assert len(cells) == 6
    assert first.to_dict() == second.to_dict()


def test_only_new_cells_are_evaluated(tmp_path, monkeypatch):
    cells = evaluated_cells(monkeypatch)
    execution = Execution(tmp_path / "s.sqlite")
    lexiscope.run(THREE[:2], BOTH, [PAIRS], execution=execution)
    assert len(cells) == 2

    grown = lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS], execution=execution)

    assert len(cells) == 2 + 4
    assert document(grown) == document(lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS]))


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"policy": Policy(case="exact")}, {"settings": {"analogy.epsilon": 0.5}}],
    ids=str,
)
def test_another_seed_policy_or_setting_is_other_work(tmp_path, monkeypatch, change):
    cells = evaluated_cells(monkeypatch)
    execution = Execution(tmp_path / "s.sqlite")
    for extra in ({}, change):
        lexiscope.run(THREE[0], "analogy", QUESTIONS, execution=execution, **extra)

    assert len(cells) == 2


def test_force_repeats_the_work(tmp_path, monkeypatch):
    cells = evaluated_cells(monkeypatch)
    runs = [
        lexiscope.run(
            THREE[0], "similarity", PAIRS, execution=Execution(tmp_path / "s.sqlite", force=force)
        )
        for force in (False, True)
    ]

    assert len(cells) == 2
    assert document(runs[0]) == document(runs[1])


def test_a_failed_cell_is_evaluated_again_the_next_time(tmp_path, toys, monkeypatch):
    toys("broken")
    cells = evaluated_cells(monkeypatch)
    for _ in range(2):
        results = lexiscope.run(
            THREE[0], ["broken", "similarity"], PAIRS, execution=Execution(tmp_path / "s.sqlite")
        )

    assert [c.task_name for c in cells] == ["broken", "similarity", "broken"]
    assert len(results.failures) == 1


def test_progress_counts_cells_and_comparisons():
    reported = []

    def progress(*state):
        reported.append(state)

    lexiscope.run(THREE, "similarity", PAIRS, execution=Execution(progress=progress))

    assert list(dict.fromkeys(step for step, *_ in reported)) == [
        "Reading vectors", "Aligning vocabularies", "Evaluating", "Comparing",
    ]  # fmt: skip
    assert [state for state in reported if state[0] == "Evaluating"] == [
        ("Evaluating", k, 3) for k in range(4)
    ]
    assert reported[-1] == ("Comparing", 3, 3)


def test_a_full_disk_ends_the_run_with_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "add", full)

    with pytest.raises(BadData, match="disk is full"):
        lexiscope.run(THREE, "similarity", PAIRS, execution=Execution(tmp_path / "s.sqlite"))


def full(*_):
    raise BadData("the disk is full")


@pytest.mark.parametrize(
    ("options", "problem", "sentence"),
    [
        ({"seed": -1}, BadUsage, "A seed is a number from 0"),
        ({"settings": {"solver": "x"}}, BadUsage, "A setting is TASK.FIELD, found 'solver'"),
        ({"tasks": "simlarity"}, UnknownName, "Did you mean 'similarity'"),
        ({"tasks": "analogy"}, LexiscopeError, "None of the chosen tasks can evaluate"),
    ],
)
def test_invalid_arguments_raise_an_error(options, problem, sentence):
    with pytest.raises(problem) as caught:
        lexiscope.run(THREE[0], datasets=PAIRS, **options)
    assert sentence in str(caught.value)


def test_an_error_for_an_invalid_number_of_threads_names_the_variable(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "many")

    with pytest.raises(
        BadUsage, match="LEXISCOPE_THREADS must be an integer of 1 or more, found 'many'"
    ):
        lexiscope.run(THREE[0], datasets=PAIRS)


def test_words_may_hold_any_unicode_character(tmp_path):
    words = ["cat", "naïve", "日本", "🐈", "a b", "x\u202ey", "Straße", "\ud800odd"]
    rows = [(words[k], words[(k + 1) % 7], float(k)) for k in range(7)]
    questions = analogies(("cat", "naïve", "日本", "🐈"), ("🐈", "日本", "cat", "Straße"))

    results = lexiscope.run(
        [seeded("<b>é</b>", words), seeded("\x1b[31m", words, 1)],
        datasets=[word_pairs(*rows, name="日本"), questions],
        policy=Policy("shared"),
        execution=Execution(tmp_path / "s.sqlite"),
    )

    assert not results.failures
    assert json.loads(results.to_json())["results"][0]["embedding"] == "<b>é</b>"
    assert "<b>é" not in results._repr_html_()


def test_a_prediction_that_is_half_a_surrogate_pair_is_stored(tmp_path):
    words = ("a", "b", "c", "\ud800")
    odd = embedding("odd", words, [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    questions = analogies(("a", "b", "c", "a"))

    results = lexiscope.run(odd, "analogy", questions, execution=Execution(tmp_path / "s.sqlite"))

    assert not results.failures
    assert results.main()[0].value == 0


def test_results_convert_to_a_data_frame_and_html():
    results = lexiscope.run(THREE, "similarity", [PAIRS])

    frame = results.to_frame()
    assert len(frame) == len(results) == 6
    assert {"embedding", "value", "low", "high", "used", "total"} <= set(frame.columns)
    card = results._repr_html_()
    assert all(each.name in card for each in THREE)
    assert card.count("<tr") == 1 + 3


def test_the_manifest_says_how_to_repeat_the_run():
    manifest = lexiscope.run(THREE, datasets=[PAIRS], seed=4).manifest

    assert manifest["seed"] == 4
    assert manifest["policy"] == Policy().as_dict()
    assert [e["sha256"] for e in manifest["embeddings"]] == [e.fingerprint for e in THREE]
    assert manifest["datasets"][0]["sha256"] == PAIRS.fingerprint
    assert {"lexiscope", "python", "numpy"} <= set(manifest["versions"])


def test_file_names_that_are_not_unicode_can_be_read_and_stored(tmp_path):
    vectors, pairs = (tmp_path / f"caf\udce9.{end}" for end in ("vec", "tsv"))  # Latin-1 names
    vectors.write_text("cat 1 0\ndog 1 1\ncup 0 1\ntea 1 3\n")
    pairs.write_text("cat\tdog\t1\ncat\tcup\t2\ndog\ttea\t3\ncup\ttea\t5\n")

    results = lexiscope.run(
        [str(vectors), vectors], "similarity", pairs, execution=Execution(tmp_path / "s.sqlite")
    )

    assert results.embeddings == [r.embedding for r in results.main()]
    assert {r.dataset for r in results} == {results.manifest["datasets"][0]["name"]}
    results.to_json().encode()


def test_a_score_of_too_few_items_has_no_interval_but_a_reason():
    three = word_pairs(("cat", "dog", 1), ("cat", "cup", 2), ("dog", "cup", 3))

    (result,) = lexiscope.run(seeded("few", ("cat", "dog", "cup")), "similarity", three).main()

    assert result.value is not None
    assert (result.low, result.high) == (None, None)
    assert "3 items has no confidence interval" in result.state


def test_accuracy_over_all_items_is_zero_if_none_is_covered():
    questions = analogies(("man", "woman", "king", "queen"))

    found = {r.metric: r for r in lexiscope.run(seeded("far", ("x", "y")), "analogy", questions)}

    assert found["accuracy"].value is None
    assert found["accuracy_all_items"].value == 0


def test_temporary_folders_of_killed_runs_are_removed(tmp_path, monkeypatch):
    import os
    import subprocess
    import sys

    monkeypatch.setattr(dispatch.tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    ours = dispatch._prefix()
    kept = {f"{ours}{os.getpid()}-x", f"{ours}notes", f"lexiscope-other-{gone.pid}-x"}
    for name in (*kept, f"{ours}{gone.pid}-x", f"{ours}{10**30}-x"):
        (tmp_path / name).mkdir()

    dispatch._remove_abandoned_files()

    assert {path.name for path in tmp_path.iterdir()} == kept


def test_the_best_embedding_loses_no_comparison_on_shared_items():
    pairs = word_pairs(*[(f"a{k}", f"b{k}", float(k)) for k in range(40)])
    angles = np.linspace(3, 0.05, 40)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    right = np.tile([1.0, 0.0], (40, 1))
    words = [f"{side}{k}" for side in "ab" for k in range(40)]
    flipped = np.where(np.arange(40)[:, None] % 3 == 2, -circle, circle)
    whole = embedding("whole", words, np.vstack([right, flipped]))
    known = [*range(30), *range(40, 70)]
    few = embedding("few", [words[k] for k in known], np.vstack([right, circle])[known])

    results = lexiscope.run([whole, few], "similarity", pairs)

    scores = {r.embedding: r.value for r in results.main()}
    (comparison,) = results.comparisons
    assert comparison.significant
    assert comparison.difference < 0
    assert results.best("similarity", "pairs") == ["few"]
    assert results.groups("similarity", "pairs") == [("few",), ("whole",)]
    assert scores["few"] > 0.99


def test_embeddings_without_a_shared_item_are_not_grouped():
    words = synthetic_words(40)
    first, second = seeded("first", words[:20], 1), seeded("second", words[20:], 2)
    pairs = word_pairs(*[(words[k], words[k + 1], float(k)) for k in [*range(18), *range(20, 38)]])

    results = lexiscope.run([first, second], "similarity", pairs)

    assert results.comparisons[0].p is None
    assert results.groups("similarity", "pairs") == []  # letters would look like an order


def test_many_comparisons_get_enough_permutations_to_be_significant():
    from lexiscope.stats.randomization import PERMUTATIONS, enough_permutations

    assert enough_permutations(3) == PERMUTATIONS
    assert 1000 / (1 + enough_permutations(1000)) < 0.05


def test_a_zero_variant_does_not_hide_a_good_one():
    mixed = embedding("mixed", ("Cat", "cat", "dog", "cup"), [[0, 0], [1, 0], [0, 1], [1, 1]])
    pairs = word_pairs(("cat", "dog", 1), ("cat", "cup", 3), ("dog", "cup", 2))

    results = lexiscope.run(mixed, "similarity", pairs)

    assert results.coverage[0].used == 3
    assert results.coverage[0].zero == ()


def test_force_keeps_the_old_cell_until_the_new_one_is_there(tmp_path, monkeypatch, toys):
    from lexiscope.tasks.similarity import Similarity

    path = tmp_path / "store.sqlite"
    first = lexiscope.run(THREE[0], "similarity", PAIRS, execution=Execution(path))

    def broken(*arguments):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(Similarity, "predict", broken)
    again = lexiscope.run(THREE[0], "similarity", PAIRS, execution=Execution(path, force=True))

    assert again.failures
    assert again.main()[0].value == first.main()[0].value


def test_the_manifest_lists_only_the_tasks_that_ran():
    results = lexiscope.run(THREE[0], datasets=PAIRS)

    assert [task["name"] for task in results.manifest["tasks"]] == ["ranking", "similarity"]
    assert repr(results) == "Results(3 scores of 1 embedding, 0 comparisons)"


def test_tasks_may_be_objects_from_outside_the_package():
    results = lexiscope.run(THREE, [Outside(), Outside(power=1)], PAIRS)

    assert results.evaluations == [("outside", "sixty"), ("outside (power=1.0)", "sixty")]
    assert len(results.comparisons) == 6


def test_tasks_from_outside_run_in_other_processes():
    alone, several = (
        lexiscope.run(THREE[:2], Outside(), PAIRS, execution=Execution(n_jobs=n)) for n in (1, 2)
    )

    assert not several.failures
    assert document(alone) == document(several)


def test_a_task_from_a_file_is_evaluated_again_when_the_file_changes(tmp_path, monkeypatch):
    cells = evaluated_cells(monkeypatch)
    source, path = Path(outside.__file__).read_text(), tmp_path / "mine.py"
    source = source.partition("@dataclass(frozen=True)\nclass CosineOfWords")[0]
    for text in (source, source, source.replace("-(difference", "(difference")):
        path.write_text(text)
        execution = Execution(tmp_path / "s.sqlite")
        results = lexiscope.run(THREE[0], path, PAIRS, execution=execution)

    assert len(cells) == 2
    assert results.main()[0].task == "outside"


def test_a_data_frame_is_a_dataset():
    frame = pd.DataFrame(
        {"word1": PAIRS.left, "word2": PAIRS.right, "rating": PAIRS.rating}, dtype=object
    )

    results = lexiscope.run(THREE[0], "similarity", frame)

    assert results.main()[0].value == lexiscope.run(THREE[0], "similarity", PAIRS).main()[0].value


def test_predictions_are_read_from_the_store_once(monkeypatch):
    read = []
    predictions = Store.predictions

    def counting(store, cell):
        read.append(cell)
        return predictions(store, cell)

    monkeypatch.setattr(Store, "predictions", counting)
    results = lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS], by="frequency")
    results.to_json()

    assert len(read) == len(set(read)) == 6


def test_analyses_are_computed_once():
    results = lexiscope.run(THREE, "similarity", PAIRS)

    assert results.correlations is results.correlations
    assert results.solver_agreement is results.solver_agreement
