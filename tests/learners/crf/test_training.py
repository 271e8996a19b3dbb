import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.errors import Undefined
from lexiscope.learners.crf.features import add_vectors, encode
from lexiscope.learners.crf.training import CrfSettings, predict_tags, tag, train
from tests.learners.crf import reference

WORDS, POS, TAGS = ["a", "b", "c", "d"], ["X", "Y"], ["B-NP", "I-NP", "O", "B-VP", "I-VP"]
DIMENSION, EPOCHS, C2 = 6, 15, 0.3


class Data:
    """Random sentences, of which the first are for training; each word has a vector."""

    def __init__(self, number, training, tags, seed, vectors=True):
        rng = np.random.default_rng(seed)
        lengths = rng.integers(1, 12, number)
        self.words, self.pos, self.tags = (
            [rng.choice(values, length).tolist() for length in lengths]
            for values in (WORDS, POS, tags)
        )
        self.table = rng.normal(size=(len(WORDS), DIMENSION)) if vectors else None
        self.training = training

    @property
    def encoded(self):
        lines = (list(map(" ".join, each)) for each in (self.words, self.pos))
        sentences = encode(*lines, self.training)
        if self.table is None:
            return sentences
        rows = [WORDS.index(word) for words in self.words for word in words]
        return add_vectors(sentences, np.array(rows), self.table)

    @property
    def training_tags(self):
        return [" ".join(names) for names in self.tags[: self.training]]

    def features(self, neighbours):
        for words, pos in zip(self.words, self.pos, strict=True):
            vectors = None
            if self.table is not None:
                vectors = self.table[[WORDS.index(word) for word in words]]
            yield reference.features(words, pos, vectors, neighbours)


def weights_of_vectors(model, neighbours):
    """By position in the window, component and tag; without padding."""
    shape = 2 * neighbours + 1, -1, model.weights.vectors.shape[1]
    return model.weights.vectors.reshape(shape)[:, :DIMENSION, : len(model.tags)]


@pytest.mark.parametrize(
    ("neighbours", "tags", "vectors"),
    [(0, TAGS, True), (2, TAGS, True), (1, [f"t{k}" for k in range(19)], True), (2, TAGS, False)],
)
def test_weights_losses_and_predictions_are_those_of_crfsuite(neighbours, tags, vectors, tmp_path):
    """With the order in which CRFsuite visits the sentences; it computes in double precision."""
    data = Data(60, 40, tags, 0, vectors)
    named = list(data.features(neighbours))
    peer = reference.train(named[:40], data.tags[:40], named[40:], tmp_path, C2, EPOCHS, seed=7)

    settings = CrfSettings(C2, EPOCHS, neighbours, 0)
    model = train(data.encoded, data.training_tags, reference.orders(40, EPOCHS, 7), settings)

    assert_allclose(model.losses, peer.losses, rtol=1e-5)
    assert model.weights.transitions[: len(model.tags), : len(model.tags)] == pytest.approx(
        np.array([[peer.transitions[a, b] for b in model.tags] for a in model.tags]), abs=1e-4
    )
    if vectors:
        found = weights_of_vectors(model, neighbours)
        expected = [
            [[peer.states[f"v[{step}]{k}", name] for name in model.tags] for k in range(DIMENSION)]
            for step in range(-neighbours, neighbours + 1)
        ]
        assert_allclose(found, expected, atol=1e-4)
    sentences = data.encoded
    tests = sentences._replace(starts=sentences.starts[40:])
    assert tag(tests, model) == peer.predicted
    attributes = model.weights.attributes[:, : len(model.tags)]
    squares = sum(value**2 for (name, _), value in peer.states.items() if name[:2] != "v[")
    assert (attributes.astype(np.float64) ** 2).sum() == pytest.approx(squares, rel=1e-4)


def test_the_loss_is_that_of_the_likelihood_and_the_penalty():
    """Before the first step all sequences of tags have the same probability."""
    data = Data(1, 1, TAGS, 3)
    weights = train(data.encoded, data.training_tags, [np.array([0])], CrfSettings(0.0, 1, 1, 0))
    penalised = train(data.encoded, data.training_tags, [np.array([0])], CrfSettings(2.0, 1, 1, 0))

    tokens, tags = len(data.tags[0]), len(set(data.tags[0]))
    assert weights.losses == pytest.approx([tokens * np.log(tags)], rel=1e-5)
    squares = sum((array.astype(np.float64) ** 2).sum() for array in penalised.weights[:3])
    expected = tokens * np.log(tags) + 2.0 * squares
    assert penalised.losses == pytest.approx([expected], rel=1e-5)


def test_the_seed_determines_the_bytes():
    data = Data(30, 20, TAGS, 1)

    one, again, other = (
        train(data.encoded, data.training_tags, orders(seed), CrfSettings(C2, 3, 2, 0))
        for seed in (0, 0, 1)
    )

    for a, b in zip(one.weights[:3], again.weights[:3], strict=True):
        assert a.tobytes() == b.tobytes()
    assert one.weights.vectors.tobytes() != other.weights.vectors.tobytes()


def orders(seed):
    rng = np.random.default_rng(seed)
    return [rng.permutation(20) for _ in range(3)]


def test_training_stops_when_ten_epochs_improve_the_loss_no_more():
    data = Data(8, 8, TAGS, 2)
    many = [np.arange(8)] * 3000

    found = train(data.encoded, data.training_tags, many, CrfSettings(5.0, 3000, 1, 0))

    assert 10 < len(found.losses) < 3000
    assert found.losses[-1] == pytest.approx(found.losses[-11], rel=1e-6)


def test_progress_is_reported_after_each_epoch():
    data, reported = Data(4, 4, TAGS, 2), []

    train(
        data.encoded,
        data.training_tags,
        [np.arange(4)] * 3,
        CrfSettings(C2, 3, 1, 0),
        lambda *step: reported.append(step),
    )

    assert reported == [("Training", 1, 3), ("Training", 2, 3), ("Training", 3, 3)]


def test_a_diverging_field_is_an_error():
    """The first step of one sentence shrinks all weights to zero: 0.1 x 2 x 5 = 1."""
    data = Data(1, 1, TAGS, 3)

    with pytest.raises(Undefined, match="diverged in epoch 1 with c2=5"):
        predict_tags(data.encoded, data.training_tags, CrfSettings(5.0, 1, 1, 0))
