"""Paper files: the schema, its errors, and the claims of the included papers."""

import re
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from lexiscope.core.errors import BadData, UnknownName
from lexiscope.experiments.models import Model
from lexiscope.papers import schema
from lexiscope.papers.claims import (
    CorrelationClaim,
    NumberClaim,
    OrderClaim,
    PredictorClaim,
    ProportionClaim,
    ScoreClaim,
)

SMALL = """
kind = "synthetic"
title = "A Title"
citation = "Someone 2020"
about = "One criterion."
models = [{name = "PPMI", trainer = "ppmi"}, {name = "SKIP", trainer = "skipgram"}]
probes = [{name = "subspace"}]
criteria = [{name = "rare", grammar = "sparseness"}]

[scales.small]
sentences = 100
trials = 2

[[claims]]
kind = "proportion"
table = "Table 1"
row = "PPMI"
column = "rare"
value = 0.5
"""


@pytest.mark.parametrize("name", schema.names())
def test_every_included_paper_is_valid_and_has_its_own_name(name):
    paper = schema.load(name)

    assert paper.name == name
    assert paper.title
    assert paper.claims


def test_a_paper_of_ones_own_is_read_from_a_file(tmp_path):
    (tmp_path / "mine.toml").write_text(SMALL, "utf-8")

    paper = schema.load(tmp_path / "mine.toml")

    assert (paper.name, paper.citation) == ("mine", "Someone 2020")
    assert paper.claims[0].labels == {"criterion": "rare", "probe": "subspace", "model": "PPMI"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "synthetic"', 'kind = "poetry"', "mine.toml: kind: Invalid value 'poetry'"),
        (
            "trials = 2",
            'trials = "two"',
            "mine.toml: scales[...].trials: Expected `int`, got `str`",
        ),
        ("trials = 2", "trials = 0", "mine.toml: scales[...].trials: Expected `int` >= 1"),
        (
            "trials = 2",
            "trails = 2",
            "mine.toml: scales[...]: Object contains unknown field `trails`",
        ),
        ('title = "A Title"\n', "", "mine.toml: Object missing required field `title`"),
        ("value = 0.5\n", "", "mine.toml: claims[0]: give `value`, or `low` and `high`"),
        ("value = 0.5", "value = 0.5\nlow = 0.1\nhigh = 1.0", "claims[0]: give either `value` or"),
        ("value = 0.5", "low = 0.5", "claims[0]: a range needs both `low` and `high`"),
        ("value = 0.5", "low = 0.9\nhigh = 0.5", "claims[0]: `low` must not be greater"),
        ('row = "PPMI"', 'row = "PMI"', "claims[0]: No model named 'PMI'. Did you mean 'PPMI'?"),
        ('column = "rare"', 'column = "rear"', "claims[0]: No criterion named 'rear'."),
        ('table = "Table 1"', "table = 1", "claims[0].table: Expected `str`, got `int`"),
        ('kind = "proportion"', 'kind = "number"', "claims[0]: a claim of kind 'number' needs"),
        ("[[claims]]", "[[claims", "mine.toml: is not valid TOML ("),
    ],
)
def test_an_error_names_the_file_and_the_key(tmp_path, old, new, message):
    assert old in SMALL
    (tmp_path / "mine.toml").write_text(SMALL.replace(old, new, 1), "utf-8")

    with pytest.raises(BadData) as problem:
        schema.load(tmp_path / "mine.toml")

    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


def test_an_unknown_paper_is_refused():
    with pytest.raises(UnknownName, match=r"No paper named 's9'. Available: s0, s1, s2, s3"):
        schema.load("s9")


def test_a_file_that_is_not_text_is_refused(tmp_path):
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(BadData, match=r"mine\.toml: cannot be read as UTF-8 text"):
        schema.load(tmp_path / "mine.toml")


@pytest.mark.parametrize("name", schema.names())
def test_every_hyperparameter_belongs_to_a_trainer_of_the_paper(name):
    paper = schema.load(name)
    models = [Model(each.name, each.trainer, each.settings) for each in paper.models]

    assert all(set(model.settings) <= model.fields for model in models)
    assert set(paper.hyperparameters) <= {field for model in models for field in model.fields}


@pytest.mark.parametrize("name", schema.names())
def test_no_two_claims_of_a_paper_are_the_same(name):
    found = [msgspec.json.encode(claim) for claim in schema.load(name).claims]

    assert len(found) == len(set(found))


# What the papers print, read from their text independently of the files.


def scores(name, table):
    return {
        (c.row, c.column): c.value
        for c in schema.load(name).claims
        if isinstance(c, ScoreClaim | NumberClaim) and c.table == table
    }


