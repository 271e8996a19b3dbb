"""Recommendations: constructed cases with known answers."""

from dataclasses import asdict, replace

import numpy as np
import pytest

import lexiscope
from lexiscope import DecisionRule, Metric
from lexiscope.core.decision import DEFAULT_RULE
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.core.result import Comparison, Result
from lexiscope.evaluation.load import load_results
from lexiscope.evaluation.results import Results
from lexiscope.store.store import Store
from tests.builders import analogies, categories, synthetic_words, word_pairs

ITEMS = 150
PAIRS = word_pairs(*((f"a{k}", f"b{k}", float(k)) for k in range(ITEMS)), name="ratings")


def rated(name, noise, seed=0, known=range(ITEMS), items=ITEMS):
    """An embedding whose cosines follow the ratings up to noise."""
    rng = np.random.default_rng(seed)
    cosines = np.clip(np.linspace(-0.9, 0.9, items) + noise * rng.normal(size=items), -1, 1)
    right = np.column_stack([cosines, np.sqrt(1 - cosines**2)])
    words = [f"{side}{k}" for side in "ab" for k in known]
    left = np.tile([1.0, 0.0], (items, 1))
    return embedding(name, words, np.vstack([left[list(known)], right[list(known)]]))


# Constructed results: one score and the given outcomes for every two embeddings.


def compared(first, second, winner, dataset, task="similarity", items=100, total=100):
    """A comparison that `winner` wins; "equivalent" and "undecided" are outcomes without one."""
    won = winner in (first, second)
    difference = {first: 0.3, second: -0.3}.get(winner, 0.0)
    return Comparison(
        first, second, task, dataset, "spearman", {}, difference, difference - 0.1,
        difference + 0.1, 0.001 if won else 0.5, 0.002 if won else 1.0, items, "t", won,
        variant=task, detectable_difference=0.2, outcome="different" if won else winner,
        margin=0.05, total=total, range=2.0,
    )  # fmt: skip


def scored(name, dataset, task="similarity", used=100, total=100):
    return Result(
        name, task, dataset, "spearman", "all", 0.5, 0.4, 0.6, used, total, "", {}, {}, 0, 0.95,
        True, "", 1, "", "", task,
    )  # fmt: skip


def results_of(*comparisons, rule=None, scores=()):
    names = list(dict.fromkeys(n for c in comparisons for n in (c.first, c.second)))
    where = dict.fromkeys((c.task, c.dataset, c.total) for c in comparisons)
    rows = {(n, t, d): scored(n, d, t, total, total) for n in names for t, d, total in where}
    rows |= {(r.embedding, r.variant, r.dataset): r for r in scores}
    manifest = {
        "embeddings": [{"name": name} for name in names],
        "decision": (rule or DecisionRule()).as_dict(),
    }
    return Results(
        "", tuple(rows.values()), comparisons, (), (), manifest, Policy(), None
    )  # fmt: skip


def advice(*comparisons, **options):
    found = results_of(*comparisons, **options).recommendation
    return found.kind, found.embeddings


def test_an_embedding_that_beats_all_others_is_recommended():
    assert advice(
        compared("x", "y", "x", "men"), compared("x", "z", "x", "men"),
        compared("y", "z", "undecided", "men"),
    ) == ("use", ("x",))  # fmt: skip


def test_tasks_on_one_dataset_are_one_vote():
    """Ranking and similarity use the same file, so y wins one dataset and x two."""
    votes = [
        compared("x", "y", "y", "men", "ranking"), compared("x", "y", "y", "men", "similarity"),
        compared("x", "y", "x", "ws353"), compared("x", "y", "x", "simlex"),
    ]  # fmt: skip

    found = results_of(*votes).recommendation

    assert (found.kind, found.embeddings) == ("use", ("x",))
    (pair,) = found.pairs
    assert [(d.dataset, d.outcome) for d in pair.datasets] == [
        ("men", "second"), ("ws353", "first"), ("simlex", "first"),
    ]  # fmt: skip
    assert advice(*votes[:3]) == ("depends", ("x", "y"))


def test_a_dataset_with_wins_on_both_sides_is_mixed():
    found = results_of(
        compared("x", "y", "x", "men", "ranking"), compared("x", "y", "y", "men", "similarity")
    ).recommendation

    assert found.pairs[0].datasets[0].outcome == "mixed"
    assert found.kind == "depends"


