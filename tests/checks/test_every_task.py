"""Checks that hold for every task. New tasks are found by their files; nothing has to be added."""

import inspect
from dataclasses import fields, replace
from importlib import import_module
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

import lexiscope
from lexiscope import tasks
from lexiscope.core.contracts.metric import Metric
from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets import KINDS
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.policy import Policy
from lexiscope.evaluation.vocabulary import align
from tests.builders import seeded
from tests.sparse import sparse_table


@pytest.fixture(params=names(tasks))
def task(request):
    return load(tasks, request.param, Task)()


@pytest.fixture
def items(task):
    return task.example()


@pytest.fixture
def vectors(items):
    words = sorted({Policy().normalise(word) for word in items.all_words} | items.all_words)
    return seeded("seeded", [*words, *(f"other{k}" for k in range(20))], 7)


def test_the_same_seed_gives_the_same_predictions(task, items, vectors):
    first, second = (task.predict(vectors, items, np.random.default_rng(3)) for _ in range(2))

    assert_array_equal(first.predicted, second.predicted)


def test_there_is_one_prediction_per_item_and_the_gold_of_the_dataset(task, items, vectors):
    predictions = task.predict(vectors, items, np.random.default_rng(0))

    assert len(predictions.predicted) == len(items)
    assert_array_equal(predictions.gold, items.gold)


def test_predict_changes_neither_embedding_nor_dataset(task, items, vectors):
    before = vectors.vectors.copy(), items.fingerprint

    task.predict(vectors, items, np.random.default_rng(0))

    assert_array_equal(vectors.vectors, before[0])
    assert task.example().fingerprint == before[1]


def test_the_file_and_the_class_have_docstrings(task):
    assert len(import_module(type(task).__module__).__doc__) > 40
    own = vars(type(task))["__doc__"]
    assert own.strip().endswith(".")
    assert not own.startswith(type(task).__name__ + "(")  # the default docstring of a dataclass


def test_metrics_have_different_names(task):
    metrics = task.metrics()

    assert all(isinstance(metric, Metric) and metric.name for metric in metrics)
    assert len({metric.name for metric in metrics}) == len(metrics)


def test_the_dataset_is_known_and_settings_have_plain_types(task):
    assert task.dataset in KINDS.values()
    assert task.version >= 1
    assert all(isinstance(value, str | int | float | bool) for value in task.settings.values())
    assert not inspect.isabstract(type(task))


def test_every_setting_has_a_help_text(task):
    assert all(field.metadata["help"].endswith(".") for field in fields(task))


def test_a_run_has_a_confidence_interval_for_every_score(task, items, vectors):
    name = type(task).__module__.rpartition(".")[2]

    results = lexiscope.run([vectors, seeded("other", vectors.words, 8)], name, [items])

    assert not results.failures
    assert {r.metric for r in results} == {metric.name for metric in task.metrics()}
    for result in results.main():
        assert result.low <= result.value <= result.high
        assert result.used == result.total == len(items)
    assert [c.items for c in results.comparisons] == [len(items)]


def variants(task):
    """The task with each value of each setting with fixed choices."""
    hints = get_type_hints(type(task))
    choices = [
        replace(task, **{field.name: choice})
        for field in fields(task)
        if get_origin(hints[field.name]) is Literal
        for choice in get_args(hints[field.name])
    ]
    return choices or [task]


def assert_same_predictions(found, wanted):
    if found.predicted.dtype.kind == "f":
        assert_allclose(found.predicted, wanted.predicted, rtol=1e-9, atol=1e-12)
    else:
        assert_array_equal(found.predicted, wanted.predicted)


@pytest.mark.parametrize("policy", [Policy(), Policy("own", oov="mean")], ids=["skip", "mean"])
def test_sparse_vectors_give_the_predictions_of_their_dense_copy(task, items, vectors, policy):
    words = list(vectors.words)[:-1]
    last = len(words)
    # Zero vectors and equal ones among words that are in no item.
    rows = sparse_table(last, empty=[last - 1, last - 7], equal=[(last - 3, last - 5)], density=0.4)
    pair = [embedding("pair", words, each) for each in (csr_array(rows), rows)]
    sparse, dense = (align(each, policy).embedding for each in pair)
    if policy.oov == "mean":
        sparse, dense = (each.with_mean_for(["nobody"]) for each in (sparse, dense))

    for each in variants(task):
        try:
            wanted = each.predict(dense, items, np.random.default_rng(5))
        except Undefined:  # too few items for this setting
            continue
        try:
            found = each.predict(sparse, items, np.random.default_rng(5))
        except BadUsage as refusal:  # the task needs dense vectors
            pytest.skip(str(refusal))
        assert_same_predictions(found, wanted)


def test_a_run_on_sparse_vectors_has_the_scores_of_their_dense_copy(task, items, vectors):
    name = type(task).__module__.rpartition(".")[2]
    words = list(vectors.words)
    rows = sparse_table(len(words), empty=[len(words) - 1], density=0.4)

    sparse, dense = (
        lexiscope.run([embedding("e", words, each)], name, [items])
        for each in (csr_array(rows), rows)
    )

    if sparse.failures and "are sparse" in sparse.failures[0].reason:
        pytest.skip(sparse.failures[0].reason)
    assert not sparse.failures
    for found, wanted in zip(sparse, dense, strict=True):
        assert (found.metric, found.used) == (wanted.metric, wanted.used)
        assert found.value == pytest.approx(wanted.value, nan_ok=True)
