import ctypes

import numpy as np
import pycrfsuite
import pytest

import lexiscope
from lexiscope.bench.cell import generator
from lexiscope.core.embedding import embedding
from lexiscope.core.errors import BadUsage, Undefined
from lexiscope.core.texts import Sentences
from lexiscope.stats.tagging import named_features, vector_features
from lexiscope.tasks.chunking import Chunking
from tests.making import seeded, sentences

NOUNS = ("cat", "dog", "sun", "cup")


def drawn(number, seed):
    """Sentences whose tags follow from the words."""
    rng = np.random.default_rng(seed)
    verbs, prepositions = ("saw", "met"), ("in", "on")
    return [
        f"The/DT/B-NP {rng.choice(NOUNS)}/NN/I-NP {rng.choice(verbs)}/X/B-VP "
        f"{rng.choice(prepositions)}/X/B-PP {rng.choice(NOUNS)}/X/B-NP ././O"
        for _ in range(number)
    ]


@pytest.fixture
def items():
    return sentences(drawn(12, 0), drawn(20, 1))


@pytest.fixture
def vectors():
    return seeded("seeded", ["the", *NOUNS, "saw", "met", "in"], 3, dimension=4)


def test_the_features_of_a_word_by_hand():
    rows = named_features(["The", "cat", "sat"], ["DT", "NN", "VB"])

    assert set(rows[0]) == {
        "w[0]=The", "w[1]=cat", "w[2]=sat", "w[0,1]=The|cat", "p[0]=DT", "p[1]=NN", "p[2]=VB",
        "p[0,1]=DT|NN", "p[1,2]=NN|VB", "p[0,1,2]=DT|NN|VB", "first",
    }  # fmt: skip
    assert set(rows[2]) == {
        "w[0]=sat", "w[-1]=cat", "w[-2]=The", "w[-1,0]=cat|sat", "p[0]=VB", "p[-1]=NN", "p[-2]=DT",
        "p[-1,0]=NN|VB", "p[-2,-1]=DT|NN", "p[-2,-1,0]=DT|NN|VB", "last",
    }  # fmt: skip


def test_a_sentence_of_one_word_has_features():
    assert named_features(["Yes"], ["UH"]) == [["w[0]=Yes", "p[0]=UH", "first", "last"]]


def test_numbers_of_the_neighbours_are_features_and_zero_beyond_the_ends():
    rows = vector_features([["a"], ["b"]], np.array([[1.0, 2.0], [3.0, 4.0]]), 1)

    assert rows[0] == {
        "a": 1.0, "v[-1]0": 0.0, "v[-1]1": 0.0, "v[0]0": 1.0, "v[0]1": 2.0, "v[1]0": 3.0,
        "v[1]1": 4.0,
    }  # fmt: skip
    assert rows[1]["v[-1]1"] == 2.0
    assert rows[1]["v[1]0"] == 0.0


def directly(items, vectors, folder, neighbours):
    """The same by calls of CRFsuite alone; None: without vectors."""

    def features(words, pos):
        rows = []
        for at in range(len(words)):
            found = dict.fromkeys(named_features(words, pos)[at], 1.0)
            for step in range(-neighbours, neighbours + 1):
                inside = vectors is not None and 0 <= at + step < len(words)
                word = words[at + step].lower() if inside else None
                if word is not None and word in vectors:
                    vector = vectors[word].astype(float)
                    vector /= np.sqrt(vector @ vector)
                    found |= {f"v[{step}]{k}": float(x) for k, x in enumerate(vector)}
            rows.append(found)
        return rows

    trainer = pycrfsuite.Trainer(
        algorithm="l2sgd", verbose=False,
        params={"calibration.eta": 0.1, "calibration.max_trials": 1,
                "c2": 0.5, "max_iterations": 20, "feature.possible_transitions": True,
                "feature.possible_states": True},
    )  # fmt: skip
    for text, pos, tags in zip(items.train.written, items.train.pos, items.train.tags, strict=True):
        trainer.append(features(text.split(), pos.split()), tags.split())
    ctypes.CDLL(None).srand(int(np.random.default_rng(0).integers(1 << 31)))
    trainer.train(str(folder / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "model"))
    return [
        " ".join(tagger.tag(features(text.split(), pos.split())))
        for text, pos in zip(items.written, items.pos, strict=True)
    ]


