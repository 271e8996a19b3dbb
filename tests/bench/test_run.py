import json
from dataclasses import asdict

import numpy as np
import pytest
from scipy.stats import binomtest, spearmanr

import lexiscope
from lexiscope.bench import handing
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.store.store import Store
from tests.making import (
    analogies,
    seeded,
    synthetic_analogies,
    synthetic_pairs,
    synthetic_words,
    word_pairs,
)

WORDS = synthetic_words(80)
PAIRS = synthetic_pairs(60, 90, name="sixty")  # some words are unknown to all
QUESTIONS = synthetic_analogies(40, 85)
THREE = [
    seeded("a", WORDS, 1),
    seeded("b", WORDS[:70], 2),
    seeded("c", WORDS[10:], 3),
]


def document(results):
    """What must be equal between runs: all but names of runs and places."""
    whole = results.to_dict()
    return {key: whole[key] for key in ("results", "comparisons", "coverage", "failures")}


BOTH = ("analogy", "similarity")


def asked(monkeypatch):
    """Count how many cells are asked."""
    cells = []
    ask = handing.ask

    def counting(cell, aligned, known=None):
        cells.append(cell)
        return ask(cell, aligned, known)

    monkeypatch.setattr(handing, "ask", counting)
    return cells


def test_a_run_scores_every_task_dataset_and_embedding():
    results = lexiscope.run(THREE, datasets=[PAIRS, QUESTIONS])

    assert [(r.embedding, r.task) for r in results.main()] == [
        (name, task) for name in "abc" for task in ("analogy", "ranking", "similarity")
    ]
    assert results.columns == [
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
        return {(r.embedding, r.task, r.measure, r.slice): asdict(r) for r in results}

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


def test_all_embeddings_get_the_same_chance(toys):
    toys("slow")
    twins = {"one": THREE[0], "two": embedding("two", WORDS, THREE[0].vectors * 2)}

    one, two = lexiscope.run(twins, "slow", PAIRS).main()

    assert one.embedding_fingerprint != two.embedding_fingerprint
    assert one.value == pytest.approx(two.value)


def test_several_settings_are_several_columns():
    results = lexiscope.run(
        THREE[:2], "analogy", QUESTIONS, settings={"analogy.solver": ["3CosAdd", "3CosMul"]}
    )

    assert results.columns == [
        ("analogy", "analogies"), ("analogy (solver=3CosMul)", "analogies"),
    ]  # fmt: skip
    assert [c.settings["solver"] for c in results.comparisons] == ["3CosAdd", "3CosMul"]


def test_accuracy_of_all_counts_what_could_not_be_asked_as_wrong():
    words = ("man", "woman", "king", "queen")
    royal = embedding("royal", words, [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    questions = analogies(
        ("man", "woman", "king", "queen"), ("man", "woman", "king", "boy"),
        ("man", "woman", "uncle", "aunt"), ("king", "queen", "man", "woman"),
    )  # fmt: skip

    found = {r.measure: r for r in lexiscope.run(royal, "analogy", questions)}

    assert found["accuracy"].value == 1
    assert found["accuracy_of_all"].value == 0.5
    assert (found["accuracy_of_all"].used, found["accuracy_of_all"].total) == (2, 4)
    assert found["accuracy_of_all"].low < 0.5 < found["accuracy_of_all"].high


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
        (np.ones((4, 2)), "the answers are all equal"),
        (np.arange(1, 5)[:, None] * [[0.1, 0.7]], "the answers are all equal"),
        (None, "no item could be asked"),
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
    assert not comparison.real
    assert "NaN" not in results.to_json()


def test_a_comparison_uses_only_items_that_both_answered():
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
    assert found.p == pytest.approx(binomtest(round(values[0] * 20), round(values[0] * 20)).pvalue)
    assert found.real
    assert results.groups("analogy", "analogies") == [("good",), ("poor",)]


def test_embeddings_that_cannot_be_told_apart_stand_in_one_group():
    results = lexiscope.run(THREE, "similarity", PAIRS)

    assert sorted(results.groups("similarity", "sixty")[0]) == ["a", "b", "c"]


def test_chances_are_corrected_over_all_comparisons_of_the_run():
    results = lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS])

    ps = sorted((c.p, c.p_holm) for c in results.comparisons)
    assert len(ps) == 6
    assert ps[0][1] == pytest.approx(min(1, 6 * ps[0][0]))


def test_a_section_called_all_does_not_replace_the_whole():
    rows = [
        (f"w{k}", f"w{k + 1}", f"w{k + 2}", f"w{k + 3}", "all" if k < 3 else "b") for k in range(9)
    ]

    found = {
        r.slice: r.total for r in lexiscope.run(THREE[0], "analogy", analogies(*rows)) if r.main
    }

    assert found == {"all": 9, "b": 6}


@pytest.mark.parametrize("toy", ["broken", "unmeasured", "nothing", "short"])
def test_a_task_that_fails_is_reported_and_the_rest_goes_on(toys, toy):
    toys(toy)
    reason = {
        "broken": "RuntimeError: the toy broke",
        "unmeasured": "ZeroDivisionError: no measure",
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


def test_equal_content_is_asked_once_and_reported_for_each(monkeypatch):
    cells = asked(monkeypatch)

    results = lexiscope.run({"one": THREE[0], "two": THREE[0]}, "similarity", PAIRS)

    assert len(cells) == 1
    assert [r.embedding for r in results.main()] == ["one", "two"]
    assert [c.p for c in results.comparisons] == [1]


def test_finished_work_is_not_done_again(tmp_path, monkeypatch):
    cells = asked(monkeypatch)
    arguments = {"tasks": BOTH, "datasets": [PAIRS, QUESTIONS], "store": tmp_path / "s.sqlite"}

    first = lexiscope.run(THREE, **arguments)
    assert len(cells) == 6
    second = lexiscope.run(THREE, **arguments)

    assert len(cells) == 6
    assert first.to_dict() == second.to_dict()


def test_only_what_is_new_is_asked(tmp_path, monkeypatch):
    cells = asked(monkeypatch)
    store = tmp_path / "s.sqlite"
    lexiscope.run(THREE[:2], BOTH, [PAIRS], store=store)
    assert len(cells) == 2

    grown = lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS], store=store)

    assert len(cells) == 2 + 4
    assert document(grown) == document(lexiscope.run(THREE, BOTH, [PAIRS, QUESTIONS]))


