"""Tasks that learn: asked only by name, with random vectors and no vectors beside them."""

import io
import json

import numpy as np
import pytest
from scipy.sparse import csr_array

import lexiscope
from lexiscope.bench.align import align
from lexiscope.bench.cell import Cell, controlled
from lexiscope.core.datasets import WordPairs
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import NotAtHand, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.texts import Phrases, Texts
from lexiscope.report.page import page
from lexiscope.report.terminal import summary, table
from lexiscope.report.wording import better_without
from lexiscope.store.store import Store
from lexiscope.tasks.sentiment import Sentiment
from tests.making import seeded, texts
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


def test_sparse_vectors_are_dealt_out_anew_to_the_words(pair):
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


def test_controls_stand_beside_the_embeddings_and_not_among_them(results):
    assert {r.embedding for r in results.main()} == {"first", "second"}
    found = [r for r in results.controls if r.measure == "accuracy"]
    assert [r.embedding for r in found] == [
        "without vectors", "random vectors for first", "random vectors for second",
    ]  # fmt: skip
    assert all(r.low <= r.value <= r.high for r in found)
    assert {r.task for r in results.controls} == {"sentiment"}


def test_differences_to_controls_are_a_family_of_their_own(results):
    between = [c for c in results.comparisons if c.task == "sentiment"]

    assert len(between) == 1
    assert len(results.against_controls) == 4
    assert all(c.control for c in results.against_controls)
    alone = lexiscope.run([seeded("first", TEXTS.all_words, 1)], datasets=[TEXTS])
    assert len(alone.against_controls) == 2
    names = {name for group in results.groups("sentiment", TEXTS.name) for name in group}
    assert names == {"first", "second"}


def test_equal_work_gives_equal_controls_and_a_store_keeps_them(pair, tmp_path):
    store = tmp_path / "kept.sqlite"

    first, again = (lexiscope.run(pair, datasets=[TEXTS], store=store) for _ in range(2))

    assert [r.value for r in first.controls] == [r.value for r in again.controls]
    with Store(store) as database:
        assert len(database.controls(first.run)) == 3
        assert len(database.cells(first.run)) == 2
        # Texts of others are not copied into stores, labels and answers are.
        assert database.dataset(TEXTS.fingerprint, TEXTS.name) is None
        assert len(database.items(TEXTS.fingerprint)[0]) == len(TEXTS)


def test_other_processes_give_the_same_controls(pair):
    here, there = (
        lexiscope.run(pair, datasets=[TEXTS], backend=backend)
        for backend in ("serial", "processes")
    )

    assert [r.value for r in here.controls] == [r.value for r in there.controls]


def test_other_policies_have_no_controls_of_their_own(pair):
    usual = lexiscope.run(pair, datasets=[TEXTS], policies=True)

    assert len({r.embedding for r in usual.controls}) == 3
    assert {r.policy["vocabulary"] for r in usual.controls} == {"own"}


def test_table_summary_page_and_document_show_them(results):
    from rich.console import Console

    console = Console(width=120, record=True, file=io.StringIO())
    console.print(table(results))
    shown = console.export_text()

    assert "without vectors" in shown
    assert "random vectors for second" in shown
    told = " ".join(summary(results))
    assert "Controls of sentiment on example-texts: " in told
    assert "corrected among themselves" in told
    assert "Known of the 240 words of example-texts: first 100.0%, second 100.0%." in told
    text = page(results)
    assert "random vectors for first" in text
    assert "running words known" in text
    document = json.loads(results.to_json())
    assert len(document["against_controls"]) == 4
    assert {r["embedding"] for r in document["controls"]} >= {"without vectors"}


def test_vectors_that_are_really_worse_than_none_are_named():
    """The words say everything, the vectors nothing, as all are nearly the same."""
    rng = np.random.default_rng(0)
    rows = [(f"{word} w{k % 7}", word) for k, word in enumerate(["good", "bad"] * 60)]
    words = ["good", "bad", *(f"w{k}" for k in range(7))]
    blind = embedding("blind", words, 1 + 1e-6 * rng.normal(size=(9, 3)))

    results = lexiscope.run(blind, "sentiment", [texts(*rows)])

    told = " ".join(summary(results))
    assert "0 of 1 embedding really better than the answers without vectors" in told
    assert "blind really worse" in told
    assert better_without(results) == [
        "On sentiment on texts the answers without vectors are really better than those with blind."
    ]


def test_nothing_learns_unless_it_or_a_dataset_is_named(pair, tmp_path, monkeypatch):
    asked = lexiscope.run(pair, datasets=[WordPairs.example()])
    assert not asked.controls

    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    with pytest.raises(NotAtHand) as told:
        lexiscope.run(pair)
    assert "chunking" not in str(told.value)
    with pytest.raises(NotAtHand, match="lexiscope data get chunking"):
        lexiscope.run(pair, "chunking")
    with pytest.raises(UnknownName, match="No task in this run named 'chunking'"):
        lexiscope.run(pair, settings={"chunking.sentences": 3})


def test_a_named_task_without_data_is_said_to_be_not_run(pair):
    results = lexiscope.run(pair, ["similarity", "metaphor"], [WordPairs.example()])

    assert {r.task for r in results} == {"similarity"}
    (warning,) = [w for w in results.warnings if "metaphor" in w]
    assert warning.startswith("metaphor was not run")
    assert warning.endswith("lexiscope data get metaphor")


def test_a_control_without_vectors_is_asked_of_all_phrases():
    items = Phrases.example()
    known = seeded("few", sorted(items.all_words - {"soup"}), 1)

    results = lexiscope.run(known, datasets=[items])

    used = {r.embedding: r.used for r in results.controls if r.measure == "accuracy"}
    assert used == {"without vectors": 24, "random vectors for few": 21}
    assert [c.items for c in results.against_controls] == [21, 21]
