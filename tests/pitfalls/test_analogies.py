"""Pitfalls 17 to 25: analogies, and settings that must do something."""

from dataclasses import fields
from typing import get_args, get_type_hints

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import lexiscope
from lexiscope import tasks
from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets.base import word_array
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.embedding import embedding
from lexiscope.core.policy import Policy
from lexiscope.tasks.analogy import Analogy
from tests.builders import (
    analogies,
    categories,
    counted,
    preferences,
    seeded,
    sentences,
    synonym_questions,
    synthetic_words,
    texts,
    word_pairs,
)
from tests.pitfalls.scoring import predictions_of

SOLVERS = get_args(get_type_hints(Analogy)["solver"])
QUESTION = analogies(("a", "b", "c", "x"))
# b - a + c is (0, 1): b and c have score 0, every other word a negative one.
NEGATIVE = embedding(
    "negative", ("a", "b", "c", "y", "x"), [[0, -1], [1, 0], [-1, 0], [0.1, -1], [0.6, -0.8]]
)


def sums(source, row):
    """3CosAdd's score of every word, in double precision."""
    rows = source.vectors.astype(np.float64)
    units = dict(zip(source.words, rows / np.linalg.norm(rows, axis=1)[:, None], strict=True))
    a, b, c = row[:3]
    return {word: unit @ (units[b] - units[a] + units[c]) for word, unit in units.items()}


def test_pitfall_17_the_words_of_the_analogy_are_excluded_even_if_all_scores_are_negative():
    """An excluded word is no candidate at all; a score of 0 would leave it the best."""
    found = sums(NEGATIVE, "abc")

    def as_the_peer_does():
        return max(found, key=lambda word: 0 if word in "abc" else found[word])

    assert as_the_peer_does() in "abc"
    assert max(found[word] for word in "xy") < -0.7
    assert predictions_of(NEGATIVE, "analogy", QUESTION) == {0: "x"}


@pytest.mark.parametrize(
    ("near", "vectors"),
    [
        ("a", [[-1, 0], [0, 1], [1, 0], [-2, -1]]),
        ("b", [[1, 0.1], [0, 1], [1, 0], [-1, -1]]),
        ("c", [[1, 0], [1, 0.2], [0, 1], [-1, -1]]),
    ],
)
def test_pitfall_17_each_of_the_three_words_is_excluded(near, vectors):
    """A skip set that holds two of the three words, or one twice, gives another prediction."""
    source = embedding("s", ("a", "b", "c", "x"), vectors)
    found = sums(source, "abc")

    def as_the_peer_does():
        return max(near + "x", key=found.__getitem__)

    assert as_the_peer_does() == near
    for solver in ("3CosAdd", "3CosMul"):
        given = predictions_of(source, "analogy", QUESTION, settings={"analogy.solver": solver})
        assert given == {0: "x"}


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ([0.1, -0.7, -0.7, 0], [0.5, 0.6, 0.6, 0]),  # two negative cosines make a product
        ([0.5, 0.3, 0.3, 0.75], [-0.6, -0.1, 0.79, 0]),  # one just below 0 spoils everything
    ],
)
def test_pitfall_18_cosines_are_scaled_to_0_to_1_before_they_are_multiplied(bad, good):
    """The signs of cosines do not decide a product: all are moved above 0 first."""
    rows = {**dict(zip("abc", np.eye(4), strict=False)), "bad": bad, "good": good}
    source = embedding("s", rows, list(rows.values()))
    items = analogies(("a", "b", "c", "good"))

    def as_the_peer_does(word):
        a, b, c, _ = np.array(rows[word]) / np.linalg.norm(rows[word])
        return b * c / (a + 1e-6)

    given = predictions_of(source, "analogy", items, settings={"analogy.solver": "3CosMul"})

    assert max(("bad", "good"), key=as_the_peer_does) == "bad"
    assert given == {0: "good"}


def test_pitfall_18_epsilon_is_an_option_and_recorded():
    """Each peer's epsilon can be set, and is part of the result, its name and the manifest."""
    peers = [1e-6, 1e-5, 1e-3, 1e-2]
    source = seeded("s", synthetic_words(30))
    items = analogies(*((f"w{k}", f"w{k + 1}", f"w{k + 2}", f"w{k + 3}") for k in range(5)))

    results = lexiscope.run(
        source,
        "analogy",
        items,
        settings={"analogy.solver": "3CosMul", "analogy.epsilon": peers},
    )

    assert [r.settings["epsilon"] for r in results.main()] == peers
    assert len({r.variant for r in results.main()}) == len({r.cell for r in results.main()}) == 4
    assert results.main()[3].variant == "analogy (solver=3CosMul, epsilon=0.01)"
    assert [task["settings"]["epsilon"] for task in results.manifest["tasks"]] == peers


