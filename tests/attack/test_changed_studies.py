"""Study files that somebody has changed are refused with one sentence."""

import sqlite3
from contextlib import closing

import pytest

from lexiscope.core.errors import BadData
from lexiscope.store.study_file import StudyFile
from tests.attack.targets import study_files


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "w.study"
    found.write_bytes(study_files()["w.study"])
    return found


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE judgment SET choice = 3",
        "UPDATE judgment SET choice = -2",
        "UPDATE judgment SET shown_order = x'0001'",
        "UPDATE judgment SET shown_order = x''",
        "UPDATE judgment SET answered = 9e999",
        "UPDATE judgment SET seconds = -1e300",
        "UPDATE judgment SET item = 'other' WHERE item = 'item0'",
        "UPDATE assignment SET item = 'other' WHERE item = 'item0'",
        "UPDATE assignment SET shown = 9e999",
        "UPDATE judge SET platform = 'other'",
        "UPDATE judge SET started = 1e18",
        "UPDATE judge SET id = 'other' WHERE id = (SELECT min(id) FROM judge)",
        "UPDATE study SET content = x'ff'",
        "UPDATE study SET content = x'7b22a2'",
        "DELETE FROM study",
    ],
)
def test_changed_rows_are_one_sentence(path, statement):
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(statement).rowcount > 0
        database.commit()

    with pytest.raises(BadData, match=r"w\.study"):
        StudyFile(path)


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE revision"],
        ["ALTER TABLE judge ADD COLUMN more TEXT"],
        ["CREATE TRIGGER t AFTER INSERT ON judgment BEGIN DELETE FROM judgment; END"],
        [
            "DROP TABLE revision",
            "CREATE VIEW revision AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 "
            "FROM n) SELECT id, 'j' AS judge, 'i' AS item, 1 AS choice, 0.0 AS answered FROM n",
        ],
    ],
)
def test_other_tables_are_refused(path, statements):
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    before = path.read_bytes()

    with pytest.raises(BadData, match=r"is not a study file|contains triggers"):
        StudyFile(path)

    assert path.read_bytes() == before


def test_an_unchanged_study_is_read(path):
    with StudyFile(path) as opened:
        assert len(opened.judgments()) == 15
