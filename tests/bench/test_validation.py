"""A plan of models and evaluations from end to end, on a text of a second."""

from dataclasses import replace

import numpy as np
import pytest

from lexiscope.bench.predictionplan import Evaluation, at_hand, chains, of_paper
from lexiscope.bench.validation import Where, of_bases, validate
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.data.library import Library
from tests.making import synthetic_pairs

NAMES = ("QVEC", "MEN", "SimLex", "Senti")


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The plan of the paper on a small text, with other questions under the paper's names."""
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    rng = np.random.default_rng(0)
    words = (rng.integers(0, 60, 10).tolist() for _ in range(150))
    lines = (" ".join(f"w{k}" for k in sentence) for sentence in words)
    (tmp_path / "text.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "ties.txt").write_text("w0 w1\nw2 w3\nw4 w5\n", "utf-8")
    evaluations = []
    for seed, name in enumerate(NAMES):
        pairs, place = synthetic_pairs(40, 30, seed), tmp_path / f"{name}.tsv"
        rows = zip(pairs.left, pairs.right, pairs.rating, strict=True)
        place.write_text("".join(f"{a}\t{b}\t{r}\n" for a, b, r in rows), "utf-8")
        evaluations.append(Evaluation(name, (("similarity", str(place)),)))
    plan = of_paper("s3", dimensions=[3, 4], runs=2, settings=[("epochs", 1)])
    models = [
        replace(model, lexicon=str(tmp_path / "ties.txt")) if model.lexicon == "wordnet+" else model
        for model in plan.models
    ]
    return replace(
        plan,
        texts=(str(tmp_path / "text.txt"),),
        models=tuple(models),
        evaluations=tuple(evaluations),
        preparation={"minimum": 1},
    )


def test_every_model_is_trained_at_every_dimensionality_and_those_of_chance_twice(toy):
    found = [step["name"] for chain in chains(toy, None) for step in chain.train]

    assert len(found) == 2 * (5 * 2 + 2 + 4)
    assert found[:2] == ["CBOW-3-1", "CBOW-3-2"]
    glove = next(c.train for c in chains(toy, None) if c.train[0]["name"] == "GloVe-4-1")
    assert [step["name"] for step in glove] == ["GloVe-4-1", "GloVe+WN-4-1", "GloVe+PPDB-4-1"]
    assert [step.get("base") for step in glove] == [None, "GloVe-4-1", "GloVe-4-1"]


def test_runs_of_a_model_differ_in_their_seed_only(toy):
    first, second = (chain.train[0] for chain in chains(toy, None)[:2])

    assert (first["seed"], second["seed"]) == (0, 1)
    assert {**first, "seed": 1, "name": "CBOW-3-2"} == second


def test_what_is_not_at_hand_is_told_with_what_to_do(toy):
    asked = (*toy.evaluations, Evaluation("Metaphor", (("metaphor", "metaphor-pairs"),)))

    found = at_hand(replace(toy, evaluations=asked), Library())

    assert {each.what for each in found.not_run} == {"GloVe+PPDB", "LSA+PPDB", "Metaphor"}
    assert all("Get it with: lexiscope data get" in each.why for each in found.not_run)
    assert len(found.models) == 9
    assert [e.name for e in found.evaluations] == list(NAMES)


def test_the_first_alternative_that_is_at_hand_is_taken(toy, tmp_path):
    there = ("similarity", str(tmp_path / "MEN.tsv"))
    either = Evaluation("Senti", (("classification", "sst-binary"), there), alternatives=True)

    found = at_hand(replace(toy, evaluations=(either,)), Library())

    assert found.evaluations == (Evaluation("Senti", (there,)),)
    assert any("Instead:" in each.why for each in found.not_run)


def test_a_plan_is_trained_asked_and_set_beside_the_paper_and_not_done_twice(toy, tmp_path):
    where = Where(tmp_path / "vectors", tmp_path / "store.sqlite")

    found = validate(toy, where)
    files = {
        path: path.stat().st_mtime_ns for path in (tmp_path / "vectors").rglob("*.safetensors")
    }
    told = []
    again = validate(toy, where, lambda *what: told.append(what))

    assert len(files) == 2 * (5 * 2 + 2 + 2)  # PPDB is not at hand
    assert {path: path.stat().st_mtime_ns for path in files} == files
    assert again.to_dict() == found.to_dict()
    assert ("Asking, 3 dimensions", 0, 0) in told
    pair = found.predictions.between("QVEC", "Senti", 4)
    assert (pair.pearson.number, pair.points) == (9, 14)
    scores = found.scored(4)
    assert scores.of("MEN")[0] == pytest.approx(scores.values[:2, 1].mean())


def test_jobs_do_not_change_the_numbers(toy, tmp_path):
    few = replace(toy, dimensions=(3,), models=toy.models[-3:-1], runs=1)

    one = validate(few, Where(tmp_path / "one"))
    two = validate(few, Where(tmp_path / "two", backend="processes", jobs=2))

    first, second = one.to_dict(), two.to_dict()
    assert first.pop("runs") != second.pop("runs")  # of stores that keep nothing
    assert first == second


def test_verdicts_name_every_printed_number_that_can_be_looked_at(toy, tmp_path):
    found = validate(toy, Where(tmp_path / "vectors"))

    at = {(v.published.table, v.published.predictor, v.published.target): v for v in found.verdicts}
    assert len(at) == 1 + 6 + 9 + 1  # tables 2, 3, 4 and the text; none of table 5 at 3 and 4
    assert at["3", "QVEC", "Metaphor"].verdict == "not run"
    assert [(r.rival, r.target) for r in found.rivals] == [("MEN", "Senti"), ("SimLex", "Senti")]
    assert found.rivals[0].printed == pytest.approx(0.88 - 0.55)
    men, qvec = (found.predictions.between(n, "Senti", 4).pearson.value for n in ("MEN", "QVEC"))
    assert found.rivals[0].gap.value == pytest.approx(qvec - men)
    senti = at["3", "QVEC", "Senti"]
    pair = found.predictions.between("QVEC", "Senti", 4)
    assert senti.dimension == 4
    assert senti.ours == pair.pearson
    scored = of_bases(found.plan, found.scored(4))
    assert scored.members == ["CBOW", "SG", "CWindow", "SSG", "Attention", "GloVe", "LSA"]
    columns = (scored.of(name) for name in ("QVEC", "Senti"))
    assert senti.bases.value == pytest.approx(np.corrcoef(*columns)[0, 1])
    inside = pair.pearson.low <= 0.88 <= pair.pearson.high
    assert (senti.verdict in ("agrees", "open")) == inside


def test_the_joint_order_of_the_tasks_is_kept_for_each_dimensionality(toy, tmp_path):
    found = validate(replace(toy, dimensions=(50,), runs=1), Where(tmp_path / "vectors"))

    assert sorted(found.orders[50][0]) == sorted(m.name for m in found.plan.models)
    (joined,) = found.joined
    assert joined.evaluation == "QVEC"
    five = {v.published.target: v for v in found.verdicts if v.published.table == "5"}
    assert five["All"].ours == joined.spearman
    assert five["Senti"].ours == found.predictions.between("QVEC", "Senti", 50).spearman


def test_settings_reach_the_models_they_belong_to():
    plan = of_paper("s3", settings=[("negatives", 7), ("sg.window", 2), ("GloVe.rate", 0.1)])

    models = {model.name: model for model in plan.models}
    assert models["CBOW"].settings["negatives"] == 7
    assert models["SG"].settings["window"] == 2
    assert models["GloVe"].settings == {"epochs": 10, "x_max": 10.0, "rate": 0.1}
    assert models["LSA"].settings == {}
    assert plan.fingerprint != of_paper("s3").fingerprint


@pytest.mark.parametrize(
    ("settings", "error", "sentence"),
    [
        ([("dimension", 7)], BadUsage, "chosen with --dimension"),
        ([("negative", 7)], UnknownName, "Did you mean 'negatives'?"),
        ([("cboww.rate", 7)], UnknownName, "Did you mean 'cbow'?"),
    ],
)
def test_a_setting_that_belongs_to_nothing_is_refused(settings, error, sentence):
    with pytest.raises(error, match=sentence.replace("?", r"\?")):
        of_paper("s3", settings=settings)


def test_a_model_comes_with_what_it_is_based_on_and_keeps_its_folder():
    plan = of_paper("s3", models=["glove+wn"])

    assert [model.name for model in plan.models] == ["GloVe", "GloVe+WN"]
    assert plan.fingerprint == of_paper("s3").fingerprint
    with pytest.raises(UnknownName, match="No model named 'BERT'"):
        of_paper("s3", models=["BERT"])


def test_a_text_of_ones_own_takes_the_place_of_those_of_the_scale_and_has_a_folder():
    plan, usual = of_paper("s3", texts=["novels", "letters.txt"]), of_paper("s3")

    assert plan.texts == ("novels", "letters.txt")
    assert chains(plan, None)[0].train[0]["text"]["sources"] == ["novels", "letters.txt"]
    assert plan.fingerprint != usual.fingerprint
    assert "novels" in plan.named
    assert not set(usual.texts) & set(plan.named)
