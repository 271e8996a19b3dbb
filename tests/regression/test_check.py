import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import lexiscope
from lexiscope.core.decision import DecisionRule
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.core.result import Result
from lexiscope.data.inputs import Inputs
from lexiscope.data.local_data import LocalData
from lexiscope.evaluation.comparison import correct
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.resolve import resolve_datasets, resolve_tasks
from lexiscope.evaluation.run import execute_in
from lexiscope.regression import baseline
from lexiscope.regression.baseline import BaselineScore
from lexiscope.regression.check import check
from lexiscope.regression.new_baseline import create_baseline, predictions_of, write_baseline
from lexiscope.regression.rules import rule
from lexiscope.regression.unpaired import unpaired
from lexiscope.stats.multiple_comparisons import holm
from lexiscope.store.store import Store
from lexiscope.tasks.similarity import Similarity

WORDS = [f"w{k}" for k in range(80)]
TRUE = np.random.default_rng(0).normal(size=(80, 6))
DROP = ["significant-drop"]


def noisy(name, noise, words=80, seed=1):
    """The true vectors of the first words, with noise of that size."""
    blurred = TRUE + noise * np.random.default_rng(seed).normal(size=TRUE.shape)
    return embedding(name, WORDS[:words], blurred[:words])


def cosine(one, other):
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


