"""Pitfalls 31 to 38: QVEC."""

import numpy as np
import pytest
from scipy.stats import ortho_group

import lexiscope
from lexiscope.core.datasets.properties import Properties
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import UnknownName
from lexiscope.data.datasets import read
from tests.builders import seeded, synthetic_words
from tests.pitfalls.scoring import scores

WORDS = synthetic_words(60)
AMOUNTS = np.random.default_rng(0).dirichlet(np.ones(3), 60)


def matrix(amounts=AMOUNTS, names="abc", name="matrix", words=WORDS):
    rows = (dict(zip(names, row, strict=True)) for row in amounts.tolist())
    return Properties.of(name, dict(zip(words, rows, strict=True)))


def score(vectors, items=None, **settings):
    given = {f"qvec.{key}": value for key, value in settings.items()}
    (found,) = lexiscope.run(
        embedding("e", WORDS, vectors), "qvec", items or matrix(), settings=given
    ).main()
    return found


def test_pitfall_31_a_dimension_whose_best_correlation_is_negative():
    """The formula lets it stay alone, the script takes it off the score."""
    one = matrix(AMOUNTS[:, :1], "a")
    opposed = np.column_stack([AMOUNTS[:, 0], -AMOUNTS[:, 0]])

    assert score(opposed, one).value == pytest.approx(1)
    assert score(opposed, one, rule="script").value == pytest.approx(0)


def test_pitfall_32_method_and_rule_are_recorded_and_others_raise_an_error():
    """No option turns the score into a distance or an absolute correlation under the same name."""
    with pytest.raises(UnknownName, match="formula"):
        score(AMOUNTS, rule="cosine")
    with pytest.raises(UnknownName, match="alignment"):
        score(AMOUNTS, method="abs_correlation")
    assert score(AMOUNTS, rule="script").variant == "qvec (rule=script)"


def test_pitfall_33_constant_columns_give_no_nan():
    """A dimension or property that is the same for all words adds nothing, whatever its value."""
    vectors = np.random.default_rng(1).normal(size=(60, 4))
    constant = np.column_stack([vectors, np.full(60, 0.1)])
    more = matrix(np.column_stack([AMOUNTS, np.full(60, 0.3)]), "abcd")

    for rule in ("formula", "script"):
        assert score(constant, more, rule=rule).value == pytest.approx(
            score(vectors, rule=rule).value
        )


def test_pitfall_34_matrices_are_never_merged(tmp_path):
    """Several matrices are several questions, and a word twice in one is refused."""
    both = [matrix(), matrix(AMOUNTS[::-1], name="other")]

    found = lexiscope.run(seeded("e", WORDS), "qvec", both)

    assert [r.dataset for r in found.main()] == ["matrix", "other"]
    path = tmp_path / "m.csv"
    path.write_text("word,a\nfish,1\nfish,0.5\n")
    with pytest.raises(lexiscope.LexiscopeError, match="line 2 already"):
        read("properties", path, "m")


def test_pitfall_35_vectors_of_one_dimension_do_not_vanish(tmp_path):
    """A line of a word and a number is a word with a vector."""
    path = tmp_path / "one.txt"
    path.write_text("".join(f"{w} {a}\n" for w, a in zip(WORDS, AMOUNTS[:, 0], strict=True)))

    (found,) = lexiscope.run(str(path), "qvec", matrix()).main()

    assert found.used == 60
    assert found.value == pytest.approx(1)


def test_pitfall_36_a_rotation_changes_qvec_and_not_its_canonical_form():
    """The same cosines, another score; random rotations say how much that is worth."""
    turn = ortho_group.rvs(3, random_state=np.random.default_rng(3))
    noisy = AMOUNTS + 0.05 * np.random.default_rng(2).normal(size=AMOUNTS.shape)

    assert score(noisy).value > score(noisy @ turn).value + 0.2
    straight, turned = (score(x, method="cca").value for x in (noisy, noisy @ turn))
    assert straight == pytest.approx(turned, abs=1e-6)
    found = lexiscope.run(
        embedding("e", WORDS, noisy), "qvec", matrix(), settings={"qvec.rotations": 99}
    )
    assert scores(found)["e", "rotation_p_value"] == pytest.approx(0.01)


def test_pitfall_37_canonical_correlations_of_few_words_raise_an_error():
    """With as many columns as words every vectors are perfect; held-out words say otherwise."""
    wide = np.random.default_rng(4).normal(size=(60, 30))

    refused = score(wide, method="cca")

    assert refused.value is None
    assert "with fewer than 99 canonical correlations are high by chance" in refused.state
    noise = wide[:, :12]
    assert score(noise, method="cca").value > 0.3
    assert abs(score(noise, method="cca-held-out").value) < 0.25


def test_pitfall_38_vectors_of_different_size_are_not_ranked():
    """More dimensions always score higher, so such embeddings are compared only on request."""
    names = [("small", 5), ("large", 25)]
    both = [seeded(name, WORDS, 1, dimension) for name, dimension in names]

    found = lexiscope.run(both, "qvec", matrix())
    allowed = lexiscope.run(
        both, "qvec", matrix(), settings={"qvec.allow_unequal_dimensions": True}
    )

    assert scores(found)["large", "qvec"] > 2 * scores(found)["small", "qvec"]
    (refused,), (compared,) = found.comparisons, allowed.comparisons
    assert refused.p is None
    assert "grows with the number of dimensions" in refused.state
    assert found.groups("qvec", "matrix") == []
    assert compared.p is not None


def test_pitfall_8_coverage_is_reported_next_to_the_score():
    """Lemmas in lower case: an embedding of other forms loses words, which coverage shows."""
    items = matrix(words=[w.upper() for w in WORDS])

    (folded,) = lexiscope.run(seeded("e", WORDS[:50]), "qvec", items).main()

    assert (folded.used, folded.total) == (50, 60)
