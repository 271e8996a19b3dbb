import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from lexiscope.core.datasets import KINDS, Analogies, WordPairs
from lexiscope.core.datasets.base import word_array
from lexiscope.core.errors import BadData, UnknownName
from lexiscope.core.result import Comparison, Score
from lexiscope.store.store import CellCopy, CellRecord, RunCell, Store, StoredPredictions
from tests.builders import entities

ROOT = Path(__file__).parents[2]
PAIRS = WordPairs.example()
SCORES = (
    Score("spearman", "all", 0.5, 0.25, 0.75, 3, 6),
    Score("pearson", "all", None, None, None, 3, 6, "the predictions are all equal"),
)


def record(cell="c1", dataset=PAIRS, **changes):
    settings = {
        "id": cell, "task": "similarity", "task_version": 1, "settings": {"a": 1},
        "embedding": "e" * 64, "dataset": dataset.fingerprint, "policy": {"case": "fold"},
        "seed": 3, "used": 3, "total": 6, "missing": ("zyx", "naïve"), "zero": ("nil",),
        "seconds": 0.5, "versions": {"numpy": "2"}, "variant": "similarity",
        "metric": "spearman",
    }  # fmt: skip
    return CellRecord(**{**settings, **changes})


def add(store, cell="c1", predicted=(0.5, 0.25, -0.125), scores=SCORES, force=False):
    predictions = StoredPredictions(np.array([0, 2, 5]), np.array(predicted))
    store.add(record(cell), PAIRS, predictions, scores, force=force)


def add_all(store, dataset, predicted, scores=SCORES):
    predictions = StoredPredictions(np.arange(len(predicted)), predicted)
    store.add(record(dataset=dataset), dataset, predictions, scores)


def run_cell(cell, embedding):
    return RunCell(cell, embedding, "men", "similarity")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def good(path):
    """Whether SQLite itself finds nothing wrong."""
    with closing(sqlite3.connect(path)) as database:
        return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def counted(path, table):
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_a_cell_is_restored(path):
    with Store(path) as store:
        add(store)
    with Store(path) as store:
        items, predicted = store.predictions("c1")

        assert items.tolist() == [0, 2, 5]
        assert predicted.tolist() == [0.5, 0.25, -0.125]
        assert {score.metric: score for score in store.scores("c1")} == {
            score.metric: score for score in SCORES
        }
        assert store.done(["c0", "c1"]) == {"c1"}


def test_predicted_words_are_restored():
    questions = Analogies.example()
    predicted = word_array(["dogs", "", "日本", "queen"])
    with Store() as store:
        add_all(store, questions, predicted, ())

        assert store.predictions("c1")[1].tolist() == ["dogs", "", "日本", "queen"]
        assert store.items(questions.fingerprint)[0][0] == "cat : cats = dog : ?"
        assert store.items(questions.fingerprint)[1].tolist() == questions.answer.tolist()


def test_a_float_is_restored_to_the_last_bit():
    values = np.random.default_rng(0).normal(size=3)
    with Store() as store:
        add(store, predicted=values)

        assert store.predictions("c1")[1].tolist() == values.tolist()


def test_a_cell_without_predictions_is_done():
    with Store() as store:
        add_all(store, PAIRS, np.empty(0), SCORES[1:])

        assert store.done(["c1"]) == {"c1"}
        assert store.predictions("c1")[0].tolist() == []
        assert store.scores("c1") == [SCORES[1]]


def test_a_cell_that_is_added_twice_does_not_change(path):
    with Store(path) as store:
        add(store)
        add(store, predicted=(9.0, 9.0, 9.0), scores=SCORES[:1])

        assert store.predictions("c1")[1].tolist() == [0.5, 0.25, -0.125]
        assert len(store.scores("c1")) == 2
    assert counted(path, "cell") == 1
    assert counted(path, "item") == len(PAIRS)


def test_a_cell_can_be_replaced_in_one_step():
    with Store() as store:
        add(store)

        add(store, predicted=(1.0, 2.0, 3.0), force=True)

        assert store.predictions("c1")[1].tolist() == [1, 2, 3]
        assert len(store.scores("c1")) == 2


