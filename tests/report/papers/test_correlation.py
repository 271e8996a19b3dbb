"""Reports of a correlation experiment: names stay text, tables contain the results."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from lexiscope.evaluation.analysis.correlation import ScoreTable, correlations
from lexiscope.experiments.correlation.plan import Evaluation, NotRun
from lexiscope.experiments.correlation.results import CorrelationResults, ModelScore
from lexiscope.papers.reproduce import Reproduction, judge, plan_for
from lexiscope.papers.schema import load
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.correlation_tables import sentences
from lexiscope.report.papers.claims import claims_tables
from lexiscope.report.papers.document import page, to_markdown
from tests.report.hostile_words import NAMES


def results_of(names, evaluations, dimension=300):
    """Results with random scores: two runs of the first model, one of the others."""
    plan = plan_for("s3", dimensions=[dimension])
    models = (names[0], *names)
    values = np.random.default_rng(0).random((len(models), len(evaluations)))
    embeddings = tuple(f"{n}-{k}" for k, n in enumerate(models))
    scored = ScoreTable(tuple(evaluations), embeddings, models, values, dimension)
    first = replace(plan.models[0], settings={})
    known = {each.name: each for each in plan.evaluations}
    plan = replace(
        plan,
        models=tuple(replace(first, name=name) for name in names),
        texts=(NAMES[0],),
        evaluations=tuple(known.get(n) or Evaluation(n, (("similarity", n),)) for n in evaluations),
    )
    scores = tuple(
        ModelScore(model, name, dimension, float(value), float(value), float(value), 1)
        for name in evaluations
        for model, value in zip(scored.model_names, scored.of(name), strict=True)
    )
    manifest = {
        "versions": {"lexiscope": "0"}, "corpus": {"tokens": 7}, "texts": [NAMES[0]],
        "runs_per_model": 2, "seed": 0, "intervals": "", "coverage": [], "evaluations": [],
        "models": [asdict(model) for model in plan.models],
    }  # fmt: skip
    found = correlations([scored])
    return CorrelationResults(
        plan, found, found, scores, (), {dimension: (tuple(names),)}, (),
        (NotRun(NAMES[1], NAMES[2]),), (), {300: "r"}, manifest,
    )  # fmt: skip


def reproduction_of(results):
    return Reproduction(load("s3"), "small", results, judge(load("s3"), results))


@pytest.fixture
def hostile():
    return reproduction_of(results_of([*NAMES, "x", "y", "z"], ["QVEC", "Senti", *NAMES]))


def test_names_stay_text_on_the_page(hostile):
    for text in (page(hostile), page(hostile.results)):
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "&lt;img src=x" in text or "&lt;script" in text


def test_names_are_escaped_in_markdown(hostile):
    text = to_markdown(hostile)

    assert "<script>" not in text
    assert "| not run | reason |" in text


def test_our_scores_are_next_to_those_of_the_paper_in_the_same_unit():
    found = results_of(["CBOW", "SG", "LSA", "GloVe"], ["QVEC", "Senti"])
    scored = found.scored(300)

    table = next(t for t in claims_tables(reproduction_of(found).verdicts) if "scores" in t.caption)
    rows = {row[:2]: dict(zip(table.head, row, strict=True)) for row in table.rows}

    qvec, senti = rows["SG", "QVEC"], rows["SG", "Senti"]
    assert (qvec["paper"], senti["paper"]) == ("35.9", "80.5")
    assert qvec["ours"] == f"{scored.of('QVEC')[1]:.1f}"
    assert senti["ours"] == f"{100 * scored.of('Senti')[1]:.1f}"
    assert "With 90.0, r is 0.60" in rows["CBOW", "Senti"]["note"]
    assert ("Attention", "QVEC") not in rows


def test_the_page_and_markdown_contain_every_verdict(hostile):
    judged = [v for v in hostile.verdicts if v.verdict != "not run"]

    for text in (page(hostile), to_markdown(hostile)):
        assert f"Verdicts on {len(hostile.verdicts)} claims of the paper" in text
        assert text.count("undecided") >= sum(v.verdict == "undecided" for v in judged) > 0


def test_sentences_give_the_number_of_embeddings():
    rng = np.random.default_rng(1)
    one = rng.normal(size=12)
    values = np.stack([one, one + 0.1 * rng.normal(size=12), rng.normal(size=12)], axis=1)
    names = tuple(f"e{k}" for k in range(12))
    found = correlations([ScoreTable(("a", "b", "c"), names, names, values, 50)])

    (text,) = sentences(found, "b")
    assert text.startswith("Over 12 embeddings of 50 dimensions, a (+0.9")
    assert text.endswith(" predicts b.")
    assert (
        "1 of 3 pairs of evaluations is significantly positively correlated" in sentences(found)[0]
    )
    few = correlations([ScoreTable(("a", "b"), names[:3], names[:3], values[:3, :2], 50)])
    assert sentences(few) == [
        "Over 3 embeddings of 50 dimensions no correlation has an interval; at least 4 are needed."
    ]


def test_integers_have_no_exponent_on_an_axis():
    points = [Point("a", d, 0.5, 0.4, 0.6) for d in (50, 100)]

    whole, parts = (
        lines_over(ps, ["a"], "r", 1.0, "d", -1.0)
        for ps in (points, [point._replace(x=point.x / 40) for point in points])
    )
    formats = [chart["layer"][0]["encoding"]["x"]["axis"]["format"] for chart in (whole, parts)]

    assert formats == [",d", "~g"]
    assert whole["layer"][0]["encoding"]["y"]["scale"]["domain"] == [-1.0, 1.0]