def test_primary_datasets_decide_with_their_weights():
    votes = [compared("x", "y", "x", "men"), compared("x", "y", "y", "ws353")]

    def by(primary):
        return advice(*votes, rule=DecisionRule(primary=primary))

    assert by({}) == ("depends", ("x", "y"))
    assert by({"ws353": 1}) == ("use", ("y",))
    assert by({"ws353": 1, "men": 2.5}) == ("use", ("x",))
    assert by({"similarity on men": 1}) == ("use", ("x",))
    only = results_of(*votes, rule=DecisionRule(primary={"men": 1})).recommendation
    assert [d.dataset for d in only.pairs[0].datasets] == ["men"]


def test_a_cycle_depends_on_the_datasets():
    found = advice(
        compared("x", "y", "x", "men"), compared("y", "z", "y", "men"),
        compared("x", "z", "z", "men"),
    )  # fmt: skip

    assert found == ("depends", ("x", "y", "z"))


def test_those_below_a_cycle_are_not_possible():
    found = advice(
        compared("x", "y", "x", "men"), compared("y", "z", "y", "men"),
        compared("x", "z", "z", "men"),
        *(compared(name, "last", name, "men") for name in "xyz"),
    )  # fmt: skip

    assert found == ("depends", ("x", "y", "z"))


@pytest.mark.parametrize(
    ("outcomes", "kind"),
    [
        (("equivalent", "equivalent"), "equivalent"),
        (("equivalent", "undecided"), "undecided"),
        (("undecided", "undecided"), "undecided"),
    ],
)
def test_equivalent_embeddings_are_equivalent_on_all_datasets(outcomes, kind):
    votes = [
        compared("x", "y", outcome, dataset)
        for outcome, dataset in zip(outcomes, ("men", "ws353"), strict=True)
    ]
    votes += [compared(name, "z", name, "men") for name in "xy"]

    assert advice(*votes) == (kind, ("x", "y"))


def test_two_that_beat_not_all_others_are_not_recommended_as_equivalent():
    assert advice(
        compared("x", "y", "equivalent", "men"), compared("x", "z", "x", "men"),
        compared("y", "z", "undecided", "men"),
    ) == ("undecided", ("x", "y"))  # fmt: skip


def test_one_that_is_beaten_by_none_is_not_recommended_until_it_beats_all():
    """x beats z and z beats y, but x and y are undecided."""
    assert advice(
        compared("x", "z", "x", "men"), compared("z", "y", "z", "men"),
        compared("x", "y", "undecided", "men"),
    ) == ("undecided", ("x", "y"))  # fmt: skip


def test_pairs_with_too_few_shared_items_are_undecided():
    few = compared("x", "y", "x", "men", items=40)

    found = results_of(few, compared("x", "y", "undecided", "ws353")).recommendation

    assert found.kind == "undecided"
    men, ws353 = found.pairs[0].datasets
    assert (men.outcome, men.items) == ("undecided", 40)
    assert men.reason == "both cover only 40 of 100 items"
    assert (ws353.reason, ws353.detectable) == ("", 0.2)
    assert advice(few, rule=DecisionRule(min_coverage=0.4)) == ("use", ("x",))
    results = results_of(few)
    assert results.groups("similarity", "men") == []
    assert results.best("similarity", "men") == ["x", "y"]


def test_nothing_tested_gives_no_recommendation():
    untested = replace(
        compared("x", "y", "undecided", "men"), p=None, p_holm=None, state="too few units"
    )

    found = results_of(untested).recommendation

    assert found.kind == "none"
    assert found.pairs[0].datasets[0].reason == "too few units"


def test_a_dataset_that_no_embedding_covers_does_not_decide():
    rows = [scored(name, "rare", used=30) for name in "xy"]

    found = results_of(
        compared("x", "y", "x", "men"), compared("x", "y", "undecided", "rare", items=30),
        scores=rows,
    ).recommendation  # fmt: skip

    assert (found.kind, found.embeddings) == ("use", ("x",))
    assert found.left_out == {"rare": "no embedding covers more than 30 of 100 items"}