@pytest.mark.parametrize(
    "change",
    [{"seed": 1}, {"policy": Policy(case="exact")}, {"settings": {"analogy.epsilon": 0.5}}],
    ids=str,
)
def test_another_seed_policy_or_setting_is_other_work(tmp_path, monkeypatch, change):
    cells = asked(monkeypatch)
    for extra in ({}, change):
        lexiscope.run(THREE[0], "analogy", QUESTIONS, store=tmp_path / "s.sqlite", **extra)

    assert len(cells) == 2


def test_force_does_the_work_again(tmp_path, monkeypatch):
    cells = asked(monkeypatch)
    runs = [
        lexiscope.run(THREE[0], "similarity", PAIRS, store=tmp_path / "s.sqlite", force=force)
        for force in (False, True)
    ]

    assert len(cells) == 2
    assert document(runs[0]) == document(runs[1])


def test_a_failed_cell_is_asked_again_the_next_time(tmp_path, toys, monkeypatch):
    toys("broken")
    cells = asked(monkeypatch)
    for _ in range(2):
        results = lexiscope.run(
            THREE[0], ["broken", "similarity"], PAIRS, store=tmp_path / "s.sqlite"
        )

    assert [c.task_name for c in cells] == ["broken", "similarity", "broken"]
    assert len(results.failures) == 1


def test_progress_counts_what_is_asked_and_compared():
    told = []

    lexiscope.run(THREE, "similarity", PAIRS, progress=lambda *state: told.append(state))

    assert told[0] == ("Reading and aligning", 0, 1)
    assert [state for state in told if state[0] == "Asking"] == [("Asking", k, 3) for k in range(4)]
    assert told[-1] == ("Comparing", 3, 3)


def test_a_store_that_fills_up_ends_the_run_with_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "add", full)

    with pytest.raises(BadData, match="disk is full"):
        lexiscope.run(THREE, "similarity", PAIRS, store=tmp_path / "s.sqlite")


def full(*_):
    raise BadData("the disk is full")


