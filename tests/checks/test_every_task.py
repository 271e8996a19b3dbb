"""What holds for every task. A new task is found here by its file, nothing is to be added."""

import inspect
from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lexiscope
from lexiscope import tasks
from lexiscope.core.datasets import KINDS
from lexiscope.core.discovery import load, names
from lexiscope.core.measure import Measure
from lexiscope.core.task import Task
from tests.making import seeded


@pytest.fixture(params=names(tasks))
def task(request):
    return load(tasks, request.param, Task)()


@pytest.fixture
def items(task):
    return task.reads.example()


@pytest.fixture
def vectors(items):
    words = sorted({word for column in items.words for word in column})
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
    assert type(items).example().fingerprint == before[1]


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
