"""Databases of other programs, and stores that somebody has changed, stay as they are."""

import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

import lexiscope
from lexiscope.cli.main import lexiscope as command_line
from lexiscope.core.errors import BadData
from lexiscope.store.schema import APPLICATION, VERSION
from lexiscope.store.store import Store
from tests.builders import seeded, synthetic_pairs, synthetic_words


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def changed(path, *statements):
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path.read_bytes()


def evaluated(path, seed=0):
    words = synthetic_words(20)
    return lexiscope.run(
        seeded("a", words), "similarity", synthetic_pairs(10, 20), seed=seed,
        execution=lexiscope.Execution(path),
    )  # fmt: skip


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("version", [2, 3, VERSION])
@pytest.mark.parametrize("application", [0, 7, APPLICATION])
def test_tables_of_another_program_are_refused(path, application, version, read_only):
    before = changed(
        path, "CREATE TABLE bookmarks (url)", f"PRAGMA application_id = {application}",
        f"PRAGMA user_version = {version}",
    )  # fmt: skip

    with pytest.raises(BadData, match=r"is a database of another program|is not a store"):
        Store(path, read_only=read_only)

    assert path.read_bytes() == before


def test_an_empty_database_of_another_program_gets_no_tables(path):
    before = changed(path, "PRAGMA user_version = 2")

    with pytest.raises(BadData, match="another program"):
        Store(path)

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE label"],
        ["ALTER TABLE label ADD COLUMN more TEXT"],
        ["DROP TABLE label", "CREATE VIEW label AS SELECT 1"],
        ["CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM cell; END"],
    ],
)
def test_a_store_with_other_tables_is_refused(path, statements):
    evaluated(path)
    before = changed(path, *statements)

    for read_only in (False, True):
        with pytest.raises(BadData, match=r"is not a store|contains triggers"):
            Store(path, read_only=read_only)

    assert path.read_bytes() == before


def test_an_endless_view_is_refused(path):
    evaluated(path)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    columns = "x AS id, x AS started, x AS finished, x AS seed, x AS policy, x AS manifest"
    changed(
        path, "PRAGMA foreign_keys = OFF", "DROP TABLE run",
        f"CREATE VIEW run AS {endless} SELECT {columns} FROM n",
    )  # fmt: skip

    result = CliRunner().invoke(command_line, ["report", "--store", str(path)])

    assert isinstance(result.exception, BadData)
    assert "the table 'run' is missing" in str(result.exception)


def test_a_store_of_an_older_format_is_read_without_a_change_and_extended_by_a_write(path):
    found = evaluated(path)
    before = changed(
        path, "DROP TABLE curve_point", "DROP TABLE term_vectors", "PRAGMA user_version = 2"
    )

    with Store(path, read_only=True) as store:
        assert [run["id"] for run in store.runs()] == [found.run]
        assert store.load(found.run).cells
    assert path.read_bytes() == before

    with Store(path) as store:
        assert [run["id"] for run in store.runs()] == [found.run]
        assert store.stored_points(["none"]) == set()


def test_a_reading_command_cannot_write(path):
    evaluated(path)
    before = path.read_bytes()

    with Store(path, read_only=True) as store, pytest.raises(BadData, match="readonly"):
        store.begin("other", 0, {}, {})

    assert path.read_bytes() == before


def test_an_unfinished_write_is_undone_when_a_killed_store_is_read(path, tmp_path):
    found = evaluated(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA cache_size = 1")
        database.execute("BEGIN IMMEDIATE")
        database.execute("DELETE FROM prediction")
        database.execute("UPDATE cell SET task = hex(zeroblob(20000))")  # spills to the file
        killed = tmp_path / "killed.sqlite"
        killed.write_bytes(path.read_bytes())
        (tmp_path / "killed.sqlite-journal").write_bytes(
            (tmp_path / "store.sqlite-journal").read_bytes()
        )
        database.execute("ROLLBACK")

    with Store(killed, read_only=True) as store:
        (cell,) = store.cells(found.run)
        assert cell["task"] == "similarity"
        assert len(store.predictions(cell["id"]).items) == 10


def test_the_newest_run_is_the_last_one_that_began(path, monkeypatch):
    clock = iter(f"2026-01-01T00:00:{second:02}+00:00" for second in (50, 50, 10, 10, 5, 5))
    monkeypatch.setattr("lexiscope.store.runs.now", lambda: next(clock))
    runs = [evaluated(path, seed).run for seed in (1, 2, 1)]

    with Store(path) as store:
        assert [run["id"] for run in store.runs()] == [runs[2], runs[1]]