def near_and_opposite():
    """A word opposite to a wins 3CosMul as long as nothing keeps the divisor from 0."""
    vectors = [[1, 0], [0, 1], [0, 1], [-1, 0], [0.6, 0.8]]
    return embedding("s", ("a", "b", "c", "opposite", "near"), vectors)


def relation():
    """Words of a noisy relation, and all questions of one section."""
    rng = np.random.default_rng(1)
    sources = rng.normal(size=(8, 4))
    targets = sources + rng.normal(size=4) + rng.normal(size=(8, 4)) * 0.8
    others = rng.normal(size=(30, 4))
    source = embedding("s", synthetic_words(46), np.vstack([sources, targets, others]))
    rows = [(f"w{x}", f"w{x + 8}", f"w{y}", f"w{y + 8}", "r")
            for x in range(8) for y in range(8) if x != y]  # fmt: skip
    return source, analogies(*rows)


def example(task):
    """The example of a task, and an embedding that knows nothing of it."""
    kind = load(tasks, task, Task)
    items = kind.example()
    return seeded("s", sorted(items.all_words), 7), items


def tagged(number, seed):
    """Sentences with random tags."""
    rng = np.random.default_rng(seed)
    tags = ("B-NP", "I-NP", "B-VP", "O")
    return [
        " ".join(f"w{w}/N/{tags[t]}" for w, t in rng.integers(0, (30, 4), (6, 2)).tolist())
        for _ in range(number)
    ]


def by_chance():
    """Sentences to tag that have no rule, so that whatever is learned is another guess."""
    return seeded("s", synthetic_words(30), 7), sentences(tagged(12, 1), tagged(20, 2))


def unruly():
    """Texts with random labels, and no development set."""
    rng = np.random.default_rng(3)
    rows = [
        (" ".join(f"w{w}" for w in rng.integers(0, 30, 4).tolist()), "no" if k % 2 else "yes")
        for k in range(70)
    ]
    return seeded("s", synthetic_words(30), 7), texts(*rows[:40], train=texts(*rows[40:]))


def one_property(*dimensions):
    """Words of which every second has the one property there is, and embeddings of them."""
    words = synthetic_words(120)
    has, amount = np.empty(120, object), np.empty(120, object)
    has[:] = [("even",) if index % 2 == 0 else () for index in range(120)]
    amount[:] = [(1.0,) * len(each) for each in has]
    sources = [seeded(f"s{size}", words, 7, size) for size in dimensions]
    return sources, Properties("even", word_array(words), has, amount)


# For each setting of each task: embedding, items, other settings, and values that must differ.
SETTINGS = {
    ("chunking", "c2"): lambda: (*by_chance(), {"chunking.epochs": 20}, (0.01, 50.0)),
    ("chunking", "epochs"): lambda: (*by_chance(), {}, (1, 20)),
    ("chunking", "neighbours"): lambda: (*by_chance(), {"chunking.epochs": 20}, (0, 2)),
    ("chunking", "train_sentences"): lambda: (*by_chance(), {"chunking.epochs": 20}, (0, 3)),
    ("classification", "dev_fraction"): lambda: (*unruly(), {}, (0.2, 0.5)),
    ("metaphor", "folds"): lambda: (*example("metaphor"), {}, (2, 5)),
    ("metaphor", "trees"): lambda: (*example("metaphor"), {}, (1, 50)),
    ("qvec", "allow_unequal_dimensions"): lambda: (*one_property(3, 4), {}, (False, True)),
    ("qvec", "folds"): lambda: (*one_property(3), {"qvec.method": "cca-held-out"}, (2, 5)),
    ("qvec", "method"): lambda: (*one_property(3), {}, ("alignment", "cca", "cca-held-out")),
    ("qvec", "rotations"): lambda: (*example("qvec"), {}, (0, 20)),
    ("qvec", "rule"): lambda: (*one_property(8), {}, ("formula", "script")),
    ("sentiment", "folds"): lambda: (*example("sentiment"), {}, (2, 10)),
    ("entity_typing", "classifier"): lambda: (*example("entity_typing"), {}, ("mlp", "nearest")),
    ("entity_typing", "epochs"): lambda: (*example("entity_typing"), {}, (1, 200)),
    ("entity_typing", "folds"): lambda: (*example("entity_typing"), {}, (2, 5)),
    ("entity_typing", "neighbours"): lambda: (
        *example("entity_typing"), {"entity_typing.classifier": "nearest"}, (1, 3),
    ),
    ("entity_typing", "hidden"): lambda: (*example("entity_typing"), {}, (2, 60)),
    ("entity_typing", "threshold"): lambda: (*example("entity_typing"), {}, (0.2, 0.8)),
    ("analogy", "solver"): lambda: (*relation(), {}, SOLVERS),
    ("analogy", "epsilon"): lambda: (
        near_and_opposite(), analogies(("a", "b", "c", "near")), {"analogy.solver": "3CosMul"},
        (1e-6, 1.0),
    ),
    ("categorization", "repeats"): lambda: (
        seeded("s", synthetic_words(20)), categories(one="w1 w2 w3 w4 w5", two="w6 w7 w8 w9"), {},
        (1, 2, 10),
    ),
    ("preference", "fillers"): lambda: (
        embedding("s", ("apple", "bread", "soup"), [[1, 0], [0.6, 0.8], [1, 0]]),
        preferences(("eat", "dobj", "apple", 9, "bread soup")), {}, (1, 2),
    ),
}  # fmt: skip
EVERY = [
    (name, field.name)
    for name in names(tasks)
    for field in fields(load(tasks, name, Task))
]  # fmt: skip


