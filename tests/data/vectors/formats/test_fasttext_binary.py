"""fastText models: words and n-grams, compared with a slow version and with gensim."""

import gzip
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lexiscope
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.data.vectors import load
from tests.data.vectors.vector_files import fasttext
from tests.kernels.test_ngrams import slow_fnv1a, slow_ngrams

WORDS = ("cat", "été", "日本語", "</s>", "a")
BUCKETS = 7
TABLE = np.random.default_rng(1).standard_normal((len(WORDS) + BUCKETS, 3)).astype(np.float32)


def slow_vector(word, ngrams=(2, 4)):
    """The vector of a word as fastText computes it."""
    rows = [WORDS.index(word)] if word in WORDS else []
    if word != "</s>" and ngrams[1]:
        grams = slow_ngrams(f"<{word}>", *ngrams, single_ends=False)
        rows += [len(WORDS) + slow_fnv1a(gram) % BUCKETS for gram in grams]
    return TABLE[rows].mean(axis=0, dtype=np.float64) if rows else np.zeros(3)


@pytest.fixture
def model(write_file):
    return write_file("v.bin", fasttext(WORDS, TABLE))


def test_words_and_counts(model):
    found = load(model)

    assert list(found.words) == list(WORDS)
    assert found.counts.tolist() == [9, 8, 7, 6, 5]
    assert found.repairs == ()


@pytest.mark.parametrize("ngrams", [(2, 4), (1, 3), (3, 6), (0, 0)])
def test_vectors_are_means_of_the_word_and_its_ngrams(ngrams, write_file):
    found = load(write_file("v.bin", fasttext(WORDS, TABLE, ngrams)))

    for word in WORDS:
        assert_allclose(found[word], slow_vector(word, ngrams), atol=1e-6)


@pytest.mark.parametrize("word", ["cats", "étés", "日本", "ß", "x" * 300, "new york", "🙂"])
def test_an_oov_word_has_the_mean_vector_of_its_ngrams(word, model):
    found = load(model)

    assert word not in found
    assert_allclose(found.vector_of(word), slow_vector(word), atol=1e-6)


def test_words_given_to_load_get_vectors_and_are_reported(model):
    found = load(model, words=["cat", "cats", "Cat"])

    assert list(found.words) == [*WORDS, "Cat", "cats"]
    assert found.composed == {"cats", "Cat"}
    assert found.counts.tolist() == [9, 8, 7, 6, 5, 0, 0]
    assert_allclose(found["cats"], slow_vector("cats"), atol=1e-6)
    # "Cat" has a variant in the vocabulary, which is used if letter case is folded.
    (note,) = found.repairs
    assert "1 of the 3 words of the datasets are OOV" in note
    assert "character n-grams: cats." in note


def test_a_model_without_ngrams_has_no_vectors_of_oov_words(write_file):
    found = load(write_file("v.bin", fasttext(WORDS, TABLE, (0, 0))), words=["cats"])

    assert found.subwords is None
    assert "cats" not in found
    with pytest.raises(KeyError, match="cats"):
        found.vector_of("cats")


def test_a_limit_keeps_words_with_composed_vectors(model):
    found = load(model, limit=2, words=["日本語", "cats"])

    assert list(found.words) == ["cat", "été", "cats", "日本語"]
    assert list(found.first(1).words) == ["cat", "cats", "日本語"]
    grams = slow_ngrams("<日本語>", 2, 4, single_ends=False)
    rows = [len(WORDS) + slow_fnv1a(gram) % BUCKETS for gram in grams]
    assert_allclose(found["日本語"], TABLE[rows].mean(axis=0), atol=1e-6)


def test_our_own_format_keeps_which_vectors_were_computed(model, tmp_path):
    given = load(model, words=["cats", "日本"])

    found = load(lexiscope.save(given, tmp_path / "v.safetensors"))

    assert found.composed == {"cats", "日本"}
    assert list(found.first(1).words) == list(given.first(1).words) == ["cat", "cats", "日本"]
    assert found.rows(np.array([0, 6])).composed == {"日本"}


