import numpy as np
import pytest

from lexiscope.stats.analogies import by_class, by_offset, by_product, by_sum
from lexiscope.stats.relations import Learnt


def unit(vectors):
    vectors = vectors.astype(np.float64)
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def sums(vectors, a, b, c):
    rows = unit(vectors)
    return (rows[b] - rows[a] + rows[c]) @ rows.T


def products(vectors, a, b, c, epsilon):
    rows = unit(vectors)
    near = [(1 + rows[places] @ rows.T) / 2 for places in (a, b, c)]
    return near[1] * near[2] / (near[0] + epsilon)


def winners(scores, a, b, c):
    for inputs in (a, b, c):
        scores[np.arange(len(scores)), inputs] = -np.inf
    return np.argmax(scores, axis=1)


def asked(words, questions, seed=0, dimension=10):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(words, dimension)).astype(np.float32)
    return vectors, *rng.integers(0, words, (3, questions))


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_by_sum_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = asked(words, 300)

    found = by_sum(vectors, *questions)

    scores = sums(vectors, *questions)
    best = winners(scores, *questions)
    near = np.take_along_axis(scores, np.stack([found, best], 1), axis=1)
    assert np.ptp(near, axis=1).max() < 1e-6  # another word only where the scores are equal
    assert np.mean(found == best) > 0.99


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_by_product_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = asked(words, 300, seed=1)

    found = by_product(vectors, *questions, 1e-3)

    scores = products(vectors, *questions, 1e-3)
    best = winners(scores, *questions)
    near = np.take_along_axis(scores, np.stack([found, best], 1), axis=1)
    assert (np.ptp(near, axis=1) / near.max(axis=1)).max() < 1e-4
    assert np.mean(found == best) > 0.99


def learnt(questions, width, rows=7, seed=5):
    """Rows as if learnt; every tenth question has none."""
    rng = np.random.default_rng(seed)
    row = rng.integers(0, rows, questions)
    row[::10] = -1
    return Learnt(rng.normal(size=(rows, width)).astype(np.float32), row)


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_by_offset_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = asked(words, 300)
    offsets = learnt(300, 10)

    found = by_offset(vectors, *questions, offsets)

    rows = unit(vectors)
    scores = (rows[questions[2]] + offsets.rows[offsets.row]) @ rows.T
    best = np.where(offsets.row < 0, -1, winners(scores, *questions))
    assert np.mean(found == best) > 0.99
    assert found[::10].tolist() == [-1] * 30


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_by_class_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = asked(words, 300)
    classes = learnt(300, 11)

    found = by_class(vectors, *questions, classes)

    rows, weights = unit(vectors), classes.rows[classes.row].astype(np.float64)
    target = 1 / (1 + np.exp(-(weights[:, :-1] @ rows.T) - weights[:, -1:]))
    scores = target * (rows[questions[2]] @ rows.T)
    best = np.where(classes.row < 0, -1, winners(scores, *questions))
    assert np.mean(found == best) > 0.99
    assert found[::10].tolist() == [-1] * 30


@pytest.mark.parametrize(("solve", "width"), [(by_offset, 10), (by_class, 11)])
def test_nothing_learnt_is_no_answer(solve, width):
    vectors, *questions = asked(50, 4)
    nothing = Learnt(np.empty((0, width), np.float32), np.full(4, -1))

    assert solve(vectors, *questions, nothing).tolist() == [-1] * 4


def test_a_class_that_no_word_belongs_to_has_a_best_word_all_the_same():
    vectors = np.array([[1, 0], [0, 1], [1, 0.1], [1, 0.2]], np.float32)
    classes = Learnt(np.array([[0, 0, -1e4]], np.float32), np.array([0]))

    assert by_class(vectors, np.array([0]), np.array([1]), np.array([2]), classes).tolist() == [3]


def test_the_lengths_of_vectors_do_not_matter():
    vectors, *questions = asked(600, 200, seed=2)
    scaled = vectors * np.random.default_rng(0).uniform(0.5, 4, (600, 1)).astype(np.float32)

    assert np.mean(by_sum(vectors, *questions) == by_sum(scaled, *questions)) > 0.99


def test_a_parallelogram_is_completed():
    vectors = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]], np.float32)

    assert by_sum(vectors, np.array([0]), np.array([1]), np.array([2])).tolist() == [3]
    assert by_product(vectors, np.array([0]), np.array([1]), np.array([2]), 1e-6).tolist() == [3]


def test_inputs_are_left_out_even_when_every_score_is_negative():
    # b - a + c points to the left; the only free word points to the right.
    vectors = np.array([[1, 0], [-1, 0.1], [-1, -0.1], [1, 0.2]], np.float32)

    question = np.array([0]), np.array([1]), np.array([2])
    left = Learnt(np.array([[-1, 0]], np.float32), np.array([0]))
    opposite = np.array([[1, 0], [0, 1], [-1, 0], [1, 0]], np.float32)

    assert by_sum(vectors, *question).tolist() == [3]
    assert by_offset(vectors, *question, left).tolist() == [3]
    # P cos(c) is 0 for the only free word, and more for the inputs.
    classes = Learnt(np.array([[-1, 0, 0]], np.float32), np.array([0]))
    assert by_class(opposite, *question, classes).tolist() == [3]


def test_no_word_is_left_to_answer_with():
    vectors = np.eye(3, dtype=np.float32)
    questions = np.array([0]), np.array([1]), np.array([2])

    assert by_sum(vectors, *questions).tolist() == [-1]
    assert by_product(vectors, *questions, 1e-6).tolist() == [-1]


def test_the_same_word_may_stand_twice_in_a_question():
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], np.float32)

    assert by_sum(vectors, np.array([0]), np.array([0]), np.array([2])).tolist() == [1]


@pytest.mark.parametrize("place", [3, 300, 700])
def test_of_equal_words_the_earlier_one_wins_in_any_block(monkeypatch, place):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    vectors = np.zeros((1000, 4), np.float32)
    vectors[:, 3] = 1
    vectors[[0, 1, 2]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    vectors[place:] = [0, 2, 2, 0]  # exactly equal cosines from here on

    assert by_sum(vectors, np.array([0]), np.array([1]), np.array([2])).tolist() == [place]
    assert by_product(vectors, np.array([0]), np.array([1]), np.array([2]), 1e-6).tolist() == [
        place
    ]


def test_epsilon_decides_a_question():
    # The fourth word is opposite to a: a small epsilon lets it win by dividing by almost nothing.
    vectors = np.array([[1, 0], [0, 1], [0, 1], [-1, 0], [0.6, 0.8]], np.float32)
    question = np.array([0]), np.array([1]), np.array([2])

    assert by_product(vectors, *question, 1e-6).tolist() == [3]
    assert by_product(vectors, *question, 1.0).tolist() == [4]


@pytest.mark.parametrize(
    "solve",
    [
        by_sum,
        lambda *asked: by_product(*asked, 1e-6),
        lambda *asked: by_offset(*asked, learnt(500, 10)),
        lambda *asked: by_class(*asked, learnt(500, 11)),
    ],
    ids=["sum", "product", "offset", "class"],
)
def test_threads_do_not_change_the_answers(monkeypatch, solve):
    vectors, *questions = asked(2000, 500, seed=3)
    answers = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        answers.append(solve(vectors, *questions).tolist())

    assert answers[0] == answers[1] == answers[2]


def test_vectors_are_not_changed():
    vectors, *questions = asked(300, 10)
    before = vectors.copy()
    vectors.flags.writeable = False

    by_sum(vectors, *questions)
    by_product(vectors, *questions, 1e-6)

    assert np.array_equal(vectors, before)
