from itertools import islice

import numpy as np
import pytest

import lexiscope
from lexiscope.core.datasets.texts import Sentences
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.seeding import generator
from lexiscope.learners.crf import training
from lexiscope.tasks.chunking import Chunking
from tests.builders import seeded, sentences
from tests.learners.crf import reference

NOUNS = ("cat", "dog", "sun", "cup")


def random_sentences(number, seed):
    """Sentences whose tags are determined by the words."""
    rng = np.random.default_rng(seed)
    verbs, prepositions = ("saw", "met"), ("in", "on")
    return [
        f"The/DT/B-NP {rng.choice(NOUNS)}/NN/I-NP {rng.choice(verbs)}/X/B-VP "
        f"{rng.choice(prepositions)}/X/B-PP {rng.choice(NOUNS)}/X/B-NP ././O"
        for _ in range(number)
    ]


@pytest.fixture
def items():
    return sentences(random_sentences(12, 0), random_sentences(20, 1))


@pytest.fixture
def vectors():
    return seeded("seeded", ["the", *NOUNS, "saw", "met", "in"], 3, dimension=4)


def directly(items, vectors, folder, neighbours):
    """The same with CRFsuite, in the order of sentences of the seed; None for no vectors."""

    def features(dataset):
        for text, pos in zip(dataset.written, dataset.pos, strict=True):
            words = text.split()
            rows = None if vectors is None else np.array([row(word.lower()) for word in words])
            yield reference.features(words, pos.split(), rows, neighbours)

    def row(word):
        vector = vectors[word].astype(float) if word in vectors else np.zeros(vectors.dimension)
        return vector / max(np.sqrt(vector @ vector), 1e-30)

    tags = [line.split() for line in items.train.tags]
    training, tests = list(features(items.train)), list(features(items))
    return reference.train(training, tags, tests, folder, 0.5, 20, 3)


@pytest.mark.parametrize("neighbours", [0, 2])
def test_predictions_are_those_of_crfsuite(items, vectors, tmp_path, neighbours, monkeypatch):
    """Both see the sentences in the order of CRFsuite."""
    orders = iter(2 * reference.orders(len(items.train), 20, 3))
    monkeypatch.setattr(training, "_orders", lambda *_: islice(orders, 20))
    task = Chunking(c2=0.5, epochs=20, neighbours=neighbours)
    normalised = items.map_words(str.casefold)

    found = task.predict(vectors, normalised, np.random.default_rng(0))

    peer = directly(items, vectors, tmp_path, neighbours)
    assert found.predicted.tolist() == peer.predicted
    without = task.without_vectors(normalised, np.random.default_rng(0))
    assert without.predicted.tolist() == directly(items, None, tmp_path, neighbours).predicted


def random_labels(number, seed):
    rng = np.random.default_rng(seed)
    return [
        " ".join(f"w{rng.integers(40)}/X/{rng.choice(['B-NP', 'I-NP', 'O'])}" for _ in range(5))
        for _ in range(number)
    ]


def test_the_seed_determines_the_order_of_training_sentences(vectors):
    items, task = sentences(random_labels(40, 0), random_labels(40, 1)), Chunking(epochs=1)

    first, other, again = (
        task.predict(vectors, items, np.random.default_rng(seed)).predicted.tolist()
        for seed in (5, 6, 5)
    )

    assert again == first != other


def test_few_sentences_with_random_labels_are_memorised(vectors):
    """CRFsuite's own search for a learning rate ends at 0 here."""
    items = sentences(lines := random_labels(20, 2), lines)

    found = Chunking(c2=0.001, epochs=50).predict(vectors, items, np.random.default_rng(0))

    right = [a == b for a, b in zip(found.predicted, found.gold, strict=True)]
    assert sum(right) > 16


def test_vectors_help_with_unseen_words():
    """Only the vector shows whether an unseen word is a noun or a verb."""
    words = [f"n{k}" for k in range(60)] + [f"v{k}" for k in range(60)]
    rows = np.array([[1.0, 0.1]] * 60 + [[0.1, 1.0]] * 60)
    lines_of_words = [
        f"n{k}/X/B-NP v{k}/X/B-VP" if k % 2 else f"v{k}/X/B-VP n{k}/X/B-NP" for k in range(60)
    ]
    items = sentences(lines_of_words[40:], lines_of_words[:40])

    results = lexiscope.run(embedding("informative", words, rows), "chunking", [items])

    (score,) = results.main()
    controls = {r.embedding: r.value for r in results.controls if r.metric == "chunk_f1"}
    assert score.value == 1
    assert controls["without vectors"] < 0.8
    assert controls["random vectors for informative"] < 0.8
    assert all(c.significant and c.difference > 0 for c in results.control_comparisons)
    assert {c.control for c in results.control_comparisons} == {"random", "none"}


def test_sentences_with_unknown_words_are_covered_and_the_words_counted(items, vectors):
    results = lexiscope.run(vectors, "chunking", [items], settings={"chunking.epochs": 5})

    (score,), (coverage,) = results.main(), results.coverage
    assert (score.used, score.total) == (12, 12)
    assert coverage.tokens == 12 * 6
    unknown = sum(text.split().count(word) for text in items.written for word in (".", "on"))
    assert coverage.known_tokens == 72 - unknown
    assert coverage.missing[0] == "."  # the most frequent first


def test_the_size_of_the_training_set_is_a_recorded_setting(items, vectors):
    settings = {"chunking.train_sentences": 3, "chunking.epochs": 5}

    (score,) = lexiscope.run(vectors, "chunking", [items], settings=settings).main()

    few = Sentences("few", *(getattr(items, c) for c in items.columns()),
                    items.train.take(np.arange(3)))  # fmt: skip
    rng = generator(0, "chunking", items.fingerprint)
    alone = Chunking(epochs=5).predict(vectors, few.map_words(str.casefold), rng)
    assert score.settings["train_sentences"] == 3
    assert score.value == Chunking.metric(alone.predicted, alone.gold)


def test_without_a_training_set_the_task_does_not_apply(vectors):
    alone = sentences(random_sentences(3, 0))

    assert not Chunking().applies_to(alone)
    with pytest.raises(Undefined, match="no training set"):
        Chunking().predict(vectors, alone, np.random.default_rng(0))


@pytest.mark.parametrize(
    "setting", [{"c2": -1.0}, {"epochs": 0}, {"neighbours": 6}, {"train_sentences": -1}]
)
def test_settings_out_of_bounds_are_refused(setting):
    with pytest.raises(BadUsage, match=f"chunking.{next(iter(setting))}"):
        Chunking(**setting)
