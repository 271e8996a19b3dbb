"""A correlation experiment from end to end, on a corpus that takes a second."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from lexiscope.core.errors import BadUsage, NotDownloaded, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.correlation.analysis import over_bases
from lexiscope.experiments.correlation.availability import available
from lexiscope.experiments.correlation.plan import Evaluation, trainings
from lexiscope.experiments.correlation.run import run
from lexiscope.papers.reproduce import judge, plan_for
from lexiscope.papers.schema import load
from tests.builders import synthetic_pairs

NAMES = ("QVEC", "MEN", "SimLex", "Senti")


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The plan of the paper on a small corpus, with other evaluations under the paper's names."""
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    rng = np.random.default_rng(0)
    words = (rng.integers(0, 60, 10).tolist() for _ in range(150))
    lines = (" ".join(f"w{k}" for k in sentence) for sentence in words)
    (tmp_path / "text.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "edges.txt").write_text("w0 w1\nw2 w3\nw4 w5\n", "utf-8")
    evaluations = []
    for seed, name in enumerate(NAMES):
        pairs, path = synthetic_pairs(40, 30, seed), tmp_path / f"{name}.tsv"
        rows = zip(pairs.left, pairs.right, pairs.rating, strict=True)
        path.write_text("".join(f"{a}\t{b}\t{r}\n" for a, b, r in rows), "utf-8")
        evaluations.append(Evaluation(name, (("similarity", str(path)),)))
    plan = plan_for("s3", dimensions=[3, 4], trials=2, settings=[("epochs", 1)])
    models = [
        replace(model, lexicon=str(tmp_path / "edges.txt"))
        if model.lexicon == "wordnet+"
        else model
        for model in plan.models
    ]
    return replace(
        plan,
        texts=(str(tmp_path / "text.txt"),),
        models=tuple(models),
        evaluations=tuple(evaluations),
        preprocessing={"min_count": 1},
    )


def test_models_are_trained_at_every_dimensionality_and_repeated_ones_twice(toy, tmp_path):
    chains = trainings(toy, tmp_path)
    found = [step.name for chain in chains for step in chain.training]

    assert len(found) == 2 * (5 * 2 + 2 + 4)
    assert found[:2] == ["CBOW-3-1", "CBOW-3-2"]
    glove = next(c.training for c in chains if c.training[0].name == "GloVe-4-1")
    assert [step.name for step in glove] == ["GloVe-4-1", "GloVe+WN-4-1", "GloVe+PPDB-4-1"]
    assert [step.settings.get("base") for step in glove] == [None, "GloVe-4-1", "GloVe-4-1"]


def test_the_runs_of_a_model_differ_only_in_their_seed(toy, tmp_path):
    first, second = (chain.training[0] for chain in trainings(toy, tmp_path)[:2])

    assert (first.seed, second.seed) == (0, 1)
    assert replace(first, seed=1, name="CBOW-3-2") == second


def test_missing_data_is_listed_with_what_to_do(toy):
    evaluations = (*toy.evaluations, Evaluation("Metaphor", (("metaphor", "metaphor-pairs"),)))

    found = available(replace(toy, evaluations=evaluations), LocalData())

    assert {each.what for each in found.not_run} == {"GloVe+PPDB", "LSA+PPDB", "Metaphor"}
    assert all("Get it with: lexiscope data get" in each.why for each in found.not_run)
    assert len(found.models) == 9
    assert [e.name for e in found.evaluations] == list(NAMES)


def test_the_first_available_alternative_is_used(toy, tmp_path):
    there = ("similarity", str(tmp_path / "MEN.tsv"))
    either = Evaluation("Senti", (("classification", "sst-binary"), there), alternatives=True)

    found = available(replace(toy, evaluations=(either,)), LocalData())

    assert found.evaluations == (Evaluation("Senti", (there,)),)
    assert any("Instead:" in each.why for each in found.not_run)


def test_a_plan_without_any_available_evaluation_is_refused(toy):
    missing = Evaluation("Senti", (("classification", "sst-binary"),))

    with pytest.raises(NotDownloaded, match=r"No evaluation can be run. Senti: sst-binary is not"):
        available(replace(toy, evaluations=(missing,)), LocalData())


def test_a_plan_is_trained_and_evaluated_once(toy, tmp_path):
    store = tmp_path / "store.sqlite"

    found = run(toy, tmp_path / "vectors", execution=Execution(store))
    files = {
        path: path.stat().st_mtime_ns for path in (tmp_path / "vectors").rglob("*.safetensors")
    }
    reports = []
    execution = Execution(store, progress=lambda *what: reports.append(what))
    again = run(toy, tmp_path / "vectors", execution=execution)

    assert len(files) == 2 * (5 * 2 + 2 + 2)  # PPDB is not downloaded
    assert {path: path.stat().st_mtime_ns for path in files} == files
    assert again.to_dict() == found.to_dict()
    assert any(what.endswith(", 3 dimensions") and of == 0 for what, _, of in reports)
    pair = found.correlations.between("QVEC", "Senti", 4)
    assert (pair.pearson.number, pair.points) == (9, 14)
    scores = found.scored(4)
    assert scores.of("MEN")[0] == pytest.approx(scores.values[:2, 1].mean())
    score = found.score("CBOW", "MEN", 4)
    assert score.value == pytest.approx(scores.of("MEN")[0])
    assert (score.lowest, score.highest) == tuple(sorted(scores.values[:2, 1].tolist()))
    assert score.runs == 2
    assert score.low < score.lowest <= score.highest < score.high


def test_the_number_of_processes_does_not_change_the_numbers(toy, tmp_path):
    few = replace(toy, dimensions=(3,), models=toy.models[-3:-1], runs=1)

    one = run(few, tmp_path / "one")
    two = run(few, tmp_path / "two", execution=Execution(backend="processes", n_jobs=2))

    first, second = one.to_dict(), two.to_dict()
    assert first.pop("runs") != second.pop("runs")  # of stores in memory
    assert first == second


def test_every_claim_has_a_verdict_or_a_reason(toy, tmp_path):
    found = run(toy, tmp_path / "vectors")
    paper = load("s3")

    verdicts = list(judge(paper, found))

    assert [each.claim for each in verdicts] == list(paper.claims)
    assert all(each.reason for each in verdicts if each.verdict in ("not run", "unknown"))
    at = {(v.claim.table, v.claim.row, v.claim.column): v for v in verdicts}
    senti, pair = at["Table 3", "r", "Senti"], found.correlations.between("QVEC", "Senti", 4)
    assert at["Table 3", "r", "Metaphor"].verdict == "not run"
    assert (
        at["Table 5", "ρ(QVEC, All)", "50"].reason == "No vectors with 50 dimensions were trained."
    )
    assert senti.dimension == 4
    assert senti.ours.value == pair.pearson.value
    assert senti.ours.low < pair.pearson.low  # seven models share no vectors, not nine
    assert (senti.ours.n, senti.paper.n) == (7, 7)
    assert senti.secondary["all runs"].value == pair.as_points
    z = (np.arctanh(pair.pearson.value) - np.arctanh(0.88)) / np.sqrt(1 / 4 + 1 / 4)
    assert senti.p_value == pytest.approx(2 * norm.sf(abs(z)))
    assert senti.p_holm >= senti.p_value
    misprint = at["Table 2", "CBOW", "Senti"]
    assert (misprint.verdict, misprint.reason) == ("unknown", misprint.claim.misprint)
    score = at["Table 2", "SG", "QVEC"]
    assert score.ours.value == pytest.approx(100 * found.score("SG", "QVEC", 4).value)
    assert (score.verdict, score.reason) == ("unknown", "The paper has 300 dimensions.")
    men = at["Table 4, differences", "QVEC", "Senti"]
    assert men.claim.below == "SimLex"  # the last of three
    assert men.dimension == 4
    qvec, simlex = (found.correlations.between(n, "Senti", 4).pearson.value
                    for n in ("QVEC", "SimLex"))  # fmt: skip
    assert men.ours.value == pytest.approx(qvec - simlex)
    assert men.paper.value == pytest.approx(0.88 - 0.51)


def test_models_that_share_vectors_count_as_one_over_bases(toy, tmp_path):
    found = run(toy, tmp_path / "vectors")

    scored = over_bases(found.plan, found.scored(4))

    assert scored.model_names == ["CBOW", "SG", "CWindow", "SSG", "Attention", "GloVe", "LSA"]
    columns = (scored.of(name) for name in ("QVEC", "Senti"))
    base = found.base_correlations.between("QVEC", "Senti", 4)
    assert base.pearson.value == pytest.approx(np.corrcoef(*columns)[0, 1])


def test_the_predictor_is_compared_with_evaluations_that_are_not_downstream(toy, tmp_path):
    found = run(toy, tmp_path / "vectors")

    names = [(d.predictor, d.rival, d.target) for d in found.differences]
    assert names == [("QVEC", "MEN", "Senti"), ("QVEC", "SimLex", "Senti")]
    men, qvec = (found.correlations.between(n, "Senti", 4).pearson.value for n in ("MEN", "QVEC"))
    assert found.differences[0].gap.value == pytest.approx(qvec - men)


def test_the_consensus_ranking_of_the_tasks_is_stored_for_each_dimensionality(toy, tmp_path):
    found = run(replace(toy, dimensions=(50,), runs=1), tmp_path / "vectors")

    assert sorted(found.rankings[50][0]) == sorted(m.name for m in found.plan.models)
    (consensus,) = found.consensus
    assert consensus.evaluation == "QVEC"
    fifth = {
        v.claim.target: v
        for v in judge(load("s3"), found)
        if v.claim.table == "Table 5" and v.verdict != "not run"
    }
    pair = found.correlations.between("QVEC", "Senti", 50)
    for name, spearman in (("All", consensus.spearman), ("Senti", pair.spearman)):
        assert fifth[name].ours.value == spearman.value
        assert fifth[name].ours.n == 7  # the same rule for the consensus ranking


def test_settings_apply_to_the_models_that_they_name():
    settings = [("negative", 7), ("sg.window", 2), ("GloVe.learning_rate", 0.1)]
    plan = plan_for("s3", settings=settings)

    models = {model.name: model for model in plan.models}
    assert models["CBOW"].settings["negative"] == 7
    assert models["SG"].settings["window"] == 2
    assert models["GloVe"].settings == {"epochs": 10, "x_max": 10.0, "learning_rate": 0.1}
    assert models["LSA"].settings == {}
    assert plan.fingerprint != plan_for("s3").fingerprint


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ([("dimension", 7)], BadUsage, "chosen with --dimension"),
        ([("negatives", 7)], UnknownName, "Did you mean 'negative'?"),
        ([("cboww.learning_rate", 7)], UnknownName, "Did you mean 'cbow'?"),
    ],
)
def test_a_setting_of_no_model_is_refused(settings, error, sentence):
    with pytest.raises(error, match=sentence.replace("?", r"\?")):
        plan_for("s3", settings=settings)


@pytest.mark.parametrize("options", [{"trials": 0}, {"dimensions": [0]}])
def test_numbers_below_one_are_refused(options):
    with pytest.raises(BadUsage, match="must be 1 or more, found 0"):
        plan_for("s3", **options)


def test_a_model_is_selected_with_its_base_and_keeps_its_folder():
    plan = plan_for("s3", models=["glove+wn"])

    assert [model.name for model in plan.models] == ["GloVe", "GloVe+WN"]
    assert plan.fingerprint == plan_for("s3").fingerprint
    with pytest.raises(UnknownName, match="No model named 'BERT'"):
        plan_for("s3", models=["BERT"])


def test_a_corpus_of_ones_own_replaces_those_of_the_scale_and_has_its_own_folder(tmp_path):
    plan, usual = plan_for("s3", texts=["novels", "letters.txt"]), plan_for("s3")

    assert plan.texts == ("novels", "letters.txt")
    assert trainings(plan, tmp_path)[0].training[0].text.sources == ("novels", "letters.txt")
    assert plan.fingerprint != usual.fingerprint
    assert "novels" in plan.downloads
    assert not set(usual.texts) & set(plan.downloads)