def test_a_run_lists_its_cells_in_order_under_its_own_names():
    with Store() as store:
        listed = (("c2", "glove"), ("c1", "sgns"), ("c9", "x"))
        cells = [run_cell(*each) for each in listed]
        store.begin("r1", 3, {"case": "fold"}, {"versions": {}}, cells)
        add(store, "c1")
        add(store, "c2")
        cells = store.cells("r1")

        assert [(c["id"], c["embedding_name"]) for c in cells] == [("c2", "glove"), ("c1", "sgns")]
        assert cells[0]["missing"] == ["zyx", "naïve"]
        assert cells[0]["settings"] == {"a": 1}
        assert store.run("r1")["policy"] == {"case": "fold"}
        assert store.run("r1")["finished"] is None


def test_comparisons_and_failures_are_restored(path):
    found = Comparison(
        "a", "b", "similarity", "men", "spearman", {}, 0.1, 0.0, 0.2, 0.04, 0.08, 9, "swaps", False
    )
    with Store(path) as store:
        store.begin("r1", 0, {}, {}, [run_cell("c1", "a"), run_cell("c2", "b")])
        store.finish("r1", {"comparisons": [found]}, {1: "ValueError: no"})
    with Store(path) as store:
        assert [Comparison(**each) for each in store.findings("r1")["comparisons"]] == [found]
        assert store.failures("r1") == [
            {
                "embedding": "b",
                "variant": "similarity",
                "dataset": "men",
                "control": "",
                "reason": "ValueError: no",
            }
        ]
        assert store.run("r1")["finished"] is not None
        assert [run["id"] for run in store.runs()] == ["r1"]


def test_a_run_that_begins_again_is_open_until_it_finishes_again():
    with Store() as store:
        store.begin("r1", 0, {}, {}, [run_cell("c1", "a")])
        store.finish("r1", {}, {0: "no"})
        store.begin("r1", 0, {}, {}, [run_cell("c1", "a")])
        assert store.run("r1")["finished"] is None

        store.finish("r1", {}, {})

        assert store.run("r1")["finished"] is not None
        assert store.failures("r1") == []


def test_an_error_for_an_unknown_run_names_it():
    with Store() as store, pytest.raises(UnknownName, match="No run named 'r7'"):
        store.run("r7")


def test_an_exception_while_writing_leaves_nothing_behind(path):
    def scores():
        yield SCORES[0]
        raise RuntimeError("halfway")

    with Store(path) as store:
        with pytest.raises(RuntimeError, match="halfway"):
            add(store, scores=scores())

        assert store.done(["c1"]) == set()
        add(store, "c2")  # and the store can be used on
    assert [counted(path, table) for table in ("cell", "prediction", "score")] == [1, 3, 2]
    assert good(path)


def test_a_prediction_that_is_not_a_number_leaves_nothing_behind(path):
    with Store(path) as store:
        with pytest.raises(BadData, match="could not be written"):
            add(store, predicted=(0.5, np.nan, 0.25))

        assert store.done(["c1"]) == set()
    assert counted(path, "prediction") == counted(path, "item") == 0


def test_a_newer_format_is_refused_and_left_alone(path):
    with Store(path):
        pass
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 999")
    before = path.read_bytes()

    with pytest.raises(BadData, match=r"newer lexiscope \(format 999, this version reads"):
        Store(path)
    assert path.read_bytes() == before


