"""Papers that print scores: a small one from end to end, and the claims of S1."""

from dataclasses import replace
from html import unescape
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest

import lexiscope
from lexiscope.core.errors import BadData
from lexiscope.experiments.correlation.plan import Evaluation
from lexiscope.experiments.correlation.results import ModelScore
from lexiscope.papers import schema
from lexiscope.papers.claims import (
    ColumnCountClaim,
    FrequencyAccuracyClaim,
    FrequencyOrderClaim,
    JudgmentOrderClaim,
    NumberClaim,
    PowerLawClaim,
    ScoreClaim,
    SignificanceClaim,
)
from lexiscope.papers.reproduce import OptionDoesNotApply, judge, plan_for
from lexiscope.papers.scores import spread, substitutes
from lexiscope.report.papers.document import page, to_markdown
from lexiscope.report.papers.scores import details
from tests.builders import synthetic_pairs
from tests.papers.test_judgments import comparison, written

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
    assert p_values["chunking test", "Baseline"] == 0.0
    assert p_values["sentiment", "CBOW"] == 7.45e-14  # of the baseline, which is better
    assert scores["BOW (baseline)", "sentiment"] == 88.90
    assert len(p_values) == 12
    best = {(c.column, c.row) for c in claims
            if isinstance(c, SignificanceClaim) and c.row in MODELS}  # fmt: skip
    assert best == {("chunking test", "C&W"), ("sentiment", "CBOW")}
    for column, name in best:
        others = [scores[m, column] for m in MODELS if m != name]
        assert scores[name, column] > max(others)


def test_every_dataset_of_s1_that_is_not_in_the_catalogue_has_a_substitute_that_is():
    from lexiscope.data.catalogue import catalogue

    for each in schema.load("s1").evaluations:
        if each.average_of:
            continue
        parts = [dataset for _, dataset in each.first_of or each.mean_of]
        assert parts[-1] in catalogue()
        assert all(name not in catalogue() for name in parts[:-1])


def test_the_average_of_table_1_has_its_14_columns_and_the_analogies_their_two_totals():
    entries = {each.name: each for each in schema.load("s1").evaluations}

    columns = "rg ws wss wsr men toefl ap esslli batt. up mcrae an ansyn ansem"
    assert entries["average"].average_of == tuple(columns.split())
    assert (entries["ansyn"].slice, entries["ansem"].slice) == ("syntactic", "semantic")
    assert entries["ansyn"].items + entries["ansem"].items == entries["an"].items == 19544


def test_s1_has_what_it_says_of_figures_1_to_4():
    claims = schema.load("s1").claims
    pairs = [c for c in claims if isinstance(c, JudgmentOrderClaim) and c.table == "Figure 1 (a)"]
    equal = [(c.row, c.below) for c in pairs if not c.significant]
    slopes = [c for c in claims if isinstance(c, FrequencyOrderClaim) and c.statistic == "slope"]
    (exponent,) = (c for c in claims if isinstance(c, PowerLawClaim))

    assert (len(pairs), equal) == (15, [("C&W", "H-PCA")])
    assert {c.row for c in slopes} == {"C&W"}
    assert {c.below for c in slopes} == {"", *MODELS} - {"C&W"}
    assert (exponent.row, exponent.value) == ("C&W", 0.17)
    nearly = {c.row: c.range for c in claims if isinstance(c, FrequencyAccuracyClaim)}
    assert nearly == {"GloVe": (95.0, 100.0), "TSCCA": (95.0, 100.0)}


