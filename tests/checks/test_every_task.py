"""What holds for every task. A new task is found here by its file, nothing is to be added."""

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
from lexiscope.bench.align import align
from lexiscope.core.datasets import KINDS
from lexiscope.core.discovery import load, names
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.measure import Measure
from lexiscope.core.policy import Policy
from lexiscope.core.task import Task
from tests.making import seeded
from tests.sparse import sparse_table


@pytest.fixture(params=names(tasks))
def task(request):
    return load(tasks, request.param, Task)()


@pytest.fixture
def items(task):
    return task.example()


@pytest.fixture
def vectors(items):
    words = sorted({Policy().spelling(word) for word in items.all_words} | items.all_words)
    return seeded("seeded", [*words, *(f"other{k}" for k in range(20))], 7)


def test_the_same_seed_gives_the_same_answers(task, items, vectors):
    first, second = (task.answer(vectors, items, np.random.default_rng(3)) for _ in range(2))

    assert_array_equal(first.given, second.given)


def test_there_is_one_answer_per_item_and_the_gold_is_the_datasets(task, items, vectors):
    answers = task.answer(vectors, items, np.random.default_rng(0))

    assert len(answers.given) == len(items)
    assert_array_equal(answers.gold, items.gold)


def test_neither_embedding_nor_dataset_is_changed(task, items, vectors):
    before = vectors.vectors.copy(), items.fingerprint

    task.answer(vectors, items, np.random.default_rng(0))

    assert_array_equal(vectors.vectors, before[0])
    assert task.example().fingerprint == before[1]


def test_the_file_and_the_class_say_what_they_are(task):
    assert len(import_module(type(task).__module__).__doc__) > 40
    own = vars(type(task))["__doc__"]
    assert own.strip().endswith(".")
    assert not own.startswith(type(task).__name__ + "(")  # what a dataclass writes by itself


def test_its_measures_have_different_names(task):
    measures = task.measures()

    assert all(isinstance(measure, Measure) and measure.name for measure in measures)
    assert len({measure.name for measure in measures}) == len(measures)


def test_it_reads_a_kind_that_is_known_and_has_plain_settings(task):
    assert task.reads in KINDS.values()
    assert task.version >= 1
    assert all(isinstance(value, str | int | float | bool) for value in task.settings.values())
    assert not inspect.isabstract(type(task))


def test_it_runs_and_every_score_has_an_interval(task, items, vectors):
    name = type(task).__module__.rpartition(".")[2]

    results = lexiscope.run([vectors, seeded("other", vectors.words, 8)], name, [items])

    assert not results.failures
    assert {r.measure for r in results} == {measure.name for measure in task.measures()}
    for result in results.main():
        assert result.low <= result.value <= result.high
        assert result.used == result.total == len(items)
    assert [c.items for c in results.comparisons] == [len(items)]


def variants(task):
    """The task with each choice of each setting that is one of a few words."""
    hints = get_type_hints(type(task))
    choices = [
        replace(task, **{field.name: choice})
        for field in fields(task)
        if get_origin(hints[field.name]) is Literal
        for choice in get_args(hints[field.name])
    ]
    return choices or [task]


def assert_same_answers(found, wanted):
    if found.given.dtype.kind == "f":
        assert_allclose(found.given, wanted.given, rtol=1e-9, atol=1e-12)
    else:
        assert_array_equal(found.given, wanted.given)


@pytest.mark.parametrize("policy", [Policy(), Policy("own", unknown="mean")], ids=["skip", "mean"])
def test_sparse_vectors_give_the_answers_of_their_dense_copy(task, items, vectors, policy):
    words = list(vectors.words)[:-1]
    last = len(words)
    # Zero vectors and equal ones among the words that nothing asks about.
    rows = sparse_table(last, empty=[last - 1, last - 7], equal=[(last - 3, last - 5)], density=0.4)
    pair = [embedding("pair", words, each) for each in (csr_array(rows), rows)]
    sparse, dense = (align(each, policy).embedding for each in pair)
    if policy.unknown == "mean":
        sparse, dense = (each.with_the_mean_for(["nobody"]) for each in (sparse, dense))

    for each in variants(task):
        try:
            wanted = each.answer(dense, items, np.random.default_rng(5))
        except Undefined:  # so few items do not suffice for this setting
            continue
        try:
            found = each.answer(sparse, items, np.random.default_rng(5))
        except BadUsage as refusal:  # a task may need every number, and then says so
            pytest.skip(str(refusal))
        assert_same_answers(found, wanted)


def test_a_run_of_sparse_vectors_scores_as_that_of_their_dense_copy(task, items, vectors):
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
        assert (found.measure, found.used) == (wanted.measure, wanted.used)
        assert found.value == pytest.approx(wanted.value, nan_ok=True)