@pytest.mark.parametrize(("task", "setting"), EVERY)
def test_pitfall_19_every_setting_of_every_task_changes_the_predictions(task, setting):
    """No setting is there for show; a new one needs a case in SETTINGS that it changes."""
    assert (task, setting) in SETTINGS, "a new setting needs a case that it changes"
    source, items, others, values = SETTINGS[task, setting]()

    given = [
        outcome(source, task, items, settings={**others, f"{task}.{setting}": value})
        for value in values
    ]

    assert len(set(given)) == len(values)


def outcome(source, task, items, **more):
    """Everything that a run reports of one evaluation: scores, secondary metrics, differences."""
    results = lexiscope.run(source, task, items, **more)
    scored = tuple((r.embedding, r.metric, r.value, r.state) for r in results.results)
    differences = tuple((c.difference, c.state) for c in results.comparisons)
    same = predictions_of(source, task, items, **more) if results.results else {}
    return scored, differences, tuple(same.items())


UPPER = counted("u", ("us", "US", "1999", "north"), [[1, 0], [0, 1], [1, 1], [1, 0]], [9, 8, 7, 6])
POLICIES = {
    "vocabulary": (word_pairs(("us", "north", 1), ("us", "1999", 2)), ("own", "shared")),
    "case": (word_pairs(("US", "north", 1)), ("exact", "fold")),
    "limit": (word_pairs(("us", "1999", 1), ("us", "north", 2)), (None, 3)),
    "oov": (word_pairs(("us", "zyx", 1), ("us", "1999", 2)), ("skip", "zero", "mean")),
    "digits": (word_pairs(("us", "2024", 1), ("us", "north", 2)), ("keep", "zero")),
    "language": (word_pairs(("us", "ｎｏｒｔｈ", 1), ("us", "1999", 2)), ("", "ja")),
}


@pytest.mark.parametrize("part", [field.name for field in fields(Policy)])
def test_pitfall_19_every_part_of_the_policy_changes_the_predictions(part):
    """Each part of a policy changes predictions; a new one needs a case in POLICIES."""
    pairs, values = POLICIES[part]
    other = counted("o", ("us", "north"), [[1, 0], [0, 1]], [2, 1])

    given = [
        predictions_of([UPPER, other], "similarity", pairs, policy=Policy(**{part: value}))
        for value in values
    ]

    assert len({tuple(each.items()) for each in given}) == len(values)


@pytest.mark.parametrize("solver", SOLVERS)
def test_pitfall_19_a_limit_reaches_every_solver(solver):
    """Every solver searches only the words within the limit, the multiplicative one too."""
    source, items = relation()
    policy = Policy(limit=20)

    free, limited = (
        set(
            predictions_of(
                source, "analogy", items, settings={"analogy.solver": solver}, **p
            ).values()
        )
        for p in ({}, {"policy": policy})
    )

    known = set(source.words[:20])
    assert not free <= known
    assert limited <= known


