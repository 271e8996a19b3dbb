import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

import lexiscope
from lexiscope.report import inspection as report
from lexiscope.report.inspection.verdict import verdict_sentences
from tests.builders import seeded, synthetic_pairs, synthetic_words
from tests.report.hostile_words import HOSTILE

WORDS = synthetic_words(300)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    sets = {"x": WORDS[:3], "y": WORDS[3:5], "a": WORDS[5:7], "b": [*WORDS[7:9], "nowhere"]}
    test = {"name": "T", "targets": ["x", "y"], "attributes": ["a", "b"]}
    path = tmp_path_factory.mktemp("sets") / "sets.json"
    path.write_text(json.dumps({"sets": sets, "tests": [test]}))
    plan = lexiscope.InspectionPlan(
        queries=WORDS[:20], thresholds=(100, 150), neighbours=50, transforms=("centred",),
        datasets=(synthetic_pairs(60, 40),), bias=path,
    )  # fmt: skip
    vectors = {name: seeded(name, WORDS, seed) for seed, name in enumerate(("one", "two", "three"))}
    return lexiscope.inspect(vectors, plan=plan)


@pytest.fixture(scope="module")
def hostile():
    words = [*HOSTILE, *WORDS]
    rng = np.random.default_rng(0)
    vectors = {name: (words, rng.normal(size=(len(words), 5))) for name in HOSTILE[:2]}
    plan = lexiscope.InspectionPlan(queries=words[:30], thresholds=(150,), neighbours=50)
    return lexiscope.inspect(vectors, plan=plan)


def test_the_page_has_every_section_and_a_figure_with_the_data(found):
    page = report.page(found)

    for title in (
        "Verdict", "Frequency probe", "Neighbours and frequency", "Shape of the space",
        "Norms and frequency", "What this space looks like", "Agreement of spaces", "Transforms",
        "Associations of word sets", "Frequencies",
    ):  # fmt: skip
        assert title in page
    specs = re.findall(r'type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert len(specs) >= 9  # probe, ranks, four properties or more, three maps
    assert all(json.loads(spec)["config"] for spec in specs)
    assert "Ethayarajh et al. (2019)" in page
    assert "one, T: not in the vocabulary: nowhere." in page
    assert "left out at random for targets of equal number" in page


def test_a_rank_is_never_called_a_count(found):
    page = report.page(found)

    assert "have no counts. The position of a word in the file stands in" in page
    assert "threshold (rank, log scale)" in page
    assert "threshold (count, log scale)" not in page


def test_hostile_words_are_escaped(hostile):
    page = report.page(hostile)

    assert "<script>alert" not in page
    assert "onerror=alert" not in page.replace("&lt;", "<").split("<script")[0] or "&lt;" in page
    rows = csv.reader(io.StringIO(report.csv(hostile)))
    assert not any(cell.startswith(("=", "@", "+")) for row in rows for cell in row[:2])


def test_the_terminal_has_80_columns(found):
    from rich.console import Console

    text = io.StringIO()
    console = Console(file=text, width=80, force_terminal=False)
    for part in report.terminal(found):
        console.print(part)

    assert max(map(len, text.getvalue().splitlines())) <= 80
    assert "IsoScore" in text.getvalue()


def test_exports_have_the_numbers_of_the_results(found):
    rows = list(csv.DictReader(io.StringIO(report.csv(found))))
    point = found.embeddings[0].probe.points[0]
    row = rows[0]

    assert (row["embedding"], row["quantity"], row["at"]) == ("one", "probe accuracy", "100")
    assert float(row["value"]) == point.accuracy.value
    assert {"exponent", "IsoScore", "hubness", "transform centred", "effect size d"} <= {
        each["quantity"] for each in rows
    }
    everything = {
        "weights, cosine with next", "weights, cosine with itself", "map x (pca)", "map rank",
        "WEAT p (one-sided)", "RND to A", "RND to B", "linear CKA", "neighbour Jaccard",
        "transform centred, p (Holm)", "probe accuracy after centred", "R squared",
    }  # fmt: skip
    assert everything <= {each["quantity"] for each in rows}
    weights = {
        row["at"]: row["value"]
        for row in rows
        if (row["embedding"], row["quantity"]) == ("one", "weights, cosine with itself")
    }
    assert float(weights["100"]) == point.same_direction
    assert r"\begin{tabular}" in report.latex(found)
    for caption in ("Frequency probe", "Power laws", "Effect of transforms", "Shape of the space"):
        assert caption in report.markdown(found)


@pytest.mark.parametrize(("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG")])
def test_every_figure_of_the_page_is_a_file(found, tmp_path, ending, start):
    small = replace(found, embeddings=found.embeddings[:1], agreement=())
    paths = report.figures(small, tmp_path, ending)

    assert len(paths) == 10  # probe, ranks, six properties, norms, map
    assert all(path.read_bytes().startswith(start) for path in paths)


def test_the_verdict_says_what_transforms_do(found):
    last = verdict_sentences(found)[-1]

    assert last.startswith("Transform centred: significantly better in ")
    assert " of 6 evaluations." in last  # similarity and ranking of three embeddings


def test_noise_has_no_significant_trace_of_frequency(found):
    sentences = verdict_sentences(found)[:3]

    assert sum("no significant linear trace" in each for each in sentences) >= 2
