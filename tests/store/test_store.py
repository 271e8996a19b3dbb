import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from lexiscope.core.dataset import word_array
from lexiscope.core.datasets import KINDS, Analogies, WordPairs
from lexiscope.core.errors import BadData, UnknownName
from lexiscope.core.result import Comparison, Result, Score
from lexiscope.store import schema
from lexiscope.store.store import CellRecord, Store
from tests.making import entities

ROOT = Path(__file__).parents[2]
PAIRS = WordPairs.example()
SCORES = (
    Score("spearman", "all", 0.5, 0.25, 0.75, 3, 6),
    Score("pearson", "all", None, None, None, 3, 6, "the answers are all equal"),
)


def record(cell="c1", dataset=PAIRS, **changes):
    settings = {
        "id": cell, "task": "similarity", "task_version": 1, "settings": {"a": 1},
        "embedding": "e" * 64, "dataset": dataset.fingerprint, "policy": {"case": "fold"},
        "seed": 3, "used": 3, "total": 6, "missing": ("zyx", "naïve"), "zero": ("nil",),
        "seconds": 0.5, "versions": {"numpy": "2"}, "variant": "similarity",
        "measure": "spearman",
    }  # fmt: skip
    return CellRecord(**{**settings, **changes})


def add(store, cell="c1", given=(0.5, 0.25, -0.125), scores=SCORES, anew=False):
    store.add(record(cell), PAIRS, np.array([0, 2, 5]), np.array(given), scores, anew)


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


def test_a_cell_comes_back_as_it_was_stored(path):
    with Store(path) as store:
        add(store)
    with Store(path) as store:
        items, given = store.answers("c1")

        assert items.tolist() == [0, 2, 5]
        assert given.tolist() == [0.5, 0.25, -0.125]
        assert {score.measure: score for score in store.scores("c1")} == {
            score.measure: score for score in SCORES
        }
        assert store.done(["c0", "c1"]) == {"c1"}


def test_answers_in_words_come_back_as_words():
    questions = Analogies.example()
    given = word_array(["dogs", "", "日本", "queen"])
    with Store() as store:
        store.add(record(dataset=questions), questions, np.arange(4), given, ())

        assert store.answers("c1")[1].tolist() == ["dogs", "", "日本", "queen"]
        assert store.items(questions.fingerprint)[0][0] == "cat : cats = dog : ?"
        assert store.items(questions.fingerprint)[1].tolist() == questions.answer.tolist()


def test_a_float_comes_back_to_the_last_bit():
    values = np.random.default_rng(0).normal(size=3)
    with Store() as store:
        add(store, given=values)

        assert store.answers("c1")[1].tolist() == values.tolist()


def test_a_cell_without_answers_is_done_too():
    with Store() as store:
        store.add(record(), PAIRS, np.empty(0, np.int64), np.empty(0), SCORES[1:])

        assert store.done(["c1"]) == {"c1"}
        assert store.answers("c1")[0].tolist() == []
        assert store.scores("c1") == [SCORES[1]]


def test_a_cell_added_twice_stays_as_it_was(path):
    with Store(path) as store:
        add(store)
        add(store, given=(9.0, 9.0, 9.0), scores=SCORES[:1])

        assert store.answers("c1")[1].tolist() == [0.5, 0.25, -0.125]
        assert len(store.scores("c1")) == 2
    assert counted(path, "cell") == 1
    assert counted(path, "item") == len(PAIRS)


def test_a_cell_can_be_replaced_in_one_step():
    with Store() as store:
        add(store)

        add(store, given=(1.0, 2.0, 3.0), anew=True)

        assert store.answers("c1")[1].tolist() == [1, 2, 3]
        assert len(store.scores("c1")) == 2


def test_a_run_lists_its_cells_in_order_with_the_names_of_the_day():
    with Store() as store:
        store.begin("r1", 3, {"case": "fold"}, {"versions": {}})
        store.enlist("r1", [("c2", "glove", "men"), ("c1", "sgns", "men"), ("c9", "x", "men")])
        add(store, "c1")
        add(store, "c2")
        cells = store.cells("r1")

        assert [(c["id"], c["embedding_name"]) for c in cells] == [("c2", "glove"), ("c1", "sgns")]
        assert cells[0]["missing"] == ["zyx", "naïve"]
        assert cells[0]["settings"] == {"a": 1}
        assert store.run("r1")["policy"] == {"case": "fold"}
        assert store.run("r1")["finished"] is None


def test_comparisons_and_failures_come_back(path):
    found = Comparison(
        "a", "b", "similarity", "men", "spearman", {}, 0.1, 0.0, 0.2, 0.04, 0.08, 9, "swaps", False
    )
    with Store(path) as store:
        store.begin("r1", 0, {}, {})
        store.enlist("r1", [("c1", "a", "men"), ("c2", "b", "men")])
        store.conclude("r1", [found], [(1, "ValueError: no", "similarity")])
    with Store(path) as store:
        assert store.comparisons("r1") == [found]
        assert store.failures("r1") == [
            {"embedding": "b", "task": "similarity", "dataset": "men", "reason": "ValueError: no"}
        ]
        assert store.run("r1")["finished"] is not None
        assert [run["id"] for run in store.runs()] == ["r1"]