def test_subwords_are_not_those_of_changed_vectors(model):
    for change in ("centred", "abtt=1", "whiten", "frequency"):
        assert load(f"{model}@{change}").subwords is None
    assert load(model).centred().subwords is None


def test_a_run_covers_oov_words(model, write_file):
    pairs = "cat\tcats\t5\nété\tétés\t4\n日本\t日本語\t3\na\tcat\t2\ncat\tété\t1\n"
    dataset = write_file("pairs.tsv", f"word1\tword2\tscore\n{pairs}".encode())

    results = lexiscope.run(model, tasks="similarity", datasets=str(dataset))

    assert [(each.used, each.total) for each in results.coverage] == [(5, 5)]
    notes = results.manifest["embeddings"][0]["repairs"]
    assert "3 of the 7 words of the datasets are OOV" in notes[0]


def test_computed_vectors_are_equal_in_every_backend(model, write_file):
    pairs = "cat\tcats\t5\ncat\t日本\t4\n日本\tcats\t3\ncat\tété\t2\n"
    dataset = write_file("pairs.tsv", f"word1\tword2\tscore\n{pairs}".encode())

    serial, processes = (
        lexiscope.run(
            model, tasks="similarity", datasets=str(dataset), policy=lexiscope.Policy(limit=1),
            execution=lexiscope.Execution(backend=backend),
        )
        for backend in ("serial", "processes")
    )  # fmt: skip

    assert serial.coverage == processes.coverage
    # Words beyond the limit are OOV, and get computed vectors too.
    assert [(each.used, each.total) for each in serial.coverage] == [(4, 4)]
    assert serial.results[0].value == processes.results[0].value


def test_a_compressed_model(write_file):
    found = load(write_file("v.bin.gz", gzip.compress(fasttext(WORDS, TABLE))))

    assert_allclose(found["cat"], slow_vector("cat"), atol=1e-6)
    assert_allclose(found.vector_of("cats"), slow_vector("cats"), atol=1e-6)


def test_a_classifier_is_read_with_a_note(write_file):
    content = fasttext(WORDS, TABLE, kind=3, labels=("__label__a", "__label__b"))

    found = load(write_file("v.bin", content))

    assert list(found.words) == list(WORDS)
    assert_allclose(found["cat"], slow_vector("cat"), atol=1e-6)
    assert "is a fastText classifier" in found.repairs[0]


def test_old_classifiers_have_no_ngrams(write_file):
    found = load(write_file("v.bin", fasttext(WORDS, TABLE, kind=3, version=11)))

    assert found.subwords is None
    assert_allclose(found["cat"], TABLE[0], atol=1e-6)


def gensim_file(name):
    data = pytest.importorskip("gensim.test.utils")
    return Path(data.datapath(name))


@pytest.mark.parametrize(
    "name", ["crime-and-punishment.bin", "lee_fasttext_new.bin", "toy-model.bin"]
)
def test_models_of_facebook_have_the_vectors_that_gensim_finds(name):
    path = gensim_file(name)
    from gensim.models.fasttext import load_facebook_vectors

    theirs, found = load_facebook_vectors(str(path)), load(path)

    assert list(found.words) == theirs.index_to_key
    # gensim gives the end of a sentence n-grams; fastText does not.
    words = [word for word in theirs.index_to_key if word != "</s>"]
    assert_allclose(found[words], theirs[words], atol=1e-6)
    for word in ("unseenword", "naïve", "日本語的", "straße"):
        assert_allclose(found.vector_of(word), theirs[word], atol=1e-6)


class Hostile(NamedTuple):
    id: str
    content: Any
    fragment: str