def test_the_document_has_the_recommendation():
    results = results_of(compared("x", "y", "x", "men"))

    document = asdict(results.recommendation)

    assert (document["kind"], document["embeddings"]) == ("use", ("x",))
    assert document["rule"] == DecisionRule().as_dict()


# Cases through the public interface.


@pytest.fixture(scope="module")
def with_noise():
    """Two complete embeddings, and noise that covers 5 of 150 pairs with a perfect score there."""
    noise = rated("noise", 0.0, known=range(0, 150, 30))
    three = [rated("good", 0.1, 1), rated("poor", 1.5, 2), noise]
    return lexiscope.run(three, "similarity", PAIRS)


def test_noise_on_five_items_is_not_recommended(with_noise):
    scores = with_noise.scores("similarity", "ratings")
    assert scores["noise"] == pytest.approx(1)
    assert scores["good"] < 0.999

    found = with_noise.recommendation

    assert (found.kind, found.embeddings) == ("use", ("good",))
    assert found.excluded == {"noise": "covers 5 of 150 items of ratings"}
    assert with_noise.best("similarity", "ratings") == ["good"]
    assert with_noise.groups("similarity", "ratings") == [("good",), ("poor",)]
    assert set(with_noise.ranks("similarity", "ratings")) == {"good", "poor"}


def test_noise_does_not_reduce_the_shared_items_of_others(with_noise):
    rows = {r.embedding: r for r in with_noise.main()}

    assert (rows["noise"].shared_value, rows["noise"].shared_items) == (None, 0)
    assert rows["good"].shared_items == 150
    assert rows["good"].shared_value == rows["good"].value
    assert "(150 shared items)" in with_noise._repr_html_()


def test_disjoint_intervals_never_share_a_letter_because_of_few_shared_items():
    """Both cover 60 %, but only 20 % are shared, where no difference can be significant."""
    good = rated("good", 0.05, 1, known=range(90))
    bad = rated("bad", 5.0, 2, known=range(60, 150))

    results = lexiscope.run([good, bad], "similarity", PAIRS)

    (comparison,) = results.comparisons
    rows = {r.embedding: r for r in results.main()}
    assert comparison.items == 30
    assert rows["bad"].high < rows["good"].low
    assert results.groups("similarity", "ratings") == []
    assert results.recommendation.kind == "none"


@pytest.mark.parametrize(("items", "kind"), [(2000, "equivalent"), (40, "undecided")])
def test_equivalence_needs_a_large_sample(items, kind):
    pairs = word_pairs(*((f"a{k}", f"b{k}", float(k)) for k in range(items)))
    two = [rated(name, 0.05, seed, range(items), items) for seed, name in enumerate("xy")]
    if items == 40:
        two = [rated(name, 0.6, seed, range(items), items) for seed, name in enumerate("xy")]

    results = lexiscope.run(two, "similarity", pairs)

    (comparison,) = results.comparisons
    assert not comparison.significant
    assert comparison.outcome == results.recommendation.kind == kind
    assert results.recommendation.embeddings == ("x", "y")


@pytest.mark.parametrize(("items", "outcome"), [(20, "undecided"), (400, "equivalent")])
def test_equal_hits_on_few_items_are_not_equivalence(items, outcome):
    """If no item differs, the sample must still be large enough to exclude the margin."""
    from lexiscope.evaluation.comparison import (
        EmbeddingPredictions,
        EvaluationPredictions,
        compare,
    )
    from lexiscope.metrics.accuracy import accuracy

    gold = np.array(["right"] * items, object)
    same = [EmbeddingPredictions(name, np.arange(items), gold) for name in "xy"]
    evaluation = EvaluationPredictions(
        "task", "task", "data", "", {}, accuracy, gold, None, same, 0
    )

    (found,) = compare([evaluation], 1)

    assert (found.p, found.outcome) == (1.0, outcome)


def compare_predictions(metric, first, second, gold, rule=DEFAULT_RULE, units=None):
    from lexiscope.evaluation.comparison import (
        EmbeddingPredictions,
        EvaluationPredictions,
        compare,
        correct,
    )

    every = np.arange(len(gold))
    both = [EmbeddingPredictions("x", every, first), EmbeddingPredictions("y", every, second)]
    evaluation = EvaluationPredictions("task", "task", "data", "", {}, metric, gold, units, both, 0)
    (found,) = correct(compare([evaluation], 1), rule)
    return found