@pytest.mark.parametrize(
    ("options", "problem", "sentence"),
    [
        ({"backend": "procesess"}, UnknownName, "Did you mean 'processes'"),
        ({"jobs": 0}, BadUsage, "The number of jobs must be 1 or more, found 0"),
        ({"seed": -1}, BadUsage, "A seed is a number from 0"),
        ({"settings": {"solver": "x"}}, BadUsage, "A setting is TASK.FIELD, found 'solver'"),
        ({"tasks": "simlarity"}, UnknownName, "Did you mean 'similarity'"),
        ({"tasks": "analogy"}, LexiscopeError, "None of the chosen tasks has anything to ask"),
    ],
)
def test_what_makes_no_sense_is_refused(options, problem, sentence):
    with pytest.raises(problem) as caught:
        lexiscope.run(THREE[0], datasets=PAIRS, **options)
    assert sentence in str(caught.value)


def test_a_bad_number_of_threads_is_refused_by_name(monkeypatch):
    monkeypatch.setenv("LEXISCOPE_THREADS", "many")

    with pytest.raises(
        BadUsage, match="LEXISCOPE_THREADS must be a number from 1 up, found 'many'"
    ):
        lexiscope.run(THREE[0], datasets=PAIRS)


def test_words_of_any_unicode_go_through_a_run(tmp_path):
    words = ["cat", "naïve", "日本", "🐈", "a b", "x\u202ey", "Straße", "\ud800odd"]
    rows = [(words[k], words[(k + 1) % 7], float(k)) for k in range(7)]
    questions = analogies(("cat", "naïve", "日本", "🐈"), ("🐈", "日本", "cat", "Straße"))

    results = lexiscope.run(
        [seeded("<b>é</b>", words), seeded("\x1b[31m", words, 1)],
        datasets=[word_pairs(*rows, name="日本"), questions],
        policy=Policy("shared"),
        store=tmp_path / "s.sqlite",
    )

    assert not results.failures
    assert json.loads(results.to_json())["results"][0]["embedding"] == "<b>é</b>"
    assert "<b>é" not in results._repr_html_()


