from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.lexicon import Lexicon
from lexiscope.trainers._retrofitting import edges_in
from lexiscope.trainers._retrofitting import retrofitted as retrofitted_of
from tests.builders import seeded, synthetic_words

retrofitted = partial(retrofitted_of, normalize=False)


def some_lexicon(words, seed=0, most=6):
    """Edges of about half of the words, some of them to unknown words."""
    rng = np.random.default_rng(seed)
    edges = {}
    for word in rng.choice(words, len(words) // 2, replace=False).tolist():
        related = rng.choice([*words, "unheard", "of"], rng.integers(0, most), replace=False)
        edges[word] = tuple(related.tolist())
    return Lexicon("some", edges)


def slow_iterations(original, lexicon, iterations):
    """The paper's update with alpha 1 and beta 1 / degree, word after word."""
    words = list(original.words)
    given = {word: original[word].astype(np.float64) for word in words}
    moved = dict(given)
    for _ in range(iterations):
        for word in words:
            related = {other for other in lexicon.edges.get(word, ()) if other in given} - {word}
            if related:
                beta = 1 / len(related)
                pulled = sum(beta * moved[other] for other in related) + given[word]
                moved[word] = pulled / (beta * len(related) + 1)
    return np.array([moved[word] for word in words])


def test_two_related_words_move_as_computed_by_hand():
    given = embedding("e", ["hot", "warm", "cold"], [[0.0], [4.0], [9.0]])
    lexicon = Lexicon("near", {"hot": ("warm",), "warm": ("hot",)})

    once = retrofitted(given, lexicon, iterations=1)

    # hot: (0 + 4) / 2 = 2; then warm: (4 + 2) / 2 = 3.
    assert once.vectors.tolist() == [[2.0], [3.0], [9.0]]
    assert once.name == "e+near"


def test_the_fixed_point_for_two_words():
    given = embedding("e", ["hot", "warm"], [[0.0], [3.0]])
    lexicon = Lexicon("near", {"hot": ("warm",), "warm": ("hot",)})

    # h = w / 2 and w = (3 + h) / 2 give h = 1, w = 2.
    np.testing.assert_allclose(retrofitted(given, lexicon, 48).vectors, [[1.0], [2.0]], atol=1e-6)


@pytest.mark.parametrize("iterations", [1, 2, 10])
def test_iterations_agree_with_updates_word_by_word(iterations):
    words = synthetic_words(60)
    given, lexicon = seeded("e", words, seed=1), some_lexicon(words)

    moved = retrofitted(given, lexicon, iterations)

    np.testing.assert_allclose(
        moved.vectors, slow_iterations(given, lexicon, iterations), atol=1e-6
    )


def test_many_iterations_reach_the_solution_of_the_linear_system():
    words = synthetic_words(40)
    given, lexicon = seeded("e", words, seed=2), some_lexicon(words, seed=3)
    pulls = np.zeros((40, 40))
    for word, related in lexicon.edges.items():
        neighbours = [words.index(other) for other in related if other in words and other != word]
        if neighbours:
            pulls[words.index(word), neighbours] = 1 / len(neighbours)
    moving = pulls.any(axis=1)
    # q = (given + pulls q) / 2 for the words that move, q = given for the others.
    system = np.eye(40) - np.where(moving[:, None], pulls / 2, 0)
    solution = np.linalg.solve(system, np.where(moving[:, None], given.vectors / 2, given.vectors))

    np.testing.assert_allclose(retrofitted(given, lexicon, 48).vectors, solution, atol=1e-5)
    np.testing.assert_allclose(retrofitted(given, lexicon, 20).vectors, solution, atol=1e-5)


def test_words_without_edges_and_the_given_embedding_do_not_change():
    words = synthetic_words(50)
    given, lexicon = seeded("e", words), some_lexicon(words)
    before = given.vectors.copy()

    moved = retrofitted(given, lexicon)

    moving = edges_in(lexicon, given.vocabulary).indices
    others = np.setdiff1d(np.arange(50), moving)
    assert moved.vectors[others].tobytes() == before[others].tobytes()
    assert (moved.vectors[moving] != before[moving]).any(axis=1).all()
    assert given.vectors.tobytes() == before.tobytes()


def test_loops_edges_to_unknown_words_and_duplicates_are_ignored():
    given = embedding("e", ["a", "b"], [[0.0], [8.0]])
    messy = Lexicon("messy", {"a": ("a", "b", "b", "zyx"), "b": ("b", "zyx"), "zyx": ("a",)})

    assert retrofitted(given, messy).vectors.tolist() == [[4.0], [8.0]]


def test_edges_are_directed():
    given = embedding("e", ["a", "b"], [[0.0], [8.0]])

    assert retrofitted(given, Lexicon("l", {"b": ("a",)})).vectors.tolist() == [[0.0], [4.0]]


def test_the_order_of_the_lexicon_changes_no_byte():
    words = synthetic_words(40)
    given, lexicon = seeded("e", words), some_lexicon(words)
    turned = Lexicon(
        "some", {word: related[::-1] for word, related in reversed(lexicon.edges.items())}
    )

    first, second = retrofitted(given, lexicon), retrofitted(given, turned)

    assert first.vectors.tobytes() == second.vectors.tobytes()


def test_counts_and_words_do_not_change():
    given = seeded("e", ["a", "b"])

    moved = retrofitted(given, Lexicon("l", {"a": ("b",)}))

    assert moved.words == given.words
    assert moved.counts is None


def test_progress_is_reported_by_iteration():
    reports = []
    retrofitted(
        seeded("e", ["a", "b"]),
        Lexicon("l", {"a": ("b",)}),
        2,
        progress=lambda *report: reports.append(report),
    )

    assert reports == [("Retrofitting", 1, 2), ("Retrofitting", 2, 2)]


def test_a_lexicon_of_other_words_is_refused():
    with pytest.raises(BadData, match="upper has no edge between two words of e"):
        retrofitted(seeded("e", ["a", "b"]), Lexicon("upper", {"A": ("B",)}))


def test_zero_iterations_are_refused():
    with pytest.raises(BadUsage, match="1 or more"):
        retrofitted(seeded("e", ["a", "b"]), Lexicon("l", {"a": ("b",)}), 0)


def test_sparse_vectors_are_refused():
    sparse = embedding("ppmi", ["a", "b"], csr_array(np.eye(2)))

    with pytest.raises(
        BadUsage, match=r"Retrofitting needs dense vectors, and those of ppmi are sparse"
    ):
        retrofitted(sparse, Lexicon("l", {"a": ("b",)}))


def test_vectors_are_scaled_to_unit_length_first_by_default():
    given = embedding("e", ["hot", "warm", "cold"], [[0.0, 2.0], [4.0, 0.0], [3.0, 4.0]])
    lexicon = Lexicon("near", {"hot": ("warm",), "warm": ("hot",)})

    once = retrofitted_of(given, lexicon, iterations=1)

    # hot: ((0, 1) + (1, 0)) / 2; then warm: ((1, 0) + hot) / 2; cold has no edge.
    np.testing.assert_allclose(once.vectors, [[0.5, 0.5], [0.75, 0.25], [0.6, 0.8]], atol=1e-7)