@pytest.mark.parametrize("margin", [1e-6, 0.05])
@pytest.mark.parametrize("kind", [float, object])
def test_identical_predictions_are_equivalent_if_the_metric_has_no_bounds(margin, kind):
    size = Metric(lambda predicted, gold: float(len(set(predicted))), "size", jackknife=True)
    predicted, gold = np.arange(20).astype(kind), np.zeros(20)
    other = np.where(predicted == 3, 4, predicted).astype(kind)
    rule = DecisionRule(margin=margin)

    same = compare_predictions(size, predicted, predicted.copy(), gold, rule)
    different = compare_predictions(size, predicted, other, gold, rule)

    assert (same.outcome, same.p_equivalence, same.margin) == ("equivalent", 0, margin)
    assert (different.outcome, different.p_equivalence, different.margin) == (
        "undecided", None, None,
    )  # fmt: skip


def test_equivalence_of_hits_counts_discordant_items():
    from lexiscope.metrics.accuracy import accuracy
    from lexiscope.stats.equivalence import Discordant, equivalence_p_value_of_hits

    gold = np.array(["right"] * 100, object)
    first, second = gold.copy(), gold.copy()
    first[:2], second[2:3] = "wrong", "wrong"

    found = compare_predictions(accuracy, first, second, gold)
    in_units = compare_predictions(
        accuracy, first, second, gold, units=np.repeat(np.arange(20), 5)[:, None]
    )

    assert type(found) is Comparison
    p = equivalence_p_value_of_hits(Discordant(1, 2, 100), 0.05)
    assert found.p_equivalence == pytest.approx(p)
    assert in_units.p_equivalence > 2 * p


def test_identical_vectors_are_equivalent():
    one = rated("one", 0.3, items=20, known=range(20))
    pairs = word_pairs(*((f"a{k}", f"b{k}", float(k)) for k in range(20)))
    questions = analogies(*((f"a{k}", f"b{k}", f"a{k + 1}", f"b{k + 1}") for k in range(0, 20, 2)))

    results = lexiscope.run(
        {"one": one, "copy": one, "rotated": (one.words, one.vectors[:, ::-1])},
        ["similarity", "analogy"], [pairs, questions],
    )  # fmt: skip

    found = {(c.task, c.second): c.outcome for c in results.comparisons if c.first == "one"}
    assert found == {
        ("similarity", "copy"): "equivalent", ("similarity", "rotated"): "equivalent",
        ("analogy", "copy"): "equivalent", ("analogy", "rotated"): "undecided",
    }  # fmt: skip


# Joint tasks: a third embedding never changes the comparison of two others.


@pytest.fixture(scope="module")
def clusters():
    rng = np.random.default_rng(0)
    words = synthetic_words(120)
    centres = np.repeat(rng.normal(size=(12, 6)), 10, axis=0)
    first, second = (centres + spread * rng.normal(size=(120, 6)) for spread in (0.5, 1.5))
    items = categories(**{f"c{k}": " ".join(words[10 * k : 10 * k + 10]) for k in range(12)})
    known = [k for k in range(120) if k % 10 < 8]
    two = [
        embedding("first", words, first),
        embedding("second", [words[k] for k in known], second[known]),
    ]
    tiny = embedding("tiny", words[:14], rng.normal(size=(14, 6)))
    return two, tiny, items


def test_a_tiny_third_embedding_changes_nothing_between_two_others(clusters):
    two, tiny, items = clusters

    alone = lexiscope.run(two, "categorization", items)
    third = lexiscope.run([*two, tiny], "categorization", items)

    (before,) = alone.comparisons
    after = third.comparisons[0]
    assert before.items == 96
    assert (after.difference, after.low, after.high, after.p, after.items, after.error) == (
        before.difference, before.low, before.high, before.p, before.items, before.error,
    )  # fmt: skip
    assert [c.items for c in third.comparisons[1:]] == [14, 12]
    assert "tiny" in third.recommendation.excluded
    shared = [[r.shared_value for r in results.main()[:2]] for results in (alone, third)]
    assert shared[0] == shared[1]