def test_an_answer_that_is_half_a_surrogate_is_stored_all_the_same(tmp_path):
    words = ("a", "b", "c", "\ud800")
    odd = embedding("odd", words, [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    questions = analogies(("a", "b", "c", "a"))

    results = lexiscope.run(odd, "analogy", questions, store=tmp_path / "s.sqlite")

    assert not results.failures
    assert results.main()[0].value == 0


def test_results_are_tables_too():
    results = lexiscope.run(THREE, "similarity", [PAIRS])

    frame = results.to_frame()
    assert len(frame) == len(results) == 6
    assert {"embedding", "value", "low", "high", "used", "total"} <= set(frame.columns)
    assert results._repr_html_().count("<tr>") == 1 + 3


def test_the_manifest_says_how_to_repeat_the_run():
    manifest = lexiscope.run(THREE, datasets=[PAIRS], seed=4).manifest

    assert manifest["seed"] == 4
    assert manifest["policy"] == Policy().as_dict()
    assert [e["sha256"] for e in manifest["embeddings"]] == [e.fingerprint for e in THREE]
    assert manifest["datasets"][0]["sha256"] == PAIRS.fingerprint
    assert {"lexiscope", "python", "numpy"} <= set(manifest["versions"])


def test_file_names_that_are_no_text_can_be_read_and_stored(tmp_path):
    vectors, pairs = (tmp_path / f"caf\udce9.{end}" for end in ("vec", "tsv"))  # Latin-1 names
    vectors.write_text("cat 1 0\ndog 1 1\ncup 0 1\ntea 1 3\n")
    pairs.write_text("cat\tdog\t1\ncat\tcup\t2\ndog\ttea\t3\ncup\ttea\t5\n")

    results = lexiscope.run(
        [str(vectors), vectors], "similarity", pairs, store=tmp_path / "s.sqlite"
    )

    assert results.embeddings == [r.embedding for r in results.main()]
    assert {r.dataset for r in results} == {results.manifest["datasets"][0]["name"]}
    results.to_json().encode()


def test_a_score_too_small_for_an_interval_is_kept_and_says_so():
    three = word_pairs(("cat", "dog", 1), ("cat", "cup", 2), ("dog", "cup", 3))

    (result,) = lexiscope.run(seeded("few", ("cat", "dog", "cup")), "similarity", three).main()

    assert result.value is not None
    assert (result.low, result.high) == (None, None)
    assert "too few resamples" in result.state


def test_without_any_known_word_accuracy_of_all_is_zero():
    questions = analogies(("man", "woman", "king", "queen"))

    found = {r.measure: r for r in lexiscope.run(seeded("far", ("x", "y")), "analogy", questions)}

    assert found["accuracy"].value is None
    assert found["accuracy_of_all"].value == 0


def test_spools_of_killed_runs_are_swept_away(tmp_path, monkeypatch):
    import os
    import subprocess
    import sys

    monkeypatch.setattr(handing.tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    ours = handing._spool_name()
    kept = {f"{ours}{os.getpid()}-x", f"{ours}notes", f"lexiscope-other-{gone.pid}-x"}
    for name in (*kept, f"{ours}{gone.pid}-x", f"{ours}{10**30}-x"):
        (tmp_path / name).mkdir()

    handing._sweep()

    assert {path.name for path in tmp_path.iterdir()} == kept


def test_the_best_is_who_is_beaten_by_no_one_on_shared_items():
    words = [f"w{k}" for k in range(40)]
    pairs = word_pairs(*[("w0", w, float(k)) for k, w in enumerate(words[1:], 1)])
    angles = np.linspace(3, 0.05, 40)
    angles[0] = 0
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    whole = embedding("whole", words, np.where(np.arange(40)[:, None] % 3 == 2, -circle, circle))
    few = embedding("few", words[:31], circle[:31])

    results = lexiscope.run([whole, few], "similarity", pairs)

    scores = {r.embedding: r.value for r in results.main()}
    (comparison,) = results.comparisons
    assert comparison.real
    assert comparison.difference < 0
    assert results.leaders("similarity", "pairs") == ["few"]
    assert results.groups("similarity", "pairs") == [("few",), ("whole",)]
    assert scores["few"] > 0.99


def test_embeddings_that_share_no_item_are_not_called_alike():
    words = synthetic_words(40)
    first, second = seeded("first", words[:20], 1), seeded("second", words[20:], 2)
    pairs = word_pairs(*[(words[k], words[k + 1], float(k)) for k in [*range(18), *range(20, 38)]])

    results = lexiscope.run([first, second], "similarity", pairs)

    assert results.comparisons[0].p is None
    assert results.groups("similarity", "pairs") == []  # letters would look like an order


def test_many_comparisons_get_enough_swaps_to_be_told_apart():
    from lexiscope.stats.paired import SWAPS, enough_swaps

    assert enough_swaps(3) == SWAPS
    assert 1000 / (1 + enough_swaps(1000)) < 0.05


def test_a_zero_variant_does_not_hide_a_good_one():
    mixed = embedding("mixed", ("Cat", "cat", "dog", "cup"), [[0, 0], [1, 0], [0, 1], [1, 1]])
    pairs = word_pairs(("cat", "dog", 1), ("cat", "cup", 3), ("dog", "cup", 2))

    results = lexiscope.run(mixed, "similarity", pairs)

    assert results.coverage[0].used == 3
    assert results.coverage[0].zero == ()


def test_force_keeps_the_old_cell_until_the_new_one_is_there(tmp_path, monkeypatch, toys):
    from lexiscope.tasks.similarity import Similarity

    path = tmp_path / "store.sqlite"
    first = lexiscope.run(THREE[0], "similarity", PAIRS, store=path)

    def broken(*arguments):
        raise RuntimeError("no answer today")

    monkeypatch.setattr(Similarity, "answer", broken)
    again = lexiscope.run(THREE[0], "similarity", PAIRS, store=path, force=True)

    assert again.failures
    assert again.main()[0].value == first.main()[0].value


def test_only_tasks_that_were_asked_stand_in_the_manifest():
    results = lexiscope.run(THREE[0], datasets=PAIRS)

    assert [task["name"] for task in results.manifest["tasks"]] == ["ranking", "similarity"]
    assert repr(results) == "Results(3 scores of 1 embeddings, 0 comparisons)"