OLD = noisy("old", 0.5)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Datasets of four kinds from the true vectors: embeddings near them score well."""
    rng = np.random.default_rng(7)
    pairs = [rng.choice(80, 2, replace=False) for _ in range(200)]
    alone = rng.permutation(80).reshape(40, 2)  # each word occurs once
    for name, rows in (("pairs", pairs), ("alone", alone)):
        _write(
            f"{tmp_path}/{name}.tsv",
            [(WORDS[a], WORDS[b], f"{5 + 5 * cosine(TRUE[a], TRUE[b]):.3f}") for a, b in rows],
        )
    groups = np.argmax(TRUE[:, :4], axis=1)
    _write(f"{tmp_path}/groups.tsv", [(f"g{g}", w) for g, w in zip(groups, WORDS, strict=True)])
    _write(f"{tmp_path}/synonyms.tsv", [_synonym_question(rng, k) for k in range(80)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _synonym_question(rng, query):
    options = rng.choice([k for k in range(80) if k != query], 4, replace=False)
    best = sorted(options, key=lambda k: -cosine(TRUE[query], TRUE[k]))
    return [WORDS[query], *(WORDS[k] for k in best)]


def _write(path, rows):
    Path(path).write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")


FILES = ("pairs.tsv", "alone.tsv", "groups.tsv", "synonyms.tsv")


def saved(*embeddings, files=("pairs.tsv",), tasks=()):
    """A baseline file."""
    made = create_baseline(embeddings, tasks, files, Inputs(), Execution())
    write_baseline(Path("b.json"), made.results.to_dict(), made.predictions, made.sources)
    return json.loads(Path("b.json").read_text("utf-8"))


def checked(*embeddings, rules=DROP, name=None, **options):
    read = baseline.read(Path("b.json"), name)
    return check(embeddings, read, rules, Inputs(), Execution(), **options)


def rewritten(document):
    Path("b.json").write_text(json.dumps(document), "utf-8")


def test_the_same_embedding_passes_with_no_difference_at_all():
    saved(OLD, files=FILES)

    found = checked(OLD)

    assert not found.failed
    assert len(found.evaluations) == 5
    assert {each.comparison.difference for each in found.evaluations} == {0.0}
    assert {each.comparison.p for each in found.evaluations} == {1.0}
    # The same predictions on few items do not show equivalence.
    assert {each.verdict for each in found.evaluations} <= {"equivalent", "undecided"}


def test_a_significantly_worse_embedding_fails():
    saved(OLD)

    found = checked(noisy("new", 2.0))

    (failed,) = [each for each in found.failed if each.task == "similarity"]
    assert failed.verdict == "significantly worse"
    assert failed.fails == ("significant-drop",)
    assert failed.comparison.difference < 0
    assert failed.comparison.p_holm < 0.05


def test_texts_that_are_not_stored_are_read_from_their_file(folder):
    rows = [f"{word} {WORDS[k - 1]},{'good' if TRUE[k, 0] > 0 else 'bad'}" for k, word in
            enumerate(WORDS)]  # fmt: skip
    (folder / "texts.csv").write_text("\n".join(["text,label", *rows]), "utf-8")
    saved(OLD, files=("texts.csv",))

    (same,), (other,) = (checked(each).evaluations for each in (OLD, noisy("new", 9.0)))

    assert (same.task, same.comparison.difference) == ("sentiment", 0.0)
    assert other.comparison.difference < 0
    assert other.comparison.p is not None


def test_a_better_embedding_passes():
    saved(OLD)

    found = checked(noisy("new", 0.1), rules=["significant-drop", "any-drop"])

    assert not found.failed
    assert found.evaluations[-1].verdict == "significantly better"


def test_a_difference_that_is_not_significant_is_undecided():
    saved(OLD, tasks=["similarity"])

    (found,) = checked(noisy("new", 0.5, seed=2)).evaluations

    assert found.verdict == "undecided"
    assert found.comparison.p_equivalence > 0.05
    assert found.comparison.detectable_difference > abs(found.comparison.difference)


def test_a_small_difference_is_equivalent_only_if_the_equivalence_test_is_significant():
    saved(OLD, tasks=["similarity"])
    near = embedding("near", WORDS, OLD.vectors + 1e-3 * TRUE[:, ::-1])

    (wide,), (narrow,) = (
        checked(near, decision=DecisionRule(margin=margin)).evaluations for margin in (0.05, 1e-9)
    )

    assert (wide.verdict, narrow.verdict) == ("equivalent", "undecided")
    assert wide.comparison.p_equivalence < 0.05 < narrow.comparison.p_equivalence
    assert wide.comparison.p == narrow.comparison.p


def test_a_pair_of_embeddings_without_a_test_is_undecided_and_never_passes():
    """Two scores without intervals have a difference but no p-value."""
    document = saved(OLD, tasks=["similarity"])
    document["results"][0] |= {"low": None, "high": None}
    rewritten({key: value for key, value in document.items() if key != "predictions"})

    (found,) = checked(noisy("new", 0.5, seed=2)).evaluations

    assert (found.verdict, found.fails) == ("undecided", ("nothing tested",))
    assert "no interval" in found.reason


def uncorrected(comparison):
    """A comparison without what depends on the number of tests."""
    return replace(
        comparison, p_holm=None, p_bh=None, p_equivalence=None, significant=False,
        outcome="undecided", detectable_difference=None,
    )  # fmt: skip


@pytest.mark.parametrize("words", [80, 60])
def test_differences_and_p_values_are_those_of_a_run_that_compares_both(words):
    saved(OLD, files=FILES)
    new = noisy("new", 0.9, words)

    found = checked(new)

    both = lexiscope.run([new, OLD], datasets=list(FILES))
    tested = [each.comparison for each in found.evaluations if each.comparison.p is not None]
    # Both have no test of four categories.
    compared = [c for c in both.comparisons if c.p is not None]
    assert len({c.test.split()[0] for c in tested}) >= 2
    assert [uncorrected(c) for c in tested] == [uncorrected(c) for c in compared]
    corrected = holm([c.p for c in tested], [c.min_p for c in tested])
    assert [c.p_holm for c in tested] == corrected.tolist()


def test_two_new_embeddings_are_corrected_together():
    saved(OLD, tasks=["similarity"])

    found = checked(noisy("one", 2.0), noisy("two", 0.5, seed=3))

    ps = [each.comparison.p for each in found.evaluations]
    assert [each.embedding for each in found.evaluations] == ["one", "two"]
    assert [each.comparison.p_holm for each in found.evaluations] == holm(ps).tolist()


@pytest.mark.parametrize(
    ("seed", "words", "rules", "fails"),
    [
        (2, 80, ["significant-drop"], ()),  # falls by 0.046, which is not significant
        (2, 80, ["any-drop"], ("any-drop",)),
        (2, 80, ["drop=0.05"], ()),
        (2, 80, ["drop=0.04", "any-drop"], ("drop=0.04", "any-drop")),
        (1, 60, ["significant-drop"], ()),
        (1, 60, ["significant-drop", "coverage-drop"], ("coverage-drop",)),
        (1, 79, ["coverage-drop"], ()),
    ],
)
def test_rules_set_what_fails(seed, words, rules, fails):
    saved(OLD, tasks=["similarity"])

    (found,) = checked(noisy("new", 0.5, words, seed), rules=rules).evaluations

    assert found.fails == fails
    assert found.used <= found.baseline_used == 200


@pytest.mark.parametrize("text", ["drop", "drop=", "drop=x", "drop=nan", "drop=-1", "no", "drop=0"])
def test_an_invalid_rule_is_refused(text):
    with pytest.raises(BadUsage, match="--fail-on"):
        rule(text)


def test_an_embedding_without_coverage_fails():
    saved(OLD)

    found = checked(embedding("new", ["elsewhere", "other"], np.eye(2)))

    assert {each.verdict for each in found.evaluations} == {"not evaluated"}
    assert len(found.failed) == 2


def test_a_task_that_has_changed_is_not_compared(monkeypatch):
    saved(OLD)
    monkeypatch.setattr(Similarity, "version", 2)

    found = checked(noisy("new", 2.0))

    changed = found.evaluations[-1]
    assert (changed.verdict, changed.fails) == ("not comparable", ())
    assert "Make a new baseline" in changed.reason
    assert found.evaluations[0].verdict != "not comparable"


def test_an_evaluation_without_a_baseline_score_is_not_compared():
    document = saved(OLD)
    document["results"][0] |= {"value": None, "low": None, "high": None, "state": "no order"}
    rewritten(document)

    first = checked(OLD).evaluations[0]

    assert (first.verdict, first.fails) == ("not comparable", ())
    assert "no order" in first.reason


def test_a_dataset_that_the_task_no_longer_applies_to_is_not_compared(monkeypatch):
    saved(OLD)
    monkeypatch.setattr(Similarity, "applies_to", lambda *_: False)

    assert checked(OLD).evaluations[-1].verdict == "not comparable"


def test_a_task_that_raises_on_the_new_embedding_fails(monkeypatch):
    saved(OLD)
    monkeypatch.setattr(Similarity, "predict", lambda *_: 1 / 0)

    broken = checked(noisy("new", 0.1)).evaluations[-1]

    assert (broken.verdict, broken.fails) == ("not evaluated", ("not evaluated",))
    assert "ZeroDivisionError" in broken.reason


def test_a_check_with_nothing_comparable_fails(monkeypatch):
    saved(OLD, tasks=["similarity"])
    monkeypatch.setattr(Similarity, "version", 2)

    assert checked(OLD).evaluations[0].fails == ("nothing comparable",)


def test_a_dataset_that_has_changed_is_refused_with_both_checksums(folder):
    document = saved(OLD)
    with (folder / "pairs.tsv").open("a") as file:
        file.write("w1\tw2\t3\n")

    with pytest.raises(BadData, match=document["results"][0]["dataset_fingerprint"]) as error:
        checked(OLD)

    (now,) = resolve_datasets(["pairs.tsv"], [Similarity.dataset], LocalData())
    assert now.fingerprint in str(error.value)


def test_the_file_of_a_dataset_without_path_can_be_given(folder):
    document = saved(OLD)
    rewritten(document | {"sources": {}})
    (folder / "elsewhere").mkdir()
    (folder / "pairs.tsv").rename(folder / "elsewhere" / "pairs.tsv")

    assert not checked(OLD, datasets=["elsewhere/pairs.tsv"]).failed
    with pytest.raises(BadData, match="--dataset FILE"):
        checked(OLD)
    with pytest.raises(UnknownName, match="dataset in the baseline"):
        checked(OLD, datasets=["elsewhere/pairs.tsv", "more.tsv"])


def test_one_of_several_embeddings_is_chosen_by_name():
    saved(OLD, noisy("older", 1.5))

    assert not checked(OLD, name="old").failed
    assert checked(OLD, name="older").evaluations[-1].verdict == "significantly better"
    with pytest.raises(BadUsage, match="--embedding"):
        checked(OLD)
    with pytest.raises(UnknownName, match="'old'"):
        checked(OLD, name="odl")


def test_settings_seed_and_policy_are_those_of_the_baseline(folder):
    results = lexiscope.run(OLD, "categorization", "groups.tsv", seed=5, policy=Policy(limit=70),
                            settings={"categorization.repeats": [2, 3]})  # fmt: skip
    rewritten(results.to_dict() | {"sources": {"groups": "groups.tsv"}})

    found = checked(OLD)

    assert [each.task for each in found.evaluations] == [
        "categorization (repeats=2)", "categorization (repeats=3)"
    ]  # fmt: skip
    assert [each.score for each in found.evaluations] == [
        each.baseline_score for each in found.evaluations
    ]
    assert [each.used for each in found.evaluations] == [70, 70]


def test_items_are_stored_as_ranges():
    with Store() as store:
        chosen = resolve_tasks(["similarity"])
        items = resolve_datasets(["alone.tsv"], [Similarity.dataset], LocalData())
        lacking = embedding("lacking", [w for w in WORDS if w != items[0].left[3]], TRUE[1:])
        plan = Plan((OLD, lacking), chosen, items, (Policy(), Policy(case="exact")), 0)
        whole, part = predictions_of(store, execute_in(store, plan, Execution()).run)

    assert whole["items"] == "all"
    assert part["items"] == [[0, 2], [4, 39]]
    assert (len(whole["predictions"]), len(part["predictions"])) == (40, 39)
    assert list(part) == ["embedding", "task", "variant", "settings", "dataset",
                          "dataset_fingerprint", "items", "predictions"]  # fmt: skip


def test_a_store_keeps_the_predictions_of_a_check(folder):
    saved(OLD)
    execution, read = Execution("s.sqlite"), baseline.read(Path("b.json"))

    first, second = (check([OLD], read, DROP, Inputs(), execution) for _ in range(2))

    assert first == second
    with Store("s.sqlite") as store:
        assert len(store.runs()) == 1


def score(kind, value, low, high, **more):
    blanks = dict.fromkeys(kind.__dataclass_fields__, "x") | {"level": 0.95, "used": 9, "total": 9}
    return kind(**(blanks | {"value": value, "low": low, "high": high} | more))


def test_without_predictions_equivalence_uses_the_wider_sides_of_the_intervals():
    new, old = score(Result, 0.90, 0.89, 0.91), score(BaselineScore, 0.901, 0.881, 0.906)

    (near,) = correct([unpaired(new, old, (-1.0, 1.0))], DecisionRule(margin=0.05))
    (without_bounds,) = correct([unpaired(new, old)], DecisionRule(margin=0.05))

    error = np.hypot(0.01, 0.02) / norm.ppf(0.975)
    assert near.p_equivalence == pytest.approx(norm.sf((0.05 - 0.001) / error))
    assert near.outcome == "equivalent"
    assert (without_bounds.p_equivalence, without_bounds.outcome) == (None, "undecided")


def test_without_predictions_the_test_uses_the_two_intervals():
    half = 0.05 * norm.ppf(0.975)  # a standard error of 0.05

    found = unpaired(
        score(Result, 0.5, 0.5 - half, 0.5 + half),
        score(BaselineScore, 0.7, 0.7 - half, 0.7 + half),
    )

    error = 0.05 * np.sqrt(2)
    assert found.difference == pytest.approx(-0.2)
    assert found.p == pytest.approx(2 * norm.sf(0.2 / error))
    assert found.low == pytest.approx(-0.2 - error * norm.ppf(0.975))
    assert found.high == pytest.approx(-0.2 + error * norm.ppf(0.975))
    assert found.error == pytest.approx(error)
    (corrected,) = correct([found])
    assert corrected.detectable_difference == pytest.approx(
        (norm.ppf(0.975) + norm.ppf(0.8)) * error
    )


def test_an_asymmetric_interval_counts_with_the_side_towards_the_other_score():
    found = unpaired(score(Result, 0.9, 0.8, 0.93), score(BaselineScore, 1.0, 0.96, 1.0))

    assert found.high == pytest.approx(-0.1 + np.hypot(0.03, 0.04))
    assert found.low == pytest.approx(-0.1 - 0.1)
    assert found.p == pytest.approx(2 * norm.sf(0.1 / (0.05 / norm.ppf(0.975))))


@pytest.mark.parametrize(
    ("now", "reason"), [((0.5, None, None), "no interval"), ((0.5, 0.5, 0.5), "width")]
)
def test_scores_without_intervals_are_not_compared(now, reason):
    found = unpaired(score(Result, *now), score(BaselineScore, 0.7, 0.7, 0.7))

    assert found.p is None
    assert reason in found.state


def test_a_document_without_predictions_is_tested_unpaired_with_less_power():
    document = saved(OLD, tasks=["similarity"])
    new = noisy("new", 1.0)
    (paired,) = checked(new).evaluations
    rewritten({key: value for key, value in document.items() if key != "predictions"})

    (unpaired_,) = checked(new).evaluations
    (same,) = checked(OLD).evaluations

    assert unpaired_.comparison.difference == pytest.approx(paired.comparison.difference)
    assert unpaired_.comparison.p > paired.comparison.p
    assert "unpaired" in unpaired_.comparison.test
    assert (same.comparison.difference, same.comparison.p) == (0.0, 1.0)


def changed(document, path, value):
    """The document with one value in it changed."""
    here = document
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return document


ROW, PREDICTIONS = ("results", 0), ("predictions", 0)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("results",), 3),
        (("results",), []),
        (("manifest",), None),
        (("manifest", "seed"), -1),
        (("manifest", "seed"), 10**400),
        (("manifest", "policy", "case"), "upper"),
        (("manifest", "policy", "limit"), 0),
        (("manifest", "policy", "vocabulary"), "shared"),
        (("manifest", "embeddings"), []),
        ((*ROW, "value"), 1e300),
        ((*ROW, "value"), "0.5"),
        ((*ROW, "value"), 0.123),
        ((*ROW, "low"), 5.0),
        ((*ROW, "low"), None),
        ((*ROW, "used"), -1),
        ((*ROW, "used"), 10**12),
        ((*ROW, "total"), 10**11),
        ((*ROW, "level"), 7),
        ((*ROW, "settings"), {"a": {"b": 1}}),
        ((*ROW, "dataset"), "x" * 10_000),
        ((*ROW, "dataset"), "\0"),
        ((*ROW, "dataset"), "google-analogies"),
        ((*ROW, "dataset"), "glove-6b-50d"),
        (("sources", "pairs"), "/dev/zero"),
        (("sources", "pairs"), "\0"),
        ((*PREDICTIONS, "items"), [[0, 10**11]]),
        ((*PREDICTIONS, "items"), [[0, 99], [50, 149]]),
        ((*PREDICTIONS, "items"), [[100, 199], [0, 99]]),
        ((*PREDICTIONS, "items"), [[1, 200]]),
        ((*PREDICTIONS, "items"), [[199, 0]]),
        ((*PREDICTIONS, "items"), "some"),
        ((*PREDICTIONS, "predictions"), []),
        ((*PREDICTIONS, "predictions"), [0.5] * 200),
        ((*PREDICTIONS, "predictions"), ["x" * 10_000] * 200),
        ((*PREDICTIONS, "predictions", 3), "word"),
        ((*PREDICTIONS, "predictions", 3), None),
        ((*PREDICTIONS, "predictions", 3), 1e200),
        ((*PREDICTIONS, "predictions", 3), 10**400),
        ((*PREDICTIONS, "predictions", 3), [1]),
    ],
)
def test_a_corrupt_baseline_is_an_error_with_a_message(path, value):
    rewritten(changed(saved(OLD, tasks=["similarity"]), path, value))

    with pytest.raises(LexiscopeError) as error:
        checked(OLD)

    assert error.value.exit_code == 3
    assert len(str(error.value)) < 11_000


@pytest.mark.parametrize(
    "prediction", ["a b", "-1 2", "999999999", "1 2 3", "99999999999999999999", "٣"]
)
def test_corrupt_clusters_are_an_error_with_a_message(prediction):
    document = saved(OLD, files=["groups.tsv"])
    rewritten(changed(document, (*PREDICTIONS, "predictions", 0), prediction))

    with pytest.raises(BadData, match="do not give the stored score"):
        checked(OLD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"results": NaN}',
        "1" * 5000,
        "{",
        "\ufeff{}",
        "\xff",
    ],
)
def test_a_file_that_is_not_a_baseline_is_an_error_with_a_message(text):
    Path("b.json").write_text(text, "latin-1" if text == "\xff" else "utf-8")

    with pytest.raises(BadData, match="--save FILE"):
        checked(OLD)


def test_a_missing_key_is_named():
    document = saved(OLD)
    del document["results"][0]["variant"]
    rewritten(document)

    with pytest.raises(BadData, match="missing required field `variant`"):
        checked(OLD)


@pytest.mark.parametrize("key", ["results", "predictions"])
def test_a_duplicate_evaluation_is_refused(key):
    document = saved(OLD)
    rewritten(document | {key: document[key] * 2})

    with pytest.raises(BadData, match="twice"):
        checked(OLD)


def test_a_removed_setting_or_task_is_not_compared():
    document = saved(OLD)
    document["results"][0]["settings"] = {"gone": 1}
    document["results"][1]["task"] = "gone"
    rewritten(document)

    assert {each.verdict for each in checked(OLD).evaluations} == {"not comparable"}