def test_shared_scores_of_joint_tasks_are_predicted_on_the_shared_items(clusters, tmp_path):
    two, _, items = clusters
    store = tmp_path / "s.sqlite"

    results = lexiscope.run(two, "categorization", items, execution=Execution(store))

    first, second = results.main()
    shared = items.take(np.array([k for k in range(120) if k % 10 < 8]))
    alone = lexiscope.run(two[0], "categorization", replace(shared, name="shared")).main()[0]
    assert (first.shared_items, second.shared_items) == (96, 96)
    assert second.shared_value == second.value
    assert first.shared_value != first.value
    assert abs(first.shared_value - alone.value) < 0.1  # other random numbers
    (comparison,) = results.comparisons
    assert comparison.difference == pytest.approx(first.shared_value - second.shared_value)
    with Store(store) as opened:
        loaded = load_results(opened, results.run)
    assert loaded.main() == results.main()
    assert loaded.recommendation == results.recommendation


def test_a_joint_task_predicts_the_items_of_a_pair_once(clusters, monkeypatch):
    from lexiscope.evaluation.findings import common_items

    two, tiny, items = clusters
    calls = []

    def counting(cell, aligned, chosen):
        calls.append((cell.embedding, chosen.tobytes()))
        return predict_again(cell, aligned, chosen)

    predict_again = common_items.predict_again
    monkeypatch.setattr(common_items, "predict_again", counting)
    lexiscope.run([*two, tiny], "categorization", items)

    assert len(calls) == len(set(calls)) == 4


def test_a_joint_task_that_cannot_predict_the_shared_items_says_why(clusters):
    two, _, items = clusters
    one_category = embedding("one", synthetic_words(9), np.eye(9))

    found = lexiscope.run([two[0], one_category], "categorization", items).comparisons[0]

    assert found.difference is None
    assert found.state


# The decision rule of a run.


def test_a_loaded_run_uses_its_own_rule(tmp_path):
    rule = DecisionRule(margin=0.2, min_coverage=0.3, primary={"ratings": 2.0})
    two = [rated("x", 0.1, 1), rated("y", 0.1, 2)]
    execution = Execution(tmp_path / "s.sqlite")

    results = lexiscope.run(two, "similarity", PAIRS, decision=rule, execution=execution)
    default = lexiscope.run(two, "similarity", PAIRS, execution=execution)

    assert results.manifest["decision"] == rule.as_dict()
    assert results.run != default.run
    with Store(execution.store) as store:
        loaded = load_results(store, results.run)
        again = load_results(store, default.run)
    assert loaded.rule == loaded.recommendation.rule == rule
    assert again.rule == DecisionRule()
    assert loaded.comparisons[0].margin == 0.2
    assert loaded.to_dict()["recommendation"] == results.to_dict()["recommendation"]


def test_primary_datasets_may_be_paths(tmp_path):
    path = tmp_path / "mine.csv"
    rows = zip(PAIRS.left, PAIRS.right, PAIRS.rating, strict=True)
    path.write_text("".join(f"{left},{right},{rating}\n" for left, right, rating in rows))
    two = [rated("x", 0.1, 1), rated("y", 2.0, 2)]

    results = lexiscope.run(two, "similarity", path, decision=DecisionRule(primary={str(path): 1}))

    assert results.rule.primary == {"mine": 1}
    assert results.recommendation.embeddings == ("x",)


def test_an_unknown_primary_dataset_raises_an_error_with_the_known_names():
    with pytest.raises(UnknownName, match=r"No dataset in this run named 'rating'.*'ratings'"):
        lexiscope.run(
            rated("x", 0.1), "similarity", PAIRS, decision=DecisionRule(primary={"rating": 1})
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"margin": 0}, {"margin": float("nan")}, {"min_coverage": 1.5}, {"min_coverage": True},
        {"alpha": 0}, {"primary": {"men": 0}}, {"primary": {"men": float("inf")}},
    ],
)  # fmt: skip
def test_invalid_rules_raise_an_error(wrong):
    with pytest.raises(BadUsage):
        DecisionRule(**wrong)
    with pytest.raises(BadUsage, match="decision is a lexiscope"):
        lexiscope.run(rated("x", 0.1), "similarity", PAIRS, decision=wrong)
