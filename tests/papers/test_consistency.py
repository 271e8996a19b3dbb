"""Papers about consistency: a small one from end to end, and the claims of S2."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

import lexiscope
from lexiscope.papers import schema
from lexiscope.papers.claims import ConsistencyClaim
from lexiscope.report.papers.document import page, to_markdown

PAPER = """
kind = "consistency"
title = "A Title"
citation = "Someone 2020"
about = "One text."
models = [{name = "background", trainer = "skipgram", settings = {space = "both", epochs = 2}}]
term_models = [
    {name = "sum", model = "additive"},
    {name = "N2V", model = "nonce2vec", settings = {learning_rate = 0.5}},
]
[scales.paper]
texts = ["BACKGROUND"]
dimension = 8
keywords = 25
[scales.small]
texts = ["BACKGROUND"]
dimension = 8
keywords = 22
leave_out = ["halves"]
[[texts]]
name = "book"
source = "TEXT"
[[texts]]
name = "halves"
source = "TEXT"
split = "halves"
replaces = "another book"
[[texts]]
name = "absent"
source = "not-to-be-had"
[[claims]]
kind = "consistency"
table = "Table 1"
row = "book"
column = "cosine"
model = "sum"
value = 0.9
[[claims]]
kind = "consistency"
table = "Table 2"
row = "book"
column = "size 2"
model = "sum"
value = 0.8
[[claims]]
kind = "consistency"
table = "Table 1"
row = "halves"
column = "rank"
model = "N2V"
value = 1.2
[[claims]]
kind = "consistency"
table = "Table 1"
row = "absent"
column = "rank"
model = "N2V"
value = 1.2
[[claims]]
kind = "term-model-order"
table = "Table 1"
row = "sum"
below = "N2V"
column = "book"
printed = "0.9 and 0.5"
[[claims]]
kind = "size-order"
table = "Table 2"
row = "sum"
column = "book"
printed = "rises"
[[claims]]
kind = "consistency"
table = "Table 5"
row = "book"
column = "domain text high, background low"
model = "sum"
value = 0.7
"""


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    rng = np.random.default_rng(0)
    common = [f"common{chr(97 + n)}" for n in range(20)]
    rare = [f"topic{chr(97 + n)}" for n in range(26)]
    for name, number in (("text", 2), ("background", 1)):
        sentences = (
            f"The {' '.join(rng.permutation([*rng.choice(common, 6), *some]))} end."
            for some in (rng.choice(rare, number) for _ in range(500))
        )
        (folder / f"{name}.txt").write_text("\n".join(sentences) + "\n", "utf-8")
    text = PAPER.replace("TEXT", str(folder / "text.txt"))
    path = folder / "mine.toml"
    path.write_text(text.replace("BACKGROUND", str(folder / "background.txt")), "utf-8")
    return path


def test_numbers_and_orders_are_judged(paper, monkeypatch):
    monkeypatch.setattr("lexiscope.experiments.consistency.terms.FREQUENT_WITH_COUNTS", 3)
    found = lexiscope.reproduce(paper, "paper", folder=paper.parent / "vectors")

    cosine, size, halves, absent, order, sizes, group = found.verdicts
    assert {cosine.verdict, size.verdict} <= {"agrees", "differs", "undecided"}
    assert 0 < size.ours.value < cosine.ours.value <= 1
    spread = (cosine.ours.high - cosine.ours.low) / (2 * 1.959964)
    z = (cosine.ours.value - 0.9) / np.hypot(spread, np.hypot(spread, 0.001 / np.sqrt(12)))
    assert cosine.p_value == pytest.approx(2 * norm.sf(abs(z)), rel=1e-3)
    assert (halves.verdict, group.verdict) == ("unknown", "not run")
    points = [p.cosine for p in found.results.texts["book"].size_effect if p.model == "sum"]
    errors = [(p.high - p.low) / (2 * 1.959964) for p in points]
    z = [(b.value - a.value) / np.hypot(s, t)
         for (a, s), (b, t) in pairwise(zip(points, errors, strict=True))]  # fmt: skip
    assert sizes.p_value == pytest.approx(2 * norm.sf(np.abs(z)).max())
    assert sizes.ours.n == 5
    assert sizes.verdict in {"agrees", "undecided"}
    assert "instead of another book" in halves.reason
    assert absent.verdict == "not run"
    assert order.p_value is not None
    assert "Consistency over terms" in to_markdown(found)
    assert "How consistently" in page(found)


def test_s2_has_every_number_of_its_tables():
    claims = schema.load("s2").claims
    numbers = {
        (c.table, c.row, c.column): c.value for c in claims if isinstance(c, ConsistencyClaim)
    }
    assert numbers["Table 1", "Wiki-rnd", "cosine"] == 0.927
    assert numbers["Table 3", "Wiki-rnd", "rank"] == 507.8
    assert numbers["Table 6", "Mill", "drift rank"] == 24513
    assert [c.value for c in claims if c.table == "Table 2" and c.value] == [
        0.794, 0.837, 0.905, 0.923, 0.956, 0.987,
    ]  # fmt: skip
    assert sum(c.table == "Table 5" for c in claims) == 6
