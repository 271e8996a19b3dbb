import numpy as np
import pytest
from gensim.models import KeyedVectors

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage
from lexiscope.tasks.analogy import Analogy
from tests.making import analogies, seeded, synthetic_words

ROYAL = embedding(
    "royal",
    ("man", "woman", "king", "queen", "apple"),
    [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, -1]],
)
QUESTION = analogies(("man", "woman", "king", "queen"))


@pytest.mark.parametrize("solver", ["3CosAdd", "3CosMul"])
def test_man_is_to_woman_as_king_is_to_queen(solver):
    answers = Analogy(solver=solver).answer(ROYAL, QUESTION, np.random.default_rng(0))

    assert answers.given.tolist() == ["queen"]
    assert answers.gold.tolist() == ["queen"]


def test_the_words_of_the_question_are_never_the_answer():
    only_inputs = embedding("small", ("man", "woman", "king"), [[1, 0], [0, 1], [1, 1]])
    question = analogies(("man", "woman", "king", "woman"))

    answers = Analogy().answer(only_inputs, question, np.random.default_rng(0))

    assert answers.given.tolist() == [""]


def test_the_solver_changes_the_answer():
    vectors = np.random.default_rng(0).normal(size=(60, 3))
    small = embedding("small", synthetic_words(60), vectors)
    rows = [(f"w{k}", f"w{k + 1}", f"w{k + 2}", f"w{k + 3}") for k in range(50)]

    given = [
        Analogy(solver=solver).answer(small, analogies(*rows), np.random.default_rng(0)).given
        for solver in ("3CosAdd", "3CosMul")
    ]

    assert 0 < np.mean(given[0] == given[1]) < 1


def test_epsilon_changes_the_answer():
    words = ("a", "b", "c", "opposite", "near")
    small = embedding("small", words, [[1, 0], [0, 1], [0, 1], [-1, 0], [0.6, 0.8]])
    question = analogies(("a", "b", "c", "near"))

    given = [
        Analogy("3CosMul", epsilon).answer(small, question, np.random.default_rng(0)).given[0]
        for epsilon in (1e-6, 1.0)
    ]

    assert given == ["opposite", "near"]


@pytest.mark.parametrize("epsilon", [0.0, -1.0, float("nan"), 1e-50, float("inf")])
def test_an_epsilon_that_cannot_work_is_refused(epsilon):
    with pytest.raises(BadUsage, match=r"analogy\.epsilon must be from"):
        Analogy(epsilon=epsilon)


def test_answers_equal_gensims_own(tmp_path):
    rng = np.random.default_rng(0)
    words = synthetic_words(400)
    vectors = rng.normal(size=(400, 12))
    vectors[1::2] = vectors[::2] + rng.normal(size=12) + rng.normal(size=(200, 12)) * 0.7
    ours = embedding("ours", words, vectors)
    theirs = KeyedVectors(12)
    theirs.add_vectors(words, ours.vectors.copy())
    stems = [rng.choice(205, 2, replace=False) * 2 for _ in range(300)]  # some words are unknown
    rows = [
        (f"w{x}", f"w{x + 1}", f"w{y}", f"w{y + 1}", "family" if k < 150 else "gram1")
        for k, (x, y) in enumerate(stems)
    ]
    path = tmp_path / "questions.txt"
    path.write_text(
        "".join(
            f": {section}\n"
            + "".join(" ".join(row[:4]) + "\n" for row in rows if row[4] == section)
            for section in ("family", "gram1")
        )
    )

    accuracy, sections = theirs.evaluate_word_analogies(str(path))
    results = lexiscope.run(ours, "analogy", [analogies(*rows)])

    found = {r.slice: r for r in results if r.main}
    assert 0.1 < accuracy < 0.9
    assert found["all"].value == pytest.approx(accuracy, abs=1e-6)
    for section in sections[:-1]:
        asked = len(section["correct"]) + len(section["incorrect"])
        assert found[section["section"]].used == asked
        assert found[section["section"]].value == pytest.approx(len(section["correct"]) / asked)


# gensim 4.4 calls a function of its own that it has deprecated.
@pytest.mark.filterwarnings("ignore:Call to deprecated .init_sims:DeprecationWarning")
def test_products_equal_gensims_own():
    words = synthetic_words(300)
    ours = seeded("ours", words, 4, 6)
    theirs = KeyedVectors(6)
    theirs.add_vectors(words, ours.vectors.copy())
    rows = [(f"w{k}", f"w{k + 50}", f"w{k + 100}", "w0") for k in range(40)]

    answers = Analogy("3CosMul").answer(ours, analogies(*rows), np.random.default_rng(0))

    expected = [theirs.most_similar_cosmul([b, c], [a], topn=1)[0][0] for a, b, c, _ in rows]
    assert answers.given.tolist() == expected
