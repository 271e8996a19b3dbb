from itertools import permutations
from typing import get_args, get_type_hints

import numpy as np
import pytest
from gensim.models import KeyedVectors
from sklearn.linear_model import LogisticRegression

import lexiscope
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage
from lexiscope.tasks.analogy import Analogy
from tests.builders import analogies, seeded, synthetic_words

ROYAL = embedding(
    "royal",
    ("man", "woman", "king", "queen", "apple"),
    [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, -1]],
)
QUESTION = analogies(("man", "woman", "king", "queen"))
SOLVERS = get_args(get_type_hints(Analogy)["solver"])


def related(words=90, pairs=9, seed=0, spread=0.4):
    """An embedding and all questions of three sections; the words of a pair differ by an offset.

    In the second section pairs share targets, as countries share a currency; in the third every
    pair occurs in both directions.
    """
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(words, 6))
    sections = []
    for section in range(3):
        sources = np.arange(pairs) + 2 * pairs * section
        targets = pairs + (sources if section != 1 else sources[0] + np.arange(pairs) % 6)
        noise = rng.normal(size=(pairs, 6)) * spread
        vectors[targets] = vectors[sources] + rng.normal(size=6) * 2 + noise
        sections.append([(f"w{s}", f"w{t}") for s, t in zip(sources, targets, strict=True)])
    sections[2] += [(target, source) for source, target in sections[2]]
    rows = [
        (*one, *other, f"section {number}")
        for number, section in enumerate(sections)
        for one, other in permutations(section, 2)
        if not set(one) & set(other)
    ]
    return embedding("related", synthetic_words(words), vectors), analogies(*rows)


def solve_in_a_loop(solver, vectors, items, seed):
    """One question and one word at a time, in double precision."""
    unit = {word: vectors[word].astype(float) / np.linalg.norm(vectors[word].astype(float))
            for word in vectors.words}  # fmt: skip
    shifted = {(x, y): (1 + unit[x] @ unit[y]) / 2 for x in vectors.words for y in vectors.words}
    pairs, outsiders = {}, {}
    rng = np.random.default_rng(seed)
    for section in sorted(set(items.section)):
        rows = [
            row[:4] for row in zip(*items.words, items.section, strict=True) if row[4] == section
        ]
        pairs[section] = {(a, b) for a, b, _, _ in rows} | {(c, d) for _, _, c, d in rows}
        own = {word for pair in pairs[section] for word in pair}
        outside = [word for word in vectors.words if word not in own]
        outsiders[section] = rng.choice(outside, len(pairs[section]), replace=False).tolist()
    for a, b, c, answer, section in zip(*items.words, items.section, strict=True):
        others = [pair for pair in pairs[section] if not {c, answer} & set(pair)]
        if solver == "3CosAdd":
            score = {w: unit[w] @ (unit[b] - unit[a] + unit[c]) for w in unit}
        elif solver == "3CosMul":
            score = {w: shifted[w, b] * shifted[w, c] / (shifted[w, a] + 1e-6) for w in unit}
        elif solver == "3CosAvg":
            offset = np.mean([unit[target] - unit[source] for source, target in others], axis=0)
            score = {w: unit[w] @ (unit[c] + offset) for w in unit}
        else:
            targets, sources = {pair[1] for pair in others}, {pair[0] for pair in others}
            negatives = [*sources - targets, *outsiders[section][: len(sources)]]
            model = LogisticRegression(class_weight="balanced", tol=1e-9, max_iter=10_000)
            model.fit(
                [unit[w] for w in (*targets, *negatives)], [1] * len(targets) + [0] * len(negatives)
            )
            target = dict(zip(unit, model.predict_proba(list(unit.values()))[:, 1], strict=True))
            score = {w: target[w] * (unit[w] @ unit[c]) for w in unit}
        yield max((w for w in unit if w not in (a, b, c)), key=score.__getitem__)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_agrees_with_a_loop(solver):
    vectors, items = related()

    predicted = Analogy(solver).predict(vectors, items, np.random.default_rng(7)).predicted

    assert predicted.tolist() == list(solve_in_a_loop(solver, vectors, items, 7))
    assert 0 < np.mean(predicted == items.answer) < 1


def test_all_solvers_differ():
    vectors, items = related(spread=0.8)

    predicted = [
        tuple(Analogy(solver).predict(vectors, items, np.random.default_rng(0)).predicted)
        for solver in SOLVERS
    ]

    assert len(SOLVERS) == 4
    assert len(set(predicted)) == 4


@pytest.mark.parametrize("solver", ["3CosAvg", "LRCos"])
def test_threads_and_the_order_of_questions_do_not_change_predictions(solver, monkeypatch):
    vectors, items = related()
    reversed_items = analogies(*reversed(list(zip(*items.words, items.section, strict=True))))
    predicted = []
    for threads, covered in (("1", items), ("3", items), ("2", reversed_items)):
        monkeypatch.setenv("LEXISCOPE_THREADS", threads)
        predicted.append(
            Analogy(solver).predict(vectors, covered, np.random.default_rng(0)).predicted.tolist()
        )

    assert predicted[0] == predicted[1] == predicted[2][::-1]


