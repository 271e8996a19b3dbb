import numpy as np
import pytest

from lexiscope.learners.analogy_relations import RelationModels
from lexiscope.linalg.analogy_search import lr_cos, three_cos_add, three_cos_avg, three_cos_mul


def normalized(vectors):
    vectors = vectors.astype(np.float64)
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def reference_sums(vectors, a, b, c):
    rows = normalized(vectors)
    return (rows[b] - rows[a] + rows[c]) @ rows.T


def reference_products(vectors, a, b, c, epsilon):
    rows = normalized(vectors)
    near = [(1 + rows[indices] @ rows.T) / 2 for indices in (a, b, c)]
    return near[1] * near[2] / (near[0] + epsilon)


def best_words(scores, a, b, c):
    for inputs in (a, b, c):
        scores[np.arange(len(scores)), inputs] = -np.inf
    return np.argmax(scores, axis=1)


def random_questions(words, questions, seed=0, dimension=10):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(words, dimension)).astype(np.float32)
    return vectors, *rng.integers(0, words, (3, questions))


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_three_cos_add_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = random_questions(words, 300)

    found = three_cos_add(vectors, *questions)

    scores = reference_sums(vectors, *questions)
    best = best_words(scores, *questions)
    near = np.take_along_axis(scores, np.stack([found, best], 1), axis=1)
    assert np.ptp(near, axis=1).max() < 1e-6  # words differ only where scores are equal
    assert np.mean(found == best) > 0.99


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_three_cos_mul_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = random_questions(words, 300, seed=1)

    found = three_cos_mul(vectors, *questions, 1e-3)

    scores = reference_products(vectors, *questions, 1e-3)
    best = best_words(scores, *questions)
    near = np.take_along_axis(scores, np.stack([found, best], 1), axis=1)
    assert (np.ptp(near, axis=1) / near.max(axis=1)).max() < 1e-4
    assert np.mean(found == best) > 0.99


def random_models(questions, width, rows=7, seed=5):
    """Relation models with random rows; every tenth question has none."""
    rng = np.random.default_rng(seed)
    row = rng.integers(0, rows, questions)
    row[::10] = -1
    return RelationModels(rng.normal(size=(rows, width)).astype(np.float32), row)


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_three_cos_avg_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = random_questions(words, 300)
    offsets = random_models(300, 10)

    found = three_cos_avg(vectors, *questions, offsets)

    rows = normalized(vectors)
    scores = (rows[questions[2]] + offsets.rows[offsets.row]) @ rows.T
    best = np.where(offsets.row < 0, -1, best_words(scores, *questions))
    assert np.mean(found == best) > 0.99
    assert found[::10].tolist() == [-1] * 30


@pytest.mark.parametrize("words", [5, 255, 256, 257, 1100])
def test_lr_cos_agrees_with_double_precision_over_all_words(words):
    vectors, *questions = random_questions(words, 300)
    classes = random_models(300, 11)

    found = lr_cos(vectors, *questions, classes)

    rows, weights = normalized(vectors), classes.rows[classes.row].astype(np.float64)
    target = 1 / (1 + np.exp(-(weights[:, :-1] @ rows.T) - weights[:, -1:]))
    scores = target * (rows[questions[2]] @ rows.T)
    best = np.where(classes.row < 0, -1, best_words(scores, *questions))
    assert np.mean(found == best) > 0.99
    assert found[::10].tolist() == [-1] * 30


@pytest.mark.parametrize(("solve", "width"), [(three_cos_avg, 10), (lr_cos, 11)])
def test_without_models_there_is_no_prediction(solve, width):
    vectors, *questions = random_questions(50, 4)
    no_models = RelationModels(np.empty((0, width), np.float32), np.full(4, -1))

    assert solve(vectors, *questions, no_models).tolist() == [-1] * 4


def test_a_class_without_members_still_has_a_best_word():
    vectors = np.array([[1, 0], [0, 1], [1, 0.1], [1, 0.2]], np.float32)
    classes = RelationModels(np.array([[0, 0, -1e4]], np.float32), np.array([0]))

    assert lr_cos(vectors, np.array([0]), np.array([1]), np.array([2]), classes).tolist() == [3]


