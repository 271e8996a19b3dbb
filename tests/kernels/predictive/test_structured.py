import numpy as np
import pytest
from numba import njit

from lexiscope.kernels.predictive.pairs import Pair, PairWindows
from lexiscope.kernels.predictive.structured import Positions, fill_positions
from tests.kernels.predictive.reference_loss import loss
from tests.kernels.predictive.reference_pairs import gradients, labelled, pairs, update


def position_index(offset, window):
    """Index of a relative position among the 2 * window positions."""
    return window + offset - (offset > 0)


def words_by_offset(pair):
    """For each filled position, in order: the context words of the centre words that have one."""
    by_centre = [dict(centre.context) for centre in pair.centres]
    offsets = sorted(set().union(*by_centre))
    return {offset: [words.get(offset) for words in by_centre] for offset in offsets}


def reference_train(
    text, segment, window, dynamic_window, negative, shared_centres, inputs, outputs
):
    """All gradients of a pair first; then updates, position by position."""
    by_position = outputs.reshape(len(outputs), 2 * window, -1)
    zero = np.zeros(inputs.shape[1])
    for pair in pairs(text, segment, window, dynamic_window, negative, shared_centres):
        near = words_by_offset(pair)
        tables = {offset: by_position[:, position_index(offset, window)] for offset in near}
        found = {
            offset: gradients(
                pair, [zero if w is None else inputs[w] for w in words], tables[offset]
            )
            for offset, words in near.items()
        }
        for offset, words in near.items():
            for tile in found[offset]:
                vectors = [zero if w is None else inputs[w].copy() for w in words]
                add_present(inputs, words, update(tables[offset], vectors, tile))


def add_present(inputs, words, errors):
    """Add the error of each word that is there to its row."""
    for word, error in zip(words, errors, strict=True):
        if word is not None:
            inputs[word] += error


def whole_loss(found, window, inputs, outputs):
    """The sum of the losses of all context words."""
    by_position = outputs.reshape(len(outputs), 2 * window, -1)
    total = 0.0
    for pair in found:
        for centre in pair.centres:
            (right, _), *wrong = labelled(pair, centre)
            for offset, word in centre.context:
                table = by_position[:, position_index(offset, window)]
                total += loss(inputs[word], table[right], [table[w] for w, _ in wrong])
    return total


@njit
def _fill_positions(windows, pair, kept, positions):
    return fill_positions(windows, pair, kept, positions)


@pytest.mark.parametrize(
    ("i", "size", "reaches", "expected"),
    [
        (0, 2, (2, 2), (1, [[-1, 1, 2], [0, 2, 3]])),
        (2, 2, (2, 2), (0, [[0, 1, 3, 4], [1, 2, 4, -1]])),
        (2, 2, (1, 2), (0, [[-1, 1, 3], [1, 2, 4]])),
        (4, 1, (2, 2), (0, [[2, 3], [-1, -1]])),
    ],
)
def test_filled_positions_form_one_span(i, size, reaches, expected):
    """A sentence of five words, whose offsets are their numbers, and a window of two."""
    positions = Positions(np.zeros(8, np.int64), np.zeros(8, np.float32))
    pair = Pair(0, i, size, 5, *reaches, True, np.float32(0.1))

    first, count = _fill_positions(PairWindows(2, True, 2), pair, np.arange(5), positions)

    rows = np.where(positions.present == 1, positions.rows, -1)[: 2 * count]
    assert (first, rows.reshape(count, 2).T.tolist()) == expected