@pytest.mark.parametrize("neighbours", [0, 2])
def test_the_answers_are_those_of_crfsuite_itself(items, vectors, tmp_path, neighbours):
    task = Chunking(c2=0.5, epochs=20, neighbours=neighbours)
    spelt = items.respelt(str.casefold)

    found = task.answer(vectors, spelt, np.random.default_rng(0))

    assert found.given.tolist() == directly(items, vectors, tmp_path, neighbours)
    without = task.without_vectors(spelt, np.random.default_rng(0))
    assert without.given.tolist() == directly(items, None, tmp_path, neighbours)


def without_a_rule(number, seed):
    rng = np.random.default_rng(seed)
    return [
        " ".join(f"w{rng.integers(40)}/X/{rng.choice(['B-NP', 'I-NP', 'O'])}" for _ in range(5))
        for _ in range(number)
    ]


def test_only_the_seed_says_in_which_order_sentences_are_learned_from(vectors):
    items, ask = sentences(without_a_rule(40, 0), without_a_rule(40, 1)), Chunking(epochs=1)

    first, other, again = (
        ask.answer(vectors, items, np.random.default_rng(seed)).given.tolist() for seed in (5, 6, 5)
    )

    assert again == first != other


def test_few_sentences_without_a_rule_are_learned_all_the_same(vectors):
    """CRFsuite's own search for a rate ends at nothing here."""
    items = sentences(lines := without_a_rule(20, 2), lines)

    found = Chunking(c2=0.001, epochs=50).answer(vectors, items, np.random.default_rng(0))

    right = [a == b for a, b in zip(found.given, found.gold, strict=True)]
    assert sum(right) > 16


def test_vectors_tell_what_words_that_were_never_seen_are():
    """Only the vector says that a new word is a noun or a verb."""
    words = [f"n{k}" for k in range(60)] + [f"v{k}" for k in range(60)]
    rows = np.array([[1.0, 0.1]] * 60 + [[0.1, 1.0]] * 60)
    made = [f"n{k}/X/B-NP v{k}/X/B-VP" if k % 2 else f"v{k}/X/B-VP n{k}/X/B-NP" for k in range(60)]
    items = sentences(made[40:], made[:40])

    results = lexiscope.run(embedding("telling", words, rows), "chunking", [items])

    (score,) = results.main()
    controls = {r.embedding: r.value for r in results.controls if r.measure == "chunk_f1"}
    assert score.value == 1
    assert controls["without vectors"] < 0.8
    assert controls["random vectors for telling"] < 0.8
    assert all(c.real and c.difference > 0 for c in results.against_controls)
    assert {c.control for c in results.against_controls} == {"random", "none"}


def test_unknown_words_leave_no_sentence_out_and_are_counted(items, vectors):
    results = lexiscope.run(vectors, "chunking", [items], settings={"chunking.epochs": 5})

    (score,), (coverage,) = results.main(), results.coverage
    assert (score.used, score.total) == (12, 12)
    assert coverage.running == 12 * 6
    unknown = sum(text.split().count(word) for text in items.written for word in (".", "on"))
    assert coverage.known == 72 - unknown
    assert coverage.missing[0] == "."  # the most frequent first


def test_fewer_sentences_to_learn_from_are_a_setting_and_recorded(items, vectors):
    settings = {"chunking.sentences": 3, "chunking.epochs": 5}

    (score,) = lexiscope.run(vectors, "chunking", [items], settings=settings).main()

    few = Sentences("few", *(getattr(items, c) for c in items.columns()),
                    items.train.take(np.arange(3)))  # fmt: skip
    rng = generator(0, "chunking", items.fingerprint)
    alone = Chunking(epochs=5).answer(vectors, few.respelt(str.casefold), rng)
    assert score.settings["sentences"] == 3
    assert score.value == Chunking.measure(alone.given, alone.gold)


def test_without_sentences_to_learn_from_there_is_nothing_to_ask(vectors):
    alone = sentences(drawn(3, 0))

    assert not Chunking().suits(alone)
    with pytest.raises(Undefined, match="no sentences to learn from"):
        Chunking().answer(vectors, alone, np.random.default_rng(0))


@pytest.mark.parametrize(
    "setting", [{"c2": -1.0}, {"epochs": 0}, {"neighbours": 6}, {"sentences": -1}]
)
def test_settings_that_make_no_sense_are_refused(setting):
    with pytest.raises(BadUsage, match=f"chunking.{next(iter(setting))}"):
        Chunking(**setting)
