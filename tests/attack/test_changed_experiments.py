"""Changed rows of learning curves, term vectors and probes end in one sentence."""

import sqlite3
import tracemalloc
import zlib
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.execution import Execution
from lexiscope.experiments.curves.run import measure
from lexiscope.experiments.curves.scores import scores
from lexiscope.store.store import ProbeRecord, Store, TermVectorRecord, TrialRecord
from tests.experiments.curves.test_curves import plan
from tests.store.test_curves import POINT

TERM = TermVectorRecord(
    "t1", "text", "back", "model", 1, {}, "test", 7, "term", 0.1, {}, np.array([[1, np.nan]]),
)  # fmt: skip
TRIAL = TrialRecord("r1", "g", {"p": 1.0}, 10, 7, 0, "c", "svd", 1, {}, "v", 0.1, {})
PROBE = ProbeRecord("b1", "r1", "target", "full", "linear", 1, {}, (("a", "x", "y"),) * 3)
BOMB = zlib.compress(bytes(1 << 29))


@pytest.fixture
def path(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        store.add_points([POINT])
        store.add_term_vectors([TERM])
        store.add_trial(TRIAL, [PROBE])
    return tmp_path / "s.sqlite"


def changed(path, statement, *values):
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(statement, values).rowcount > 0
        database.commit()


def refused(path, read):
    with (
        Store(path, read_only=True) as store,
        pytest.raises(BadData, match=r"s\.sqlite: .* damaged or was changed by another program"),
    ):
        read(store)


def test_unchanged_rows_are_read(path):
    with Store(path, read_only=True) as store:
        assert store.point("p1", 3, 2).predicted.tolist() == [0, 1, 1]
        assert store.term_vectors(["t1"])["t1"].shape == (1, 2)
        assert store.trial("b1")["parameters"] == {"p": 1.0}
        assert store.probe_predictions("b1") == [("a", "x", "y")] * 3


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("predicted", b"\0"),
        ("predicted", b""),
        ("predicted", b"i"),
        ("predicted", b"i" + zlib.compress(b"\0" * 7)),
        ("predicted", b"i" + zlib.compress(b"\0" * 12) + b"more"),
        ("predicted", b"i" + zlib.compress(b"\0" * 12)[:-1]),
        ("predicted", b"i" + zlib.compress(b"\0" * 8)),
        ("predicted", b"i" + zlib.compress(np.array([0, 999, 1], "<i4").tobytes())),
        ("predicted", b"i" + zlib.compress(np.array([0, -2, 1], "<i4").tobytes())),
        ("predicted", b"f" + zlib.compress(np.array([0, np.inf, 1]).tobytes())),
        ("predicted", b"f" + zlib.compress(np.zeros(3).tobytes())),
        ("predicted", b"i" + BOMB),
        ("settings", "["),
        ("settings", "[" * 100_000),
        ("selected", "[1]"),
        ("versions", "null"),
        ("validation", float("inf")),
        ("bits", float("-inf")),
        ("seconds", float("inf")),
    ],
)
def test_a_changed_point_is_one_sentence(path, column, value):
    changed(path, f"UPDATE curve_point SET {column} = ?", value)

    refused(path, lambda store: store.point("p1", 3, 2))


def test_a_point_that_was_deleted_is_one_sentence(path):
    refused(path, lambda store: store.point("p2"))


@pytest.mark.parametrize(
    "change",
    [
        "vectors = x'00'",
        "vectors = x''",
        "samples = -1, dimension = -2",
        "samples = 3",
        "samples = 3037000500, dimension = 3037000500",
    ],
)
def test_changed_vectors_of_a_term_are_one_sentence(path, change):
    changed(path, f"UPDATE term_vectors SET {change}")

    refused(path, lambda store: store.term_vectors(["t1"]))


@pytest.mark.parametrize("numbers", [[[1.0, np.inf]], [[1.0, 2.0, 3.0]]])
def test_other_vectors_of_a_term_are_one_sentence(path, numbers):
    changed(path, "UPDATE term_vectors SET vectors = ?", zlib.compress(np.array(numbers).tobytes()))

    refused(path, lambda store: store.term_vectors(["t1"]))


@pytest.mark.parametrize("read", ["point", "term_vectors"])
def test_columns_that_expand_need_no_memory(path, read):
    changed(path, "UPDATE curve_point SET predicted = ?", b"i" + zlib.compress(bytes(1 << 30)))
    changed(path, "UPDATE term_vectors SET vectors = ?", BOMB)
    wanted = "p1" if read == "point" else ["t1"]
    tracemalloc.start()
    refused(path, lambda store: getattr(store, read)(wanted))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < (300 << 20 if read == "point" else 10 << 20)


@pytest.mark.parametrize(
    "change", ["settings = '['", "parameters = '[1]'", "versions = '3'", "seconds = 9e999"]
)
def test_a_changed_training_is_one_sentence(path, change):
    changed(path, f"UPDATE trial SET {change}")

    refused(path, lambda store: store.trial("b1"))


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM probe_prediction",
        "DELETE FROM probe_prediction WHERE item = 1",
        "UPDATE probe_prediction SET item = 9 WHERE item = 2",
        "UPDATE probe_prediction SET item = -1 WHERE item = 0",
    ],
)
def test_changed_predictions_of_a_probe_are_one_sentence(path, statement):
    changed(path, statement)

    refused(path, lambda store: store.probe_predictions("b1"))


def test_scores_of_changed_curves_are_one_sentence(tmp_path):
    whole, path = plan(), tmp_path / "s.sqlite"
    measure(whole, Execution(path))
    with Store(path) as store:
        found = store.stored_points([row[0] for row in store._rows("SELECT id FROM curve_point")])
        other = store.point(found.pop())
        codes = np.full(len(other.predicted), 999)
        store.add_points([replace(other, predicted=codes)], force=True)

    refused(path, lambda store: scores(whole, store))
