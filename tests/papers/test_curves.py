"""Papers about learning curves: a small one from end to end, and the claims of S4."""

import numpy as np
import pytest

import lexiscope
from lexiscope.papers import schema
from lexiscope.papers.claims import CurveScoreClaim, ModelOrderClaim, RankClaim
from lexiscope.report.papers.document import page, to_markdown

PAPER = """
kind = "curves"
title = "A Title"
citation = "Someone 2020"
about = "Two embeddings."
supervised = ["majority", "logistic_regression", "cosine", "ridge", "mean_rating"]
models = [
    {name = "SVD", trainer = "svd"},
    {name = "RP", trainer = "projection"},
]
[scales.paper]
texts = ["TEXT"]
dimension = 5
repeats = 6
max_items = 100
sizes = ["30%", "100%"]
[scales.small]
texts = ["TEXT"]
dimension = 5
repeats = 2
max_items = 50
sizes = ["30%", "100%"]
leave_out = ["ratings"]
[[datasets]]
name = "words"
first_of = ["FOLDER/words.csv"]
[[datasets]]
name = "ratings"
first_of = ["not-to-be-had", "FOLDER/pairs.csv"]
[[claims]]
kind = "rank"
table = "1"
row = "SVD"
column = "start"
value = 1.0
sd = 0.5
[[claims]]
kind = "curve-score"
table = "2"
row = "words"
column = "logistic_regression"
at = "end"
value = 90
[[claims]]
kind = "model-order"
table = "text"
row = "logistic_regression"
below = "majority"
column = "words"
printed = "better"
[[claims]]
kind = "model-order"
table = "text"
row = "ridge"
below = "cosine"
column = "ratings"
printed = "better"
"""


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    rng = np.random.default_rng(0)
    topics = [[f"{topic}{n}" for n in range(30)] for topic in ("red", "blue")]
    mixed = (topics[(k // 2000 + (rng.random() < 0.3)) % 2] for k in range(4000))
    words = [rng.choice(topic) for topic in mixed]
    lines = (" ".join(words[k : k + 8]) for k in range(0, 4000, 8))
    (folder / "text.txt").write_text("\n".join(lines) + "\n", "utf-8")
    rows = "".join(f"{word},{k}\n" for k, topic in enumerate(topics) for word in topic)
    (folder / "words.csv").write_text(f"word,label\n{rows}", "utf-8")
    both = [*topics[0], *topics[1]]
    pairs = [(both[2 * k], both[2 * k + 1], float(rng.random())) for k in range(30)]
    rows = "".join(f"{a},{b},{rating}\n" for a, b, rating in pairs)
    (folder / "pairs.csv").write_text(f"word1,word2,score\n{rows}", "utf-8")
    path = folder / "mine.toml"
    text = PAPER.replace("TEXT", str(folder / "text.txt")).replace("FOLDER", str(folder))
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(scope="module")
def found(paper):
    return lexiscope.reproduce(paper, "paper", folder=paper.parent / "vectors")


def test_an_order_of_models_is_judged_and_a_rank_is_only_shown(found):
    rank, score, order, substitute = found.verdicts

    assert (rank.verdict, score.verdict, order.verdict) == ("unknown", "unknown", "agrees")
    assert "a rank depends on them" in rank.reason
    assert score.ours.value > 90
    assert order.ours.value > 30  # percentage points above the majority class
    assert substitute.verdict == "unknown"
    assert "pairs.csv instead of not-to-be-had" in substitute.reason


def test_a_smaller_scale_says_what_it_leaves_out(paper):
    small = lexiscope.reproduce(paper, "small", folder=paper.parent / "vectors")

    assert small.smaller_scale == (
        "Not at the scale of the paper: 2 instead of 6 repeats, 50 instead of 100 items per "
        "dataset at most, without ratings. The verdicts hold for this scale only."
    )
    assert small.verdicts[-1].verdict == "not run"


def test_the_report_has_claims_ranks_and_curves(found):
    text, html = to_markdown(found), page(found)

    assert "order of supervised models" in text
    assert "Learning curves" in html
    assert "random vectors" in html


def test_one_embedding_can_be_chosen(paper):
    one = lexiscope.reproduce(paper, "small", models=["SVD"], folder=paper.parent / "vectors")

    assert one.results.curves.embeddings == ("SVD",)


def test_s4_has_every_number_of_its_tables():
    claims = schema.load("s4").claims
    ranks = [c for c in claims if isinstance(c, RankClaim)]
    scores = [c for c in claims if isinstance(c, CurveScoreClaim)]

    assert len([c for c in ranks if c.table == "Table 1"]) == 24  # eight embeddings, three columns
    assert len([c for c in ranks if c.table == "Table 3"]) == 24
    assert len(scores) == 24  # four relations, three models, 30 and 100 %
    assert sum(isinstance(c, ModelOrderClaim) for c in claims) == 12
    pdc = next(c for c in ranks if (c.table, c.row, c.column) == ("Table 3", "PDC", "area"))
    assert (pdc.value, pdc.sd, pdc.text) == (0.51, 0.95, "0.51 ± 0.95")


def test_the_mean_gain_of_the_network_in_table_2_is_not_the_printed_one():
    at_end = {
        (c.row, c.column): c.value
        for c in schema.load("s4").claims
        if isinstance(c, CurveScoreClaim) and c.at == "end"
    }
    relations = {row for row, _ in at_end}
    gains = [
        at_end[r, "analogy_network"] - max(at_end[r, "three_cos_add"], at_end[r, "three_cos_mul"])
        for r in relations
    ]
    assert np.mean(gains) == 8.75  # the text says 11
