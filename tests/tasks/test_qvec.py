"""The task qvec: runs, errors, labels; GloVe with published supersenses and those of WordNet."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import pearsonr

import lexiscope
from lexiscope.cli.commands.dimensions import command as dimensions_command
from lexiscope.cli.commands.tags import command as tags_command
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.execution import Execution
from lexiscope.data.datasets import read
from lexiscope.data.inputs import Inputs
from lexiscope.evaluation.analysis.dimension_labels import label_dimensions
from lexiscope.report.page import page
from lexiscope.report.terminal import summary
from lexiscope.tasks.qvec import Qvec
from tests.builders import seeded, synthetic_words
from tests.data.local_files import CACHE, fetched, shared

EXAMPLE = Properties.example()


def matrix(words, properties=3, seed=0):
    """Random properties of synthetic words."""
    amounts = np.random.default_rng(seed).dirichlet(np.full(properties, 0.4), words)
    names = [f"p{k}" for k in range(properties)]
    return Properties.of(
        "matrix",
        {
            word: dict(zip(names, row, strict=True))
            for word, row in zip(synthetic_words(words), amounts.tolist(), strict=True)
        },
    )


def values(results):
    return {(r.embedding, r.metric): r.value for r in results}


def test_two_embeddings_are_compared_on_the_words_that_both_cover():
    items = matrix(80)
    whole, part = seeded("whole", items.word, 1), seeded("part", items.word[:60], 2)

    results = lexiscope.run([whole, part], "qvec", items)

    assert {r.embedding: r.used for r in results.main()} == {"whole": 80, "part": 60}
    (comparison,) = results.comparisons
    alone = lexiscope.run([seeded("whole", items.word, 1)], "qvec", items.take(np.arange(60)))
    scores = values(results)["part", "qvec"], values(alone)["whole", "qvec"]
    assert comparison.items == 60
    assert comparison.difference == pytest.approx(scores[1] - scores[0])


def test_words_that_differ_only_in_case_are_one_unit():
    items = Properties.of("m", {w: {"a": k % 3, "b": 1} for k, w in enumerate(["X", "x", *"abc"])})

    assert items.units is None
    assert items.map_words(str.lower).units.ravel().tolist() == [3, 3, 0, 1, 2]


def test_a_run_labels_each_dimension(tmp_path):
    vectors = embedding("e", EXAMPLE.word, EXAMPLE.matrix.amounts + 0.01)

    results = lexiscope.run(
        vectors, "qvec", EXAMPLE, execution=Execution(store=tmp_path / "store.sqlite")
    )

    assert [d.property for d in results.dimensions] == ["animal", "food", "motion"]
    assert [round(d.correlation, 6) for d in results.dimensions] == [1, 1, 1]
    assert results.dimensions[0].words[:3] == ("cat", "dog", "horse")
    document = json.loads(results.to_json())
    assert document["dimensions"][1]["property"] == "food"
    assert ">Dimensions<" in page(results)


def test_hostile_words_are_escaped_on_the_page():
    bad = "<script>alert(1)</script>"
    rows = {f"{bad}{k}": {bad: k % 4, "b": k % 3} for k in range(9)}
    items = Properties.of("m", rows)

    text = page(lexiscope.run(seeded("e", items.word), "qvec", items))

    assert bad not in text


def test_an_unknown_word_contributes_nothing_under_the_zero_policy():
    items = matrix(40)
    known = seeded("e", items.word[:30])
    policy = lexiscope.Policy(oov="zero")

    (plain,) = lexiscope.run(known, "qvec", items).main()
    (filled,) = lexiscope.run(known, "qvec", items, policy=policy).main()

    assert filled.value == pytest.approx(plain.value * 30 / 40)


def test_scores_of_rotations_are_secondary():
    items = matrix(60)
    settings = {"qvec.rotations": 50}

    found = values(lexiscope.run(seeded("e", items.word), "qvec", items, settings=settings))
    again = values(lexiscope.run(seeded("e", items.word), "qvec", items, settings=settings))

    assert found == again
    assert 1 / 51 <= found["e", "rotation_p_value"] <= 1
    assert found["e", "qvec_rotated"] == pytest.approx(found["e", "qvec"], rel=0.5)


def test_sparse_vectors_are_refused():
    from scipy.sparse import csr_array

    items = matrix(20)
    sparse = embedding("e", items.word, csr_array(np.eye(20, dtype=np.float32)))

    (failure,) = lexiscope.run(sparse, "qvec", items).failures

    assert "are sparse" in failure.reason


def test_settings_out_of_bounds_are_refused():
    with pytest.raises(BadUsage, match="folds"):
        Qvec(folds=1)
    with pytest.raises(BadUsage, match="rotations"):
        Qvec(rotations=-1)


@pytest.fixture
def files(tmp_path):
    vectors = seeded("e", [*EXAMPLE.word, "zebra"], 3, dimension=4)
    lines = [
        f"{w} {' '.join(map(str, v))}" for w, v in zip(vectors.words, vectors.vectors, strict=True)
    ]
    (tmp_path / "e.txt").write_text("\n".join(lines) + "\n")
    names, amounts = EXAMPLE.matrix
    rows = [
        ("word", *names),
        *((w, *a) for w, a in zip(EXAMPLE.word, amounts.tolist(), strict=True)),
    ]
    (tmp_path / "m.csv").write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return str(tmp_path / "e.txt"), str(tmp_path / "m.csv")


def test_the_command_dimensions_prints_labels_and_rotations(files):
    shown = CliRunner().invoke(
        dimensions_command, [files[0], "--dataset", files[1], "--rotations", "20", "-n", "2"]
    )

    assert shown.exit_code == 0, shown.output
    assert "over 21 of 21 words of m" in shown.output
    assert "20 random rotations score" in shown.output
    labels = [line for line in shown.output.splitlines() if line[:5].strip().isdigit()]
    assert len(labels) == 4


def test_the_command_dimensions_prints_one_document(files):
    shown = CliRunner().invoke(dimensions_command, [files[0], "--dataset", files[1], "--json"])

    document = json.loads(shown.output)
    assert [label["dimension"] for label in document["labels"]] == [0, 1, 2, 3]
    assert document["words"] == 21
    assert document["p"] is None
    assert document["score"] == pytest.approx(sum(x["correlation"] for x in document["labels"]))


def test_words_in_common_are_needed_for_labels():
    with pytest.raises(BadData, match="only 0 words in common"):
        label_dimensions(seeded("e", ["nobody", "nothing"]), EXAMPLE)


def test_the_command_tags_writes_a_matrix_that_can_be_read(tmp_path):
    (tmp_path / "text").write_text("the DT\ncat NN\nruns VBZ\n")
    target = tmp_path / "pos.tags"

    result = CliRunner().invoke(
        tags_command, [str(tmp_path / "text"), "-o", str(target), "--min-count", "1"]
    )

    assert result.exit_code == 0, result.output
    assert result.output.endswith("words 3, tags 3\n")
    assert read("properties", target, "pos").gold.tolist() == ["NN", "VBZ", "DT"]


def test_the_command_tags_does_not_write_over_its_text(tmp_path):
    text = tmp_path / "text"
    text.write_text("the DT\n")

    result = CliRunner().invoke(tags_command, [str(text), "-o", str(text), "--min-count", "1"])

    assert isinstance(result.exception, BadUsage)
    assert text.read_text() == "the DT\n"


def test_embeddings_of_different_dimensions_are_reported_as_not_compared():
    items = matrix(40)
    vectors = [seeded("small", items.word, 1, 4), seeded("large", items.word, 2, 8)]

    printed = summary(lexiscope.run(vectors, "qvec", items))

    tested = "Not tested: qvec on matrix: small and large: 4 and 8 dimensions"
    assert any(tested in line for line in printed)
    assert not any("significant" in line for line in printed)  # none was tested


def test_letters_and_advice_are_omitted_if_only_some_embeddings_are_comparable():
    items = matrix(200)
    informative = embedding("informative", items.word, items.matrix.amounts)
    vectors = [informative, seeded("other", items.word, 1, 3), seeded("large", items.word, 2, 8)]

    results = lexiscope.run(vectors, "qvec", items)

    (significant,) = [c for c in results.comparisons if c.significant]
    assert {significant.first, significant.second} == {"informative", "other"}
    assert results.groups("qvec", "matrix") == []
    printed = " ".join(summary(results))
    assert "3 comparisons: 1 different, 2 undecided (2 not tested)" in printed
    assert "share a letter" not in printed
    pairs = "2 of 3 pairs, such as informative and large: 3 and 8 dimensions"
    assert f"Not tested: qvec on matrix: {pairs}" in printed
    text = page(results)
    assert "Undecided between informative and large: they are not comparable on matrix" in text
    assert "(tied)" not in text


def test_reference_scores_are_printed_in_the_terminal():
    printed = summary(
        lexiscope.run(seeded("e", synthetic_words(40), 1, 4), "qvec", matrix(40),
                      settings={"qvec.rotations": 20})
    )  # fmt: skip

    (line,) = [
        line for line in printed if line.startswith("Reference values of qvec (rotations=20) on")
    ]
    for name in ("qvec_chance_level", "qvec_held_out", "qvec_rotated", "rotation_p_value"):
        assert f"{name} " in line


@pytest.fixture
def _the_users_own_cache(_no_settings_from_outside, monkeypatch):
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    monkeypatch.delenv("LEXISCOPE_CACHE_DIR", raising=False)
    if CACHE:
        monkeypatch.setenv("LEXISCOPE_CACHE_DIR", CACHE)


# Supersenses as published, and from the sense counts of WordNet.
ANCHORS = {"qvec-supersenses": (8.09, 4186), "wordnet-supersenses": (8.18, 4321)}


@pytest.mark.usefixtures("_the_users_own_cache")
def test_glove_reaches_its_anchors():
    fetched("glove-6b-50d")

    results = lexiscope.run(
        "glove-6b-50d",
        "qvec",
        list(ANCHORS),
        inputs=Inputs(data_dir=shared()),
        settings={"qvec.rule": "script"},
    )

    for score in results.main():
        assert (round(score.value, 2), score.used) == ANCHORS[score.dataset]
        assert score.high - score.low == pytest.approx(0.45, abs=0.06)


@pytest.mark.usefixtures("_the_users_own_cache")
def test_the_rule_script_gives_the_sum_of_row_maxima():
    """Properties times words against dimensions times words, one correlation at a time."""
    fetched("glove-6b-50d")
    glove = lexiscope.load("glove-6b-50d")
    path = shared() / "qvec-oracles" / "semcor_noun_verb.supersenses.en"
    known = dict(line.split("\t") for line in path.read_text("utf-8").splitlines())
    words = sorted(word for word in known if word in glove)[::4]
    rows = {word: json.loads(known[word]) for word in words}
    names = sorted({name for row in rows.values() for name in row})
    wide = np.array([[rows[word].get(name, 0.0) for word in words] for name in names])
    dimensions = glove[words].astype(np.float64).T

    (score,) = lexiscope.run(
        glove, "qvec", Properties.of("part", rows), settings={"qvec.rule": "script"}
    ).main()

    maxima = [max(pearsonr(d, s).statistic for s in wide) for d in dimensions]
    assert score.value == pytest.approx(sum(maxima), abs=1e-6)