def test_the_generator_samples_the_negative_examples_of_a_classifier():
    vectors, items = related()

    predicted = {
        tuple(Analogy("LRCos").predict(vectors, items, np.random.default_rng(seed)).predicted)
        for seed in range(5)
    }

    assert len(predicted) > 1


@pytest.mark.parametrize("solver", ["3CosAvg", "LRCos"])
def test_without_two_training_pairs_there_is_no_prediction(solver):
    vectors = seeded("seeded", synthetic_words(30))
    two = [("w0", "w1", "w2", "w3", "two"), ("w2", "w3", "w0", "w1", "two")]
    three = [("w4", "w5", "w6", "w7", "three"), ("w6", "w7", "w8", "w9", "three")]

    predicted = (
        Analogy(solver)
        .predict(vectors, analogies(*two, *three), np.random.default_rng(0))
        .predicted
    )

    assert predicted[:2].tolist() == ["", ""]
    assert all(predicted[2:])


def test_a_classifier_needs_negative_examples():
    # Every other pair occurs in both directions, and no word is outside the section.
    vectors = seeded("seeded", synthetic_words(6))
    both_ways = [("w0", "w1"), ("w1", "w0"), ("w2", "w3"), ("w3", "w2")]
    items = analogies(*((*pair, "w4", "w5") for pair in both_ways))

    predicted = {
        solver: set(Analogy(solver).predict(vectors, items, np.random.default_rng(0)).predicted)
        for solver in ("3CosAvg", "LRCos")
    }

    assert predicted["LRCos"] == {""}
    assert "" not in predicted["3CosAvg"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_solver_predicts_a_word_of_the_question(solver):
    vectors, items = related(words=56)

    predicted = Analogy(solver).predict(vectors, items, np.random.default_rng(0)).predicted

    for word, *inputs in zip(predicted, items.a, items.b, items.c, strict=True):
        assert word not in inputs


@pytest.mark.parametrize("solver", ["3CosAdd", "3CosMul"])
def test_man_is_to_woman_as_king_is_to_queen(solver):
    predictions = Analogy(solver=solver).predict(ROYAL, QUESTION, np.random.default_rng(0))

    assert predictions.predicted.tolist() == ["queen"]
    assert predictions.gold.tolist() == ["queen"]


def test_without_other_words_there_is_no_prediction():
    only_inputs = embedding("small", ("man", "woman", "king"), [[1, 0], [0, 1], [1, 1]])
    question = analogies(("man", "woman", "king", "woman"))

    predictions = Analogy().predict(only_inputs, question, np.random.default_rng(0))

    assert predictions.predicted.tolist() == [""]


def test_the_solver_changes_predictions():
    vectors = np.random.default_rng(0).normal(size=(60, 3))
    small = embedding("small", synthetic_words(60), vectors)
    rows = [(f"w{k}", f"w{k + 1}", f"w{k + 2}", f"w{k + 3}") for k in range(50)]

    predicted = [
        Analogy(solver=solver).predict(small, analogies(*rows), np.random.default_rng(0)).predicted
        for solver in ("3CosAdd", "3CosMul")
    ]

    assert 0 < np.mean(predicted[0] == predicted[1]) < 1


def test_epsilon_changes_predictions():
    words = ("a", "b", "c", "opposite", "near")
    small = embedding("small", words, [[1, 0], [0, 1], [0, 1], [-1, 0], [0.6, 0.8]])
    question = analogies(("a", "b", "c", "near"))

    predicted = [
        Analogy("3CosMul", epsilon).predict(small, question, np.random.default_rng(0)).predicted[0]
        for epsilon in (1e-6, 1.0)
    ]

    assert predicted == ["opposite", "near"]


@pytest.mark.parametrize("epsilon", [0.0, -1.0, 1e-50, 2.0])
def test_an_epsilon_out_of_bounds_is_refused(epsilon):
    with pytest.raises(BadUsage, match=r"analogy\.epsilon must be from 1e-12 to 1, found"):
        Analogy(epsilon=epsilon)


@pytest.mark.parametrize("epsilon", [float("nan"), float("inf")])
def test_an_epsilon_that_is_not_finite_is_refused(epsilon):
    with pytest.raises(BadUsage, match=r"analogy\.epsilon must be a finite number"):
        Analogy(epsilon=epsilon)


def test_predictions_equal_gensims(tmp_path):
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
        covered = len(section["correct"]) + len(section["incorrect"])
        assert found[section["section"]].used == covered
        assert found[section["section"]].value == pytest.approx(len(section["correct"]) / covered)


# gensim 4.4 calls a function of its own that it has deprecated.
@pytest.mark.filterwarnings("ignore:Call to deprecated .init_sims:DeprecationWarning")
def test_predictions_of_3cosmul_equal_gensims():
    words = synthetic_words(300)
    ours = seeded("ours", words, 4, 6)
    theirs = KeyedVectors(6)
    theirs.add_vectors(words, ours.vectors.copy())
    rows = [(f"w{k}", f"w{k + 50}", f"w{k + 100}", "w0") for k in range(40)]

    predictions = Analogy("3CosMul").predict(ours, analogies(*rows), np.random.default_rng(0))

    expected = [theirs.most_similar_cosmul([b, c], [a], topn=1)[0][0] for a, b, c, _ in rows]
    assert predictions.predicted.tolist() == expected
