import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.kernels import documents as kernels
from lexiscope.kernels.walking import Piece
from tests.kernels.slopes import against, differences, loss, tiles
from tests.kernels.walked import Step, random_table, random_text, sigmoid, steps, text_of

WORDS = 30
DOCUMENT_OF = np.array([0, 0, 1, 1, 1, 3, 3, 2, 2, 2, 2, 4], np.int32)


def slopes_of(hidden, outputs, step):
    """What each product should grow by, in the groups of words that move at once."""
    return [
        [(word, step.rate * (y - sigmoid(hidden @ outputs[word]))) for word, y in group]
        for group in tiles(step)
    ]


def foretell(hiddens, outputs, step):
    """Hidden vectors foretell a word at once: its rows move; what those should move by."""
    errors, hiddens = [0.0 for _ in hiddens], [hidden.copy() for hidden in hiddens]
    found = [slopes_of(hidden, outputs, step) for hidden in hiddens]
    for groups in zip(*found, strict=True):
        moves = np.zeros_like(outputs)
        for number, (hidden, group) in enumerate(zip(hiddens, groups, strict=True)):
            for word, slope in group:
                errors[number] += slope * outputs[word]
                moves[word] += slope * hidden
        outputs += moves
    return errors


def parallel(step, inputs, outputs, document):
    """The mean of the words around and the document foretell the word in the middle at once."""
    words = [word for _, word in step.around]
    mean = inputs[words].mean(0) if words else np.zeros_like(document)
    of_mean, of_document = foretell([mean, document], outputs, step)
    for word in words:
        inputs[word] += of_mean / len(words)
    document += of_document


def hierarchical(step, inputs, outputs, document):
    """Each word around foretells the word in the middle; then the document does."""
    found = [slopes_of(inputs[word], outputs, step) for _, word in step.around]
    for groups in zip(*found, strict=True):
        before = outputs.copy()
        for (_, word), group in zip(step.around, groups, strict=True):
            x = inputs[word].copy()
            for other, slope in group:
                outputs[other] += slope * x
                inputs[word] += slope * before[other]
    (error,) = foretell([document], inputs, step)
    document += error


def loss_in_parallel(step, inputs, outputs, documents):
    (right, _), *wrong = against(step)
    hiddens = inputs[[word for _, word in step.around]].mean(0), documents[0]
    return sum(loss(h, outputs[right], [outputs[word] for word, _ in wrong]) for h in hiddens)


def loss_in_a_hierarchy(step, inputs, outputs, documents):
    (right, _), *wrong = against(step)
    others = [outputs[word] for word, _ in wrong]
    near = sum(loss(inputs[word], outputs[right], others) for _, word in step.around)
    return near + loss(documents[0], inputs[right], [inputs[word] for word, _ in wrong])


TWINS = {kernels.walk_parallel: parallel, kernels.walk_hierarchical: hierarchical}
LOSSES = {parallel: loss_in_parallel, hierarchical: loss_in_a_hierarchy}


def three_tables(words=WORDS, documents=6):
    rows = words, words, documents
    return [random_table(count, 13, seed) for seed, count in enumerate(rows, 1)]


@pytest.fixture(params=TWINS, ids=["parallel", "hierarchical"])
def walk(request):
    return request.param


@pytest.mark.parametrize("negatives", [1, 5, 6, 14])
@pytest.mark.parametrize(("window", "dynamic"), [(1, False), (3, False), (4, True)])
def test_a_walk_over_documents_is_that_of_the_slow_twin(walk, window, dynamic, negatives):
    text, piece = random_text(WORDS), Piece(1, 12, 0.1, 0.0005, 5)
    habits, tables = (window, dynamic, negatives), three_tables()
    slow = [table.astype(np.float64) for table in tables]

    walk(text, DOCUMENT_OF, piece, *habits, *tables)

    for step in steps(text, piece, *habits, lonely=True):
        TWINS[walk](step, *slow[:2], slow[2][DOCUMENT_OF[step.sentence]])
    for fast, twin, before in zip(tables, slow, three_tables(), strict=True):
        assert np.abs(twin - before).max() > 0.01
        assert_allclose(fast, twin, atol=1e-5)
    assert_array_equal(tables[2][5], three_tables()[2][5])  # no sentence is of this document


@pytest.mark.parametrize("negatives", [[3, 4, 5], [3, 0, 4, 3, 5]])
@pytest.mark.parametrize("twin", LOSSES, ids=["parallel", "hierarchical"])
def test_a_step_of_the_twin_goes_down_the_slope_of_the_loss(twin, negatives):
    step = Step(1.0, 0, [(-1, 1), (1, 2)], negatives, 0)
    before = [table.astype(np.float64) for table in three_tables(11, 2)]
    after = [table.copy() for table in before]

    twin(step, *after[:2], after[2][0])

    for number in range(3):
        others = list(before)

        def whole(table, others=others, number=number):
            others[number] = table
            return LOSSES[twin](step, *others)

        slope = differences(whole, before[number].copy())
        assert np.abs(slope).max() > 0.1
        assert_allclose(after[number] - before[number], -slope, atol=1e-7)


def test_a_word_alone_in_its_sentence_is_foretold_by_its_document(walk):
    tables = three_tables(12, 1)

    walk(
        text_of([[0], [], [3]], 12),
        np.zeros(3, np.int32),
        Piece(0, 3, 0.3, 0.0, 5),
        2,
        True,
        3,
        *tables,
    )

    inputs, outputs, documents = (
        (table != before).any(1) for table, before in zip(tables, three_tables(12, 1), strict=True)
    )
    foretold, left = (outputs, inputs) if walk is kernels.walk_parallel else (inputs, outputs)
    assert documents.all()
    assert foretold[[0, 3]].all()
    assert not left.any()


def test_zeros_that_fill_rows_up_stay_zeros(walk):
    tables = three_tables()

    walk(random_text(WORDS), DOCUMENT_OF, Piece(0, 12, 0.3, 0.0, 5), 2, True, 5, *tables)

    for table in tables:
        assert_array_equal(table[:, 13:], 0)
