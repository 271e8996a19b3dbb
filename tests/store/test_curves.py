import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from lexiscope.store.store import PointRecord, Store

POINT = PointRecord(
    "p1", "s1", "e", "d", 0, 7, "svm", 1, {"costs": [1.0]}, 10, {"cost": 1.0}, 0.75, None, 0.1,
    {"lexiscope": "0.1.0"}, np.array([0, 1, 1]),
)  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


def test_a_point_is_read_as_it_was_written(path):
    ratings = replace(POINT, id="p2", predicted=np.array([0.25, -1e-300]), bits=3.5)
    with Store(path) as store:
        store.add_points([POINT, ratings])
    with Store(path) as store:
        assert store.stored_points(["p1", "p2", "p3"]) == {"p1", "p2"}
        assert store.point("p1").predicted.tolist() == [0, 1, 1]
        assert store.point("p2").predicted.tolist() == [0.25, -1e-300]
        assert store.point("p2").bits == 3.5
        assert store.point("p1").settings == {"costs": [1.0]}


def test_a_stored_point_stays_unless_forced(path):
    other = replace(POINT, predicted=np.array([1, 1, 1]))
    with Store(path) as store:
        store.add_points([POINT])
        store.add_points([other])
        assert store.point("p1").predicted.tolist() == [0, 1, 1]
        store.add_points([other], force=True)
        assert store.point("p1").predicted.tolist() == [1, 1, 1]


def test_points_are_written_all_or_none(path):
    broken = replace(POINT, id="p2", size=None)
    with Store(path) as store:
        with pytest.raises(Exception, match="could not be written"):
            store.add_points([POINT, broken])
        assert store.stored_points(["p1"]) == set()


def test_a_store_without_learning_curves_gets_their_table(path):
    with Store(path):
        pass
    with closing(sqlite3.connect(path)) as database:
        for table in ("curve_point", "term_vectors"):
            database.execute(f"DROP TABLE {table}")
        database.execute("PRAGMA user_version = 2")

    with Store(path) as store:
        store.add_points([POINT])
        assert store.stored_points(["p1"]) == {"p1"}
