"""Supervised tasks: their controls with random vectors and without vectors."""

import io
import json

import numpy as np
import pytest
from scipy.sparse import csr_array

import lexiscope
from lexiscope.core.datasets import WordPairs
from lexiscope.core.datasets.texts import Phrases, Texts
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import NotDownloaded, UnknownName
from lexiscope.core.execution import Execution
from lexiscope.core.policy import Policy
from lexiscope.evaluation.cell import Cell, controlled
from lexiscope.evaluation.vocabulary import align
from lexiscope.report.control_comparisons import better_without_vectors
from lexiscope.report.page import page
from lexiscope.report.terminal import summary, table
from lexiscope.store.store import Store
from lexiscope.tasks.sentiment import Sentiment
from tests.builders import seeded, texts
from tests.sparse import sparse_table

TEXTS = Texts.example()


@pytest.fixture(scope="module")
def pair():
    words = sorted(TEXTS.all_words | WordPairs.example().all_words)
    return [seeded("first", words, 1), seeded("second", words, 2, dimension=5)]


@pytest.fixture(scope="module")
def results(pair):
    return lexiscope.run(pair, datasets=[TEXTS, WordPairs.example()])


def control(vectors, seed=0):
    cell = Cell(0, "sentiment", Sentiment(), TEXTS, Policy(), seed, "random")
    return controlled(cell, align(vectors, Policy())).embedding


def test_a_random_control_has_the_same_words_and_dimension_and_spread(pair):
    random = control(pair[0])

    assert list(random.words) == list(pair[0].words)
    assert random.vectors.shape == pair[0].vectors.shape
    assert np.std(random.vectors) == pytest.approx(np.std(pair[0].vectors), rel=0.2)
    assert not np.allclose(random.vectors, pair[0].vectors)


def test_the_control_of_sparse_vectors_permutes_them_among_the_words(pair):
    rows = sparse_table(len(pair[0]), density=0.4)
    sparse = embedding("sparse", pair[0].words, csr_array(rows))

    random = control(sparse)

    assert random.is_sparse
    assert sorted(random.vectors.toarray().tolist()) == sorted(rows.tolist())
    assert random.vectors.toarray().tolist() != rows.tolist()


def test_controls_follow_the_seed_and_not_the_embedding(pair):
    other = seeded("other", pair[0].words, 9)

    first, same, later = control(pair[0]), control(other), control(pair[0], 1)

    cosines = np.sum(first.vectors * same.vectors, axis=1) / (
        np.linalg.norm(first.vectors, axis=1) * np.linalg.norm(same.vectors, axis=1)
    )
    np.testing.assert_allclose(cosines, 1, rtol=1e-5)
    assert not np.allclose(first.vectors, later.vectors)


def test_controls_are_reported_separately_from_the_embeddings(results):
    assert {r.embedding for r in results.main()} == {"first", "second"}
    found = [r for r in results.controls if r.metric == "accuracy"]
    assert [r.embedding for r in found] == [
        "without vectors", "random vectors for first", "random vectors for second",
    ]  # fmt: skip
    assert all(r.low <= r.value <= r.high for r in found)
    assert {r.task for r in results.controls} == {"sentiment"}


def test_comparisons_with_controls_are_corrected_separately(results):
    between = [c for c in results.comparisons if c.task == "sentiment"]

    assert len(between) == 1
    assert len(results.control_comparisons) == 4
    assert all(c.control for c in results.control_comparisons)
    alone = lexiscope.run([seeded("first", TEXTS.all_words, 1)], datasets=[TEXTS])
    assert len(alone.control_comparisons) == 2
    names = {name for group in results.groups("sentiment", TEXTS.name) for name in group}
    assert names == {"first", "second"}


