import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels.predictive import documents as kernels
from lexiscope.kernels.predictive.training_loop import Segment
from tests.kernels.predictive.reference_loop import (
    Step,
    random_table,
    random_text,
    sigmoid,
    steps,
    text_of,
)
from tests.kernels.predictive.reference_loss import labelled, loss, numerical_gradient, tiles

WORDS = 30
DOCUMENT_OF = np.array([0, 0, 1, 1, 1, 3, 3, 2, 2, 2, 2, 4], np.int32)


def gradients_of(hidden, outputs, step):
    """The gradient of each product, in tiles of words."""
    return [
        [(word, step.learning_rate * (y - sigmoid(hidden @ outputs[word]))) for word, y in group]
        for group in tiles(step)
    ]


def predict(hiddens, outputs, step):
    """Update the output rows for several hidden vectors; returns the errors of these."""
    errors, hiddens = [0.0 for _ in hiddens], [hidden.copy() for hidden in hiddens]
    found = [gradients_of(hidden, outputs, step) for hidden in hiddens]
    for groups in zip(*found, strict=True):
        updates = np.zeros_like(outputs)
        for number, (hidden, group) in enumerate(zip(hiddens, groups, strict=True)):
            for word, gradient in group:
                errors[number] += gradient * outputs[word]
                updates[word] += gradient * hidden
        outputs += updates
    return errors


def parallel(step, inputs, outputs, document):
    """The mean of the context words and the document predict the centre word at once."""
    words = [word for _, word in step.context]
    mean = inputs[words].mean(0) if words else np.zeros_like(document)
    of_mean, of_document = predict([mean, document], outputs, step)
    for word in words:
        inputs[word] += of_mean / len(words)
    document += of_document


def hierarchical(step, inputs, outputs, document):
    """Each context word predicts the centre word; then the document does."""
    found = [gradients_of(inputs[word], outputs, step) for _, word in step.context]
    for groups in zip(*found, strict=True):
        before = outputs.copy()
        for (_, word), group in zip(step.context, groups, strict=True):
            x = inputs[word].copy()
            for other, gradient in group:
                outputs[other] += gradient * x
                inputs[word] += gradient * before[other]
    (error,) = predict([document], inputs, step)
    document += error


def parallel_loss(step, inputs, outputs, documents):
    (right, _), *wrong = labelled(step)
    hiddens = inputs[[word for _, word in step.context]].mean(0), documents[0]
    return sum(loss(h, outputs[right], [outputs[word] for word, _ in wrong]) for h in hiddens)


def hierarchical_loss(step, inputs, outputs, documents):
    (right, _), *wrong = labelled(step)
    others = [outputs[word] for word, _ in wrong]
    near = sum(loss(inputs[word], outputs[right], others) for _, word in step.context)
    return near + loss(documents[0], inputs[right], [inputs[word] for word, _ in wrong])


REFERENCES = {kernels.train_parallel: parallel, kernels.train_hierarchical: hierarchical}
LOSSES = {parallel: parallel_loss, hierarchical: hierarchical_loss}


def three_tables(words=WORDS, documents=6):
    rows = words, words, documents
    return [random_table(count, 13, seed) for seed, count in enumerate(rows, 1)]


@pytest.fixture(params=REFERENCES, ids=["parallel", "hierarchical"])
def train(request):
    return request.param


@pytest.mark.parametrize("negative", [1, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic_window"), [(1, False), (3, False), (4, True)])
def test_training_on_documents_agrees_with_the_reference(train, window, dynamic_window, negative):
    text, segment = random_text(WORDS), Segment(1, 12, 0.1, 0.0005, 5)
    settings, tables = (window, dynamic_window, negative), three_tables()
    slow = [table.astype(np.float64) for table in tables]

    train(text, DOCUMENT_OF, segment, *settings, *tables)

    for step in steps(text, segment, *settings, isolated=True):
        REFERENCES[train](step, *slow[:2], slow[2][DOCUMENT_OF[step.sentence]])
    for fast, expected, before in zip(tables, slow, three_tables(), strict=True):
        assert np.abs(expected - before).max() > 0.01
        assert_allclose(fast, expected, atol=1e-5)
    assert_array_equal(tables[2][5], three_tables()[2][5])  # no sentence is of this document


@pytest.mark.parametrize("negative", [[3, 4, 5], [3, 0, 4, 3, 5]])
@pytest.mark.parametrize("expected", LOSSES, ids=["parallel", "hierarchical"])
def test_a_reference_step_follows_the_gradient_of_the_loss(expected, negative):
    step = Step(1.0, 0, [(-1, 1), (1, 2)], negative, 0)
    before = [table.astype(np.float64) for table in three_tables(11, 2)]
    after = [table.copy() for table in before]

    expected(step, *after[:2], after[2][0])

    for number in range(3):
        others = list(before)

        def whole(table, others=others, number=number):
            others[number] = table
            return LOSSES[expected](step, *others)

        gradient = numerical_gradient(whole, before[number].copy())
        assert np.abs(gradient).max() > 0.1
        assert_allclose(after[number] - before[number], -gradient, atol=1e-7)


def test_a_word_without_context_is_predicted_by_its_document(train):
    tables = three_tables(12, 1)

    train(
        text_of([[0], [], [3]], 12),
        np.zeros(3, np.int32),
        Segment(0, 3, 0.3, 0.0, 5),
        2,
        True,
        3,
        *tables,
    )

    inputs, outputs, documents = (
        (table != before).any(1) for table, before in zip(tables, three_tables(12, 1), strict=True)
    )
    predicted, left = (outputs, inputs) if train is kernels.train_parallel else (inputs, outputs)
    assert documents.all()
    assert predicted[[0, 3]].all()
    assert not left.any()


def test_padding_stays_zero(train):
    tables = three_tables()

    train(random_text(WORDS), DOCUMENT_OF, Segment(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    for table in tables:
        assert_array_equal(table[:, 13:], 0)