def test_an_older_format_is_refused_and_left_alone(path):
    with closing(sqlite3.connect(path)) as database:
        for table in ("run", "run_cell", "cell", "answer"):
            database.execute(f"CREATE TABLE {table} (id)")
        database.execute("PRAGMA user_version = 6")
    before = path.read_bytes()

    with pytest.raises(BadData, match=r"older lexiscope.*Delete the file, or choose another one"):
        Store(path)
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_refused_and_left_alone(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE bookmarks (url)")
    before = path.read_bytes()

    with pytest.raises(BadData, match="is a database of another program"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"cat 1 2 3\n" * 100, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path, content):
    path.write_bytes(content)

    with pytest.raises(BadData, match=r"store\.sqlite: cannot be used as a store"):
        Store(path)
    assert path.read_bytes() == content


def test_a_store_in_a_missing_folder_raises_an_error(tmp_path):
    with pytest.raises(BadData, match="cannot be opened as a store"):
        Store(tmp_path / "nowhere" / "store.sqlite")
    with pytest.raises(BadData, match="store"):
        Store(tmp_path)


def test_a_damaged_store_raises_an_error_of_lexiscope(path):
    with Store(path) as store:
        for cell in range(50):
            add(store, f"c{cell}")
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'prediction'"
        (page,) = store._database.execute(query).fetchone()
        (size,) = store._database.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(content)

    with Store(path) as store, pytest.raises(BadData, match="could not be read"):
        read_all(store)


def read_all(store):
    for cell in range(50):
        store.predictions(f"c{cell}"), store.scores(f"c{cell}"), store.done([f"c{cell}"])


def test_a_full_disk_raises_an_error_and_leaves_a_valid_file(path):
    with Store(path) as store:
        add(store, "c1")
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages + 1}")
        many = np.random.default_rng(0).normal(size=5000)
        large = record("c2"), PAIRS, StoredPredictions(np.arange(5000), many), SCORES

        with pytest.raises(BadData, match=r"full.*What was stored before is safe"):
            store.add(*large)

        assert good(path)
        assert store.done(["c1", "c2"]) == {"c1"}
        store._database.execute("PRAGMA max_page_count = 100000")
        store.add(*large)
        assert store.done(["c1", "c2"]) == {"c1", "c2"}
    assert good(path)


WRITER = """
import sys
from tests.store.test_store import add
from lexiscope.store.store import Store
with Store(sys.argv[1]) as store:
    for cell in range(30):
        add(store, f"{sys.argv[2]}-{cell}")
        add(store, f"both-{cell}")
"""


def test_two_processes_can_write_at_once(path):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name], stderr=subprocess.PIPE, cwd=ROOT
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.communicate(timeout=60)[1] == b""

    assert [writer.returncode for writer in writers] == [0, 0]
    assert counted(path, "cell") == 90
    assert counted(path, "prediction") == 270
    assert counted(path, "score") == 180
    assert good(path)


def test_other_programs_can_read_during_a_write(path):
    with Store(path) as store:
        add(store, "c1")
        with store._transaction() as database:
            database.execute("DELETE FROM score")
            assert counted(path, "score") == 2


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.stored])
def test_a_dataset_is_restored(path, kind):
    dataset = kind.example()
    with Store(path) as store:
        add_all(store, dataset, np.zeros(len(dataset)))

        back = store.dataset(dataset.fingerprint, "again")

    assert back.fingerprint == dataset.fingerprint
    assert back.name == "again"
    assert type(back) is kind


def test_unknown_numbers_are_stored_as_null_and_restored(path):
    dataset = entities(("rome", "city"), ("oslo", "city", 7))
    with Store(path) as store:
        add_all(store, dataset, np.zeros(2))
        back = store.dataset(dataset.fingerprint, "again")
    with closing(sqlite3.connect(path)) as database:
        (content,) = database.execute("SELECT content FROM dataset").fetchone()

    assert json.loads(content)["frequency"] == [None, 7]
    assert back.fingerprint == dataset.fingerprint


def test_findings_are_replaced_when_a_run_finishes_again(path):
    found = Score("spearman", "pos: noun", 0.5, None, None, 3, 4, "why")
    with Store(path) as store:
        store.begin("r1", 0, {}, {})
        store.finish("r1", {"breakdowns": [found, found]}, {})
        store.finish("r1", {"breakdowns": [found]}, {})

        assert [Score(**each) for each in store.findings("r1")["breakdowns"]] == [found]


def test_a_copied_cell_has_the_same_results_under_another_policy():
    with Store() as store:
        add(store)

        store.copy([CellCopy("c1", "c2", {"case": "exact"})])

        assert store.predictions("c2").predicted.tolist() == [0.5, 0.25, -0.125]
        assert store.scores("c2") == store.scores("c1")
        store.begin("r1", 0, {}, {}, [run_cell("c1", "a"), run_cell("c2", "a")])
        assert [cell["policy"]["case"] for cell in store.cells("r1")] == ["fold", "exact"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if not kind.stored])
def test_only_labels_and_gold_of_long_texts_are_stored(path, kind):
    dataset = kind.example()
    with Store(path) as store:
        add_all(store, dataset, np.zeros(len(dataset)))

        assert store.dataset(dataset.fingerprint, "again") is None
        labels, gold = store.items(dataset.fingerprint)

    assert labels == dataset.labels
    assert gold.tolist() == dataset.gold.tolist()