def test_pitfall_20_no_row_replaces_an_oov_word():
    """Neither the first row nor the last (row -1) replaces a word that is missing."""
    words = ("queen", "man", "woman", "boy", "girl", "king")
    rows = [[1, 1, 1], [1, 0, 0], [1, 1, 0], [0.9, 0, 0.2], [0.9, 1, 0.2], [1, 0, 1]]
    source = embedding("s", words, rows)
    items = analogies(("man", "woman", "boy", "girl"), ("man", "woman", "tsar", "queen"))
    pairs = word_pairs(("man", "woman", 3), ("boy", "girl", 2), ("tsar", "queen", 9),
                       ("king", "girl", 1))  # fmt: skip
    options = synonym_questions(("tsar", "king", "queen", "man", "boy", "king"))

    def as_the_peer_does(row):
        stand_in = words[row]
        return sums(source, ("man", "woman", stand_in)), np.dot(rows[row], rows[0])

    assert max((w for w in words if w not in ("man", "woman", "king")),
               key=as_the_peer_does(-1)[0].__getitem__) == "queen"  # fmt: skip
    assert as_the_peer_does(0)[1] == 3
    assert predictions_of(source, "analogy", items) == {0: "girl"}
    assert set(predictions_of(source, "similarity", pairs)) == {0, 1, 3}
    assert predictions_of(source, "synonymy", options) == {}
    nothing = Policy(oov="zero")
    assert predictions_of(source, "analogy", items, policy=nothing) == {0: "girl", 1: ""}
    assert predictions_of(source, "similarity", pairs, policy=nothing)[2] == 0
    assert predictions_of(source, "synonymy", options, policy=nothing) == {0: ""}


@pytest.mark.parametrize("task", ["analogy", "synonymy"])
def test_pitfall_21_accuracy_is_over_covered_and_over_all_items(task):
    """Both denominators are reported: the covered items, and all items."""
    words = ("man", "woman", "king", "queen", "boy")
    rows = [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [-1, 0, 0]]
    items = {
        "analogy": analogies(
            ("man", "woman", "king", "queen", "family"), ("man", "woman", "king", "boy", "family"),
            ("man", "woman", "tsar", "tsarina", "family"),
            ("man", "woman", "zar", "zarin", "other"),
        ),
        "synonymy": synonym_questions(
            ("queen", "king", "man", "woman", "boy", "woman"),
            ("man", "king", "queen", "woman", "boy", "boy"),
            ("tsar", "king", "queen", "woman", "boy", "king"),
            ("zar", "king", "queen", "woman", "boy", "king"),
        ),
    }[task]  # fmt: skip
    if task == "synonymy":
        rows[1] = [1, 1, 0.9]

    found = lexiscope.run(embedding("s", words, rows), task, items)

    whole = {r.metric: r for r in found if r.slice == "all"}
    assert (whole["accuracy"].value, whole["accuracy"].used) == (0.5, 2)
    assert (whole["accuracy_all_items"].value, whole["accuracy_all_items"].total) == (0.25, 4)
    parts = {(r.slice, r.metric): r.value for r in found if r.slice != "all"}
    if task == "analogy":
        assert parts == {
            ("family", "accuracy"): 0.5, ("family", "accuracy_all_items"): pytest.approx(1 / 3),
            ("other", "accuracy"): None, ("other", "accuracy_all_items"): 0,
        }  # fmt: skip


# Axes: stems 0, 1, 2 and 5, the relation 3, an oddity 4, others from 6 on.
STEMS = np.eye(12)
RELATED, ODD_WAY = STEMS[3], STEMS[4]
OTHERS = np.random.default_rng(0).normal(size=(40, 6))
# Two pairs lean a little from the oddity. That of the question leans towards it: learnt
# from, it gives d away.
LEAKY = {
    "a": STEMS[0], "b": STEMS[0] + RELATED - 0.1 * ODD_WAY,
    "e": STEMS[1], "f": STEMS[1] + RELATED - 0.1 * ODD_WAY,
    "c": STEMS[2], "d": STEMS[2] + 0.8 * RELATED + 0.6 * ODD_WAY,
    "decoy": STEMS[2] + 0.8 * RELATED - 0.6 * ODD_WAY, "g": STEMS[5],
    **{f"o{k}": row @ STEMS[6:] for k, row in enumerate(OTHERS)},
}  # fmt: skip
LEAK = embedding("leak", LEAKY, list(LEAKY.values()))
QUESTIONS = [("a", "b", "c", "d", "r"), ("e", "f", "c", "d", "r")]