WHOLE = """
kind = "scores"
title = "A Title"
citation = "Someone 2020"
about = "Two models."
dimension = 4
preprocessing = {digits = "zero", min_count = 2}
models = [
    {name = "C&W", trainer = "cbow", repeated = true},
    {name = "Rand. Proj.", trainer = "projection"},
]
scales.small = {texts = ["TEXT"], dimensions = [4], runs = 2}
baselines = [{name = "Nothing", evaluations = ["reviews"]}]
inspection = {queries = "FOLDER/ws.tsv", thresholds = [20, 50], neighbours = 100}
study = {kinds = ["comparison", "intrusion"]}
[[evaluations]]
name = "ws"
mean_of = [["similarity", "FOLDER/ws.tsv"]]
[[evaluations]]
name = "plural"
items = 20
statistic = "proportion"
mean_of = [["analogy", "FOLDER/questions.txt"]]
slice = "syntactic"
[[evaluations]]
name = "reviews"
mean_of = [["sentiment", "FOLDER/reviews.csv"]]
[[evaluations]]
name = "mean"
average_of = ["ws", "plural"]
[[claims]]
kind = "score"
table = "Table 1"
row = "C&W"
column = "plural"
value = 1.0
dimension = 4
[[claims]]
kind = "score"
table = "Table 1"
row = "C&W"
column = "mean"
value = 12.3
dimension = 4
[[claims]]
kind = "score"
table = "Table 5"
row = "Nothing"
column = "reviews"
value = 88.9
dimension = 4
[[claims]]
kind = "significance"
table = "Table 5"
row = "Nothing"
column = "reviews"
below = "C&W"
value = 0.01
[[claims]]
kind = "significance"
table = "Table 5"
row = "C&W"
column = "reviews"
below = "Rand. Proj."
value = 0.02
[[claims]]
kind = "frequency-order"
table = "Figure 3"
row = "C&W"
column = "accuracy"
statistic = "above chance"
printed = "better than random"
[[claims]]
kind = "power-law"
table = "Figure 4"
row = "C&W"
column = "exponent"
value = 0.17
queries = 30
[[claims]]
kind = "judgment-order"
table = "Figure 1"
row = "C&W"
column = "all query words"
below = "Rand. Proj."
study = "comparison"
printed = "p < 0.05"
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    rng = np.random.default_rng(0)
    chances = 1 / np.arange(1, 401)
    words = [f"w{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(400)]
    drawn = rng.choice(words, (2500, 10), p=chances / chances.sum())
    (folder / "text.txt").write_text("\n".join(map(" ".join, drawn.tolist())), "utf-8")
    pairs = rng.choice(words[:40], (30, 2))
    rows = "".join(f"{a}\t{b}\t{k}\n" for k, (a, b) in enumerate(pairs.tolist()))
    (folder / "ws.tsv").write_text(rows, "utf-8")
    sections = {"gram1": rng.choice(words[:60], (20, 4)), "family": rng.choice(words[:60], (10, 4))}
    lines = [line for name, found in sections.items()
             for line in (f": {name}", *map(" ".join, found.tolist()))]  # fmt: skip
    (folder / "questions.txt").write_text("\n".join(lines), "utf-8")
    reviews = [(" ".join(rng.choice(words[:80], 12)), rng.choice(["good", "bad"]))
               for _ in range(80)]  # fmt: skip
    table = "text,label\n" + "".join(f'"{text}",{label}\n' for text, label in reviews)
    (folder / "reviews.csv").write_text(table, "utf-8")
    text = WHOLE.replace("TEXT", str(folder / "text.txt")).replace("FOLDER", str(folder))
    (folder / "whole.toml").write_text(text, "utf-8")
    study = written(folder / "c.study", comparison(("C&W", "Rand. Proj.")), {"C&W": 1.5})
    return lexiscope.reproduce(folder / "whole.toml", folder=folder / "vectors", studies=[study])


def test_a_slice_of_a_dataset_is_an_evaluation_with_its_own_items(whole):
    plural = whole.verdicts[0]

    assert plural.covered == (20, 20)
    assert plural.paper.n == 20
    assert plural.p_holm is not None


def test_an_average_has_the_mean_score_and_conservative_limits(whole):
    scores = {name: whole.results.score("C&W", name, 4) for name in ("ws", "plural", "mean")}

    ws, plural, mean = scores.values()
    assert mean.value == pytest.approx((ws.value + plural.value) / 2)
    assert mean.high - mean.low <= (ws.high - ws.low + plural.high - plural.low) / 2 + 1e-9
    assert whole.verdicts[1].ours.value == pytest.approx(100 * mean.value)


def test_a_baseline_without_vectors_is_scored_and_compared(whole):
    results = whole.results
    score, better = whole.verdicts[2], whole.verdicts[3]

    (baseline,) = results.baselines
    assert (baseline.model, baseline.evaluation) == ("Nothing", "reviews")
    assert score.ours.value == pytest.approx(100 * baseline.value)
    found = results.comparison("reviews", "Nothing", "C&W")
    sign = 1 if found.first == "Nothing" else -1
    assert better.ours.value == pytest.approx(sign * found.difference)
    assert better.p_value == found.p
    pairs = {frozenset((c.first, c.second)) for c in results.comparisons}
    assert pairs == {
        frozenset(pair)
        for pair in (("C&W", "Rand. Proj."), ("C&W", "Nothing"), ("Rand. Proj.", "Nothing"))
    }


def test_digits_are_replaced_in_the_corpus_and_in_the_datasets(whole):
    assert whole.results.plan.policy.digits == "zero"
    assert plan_for("s1").policy.digits == "zero"
    assert plan_for("s3").policy.digits == "keep"


def test_every_run_is_inspected_with_the_counts_of_the_corpus(whole):
    frequency = whole.results.frequency

    assert [(each.model, each.run) for each in frequency.runs] == [
        ("C&W", 1), ("C&W", 2), ("Rand. Proj.", 1)
    ]  # fmt: skip
    points = frequency.runs[0].probe.points
    assert [point.threshold for point in points] == [20, 50]
    above, exponent = whole.verdicts[5], whole.verdicts[6]
    lowest = min((sum(run.probe.points[k].accuracy.value for run in frequency.of("C&W")) / 2)
                 for k in range(2))  # fmt: skip
    assert above.ours.value == pytest.approx(100 * (lowest - 0.5))
    near = [run.neighbours.exponent.value for run in frequency.of("C&W")]
    assert exponent.ours.value == pytest.approx(np.mean(near))


def test_a_study_file_decides_the_claims_about_people_and_machines_decide_none(whole):
    preferred = whole.verdicts[7]

    assert preferred.verdict == "agrees"
    assert whole.results.studies[0].models == {"C&W": "C&W", "Rand. Proj.": "Rand. Proj."}
    missing = [each.what for each in whole.results.not_run]
    assert missing == [
        f"machine proxies of the {kind} study" for kind in ("comparison", "intrusion")
    ]
    document = whole.to_dict()["experiment"]
    assert [each["kind"] for each in document["studies"]] == ["comparison"]
    assert document["proxies"]["comparison"] == []


def test_study_files_belong_to_papers_about_scores(tmp_path):
    with pytest.raises(OptionDoesNotApply, match="'studies' does not apply to s3"):
        lexiscope.reproduce("s3", studies=[tmp_path / "c.study"])


def test_the_page_has_the_figures_and_the_p_values_beside_the_printed_ones(whole):
    text = unescape(to_markdown(whole).replace("\\", ""))

    best = max(
        ("C&W", "Rand. Proj."), key=lambda name: whole.results.score(name, "reviews", 4).value
    )
    assert f"best embedding here {best}, in the paper C&W" in text
    rows = [line for line in text.splitlines() if line.startswith("| Nothing |")]
    assert any(row.endswith("| 0.01 |") for row in rows)
    assert "Accuracy in percent (95 % CI) by threshold" in text
    assert "exponent: neighbour rank on corpus rank" in text
    assert "Accuracy of the frequency probe" in page(whole)


def test_an_unknown_member_of_an_average_or_evaluation_of_a_baseline_is_named():
    for change in (('["ws", "plural"]', '["ws", "nope"]'), ('["reviews"]', '["nope"]')):
        with pytest.raises(BadData, match="nope"):
            schema.parse(WHOLE.replace(*change), "whole.toml")


def test_a_slice_needs_a_single_part():
    two = 'mean_of = [["a", "b"], ["c", "d"]]\nslice = "x"'
    part = f'kind = "scores"\n[[evaluations]]\nname = "e"\n{two}'

    with pytest.raises(BadData, match="single part"):
        schema.parse(part, "p.toml")


def test_claims_of_a_score_paper_are_judged_once_more_from_the_same_results(paper, tmp_path):
    found = lexiscope.reproduce(paper, folder=tmp_path / "vectors")

    assert judge(found.paper, found.results) == found.verdicts


def test_the_papers_own_dataset_by_path_takes_the_place_of_a_substitute(paper, tmp_path):
    own = str(tmp_path / "ws.tsv")

    found = lexiscope.reproduce(
        paper, "paper", folder=tmp_path / "vectors", datasets={"men": own}
    )  # fmt: skip

    men = found.verdicts[1]
    assert "instead of" not in men.reason
    assert men.ours.value == pytest.approx(found.verdicts[0].ours.value)
    with pytest.raises(lexiscope.LexiscopeError, match="No evaluation with substitutes named 'ws'"):
        plan_for(paper, datasets={"ws": own})


def test_counts_of_columns_are_those_of_the_papers_own_datasets():
    # Four models in three columns; the third is a substitute and does not count.
    from lexiscope.papers.column_counts import best_columns, judge_count

    claim = ColumnCountClaim(
        table="1", row="a", column="of 3", value=2.0, statistic="best", average="mean"
    )
    names, columns = ("a", "b"), ["one", "two", "three"]
    scores = {("a", "one"): 0.9, ("b", "one"): 0.5, ("a", "two"): 0.5, ("b", "two"): 0.5,
              ("a", "three"): 0.9, ("b", "three"): 0.1}  # fmt: skip
    printed = {("a", "one"): 90.0, ("b", "one"): 10.0, ("a", "two"): 50.0, ("b", "two"): 10.0}
    results = SimpleNamespace(
        score=lambda m, c, _: ModelScore(m, c, 4, scores[m, c], 0, 0, 1, scores[m, c] - 0.01,
                                         scores[m, c] + 0.01),
        plan=SimpleNamespace(seed=0, table_dimension=4,
                             evaluations=[Evaluation("mean", (), members=tuple(columns))]),
    )  # fmt: skip
    made = SimpleNamespace(
        models=[SimpleNamespace(name=name) for name in names],
        claims=[ScoreClaim(table="1", row=m, column=c, value=v, dimension=4)
                for (m, c), v in printed.items()],
    )  # fmt: skip

    found = judge_count(claim, results, made, columns[:2])

    assert best_columns(np.array([[90.0, 50.0], [50.0, 50.0]]), 0) == 1  # a shared rank is none
    assert (found.ours.value, found.paper.value, found.ours.n) == (1, 2, 2)
    assert found.difference.value == -1
    (whole,) = found.secondary.values()
    assert whole.value == 2


def test_the_counts_of_table_1_follow_from_its_printed_scores():
    from lexiscope.papers.column_counts import best_columns

    whole = schema.load("s1")
    printed = {(c.row, c.column): c.value for c in whole.claims if isinstance(c, ScoreClaim)}
    columns = next(each.average_of for each in whole.evaluations if each.average_of)
    table = np.array([[printed[m, c] for c in columns] for m in MODELS])
    counts = {c.row: c.value for c in whole.claims if isinstance(c, ColumnCountClaim)}

    assert counts == {"CBOW": 10, "Rand. Proj.": 13}
    assert best_columns(table, MODELS.index("CBOW")) == 10
    assert best_columns(-table, MODELS.index("Rand. Proj.")) == 13


def test_the_report_has_the_rank_agreement_of_evaluations(paper, tmp_path):
    found = lexiscope.reproduce(paper, "paper", folder=tmp_path / "vectors").results
    three = [[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]]
    table = replace(
        found.scored(4), values=np.array(three)[:, :2], embeddings=("a", "b", "c"),
        models=("a", "b", "c"),
    )  # fmt: skip
    wider = replace(found, correlations=replace(found.correlations, scored=(table,)))

    assert found.agreement is None  # two models
    (row,) = wider.to_dict()["rank_agreement"]
    assert row == {"first": "ws", "second": "men", "spearman": pytest.approx(-0.5)}
    (section,) = [each for each in details(wider) if "Agreement" in each.title]
    assert "1 of 1 pair of evaluations" in section.text[1]
