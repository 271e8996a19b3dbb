"""Papers that print scores: a small one from end to end, and the claims of S1."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

import lexiscope
from lexiscope.experiments.correlation.plan import Evaluation
from lexiscope.papers import schema
from lexiscope.papers.claims import NumberClaim, ScoreClaim, SignificanceClaim
from lexiscope.papers.reproduce import judge
from lexiscope.papers.scores import spread, substitutes
from lexiscope.report.papers.document import page, to_markdown
from tests.builders import synthetic_pairs

PAPER = """
kind = "scores"
title = "A Title"
citation = "Someone 2020"
about = "Two models."
dimension = 4
models = [
    {name = "C&W", trainer = "cbow", repeated = true},
    {name = "Rand. Proj.", trainer = "projection"},
]
[margins]
score = 3.0
[scales.paper]
texts = ["TEXT"]
dimensions = [4]
runs = 2
[scales.small]
texts = ["TEXT"]
dimensions = [4]
runs = 1
leave_out = ["men"]
[[evaluations]]
name = "ws"
items = 80
mean_of = [["similarity", "FOLDER/ws.tsv"]]
[[evaluations]]
name = "men"
margin = 0.5
first_of = [["similarity", "not-to-be-had"], ["similarity", "FOLDER/men.tsv"]]
[[claims]]
kind = "score"
table = "Table 1"
row = "C&W"
column = "ws"
value = 12.3
dimension = 4
[[claims]]
kind = "score"
table = "Table 1"
row = "C&W"
column = "men"
value = 12.3
dimension = 4
[[claims]]
kind = "significance"
table = "Table 4"
row = "C&W"
column = "ws"
below = "Rand. Proj."
value = 0.01
[[claims]]
kind = "significance"
table = "Table 4"
row = "Rand. Proj."
column = "ws"
below = "C&W"
value = 0.4
"""


@pytest.fixture
def paper(tmp_path):
    rng = np.random.default_rng(0)
    sentences = (rng.integers(0, 60, 10).tolist() for _ in range(300))
    lines = (" ".join(f"w{k}" for k in sentence) for sentence in sentences)
    (tmp_path / "text.txt").write_text("\n".join(lines), "utf-8")
    for seed, name in enumerate(("ws", "men")):
        pairs = synthetic_pairs(40, 30, seed)
        rows = zip(pairs.left, pairs.right, pairs.rating, strict=True)
        (tmp_path / f"{name}.tsv").write_text("".join(f"{a}\t{b}\t{r}\n" for a, b, r in rows))
    text = PAPER.replace("TEXT", str(tmp_path / "text.txt")).replace("FOLDER", str(tmp_path))
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    return tmp_path / "mine.toml"


def test_scores_are_compared_with_the_paper_and_models_with_each_other(paper, tmp_path):
    found = lexiscope.reproduce(paper, "paper", folder=tmp_path / "vectors")

    ws, men, better, none = found.verdicts
    score = found.results.score("C&W", "ws", 4)
    assert ws.ours.value == pytest.approx(100 * score.value)
    assert (ws.margin, ws.paper.n, ws.covered) == (3.0, 80, (40, 40))
    assert ws.p_holm is not None
    assert men.verdict == "unknown"
    assert "men.tsv instead of not-to-be-had" in men.reason
    (comparison,) = found.results.comparisons
    assert (comparison.first, comparison.second, comparison.dataset) == ("C&W", "Rand. Proj.", "ws")
    assert better.ours.value == pytest.approx(comparison.difference)
    assert better.p_value == comparison.p
    assert (none.verdict, none.p_value) == ("unknown", None)
    assert none.ours.value == pytest.approx(-comparison.difference)
    assert found.to_dict()["experiment"]["format"] == "lexiscope scores 1"


def test_the_error_of_the_paper_is_ours_for_its_number_of_items_with_the_variance_of_runs(
    paper, tmp_path
):
    found = lexiscope.reproduce(paper, "paper", folder=tmp_path / "vectors")

    ws, score = found.verdicts[0], found.results.score("C&W", "ws", 4)
    width = 100 * (score.high - score.low - (score.highest - score.lowest))
    items = width / (2 * 1.959964) * sqrt(40 / 80)
    runs = 100 * (score.highest - score.lowest) / sqrt(2)
    half = (ws.paper.high - ws.paper.low) / 2
    assert half > 1.95 * sqrt(items**2 + runs**2)


def test_the_error_of_a_proportion_or_a_correlation_depends_on_its_value():
    kinds = {name: schema.EvaluationEntry(name=name, statistic=name, mean_of=(("a", "b"),))
             for name in ("proportion", "correlation", "other")}  # fmt: skip

    assert spread(0.5, kinds["proportion"]) == 0.5
    assert spread(0.1, kinds["proportion"]) == pytest.approx(0.3)
    assert spread(0.6, kinds["correlation"]) == pytest.approx(0.64)
    assert spread(0.0, kinds["proportion"]) == 0.05
    assert spread(40.3, kinds["other"]) == 1.0


def test_a_smaller_scale_is_named_in_the_first_line_and_its_claims_are_not_run(paper, tmp_path):
    found = lexiscope.reproduce(paper, folder=tmp_path / "vectors")

    sentence = (
        "Not at the scale of the paper: 1 instead of 2 runs of each random model, without men. The "
        "verdicts hold for this scale only."
    )
    assert found.smaller_scale == sentence
    assert to_markdown(found).replace("\\", "").startswith(sentence)
    assert sentence in page(found)
    assert found.verdicts[1].reason == "men: the evaluation is not part of this scale."


def test_the_table_of_scores_has_coverage_and_vocabulary(paper, tmp_path):
    text = to_markdown(lexiscope.reproduce(paper, folder=tmp_path / "vectors"))

    assert "4 dimensions, vocabulary of 60 words" in text.replace("\\", "")
    assert "| items covered |  | 40/40 |" in text


def test_only_an_alternative_is_a_substitute(paper, tmp_path):
    found = lexiscope.reproduce(paper, "paper", folder=tmp_path / "vectors").results
    loaded = schema.load(paper)

    assert substitutes(found, loaded, ("ws",)) == ""
    there = Evaluation("men", (("similarity", "not-to-be-had"),))
    original = replace(found, plan=replace(found.plan, evaluations=(there,)))
    assert substitutes(original, loaded, ("men",)) == ""


# What Schnabel et al. 2015 print, read from the text independently of the file.
MODELS = ["CBOW", "GloVe", "TSCCA", "C&W", "H-PCA", "Rand. Proj."]


def test_s1_has_the_14_columns_and_the_average_of_table_1():
    printed = {
        (c.row, c.column): c.value
        for c in schema.load("s1").claims
        if isinstance(c, ScoreClaim | NumberClaim) and c.table == "Table 1"
    }

    assert len(printed) == 6 * 15
    columns = list(dict.fromkeys(column for _, column in printed))
    assert " ".join(columns) == (
        "rg ws wss wsr men toefl ap esslli batt. up mcrae an ansyn ansem average"
    )
    means = [np.mean([printed[m, c] for c in columns[:-1]]) for m in MODELS]
    assert [printed[m, "average"] for m in MODELS] == pytest.approx(means, abs=0.051)
    assert [printed["CBOW", c] for c in ("ws", "mcrae", "ansem")] == [64.0, 13.9, 57.6]


def test_s1_has_tables_4_and_5_with_the_p_values_against_the_best_model():
    claims = schema.load("s1").claims
    scores = {(c.row, c.column): c.value for c in claims if isinstance(c, ScoreClaim)}
    p_values = {(c.column, c.below): c.value for c in claims if isinstance(c, SignificanceClaim)}

    assert scores["TSCCA", "chunking dev"] == 94.53
    assert scores["C&W", "chunking test"] == 94.12
    assert scores["CBOW", "sentiment"] == 75.78
    assert p_values["chunking test", "TSCCA"] == 0.357
    assert p_values["sentiment", "GloVe"] == 0.05
    best = {(c.column, c.row) for c in claims if isinstance(c, SignificanceClaim)}
    assert best == {("chunking test", "C&W"), ("sentiment", "CBOW")}
    assert len(p_values) == 10
    for column, name in best:
        others = [scores[m, column] for m in MODELS if m != name]
        assert scores[name, column] > max(others)


def test_every_dataset_of_s1_that_is_not_in_the_catalogue_has_a_substitute_that_is():
    from lexiscope.data.catalogue import catalogue

    for each in schema.load("s1").evaluations:
        parts = [dataset for _, dataset in each.first_of or each.mean_of]
        assert parts[-1] in catalogue()
        assert all(name not in catalogue() for name in parts[:-1])


def test_claims_of_a_score_paper_are_judged_once_more_from_the_same_results(paper, tmp_path):
    found = lexiscope.reproduce(paper, folder=tmp_path / "vectors")

    assert judge(found.paper, found.results) == found.verdicts