def learnt(solver, pairs):
    """What a solver predicts for c after training on these pairs, computed word by word."""
    unit = {word: np.array(row) / np.linalg.norm(row) for word, row in LEAKY.items()}
    left = [word for word in unit if word not in ("a", "b", "c")]
    if solver == "3CosAvg":
        wish = unit["c"] + np.mean([unit[t] - unit[s] for s, t in pairs], axis=0)
        return max(left, key=lambda word: unit[word] @ wish)
    like, unlike = [t for _, t in pairs], [*(s for s, _ in pairs), "o1", "o2"]
    model = LogisticRegression(class_weight="balanced", tol=1e-9, max_iter=10_000)
    model.fit([unit[w] for w in (*like, *unlike)], [1] * len(like) + [0] * len(unlike))
    probability = dict(zip(left, model.predict_proba([unit[w] for w in left])[:, 1], strict=True))
    return max(left, key=lambda word: probability[word] * (unit[word] @ unit["c"]))


@pytest.mark.parametrize("solver", ["3CosAvg", "LRCos"])
def test_pitfall_22_an_analogy_is_not_trained_on_its_own_words(solver):
    """A tested pair, or its answer in another pair of the section, changes nothing."""
    honest = [("a", "b"), ("e", "f")]
    leaks = [[*honest, ("c", "d")], [*honest, ("c", "d"), ("g", "d")]]
    more = [[], [("c", "d", "a", "b", "r"), ("c", "d", "e", "f", "r")],
            [("g", "d", "a", "b", "r"), ("c", "d", "a", "b", "r")]]  # fmt: skip

    given = [
        predictions_of(
            LEAK, "analogy", analogies(*QUESTIONS, *rows), settings={"analogy.solver": solver}
        )[0]
        for rows in more
    ]  # fmt: skip

    assert learnt(solver, honest) == "decoy"
    assert [learnt(solver, pairs) for pairs in leaks] == ["d", "d"]
    assert given == ["decoy", "decoy", "decoy"]


SECTIONS = {
    "capital-common-countries": True, "capital-world": True, "currency": True,
    "city-in-state": True, "family": True, "gram1-adjective-to-adverb": False,
    "gram2-opposite": False,
}  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_pitfall_23_semantic_and_syntactic_sections_are_distinguished_by_name(seed):
    """The totals are the same in any order of the sections in the file."""
    words = ("man", "woman", "king", "queen", "boy")
    source = embedding("s", words, [[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [-1, 0, 0]])
    order = np.random.default_rng(seed).permutation(list(SECTIONS)).tolist()
    if seed == 0:
        order = list(SECTIONS)[::-1]
    rows = [("man", "woman", "king", "queen" if SECTIONS[s] else "boy", s) for s in order]

    def as_the_peer_does():
        return np.mean([SECTIONS[section] for section in order[:5]])

    found = {r.slice: r for r in lexiscope.run(source, "analogy", analogies(*rows)) if r.main}

    assert seed or as_the_peer_does() == 0.6
    assert (found["semantic"].value, found["semantic"].used) == (1, 5)
    assert (found["syntactic"].value, found["syntactic"].used) == (0, 2)


def test_pitfall_24_a_word_with_a_negative_score_can_win():
    """The search starts below every score, so that there is always a prediction."""
    found = sums(NEGATIVE, "abc")

    def as_the_peer_does():
        best, answer = 0.0, ""
        for word in "xy":
            if found[word] > best:
                best, answer = found[word], word
        return answer

    assert as_the_peer_does() == ""
    (result,) = lexiscope.run(NEGATIVE, "analogy", QUESTION).main()
    assert result.value == 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_pitfall_25_the_highest_score_wins_not_the_lowest(solver):
    """The nearest word to the target is predicted, not the one opposite to it."""
    rows = {
        "a": STEMS[0], "b": STEMS[0] + RELATED, "e": STEMS[1], "f": STEMS[1] + RELATED,
        "c": STEMS[2], "right": STEMS[2] + RELATED, "wrong": -STEMS[2] - RELATED,
        "h": STEMS[6], "i": STEMS[7], "j": STEMS[8], "k": STEMS[9],
    }  # fmt: skip
    source = embedding("s", rows, list(rows.values()))
    items = analogies(("a", "b", "c", "right", "r"), ("e", "f", "c", "right", "r"))

    def as_the_peer_does():
        found = sums(source, ("a", "b", "c"))
        return min((w for w in found if w not in "abc"), key=found.__getitem__)

    given = predictions_of(source, "analogy", items, settings={"analogy.solver": solver})

    assert as_the_peer_does() == "wrong"
    assert given == {0: "right", 1: "right"}
