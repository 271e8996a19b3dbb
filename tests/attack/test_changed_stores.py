"""Stores whose content somebody has changed end in one sentence, not in a traceback or a chart."""

import json
import sqlite3
from contextlib import closing

import pytest

import lexiscope
from lexiscope.core.errors import BadData
from lexiscope.evaluation.load import load_results
from lexiscope.store.store import Store
from tests.builders import seeded, synthetic_pairs, synthetic_words

WORDS = synthetic_words(30)


@pytest.fixture
def stored(tmp_path):
    """A store with a run of two embeddings."""
    path = tmp_path / "store.sqlite"
    results = lexiscope.run(
        [seeded("a", WORDS, 1), seeded("b", WORDS, 2)], "similarity", synthetic_pairs(20, 30),
        execution=lexiscope.Execution(path),
    )  # fmt: skip
    return path, results.run


def changed(path, *statement):
    with closing(sqlite3.connect(path)) as database:
        assert database.execute(*statement).rowcount > 0
        database.commit()


def test_an_unchanged_store_is_read(stored):
    path, run = stored
    with Store(path, read_only=True) as store:
        assert len(load_results(store, run).comparisons) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE score SET value = 9e999",
        "UPDATE score SET low = -9e999",
        "UPDATE score SET used = -1",
        "UPDATE cell SET settings = '[' WHERE 1",
        "UPDATE cell SET policy = '[1]'",
        "UPDATE cell SET policy = '{\"case\": 7}'",
        "UPDATE cell SET missing = '3'",
        "UPDATE run SET policy = '{}x'",
        "UPDATE run SET manifest = '" + "[" * 100_000 + "'",
        "UPDATE finding SET content = '{}' WHERE kind = 'comparisons'",
        "UPDATE finding SET content = 'null' WHERE kind = 'comparisons'",
        'UPDATE finding SET content = replace(content, \'"items": 20\', \'"items": "x"\') '
        "WHERE kind = 'comparisons'",
    ],
)
def test_changed_rows_are_one_sentence(stored, statement):
    path, run = stored
    changed(path, statement)

    message = r"store\.sqlite: the run .* is damaged or was changed"
    with Store(path, read_only=True) as store, pytest.raises(BadData, match=message):
        load_results(store, run)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE prediction SET item = 99 WHERE item = 19", "items that its dataset has not"),
        ("UPDATE prediction SET item = -1 WHERE item = 0", "items that its dataset has not"),
        ("UPDATE prediction SET predicted = 'x' WHERE item = 3", "predictions of different types"),
        ("UPDATE prediction SET predicted = 'x' WHERE item = 0", "predictions of different types"),
        (
            "UPDATE prediction SET predicted = x'ff' WHERE item = 0",
            "predictions of different types",
        ),
    ],
)
def test_changed_predictions_are_one_sentence(stored, statement, message):
    path, run = stored
    changed(path, statement)

    with Store(path, read_only=True) as store:
        cells = [cell["id"] for cell in store.cells(run)]
        with pytest.raises(BadData, match=message):
            [store.predictions(cell) for cell in cells]


def test_findings_are_written_as_they_are_read(stored):
    path, run = stored
    with Store(path, read_only=True) as store:
        (found,) = store.findings(run)["comparisons"]

    assert found["items"] == 20
    assert json.loads(json.dumps(found)) == found


def test_a_store_that_is_deleted_while_it_is_written_is_not_said_to_be_safe(stored):
    path, _ = stored
    with Store(path) as store:
        path.unlink()
        with pytest.raises(BadData, match="was deleted or moved") as caught:
            store.begin("other", 0, {}, {})
    assert "safe" not in str(caught.value)