GOOD = fasttext(WORDS, TABLE)
ENTRY, LABEL, NEGATIVE = (struct.pack("<qb", *each) for each in ((9, 0), (9, 1), (-9, 0)))
LONG = struct.pack("<2i", 793_712_314, 12)
NOT_FINITE = TABLE.copy()
NOT_FINITE[1, 1] = np.nan
HOSTILE = [
    Hostile("only the magic number", GOOD[:4], "within its header"),
    Hostile("cut in the settings", GOOD[:30], "within its settings"),
    Hostile("cut in the sizes", GOOD[:70], "within its dictionary"),
    Hostile("cut in a word", GOOD[:94], "more than the file can contain"),
    Hostile("cut in an entry", fasttext(["x" * 900], TABLE)[:900], "has no end within"),
    Hostile("cut before the vectors", GOOD[: -TABLE.nbytes - 17], "within its vectors"),
    Hostile("cut in the shape", GOOD[: -TABLE.nbytes - 5], "within its vectors"),
    Hostile("cut in the vectors", GOOD[:-1], "is truncated"),
    Hostile("no vectors", GOOD[: -TABLE.nbytes], "only 0 follow"),
    Hostile("version 13", fasttext(WORDS, TABLE, version=13), "version 13"),
    Hostile("version -1", fasttext(WORDS, TABLE, version=-1), "version -1"),
    Hostile("no words", fasttext((), TABLE), "announces 0 words"),
    Hostile("negative words", fasttext(WORDS, TABLE, number=-5), "announces -5 words"),
    Hostile("endless words", fasttext(WORDS, TABLE, number=2_000_000_000), "must be 1 to"),
    Hostile("many words", fasttext(WORDS, TABLE, number=40_000_000), "than the file can contain"),
    Hostile("more words", fasttext(WORDS, TABLE, number=6), "entry 6 has type"),
    Hostile("fewer words", fasttext(WORDS, TABLE, number=4), "the byte before its vectors"),
    Hostile("other sizes", fasttext(WORDS, TABLE, size=9), "announces 9 entries"),
    Hostile("no dimensions", fasttext(WORDS, TABLE, dim=0), "announces 0 dimensions"),
    Hostile("endless dimensions", fasttext(WORDS, TABLE, dim=1 << 30), "must be 1 to 65,536"),
    Hostile("other dimensions", fasttext(WORDS, TABLE, dim=4), "The file is damaged"),
    Hostile("endless rows", fasttext(WORDS, TABLE, rows=1 << 60), "is truncated"),
    Hostile("negative rows", fasttext(WORDS, TABLE, rows=-1), "The file is damaged"),
    Hostile("fewer rows", fasttext(WORDS, TABLE, rows=6), "5 words and 7 buckets"),
    Hostile("more rows", fasttext(WORDS, TABLE, rows=13), "is truncated"),
    Hostile("endless columns", fasttext(WORDS, TABLE, columns=1 << 62), "The file is damaged"),
    Hostile("buckets without rows", fasttext(WORDS, TABLE, buckets=1 << 30), "buckets"),
    Hostile("long n-grams", fasttext(WORDS, TABLE, (1, 1 << 30)), "n-grams of 1 to"),
    Hostile("negative n-grams", fasttext(WORDS, TABLE, (-3, 4)), "n-grams of -3 to"),
    Hostile("quantised", fasttext(WORDS, TABLE, quantised=1), "is quantised (.ftz)"),
    Hostile("pruned", fasttext(WORDS, TABLE, pruned=3), "is quantised (.ftz)"),
    Hostile("NaN", fasttext(WORDS, NOT_FINITE, (0, 0)), "is not finite"),
    Hostile("infinity", fasttext(WORDS, TABLE + np.float32(np.inf)), "is not finite"),
    Hostile("not UTF-8", fasttext([b"\xff\xfe", "b"], TABLE[:9]), "the word is not UTF-8"),
    Hostile("control characters", fasttext(["a\nb", "b"], TABLE[:9]), "control characters"),
    Hostile("an empty word", fasttext(["", "b"], TABLE[:9]), "no word before the numbers"),
    Hostile("a long word", fasttext(["x" * 2000, "b"], TABLE[:9]), "has no end within"),
    Hostile("a label among the words", GOOD.replace(ENTRY, LABEL), "has type 1"),
    Hostile("a negative count", GOOD.replace(ENTRY, NEGATIVE), "count -9"),
    Hostile("zeros", LONG + bytes(400), "announces 0 dimensions"),
]  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.id)
def test_a_hostile_model_gives_one_sentence(case, write_file):
    path = write_file("v.bin", case.content)

    with pytest.raises(BadData) as caught:
        load(path)

    message = str(caught.value)
    assert case.fragment in message
    assert str(path) in message
    assert message.endswith(".")
    assert shown(message, 700) == message
