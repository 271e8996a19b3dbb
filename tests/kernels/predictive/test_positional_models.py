"""What the kernels of models with output vectors by position have in common."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import cwindow, structured
from lexiscope.kernels.predictive.training_loop import Segment
from tests.kernels.predictive import test_cwindow, test_structured
from tests.kernels.predictive.reference_loop import random_table, random_text, text_of

WORDS = 30
REFERENCES = {cwindow: test_cwindow.reference_train, structured: test_structured.reference_train}
each_model = pytest.mark.parametrize("model", REFERENCES, ids=["cwindow", "structured"])


@each_model
@pytest.mark.parametrize("negative", [1, 3, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic_window"), [(1, False), (3, False), (4, True)])
def test_training_agrees_with_the_reference(model, window, dynamic_window, negative):
    text, segment = random_text(WORDS), Segment(1, 12, 0.3, 0.002, 5)
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=2 * window)
    slow = [table.astype(np.float64) for table in tables]

    model.train(text, segment, window, dynamic_window, negative, *tables)

    REFERENCES[model](text, segment, window, dynamic_window, negative, *slow)
    assert np.abs(slow[0] - random_table(WORDS, 13, 1)).max() > 0.01
    for fast, expected in zip(tables, slow, strict=True):
        assert_allclose(fast, expected, atol=1e-5)


@each_model
def test_only_vectors_of_filled_positions_change(model):
    tables = random_table(12, 8, 1), random_table(12, 8, 2, slots=6)
    before = tables[1].reshape(12, 6, 8).copy()

    model.train(text_of([[0, 1]], 12), Segment(0, 1, 0.3, 0.0, 3), 3, False, 5, *tables)

    changed = (tables[1].reshape(12, 6, 8) != before).any(axis=(0, 2))
    assert changed.tolist() == [False, False, True, True, False, False]


@each_model
def test_padding_stays_zero(model):
    tables = random_table(WORDS, 13, 1), random_table(WORDS, 13, 2, slots=4)

    model.train(random_text(WORDS), Segment(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    assert_array_equal(tables[0][:, 13:], 0)
    assert_array_equal(tables[1].reshape(WORDS, 4, 16)[:, :, 13:], 0)


@each_model
def test_words_without_context_change_nothing(model):
    tables = random_table(4, 8, 1), random_table(4, 8, 2, slots=4)
    before = [table.copy() for table in tables]

    model.train(text_of([[0], [], [3]], 4), Segment(0, 3, 0.3, 0.0, 5), 2, True, 3, *tables)

    for table, old in zip(tables, before, strict=True):
        assert_array_equal(table, old)