def test_equal_work_gives_equal_controls_and_a_store_keeps_them(pair, tmp_path):
    store = tmp_path / "kept.sqlite"

    first, again = (
        lexiscope.run(pair, datasets=[TEXTS], execution=Execution(store)) for _ in range(2)
    )

    assert [r.value for r in first.controls] == [r.value for r in again.controls]
    with Store(store) as database:
        assert len(database.cells_and_controls(first.run)) == 3 + 2
        assert len(database.cells(first.run)) == 2
        # Texts of others are not copied into stores, labels and predictions are.
        assert database.dataset(TEXTS.fingerprint, TEXTS.name) is None
        assert len(database.items(TEXTS.fingerprint)[0]) == len(TEXTS)


def test_other_processes_give_the_same_controls(pair):
    here, there = (
        lexiscope.run(pair, datasets=[TEXTS], execution=Execution(backend=backend))
        for backend in ("serial", "processes")
    )

    assert [r.value for r in here.controls] == [r.value for r in there.controls]


def test_only_the_own_policy_has_controls(pair):
    usual = lexiscope.run(pair, datasets=[TEXTS], all_policies=True)

    assert len({r.embedding for r in usual.controls}) == 3
    assert {r.policy["vocabulary"] for r in usual.controls} == {"own"}


def test_table_summary_page_and_document_show_controls(results):
    from rich.console import Console

    console = Console(width=120, record=True, file=io.StringIO())
    console.print(table(results))
    shown = console.export_text()

    assert "without vectors" in shown
    assert "random vectors for second" in shown
    reported = " ".join(summary(results))
    assert "Controls of sentiment on example-texts: " in reported
    assert "Holm correction of their own" in reported
    assert (
        "Token coverage of example-texts (240 tokens): first 100.0 %, second 100.0 %." in reported
    )
    text = page(results)
    assert "random vectors for first" in text
    assert "token coverage" in text
    document = json.loads(results.to_json())
    assert len(document["control_comparisons"]) == 4
    assert {r["embedding"] for r in document["controls"]} >= {"without vectors"}


def test_vectors_that_are_significantly_worse_than_none_are_named():
    """The words say everything, the vectors nothing, as all are nearly the same."""
    rng = np.random.default_rng(0)
    rows = [(f"{word} w{k % 7}", word) for k, word in enumerate(["good", "bad"] * 60)]
    words = ["good", "bad", *(f"w{k}" for k in range(7))]
    blind = embedding("blind", words, 1 + 1e-6 * rng.normal(size=(9, 3)))

    results = lexiscope.run(blind, "sentiment", [texts(*rows)])

    reported = " ".join(summary(results))
    assert "0 of 1 embedding significantly better than predictions without vectors" in reported
    assert "blind significantly worse" in reported
    assert better_without_vectors(results) == [
        "On sentiment on texts predictions without vectors are significantly better than those "
        "with blind."
    ]


def test_supervised_tasks_run_only_if_they_or_a_dataset_are_named(pair, tmp_path, monkeypatch):
    unsupervised = lexiscope.run(pair, datasets=[WordPairs.example()])
    assert not unsupervised.controls

    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    with pytest.raises(NotDownloaded) as caught:
        lexiscope.run(pair)
    assert "chunking" not in str(caught.value)
    with pytest.raises(NotDownloaded, match="lexiscope data get chunking"):
        lexiscope.run(pair, "chunking")
    with pytest.raises(UnknownName, match="No task in this run named 'chunking'"):
        lexiscope.run(pair, settings={"chunking.train_sentences": 3})


def test_a_named_task_without_a_dataset_is_reported_as_skipped(pair):
    results = lexiscope.run(pair, ["similarity", "metaphor"], [WordPairs.example()])

    assert {r.task for r in results} == {"similarity"}
    (warning,) = [w for w in results.warnings if "metaphor" in w]
    assert warning.startswith("metaphor was not run")
    assert warning.endswith("lexiscope data get metaphor")


def test_the_control_without_vectors_covers_all_phrases():
    items = Phrases.example()
    known = seeded("few", sorted(items.all_words - {"soup"}), 1)

    results = lexiscope.run(known, datasets=[items])

    used = {r.embedding: r.used for r in results.controls if r.metric == "accuracy"}
    assert used == {"without vectors": 24, "random vectors for few": 21}
    assert [c.items for c in results.control_comparisons] == [21, 21]
