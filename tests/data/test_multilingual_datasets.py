"""Datasets in languages other than English, from their packages: rows, and one score of each.

The scores are those of hashed n-grams of characters, so they say nothing about the datasets; they
change if a file is read or its columns are paired in another way.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

import lexiscope
from lexiscope.core.policy import Policy
from lexiscope.data.catalogue import catalogue, suites
from lexiscope.data.datasets import read_published
from lexiscope.data.norms import read
from tests.data.local_files import CACHE, fetched, kept
from tests.data.multilingual import correlation, hashed_vectors

SCORES = json.loads(Path(__file__).with_name("multilingual_scores.json").read_text("utf-8"))
ENTRIES = [
    entry
    for kind in ("similarity", "analogy", "norms", "synonymy")
    for entry in suites()[f"{kind}-multilingual"]
]
PAIRS = [entry.name for entry in ENTRIES if entry.kind == "pairs"]
# Deriving questions from the other thesauri takes up to a minute each: only if they are in the
# cache.
SMALL = {"ar", "gl", "is", "ne", "sk", "sv", "uk"}
ONLINE = {"it-simlex999", "ru-simlex999"}  # in no package
MOST = 150  # analogies


@pytest.fixture(autouse=True)
def _the_users_own_cache(_no_settings_from_outside, monkeypatch):
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    monkeypatch.delenv("LEXISCOPE_CACHE_DIR", raising=False)
    if CACHE:
        monkeypatch.setenv("LEXISCOPE_CACHE_DIR", CACHE)


def files_of(entry):
    slow = entry.kind == "synonym questions" and entry.language not in SMALL
    if slow or entry.name in ONLINE:
        return kept(entry.name)
    return fetched(entry.name).paths(entry.name)


def score_of(entry, paths):
    """The rows and the score of a dataset: correlation or accuracy of hashed n-grams."""
    if entry.kind == "norms":
        column = entry.note.removeprefix("Columns: ").partition(".")[0].split(", ")[-1]
        norms = read(paths[0], column)
        return len(norms), spearmanr([len(word) for word in norms], list(norms.values()))[0]
    items = read_published(entry.kind, paths, entry.name)
    rows = len(items)
    if entry.kind == "analogies":
        items = items.take(np.arange(rows) % max(1, rows // MOST) == 0)
    vectors = hashed_vectors(map(Policy().normalise, items.all_words))
    task = {"pairs": "similarity", "analogies": "analogy", "synonym questions": "synonymy"}
    (result,) = lexiscope.run(vectors, task[entry.kind], items).main()
    assert result.used == len(items)
    return rows, result.value


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_dataset_has_its_rows_and_its_score(entry):
    rows, score = score_of(entry, files_of(entry))

    assert rows == entry.rows == SCORES[entry.name][0]
    assert score == pytest.approx(SCORES[entry.name][1], abs=1e-9)


@pytest.mark.parametrize("name", PAIRS)
def test_the_correlation_is_that_of_an_independent_reading(name):
    rows, score = correlation(files_of(catalogue()[name])[0])

    assert rows == catalogue()[name].rows
    assert score == pytest.approx(SCORES[name][1], abs=5e-3)  # cosines often tie


def test_fifteen_languages_or_more_have_data():
    assert len({entry.language for entry in ENTRIES}) >= 15
    assert set(SCORES) == {entry.name for entry in ENTRIES}


def test_romanian_words_with_cedillas_are_those_with_commas():
    items = read_published("pairs", files_of(catalogue()["ro-ws353"]), "ro-ws353")
    written = [word.translate(str.maketrans("şţŞŢ", "șțȘȚ")) for word in items.all_words]
    vectors = hashed_vectors(map(str.casefold, written))

    used = {
        language: lexiscope.run(vectors, "similarity", items, policy=Policy(language=language))
        .main()[0]
        .used
        for language in ("", "ro")
    }

    assert used == {"": 249, "ro": 352}
