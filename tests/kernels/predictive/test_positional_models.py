"""What the kernels of models with output vectors by position have in common."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import cwindow, structured
from lexiscope.kernels.predictive.training_loop import Segment
from tests.kernels.predictive import test_cwindow, test_structured
from tests.kernels.predictive.reference_loop import random_table, random_text, text_of
from tests.kernels.predictive.reference_loss import numerical_gradient
from tests.kernels.predictive.reference_pairs import pairs

WORDS = 30
REFERENCES = {cwindow: test_cwindow.reference_train, structured: test_structured.reference_train}
LOSSES = {cwindow: test_cwindow.whole_loss, structured: test_structured.whole_loss}
each_model = pytest.mark.parametrize("model", REFERENCES, ids=["cwindow", "structured"])


@each_model
@pytest.mark.parametrize("negative", [1, 3, 5, 6, 14])
@pytest.mark.parametrize("shared_centres", [1, 2, 3, 4])
@pytest.mark.parametrize(("window", "dynamic_window"), [(1, False), (3, False), (4, True)])
def test_training_agrees_with_the_reference(
    model, window, dynamic_window, negative, shared_centres
):
    text, segment = random_text(WORDS), Segment(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=2 * window)
    slow = [table.astype(np.float64) for table in tables]

    settings = window, dynamic_window, negative, shared_centres

    model.train(text, segment, *settings, *tables)

    REFERENCES[model](text, segment, *settings, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, expected in zip(tables, slow, strict=True):
        assert_allclose(fast, expected, atol=2e-5)


@each_model
@pytest.mark.parametrize("sentence", [[0, 1], [0, 1, 2, 0], [3, 3, 1]])
def test_a_step_follows_the_gradient_of_the_loss(model, sentence):
    text, segment = text_of([sentence], 12), Segment(0, 1, 1e-3, 0.0, 3)
    found = list(pairs(text, segment, 2, False, 5, 4))
    tables = random_table(12, 13, 1), random_table(12, 13, 2, slots=4)
    before = [table.astype(np.float64) for table in tables]

    model.train(text, segment, 2, False, 5, 4, *tables)

    whole = partial(LOSSES[model], found, 2)
    of_inputs = numerical_gradient(lambda table: whole(table, before[1]), before[0].copy())
    of_outputs = numerical_gradient(lambda table: whole(before[0], table), before[1].copy())
    # The second pair starts where the first ended: equal up to the squared learning rate.
    assert_allclose((tables[0] - before[0]) / 1e-3, -of_inputs, atol=2e-2)
    assert_allclose((tables[1] - before[1]) / 1e-3, -of_outputs, atol=2e-2)


@each_model
def test_only_vectors_of_filled_positions_change(model):
    tables = random_table(12, 8, 1), random_table(12, 8, 2, slots=6)
    before = tables[1].reshape(12, 6, 8).copy()

    model.train(text_of([[0, 1]], 12), Segment(0, 1, 0.3, 0.0, 3), 3, False, 5, 4, *tables)

    changed = (tables[1].reshape(12, 6, 8) != before).any(axis=(0, 2))
    assert changed.tolist() == [False, False, True, True, False, False]


@each_model
def test_padding_stays_zero(model):
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=4)

    model.train(random_text(WORDS), Segment(0, 12, 0.3, 0.0, 5), 2, True, 5, 4, *tables)

    assert_array_equal(tables[0][:, 13:], 0)
    assert_array_equal(tables[1].reshape(WORDS, 4, 16)[:, :, 13:], 0)


@each_model
def test_words_without_context_change_nothing(model):
    tables = random_table(4, 8, 1), random_table(4, 8, 2, slots=4)
    before = [table.copy() for table in tables]

    model.train(text_of([[0], [], [3]], 4), Segment(0, 3, 0.3, 0.0, 5), 2, True, 3, 4, *tables)

    for table, old in zip(tables, before, strict=True):
        assert_array_equal(table, old)