def correlations(table):
    return {
        (c.predictor, c.target, c.dimension): c.value
        for c in schema.load("s3").claims
        if isinstance(c, CorrelationClaim) and c.table == table
    }


def test_s3_has_all_22_scores_of_table_2_and_their_correlation():
    found = scores("s3", "Table 2")

    assert len(found) == 22
    assert found["GloVe+WN", "QVEC"] == 42.1
    assert found["LSA+PPDB", "Senti"] == 77.3
    assert sum(found[model, "QVEC"] for model, _ in found) / 2 == pytest.approx(378.8)
    assert correlations("Table 2") == {("QVEC", "Senti", 300): 0.87}


def test_s3_marks_the_misprint_of_table_2():
    (claim,) = [c for c in schema.load("s3").claims if c.misprint]

    assert (claim.table, claim.row, claim.column, claim.value) == ("Table 2", "CBOW", "Senti", 90.0)


def test_s3_has_tables_3_4_and_5():
    tasks = ("WS-353", "MEN", "SimLex", "20NG", "Metaphor", "Senti")
    printed = (0.34, 0.63, 0.68, 0.74, 0.75, 0.88)
    assert correlations("Table 3") == {
        ("QVEC", t, 300): v for t, v in zip(tasks, printed, strict=True)
    }
    fourth = correlations("Table 4")
    assert len(fourth) == 12
    assert [fourth["MEN", task, 300] for task in tasks[3:]] == [0.76, 0.49, 0.55]
    assert [fourth["QVEC", task, 300] for task in tasks[3:]] == [0.74, 0.75, 0.88]
    fifth = correlations("Table 5")
    widths = (50, 100, 200, 300, 500, 1000)
    assert [fifth["QVEC", "Senti", d] for d in widths] == [0.32, 0.57, 0.73, 0.78, 0.72, 0.60]
    assert [fifth["QVEC", "All", d] for d in widths] == [0.66, 0.59, 0.63, 0.65, 0.62, 0.59]


def test_s3_differences_are_those_of_the_printed_correlations():
    printed = correlations("Table 4")

    for claim in schema.load("s3").claims:
        if isinstance(claim, PredictorClaim):
            ours, theirs = (printed[n, claim.column, 300] for n in (claim.row, claim.below))
            assert claim.value == pytest.approx(ours - theirs)


def test_s0_has_all_36_scores_of_table_1():
    found = scores("s0", "Table 1")

    assert len(found) == 36
    assert found["SKIP", "all entities, 1NN"] == 57.1
    assert found["CBOW", "tail entities, MLP"] == 39.1
    assert sum(found.values()) == pytest.approx(1992.4)


def test_s0_has_the_numbers_of_section_4():
    paper = schema.load("s0")
    found = {
        (c.column, c.probe, c.row, c.at): c.range
        for c in paper.claims
        if isinstance(c, ProportionClaim)
    }

    models = [model.name for model in paper.models]
    assert {"PPMI", "LBL", "CBOW", "CWIN", "SKIP", "SSKIP"} == {c.row for c in paper.claims if (
        isinstance(c, ProportionClaim))} <= set(models)  # fmt: skip
    assert paper.models[1].settings == {"variant": "lai2015"}  # the program that the paper names
    assert (paper.scales["paper"].sentences, paper.scales["paper"].trials) == (100_000, 50)
    assert found["nonconflation", "subspace", "CBOW", None] == (0.5, 0.5)
    assert found["nonconflation", "subspace", "SKIP", None] == (1.0, 1.0)
    for tenth in range(15, 21):
        assert found["ambiguity", "subspace", "PPMI", tenth / 10] == (0.0, 0.0)
    assert found["ambiguity", "subspace", "PPMI", 1.4] == (0.5, 1.0)  # before the fall
    for model in ("CWIN", "SKIP"):
        points = {at for _, _, row, at in found if row == model and at is not None}
        assert points == {tenth / 10 for tenth in range(10, 21)}
    assert found["multifacetedness", "neighbour", "PPMI", None][0] <= 1 - 0.29
    assert found["multifacetedness", "triples", "LBL", None][1] >= 1 - 0.14
    orders = [(c.below, c.row) for c in paper.claims if isinstance(c, OrderClaim)]
    ranking = ["PPMI", "CBOW", "LBL", "SSKIP", "SKIP", "CWIN"]
    assert orders == list(pairwise(ranking))


def test_generic_code_names_no_model_and_no_table_of_a_paper():
    root = Path(schema.__file__).parents[1]
    folders = ("papers", "experiments/synthetic", "experiments/correlation", "report/papers")
    for folder in folders:
        for path in (root / folder).glob("*.py"):
            text = path.read_text("utf-8")
            assert not re.search(r"QVEC|Senti|CBOW|misprint\"|== \"5\"|Table \d", text), path