def test_the_norms_of_vectors_do_not_matter():
    vectors, *questions = random_questions(600, 200, seed=2)
    scaled = vectors * np.random.default_rng(0).uniform(0.5, 4, (600, 1)).astype(np.float32)

    assert np.mean(three_cos_add(vectors, *questions) == three_cos_add(scaled, *questions)) > 0.99


def test_a_parallelogram_is_completed():
    vectors = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]], np.float32)

    assert three_cos_add(vectors, np.array([0]), np.array([1]), np.array([2])).tolist() == [3]
    assert three_cos_mul(vectors, np.array([0]), np.array([1]), np.array([2]), 1e-6).tolist() == [3]


def test_inputs_are_excluded_even_if_every_score_is_negative():
    # b - a + c points to the left; the only word that is not excluded points to the right.
    vectors = np.array([[1, 0], [-1, 0.1], [-1, -0.1], [1, 0.2]], np.float32)

    question = np.array([0]), np.array([1]), np.array([2])
    left = RelationModels(np.array([[-1, 0]], np.float32), np.array([0]))
    opposite = np.array([[1, 0], [0, 1], [-1, 0], [1, 0]], np.float32)

    assert three_cos_add(vectors, *question).tolist() == [3]
    assert three_cos_avg(vectors, *question, left).tolist() == [3]
    # P cos(c) is 0 for the only word that is not excluded, and higher for the inputs.
    classes = RelationModels(np.array([[-1, 0, 0]], np.float32), np.array([0]))
    assert lr_cos(opposite, *question, classes).tolist() == [3]


def test_there_is_no_prediction_if_all_words_are_excluded():
    vectors = np.eye(3, dtype=np.float32)
    questions = np.array([0]), np.array([1]), np.array([2])

    assert three_cos_add(vectors, *questions).tolist() == [-1]
    assert three_cos_mul(vectors, *questions, 1e-6).tolist() == [-1]


def test_a_word_may_occur_twice_in_a_question():
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]], np.float32)

    assert three_cos_add(vectors, np.array([0]), np.array([0]), np.array([2])).tolist() == [1]


@pytest.mark.parametrize("index", [3, 300, 700])
def test_of_equal_vectors_the_earlier_word_wins_in_any_block(monkeypatch, index):
    monkeypatch.setenv("LEXISCOPE_THREADS", "2")
    vectors = np.zeros((1000, 4), np.float32)
    vectors[:, 3] = 1
    vectors[[0, 1, 2]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    vectors[index:] = [0, 2, 2, 0]  # exactly equal cosines from here on

    assert three_cos_add(vectors, np.array([0]), np.array([1]), np.array([2])).tolist() == [index]
    assert three_cos_mul(vectors, np.array([0]), np.array([1]), np.array([2]), 1e-6).tolist() == [
        index
    ]


def test_epsilon_can_change_the_prediction():
    # The fourth word is opposite to a: with a small epsilon it wins, because the divisor is tiny.
    vectors = np.array([[1, 0], [0, 1], [0, 1], [-1, 0], [0.6, 0.8]], np.float32)
    question = np.array([0]), np.array([1]), np.array([2])

    assert three_cos_mul(vectors, *question, 1e-6).tolist() == [3]
    assert three_cos_mul(vectors, *question, 1.0).tolist() == [4]


@pytest.mark.parametrize(
    "solve",
    [
        three_cos_add,
        lambda *args: three_cos_mul(*args, 1e-6),
        lambda *args: three_cos_avg(*args, random_models(500, 10)),
        lambda *args: lr_cos(*args, random_models(500, 11)),
    ],
    ids=["3CosAdd", "3CosMul", "3CosAvg", "LRCos"],
)
def test_threads_do_not_change_the_predictions(monkeypatch, solve):
    vectors, *questions = random_questions(2000, 500, seed=3)
    predictions = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        predictions.append(solve(vectors, *questions).tolist())

    assert predictions[0] == predictions[1] == predictions[2]


def test_vectors_do_not_change():
    vectors, *questions = random_questions(300, 10)
    before = vectors.copy()
    vectors.flags.writeable = False

    three_cos_add(vectors, *questions)
    three_cos_mul(vectors, *questions, 1e-6)

    assert np.array_equal(vectors, before)
