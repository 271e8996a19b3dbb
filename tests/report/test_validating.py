"""What predicts what on a page and in Markdown: names stay text, tables hold what was found."""

from dataclasses import replace

import numpy as np
import pytest

from lexiscope.bench.predicting import Scored, predictions
from lexiscope.bench.predictionplan import NotRun, of_paper
from lexiscope.bench.validation import Validated, judged
from lexiscope.report.charts import Point, lines_over
from lexiscope.report.predicting import sentences
from lexiscope.report.validating import SAYS, page, table_2, to_markdown
from lexiscope.stats.correlations import Correlation
from tests.report.hostile_words import NAMES


def made(names, evaluations, dimension=300):
    """What a plan found, with made scores: two runs of the first model, one of the others."""
    plan = of_paper("s3", dimensions=[dimension])
    units = (names[0], *names)
    values = np.random.default_rng(0).random((len(units), len(evaluations)))
    scored = Scored(
        tuple(evaluations), tuple(f"{n}-{k}" for k, n in enumerate(units)), units, values, dimension
    )
    models = tuple(replace(plan.models[0], name=name) for name in names)
    manifest = {
        "versions": {"lexiscope": "0"}, "corpus": {"tokens": 7}, "texts": [NAMES[0]],
        "runs_of_a_model": 2, "seed": 0, "intervals": "", "coverage": [], "evaluations": [],
        "models": [{"name": n, "trainer": "cbow", "settings": {}, "base": "", "lexicon": ""}
                   for n in names],
    }  # fmt: skip
    orders = {dimension: (tuple(names),)}
    gone = (NotRun(NAMES[1], NAMES[2]),)
    plan = replace(plan, models=models, texts=(NAMES[0],))
    return Validated(plan, predictions([scored]), (), orders, (), gone, {300: "r"}, manifest)


@pytest.fixture
def hostile():
    return made([*NAMES, "x", "y", "z"], ["QVEC", "Senti", *NAMES])


def test_names_stay_names_in_the_page(hostile):
    text = page(hostile)

    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert "&lt;img src=x" in text or "&lt;script" in text


def test_names_mean_nothing_to_markdown(hostile):
    text = to_markdown(hostile)

    assert "<script>" not in text
    assert "| not run | why |" in text


def test_scores_stand_beside_those_of_the_paper_as_the_paper_writes_them():
    found = made(["CBOW", "SG", "LSA", "GloVe"], ["QVEC", "Senti"])
    scored = found.scored(300)

    row = next(row for row in table_2(found).rows if row[0] == "CBOW")
    assert row[1] == "40.3"
    assert row[2] == f"{scored.of('QVEC')[0]:.1f}"
    assert row[4] == f"{100 * scored.of('Senti')[0]:.1f}"
    lacking = next(row for row in table_2(found).rows if row[0] == "Attention")
    assert lacking[2] == "–"


@pytest.mark.parametrize(
    ("ours", "theirs", "apart", "bases", "verdict"),
    [
        ((0.8, 0.6, 0.9), 0.7, 0.5, (0.8, 0.2, 0.9), "agrees"),
        ((0.5, -0.2, 0.9), 0.7, 0.5, (0.8, 0.2, 0.9), "open"),
        ((0.8, 0.6, 0.9), 0.5, 0.2, (0.8, 0.6, 0.9), "possible"),
        ((0.8, 0.6, 0.9), 0.1, 0.01, (0.4, -0.2, 0.9), "possible"),
        ((0.8, 0.6, 0.9), 0.1, 0.01, (0.8, 0.2, 0.9), "differs"),
        ((0.8, None, None), 0.1, None, (0.8, None, None), "not known"),
    ],
)
def test_a_verdict_is_as_sure_as_the_intervals(ours, theirs, apart, bases, verdict):
    found, fewer = Correlation(*ours, None, 11), Correlation(*bases, None, 7)

    assert judged(found, theirs, apart, fewer) == verdict
    assert verdict in (*SAYS, "not known")


def test_sentences_say_over_how_many_embeddings():
    rng = np.random.default_rng(1)
    one = rng.normal(size=12)
    values = np.stack([one, one + 0.1 * rng.normal(size=12), rng.normal(size=12)], axis=1)
    names = tuple(f"e{k}" for k in range(12))
    found = predictions([Scored(("a", "b", "c"), names, names, values, 50)])

    (told,) = sentences(found, "b")
    assert told.startswith("Over 12 embeddings of 50 dimensions, a (+0.9")
    assert told.endswith(" predicts b.")
    assert "1 of 3 pairs of evaluations goes together" in sentences(found)[0]
    few = predictions([Scored(("a", "b"), names[:3], names[:3], values[:3, :2], 50)])
    assert sentences(few) == [
        "Over 3 embeddings of 50 dimensions no correlation has an interval; at least 4 are needed."
    ]


def test_whole_numbers_are_written_whole_on_an_axis():
    points = [Point("a", d, 0.5, 0.4, 0.6) for d in (50, 100)]

    whole, parts = (
        lines_over(ps, ["a"], "r", 1.0, "d", -1.0)
        for ps in (points, [point._replace(words=point.words / 40) for point in points])
    )
    formats = [chart["layer"][0]["encoding"]["x"]["axis"]["format"] for chart in (whole, parts)]

    assert formats == [",d", "~g"]
    assert whole["layer"][0]["encoding"]["y"]["scale"]["domain"] == [-1.0, 1.0]