def test_a_run_that_begins_again_is_open_until_it_concludes_anew():
    with Store() as store:
        store.begin("r1", 0, {}, {})
        store.enlist("r1", [("c1", "a", "men")])
        store.conclude("r1", [], [(0, "no", "similarity")])
        store.begin("r1", 0, {}, {})
        store.enlist("r1", [("c1", "a", "men")])
        assert store.run("r1")["finished"] is None

        store.conclude("r1", [], [])

        assert store.run("r1")["finished"] is not None
        assert store.failures("r1") == []


def test_a_run_that_is_not_there_is_named():
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
    assert [counted(path, table) for table in ("cell", "answer", "score")] == [1, 3, 2]
    assert good(path)


def test_an_answer_that_is_no_number_leaves_nothing_behind(path):
    with Store(path) as store:
        with pytest.raises(BadData, match="could not be written"):
            add(store, given=(0.5, np.nan, 0.25))

        assert store.done(["c1"]) == set()
    assert counted(path, "answer") == counted(path, "item") == 0


def test_a_newer_schema_is_refused_and_left_alone(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 999")
        database.execute("CREATE TABLE future (x)")
    before = path.read_bytes()

    with pytest.raises(BadData, match=r"newer lexiscope \(schema 999, this one knows"):
        Store(path)
    assert path.read_bytes() == before


def test_a_store_of_the_first_schema_is_brought_up_to_date(path, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(schema, "STEPS", schema.STEPS[:1])
        with Store(path) as store:
            store.begin("r1", 0, {}, {})
            store.enlist("r1", [("c1", "a", "men")])
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO dataset VALUES ('d1', 'pairs', 3)")
        database.execute(
            "INSERT INTO cell VALUES ('c1', 'similarity', 1, '{}', 'e', 'd1', '{}', 0, 3, 3, '[]', "
            "'[]', 0.5, '2026-01-01', '{}')"
        )
        database.commit()
    with Store(path) as store:
        store.conclude("r1", [], [(0, "no", "similarity")])

        assert store.done(["c1"]) == {"c1"}
        assert store.dataset("d1", "men") is None
        assert store.cells("r1")[0]["variant"] == ""
        assert store.failures("r1")[0]["task"] == "similarity"


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


def test_a_store_in_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadData, match="cannot be opened as a store"):
        Store(tmp_path / "nowhere" / "store.sqlite")
    with pytest.raises(BadData, match="store"):
        Store(tmp_path)


def test_a_damaged_store_gives_a_sentence_and_not_a_traceback(path):
    with Store(path) as store:
        for cell in range(50):
            add(store, f"c{cell}")
        ask = "SELECT rootpage FROM sqlite_schema WHERE name = 'answer'"
        (page,) = store._database.execute(ask).fetchone()
        (size,) = store._database.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(content)

    with Store(path) as store, pytest.raises(BadData, match="could not be read"):
        read_all(store)


def read_all(store):
    for cell in range(50):
        store.answers(f"c{cell}"), store.scores(f"c{cell}"), store.done([f"c{cell}"])


def test_a_full_disk_gives_a_sentence_and_a_whole_file(path):
    with Store(path) as store:
        add(store, "c1")
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages + 1}")
        many = np.random.default_rng(0).normal(size=5000)
        large = record("c2"), PAIRS, np.arange(5000), many, SCORES

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


def test_two_processes_that_write_at_once_lose_nothing(path):
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
    assert counted(path, "answer") == 270
    assert counted(path, "score") == 180
    assert good(path)


def test_anyone_may_read_while_lexiscope_writes(path):
    with Store(path) as store:
        add(store, "c1")
        with store._writing() as database:
            database.execute("DELETE FROM score")
            assert counted(path, "score") == 2


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if kind.kept])
def test_a_dataset_comes_back_as_it_was_asked(path, kind):
    dataset = kind.example()
    with Store(path) as store:
        every = np.arange(len(dataset))
        store.add(record(dataset=dataset), dataset, every, np.zeros(len(dataset)), SCORES)

        back = store.dataset(dataset.fingerprint, "again")

    assert back.fingerprint == dataset.fingerprint
    assert back.name == "again"
    assert type(back) is kind


def test_numbers_that_nobody_knows_are_null_in_the_file_and_come_back(path):
    dataset = entities(("rome", "city"), ("oslo", "city", 7))
    with Store(path) as store:
        store.add(record(dataset=dataset), dataset, np.arange(2), np.zeros(2), SCORES)
        back = store.dataset(dataset.fingerprint, "again")
    with closing(sqlite3.connect(path)) as database:
        (content,) = database.execute("SELECT content FROM dataset").fetchone()

    assert json.loads(content)["frequency"] == [None, 7]
    assert back.fingerprint == dataset.fingerprint


def test_scores_of_parts_come_back(path):
    part = Result(
        "a", "similarity", "men", "spearman", "pos: noun", 0.5, None, None, 3, 4, "why", {"x": 1},
        {"case": "fold"}, 0, 0.95, True, "c1", 1, "e", "d", "similarity",
    )  # fmt: skip
    with Store(path) as store:
        store.begin("r1", 0, {}, {})
        store.describe("r1", [part, part])
        store.describe("r1", [part])

        assert store.parts("r1") == [part]


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if not kind.kept])
def test_of_long_texts_only_labels_and_gold_are_kept(path, kind):
    dataset = kind.example()
    with Store(path) as store:
        every = np.arange(len(dataset))
        store.add(record(dataset=dataset), dataset, every, np.zeros(len(dataset)), SCORES)

        assert store.dataset(dataset.fingerprint, "again") is None
        labels, gold = store.items(dataset.fingerprint)

    assert labels == dataset.labels
    assert gold.tolist() == dataset.gold.tolist()
