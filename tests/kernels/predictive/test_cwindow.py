import numpy as np

from tests.kernels.predictive.reference_loss import loss
from tests.kernels.predictive.reference_pairs import gradients, labelled, pairs, update
from tests.kernels.predictive.test_structured import add_present, position_index, words_by_offset


def concatenated(centre, window, inputs):
    """The context vectors, each at its position; zeros where there is no word."""
    hidden = np.zeros((2 * window, inputs.shape[1]))
    for offset, word in centre.context:
        hidden[position_index(offset, window)] = inputs[word]
    return hidden.ravel()


def reference_train(
    text, segment, window, dynamic_window, negative, shared_centres, inputs, outputs
):
    """Gradients from the whole concatenations; then updates, position by position."""
    by_position = outputs.reshape(len(outputs), 2 * window, -1)
    for pair in pairs(text, segment, window, dynamic_window, negative, shared_centres):
        hidden = [concatenated(centre, window, inputs) for centre in pair.centres]
        found = gradients(pair, hidden, outputs)
        for offset, words in words_by_offset(pair).items():
            at = position_index(offset, window)
            vectors = [each.reshape(2 * window, -1)[at] for each in hidden]
            for tile in found:
                add_present(inputs, words, update(by_position[:, at], vectors, tile))


def whole_loss(found, window, inputs, outputs):
    """The sum of the losses of all centre words."""
    total = 0.0
    for pair in found:
        for centre in pair.centres:
            (right, _), *wrong = labelled(pair, centre)
            hidden = concatenated(centre, window, inputs)
            total += loss(hidden, outputs[right], [outputs[w] for w, _ in wrong])
    return total
