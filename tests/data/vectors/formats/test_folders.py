"""Folders of spaCy, model2vec and sentence-transformers, and floret files."""

import json
import shutil
import struct
import zlib

import msgspec
import numpy as np
import pytest
from numpy.testing import assert_allclose

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors import load
from tests.data.vectors.test_mutations import assert_an_embedding_or_one_sentence, mutated
from tests.data.vectors.vector_files import floret, npy, npy_header, safetensors
from tests.kernels.test_ngrams import packed, slow_murmur64a, slow_ngrams

WORDS = ["cat", "été", "日本", "cats", "number"]
TABLE = np.random.default_rng(3).standard_normal((3, 2)).astype(np.float32)
ROWS = [0, 1, 2, 0, 1]
SYMBOL = 432  # spaCy's number of the label "number"


def keys():
    return [SYMBOL if word == "number" else slow_murmur64a(word, 1) for word in WORDS]


def spacy_files(**changes):
    files = {
        "vectors": npy(TABLE),
        "key2row": msgspec.msgpack.encode(dict(zip(keys(), ROWS, strict=True))),
        "strings.json": json.dumps([*WORDS[:4], "unused"]).encode(),
        "vectors.cfg": b'{"mode": "default"}',
    }
    return files | {name.replace("__", "."): content for name, content in changes.items()}


def written(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if content is not None:
            (folder / name).write_bytes(content)
    return folder


def test_words_of_spacy_have_the_rows_of_their_hashes(tmp_path):
    found = load(written(tmp_path / "vocab", spacy_files()))

    assert list(found.words) == WORDS
    assert found.vectors.tobytes() == TABLE[ROWS].tobytes()


def test_words_of_spacy_that_share_a_row_are_reported(tmp_path):
    (note,) = load(written(tmp_path / "vocab", spacy_files())).repairs

    assert "5 words share 3 vectors, so that 2 words have the vector of another word" in note
    assert "'cat' = 'cats'" in note


@pytest.mark.parametrize("inside", ["vocab", "en_core_web_md-3.7.1/vocab"])
def test_the_folder_of_a_pipeline_may_be_given(inside, tmp_path):
    written(tmp_path / "en" / inside, spacy_files())

    assert list(load(tmp_path / "en").words) == WORDS


def test_line_ends_among_the_words_of_spacy_are_left_out(tmp_path):
    rows = {slow_murmur64a(word, 1): row for row, word in enumerate(["cat", "\n", "dog"])}
    files = spacy_files(key2row=msgspec.msgpack.encode(rows), strings__json=b'["\\n","cat","dog"]')

    found = load(written(tmp_path / "vocab", files))

    assert list(found.words) == ["cat", "dog"]
    assert found.vectors.tobytes() == TABLE[[0, 2]].tobytes()
    assert "1 words are empty, too long or have control characters" in found.repairs[0]


def test_a_limit_counts_words_of_spacy(tmp_path):
    assert list(load(written(tmp_path / "vocab", spacy_files()), limit=2).words) == WORDS[:2]


def floret_hashes(grams, seed):
    from lexiscope.kernels.ngrams import murmur3

    text, starts, ends = packed(grams)
    found = np.empty((len(grams), 4), np.uint32)
    murmur3(text, starts, ends, seed, found)
    return found.astype(np.int64)


def slow_floret(table, word, ngrams, hashes, seed, single_ends):
    marked = f"<{word}>"
    grams = [marked, *slow_ngrams(marked, *ngrams, single_ends)]
    return table[floret_hashes(grams, seed)[:, :hashes] % len(table)].mean(axis=(0, 1))


FLORET = b'{"mode":"floret","minn":1,"maxn":3,"hash_count":2,"hash_seed":7,"bow":"<","eow":">"}'


def test_vectors_of_floret_in_spacy_are_means_of_hashed_ngrams(tmp_path):
    files = spacy_files(vectors__cfg=FLORET, key2row=b"\x80")
    words = ["cat", "été", "日本", "x" * 99]

    found = load(written(tmp_path / "vocab", files), words=words)

    assert found.composed == set(words)
    for word in words:
        expected = slow_floret(TABLE.astype(float), word, (1, 3), 2, 7, single_ends=True)
        assert_allclose(found[word], expected, atol=1e-6)


def test_vectors_of_a_floret_file(write_file):
    table = np.arange(5)[:, None] + np.array([0, 0.5])

    found = load(write_file("v.floret", floret()), words=["cat", "été"])

    for word in ("cat", "été"):
        expected = slow_floret(table, word, (2, 3), 2, 2166136261, single_ends=False)
        assert_allclose(found[word], expected, atol=1e-6)


def test_floret_needs_words(write_file):
    with pytest.raises(BadUsage, match=r"has no list of words.*words=\[\.\.\.\]"):
        load(write_file("v.floret", floret()))


TOKENS = ["[PAD]", "[UNK]", "cat", "dog", "##s", "été", "日", "-"]
VECTORS = np.random.default_rng(5).standard_normal((8, 3)).astype(np.float32)
BERT = {
    "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": False},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
}


def tokenizer(vocabulary=None, kind="WordPiece", **others):
    vocabulary = {token: row for row, token in enumerate(TOKENS)} if vocabulary is None else (
        vocabulary
    )  # fmt: skip
    model = {"type": kind, "unk_token": "[UNK]", "vocab": vocabulary}
    return json.dumps({"model": model, **BERT, **others}).encode()


def static_files(tensors=None, **changes):
    files = {
        "model.safetensors": tensors or safetensors(embeddings=VECTORS),
        "tokenizer.json": tokenizer(),
        "config.json": b'{"normalize": false}',
    }
    return files | {name.replace("__", "."): content for name, content in changes.items()}


def test_tokens_that_are_words_have_vectors(tmp_path):
    found = load(written(tmp_path / "model", static_files()))

    assert list(found.words) == ["[PAD]", "cat", "dog", "été", "日", "-"]
    assert found["été"].tobytes() == VECTORS[5].tobytes()
    assert "WordPiece" in found.repairs[0]


def test_special_tokens_are_no_words(tmp_path):
    added = [{"content": "[PAD]", "special": True, "id": 0}, {"content": "cat", "special": False}]
    files = static_files(tokenizer__json=tokenizer(added_tokens=added))

    assert list(load(written(tmp_path / "model", files)).words) == ["cat", "dog", "été", "日", "-"]


def test_words_of_several_pieces_have_their_mean(tmp_path):
    words = ["cats", "cat-dog", "DOGS", "日cat", "zebra", "cat zebra"]

    found = load(written(tmp_path / "model", static_files()), words=words)

    rows = {"cats": [2, 4], "cat-dog": [2, 7, 3], "DOGS": [3, 4], "日cat": [6, 2], "cat zebra": [2]}
    for word, pieces in rows.items():
        assert_allclose(found[word], VECTORS[pieces].mean(axis=0), atol=1e-6)
    assert "zebra" not in found


def test_weights_and_rows_of_model2vec(tmp_path):
    mapping, weights = np.array([0, 1, 2, 1, 2, 0, 1, 2]), np.linspace(0.5, 2, 8)
    tensors = safetensors(embeddings=VECTORS[:3], mapping=mapping, weights=weights)

    found = load(written(tmp_path / "model", static_files(tensors)), words=["cats"])

    assert_allclose(found["dog"], VECTORS[1] * weights[3], atol=1e-6)
    assert_allclose(found["cats"], (VECTORS[2] * (weights[2] + weights[4])) / 2, atol=1e-6)
    assert any("6 words share 3 vectors" in note for note in found.repairs)


@pytest.mark.parametrize("where", ["config", "modules"])
def test_normalised_vectors(where, tmp_path):
    modules = b'[{"type": "sentence_transformers.models.Normalize"}]'
    changes = {"config__json": b'{"normalize": true}'}
    if where == "modules":
        changes = {"config__json": None, "modules__json": modules}

    found = load(written(tmp_path / "model", static_files(**changes)), words=["cats"])

    for word, pieces in (("dog", [3]), ("cats", [2, 4])):
        mean = VECTORS[pieces].mean(axis=0)
        assert_allclose(found[word], mean / np.linalg.norm(mean), atol=1e-6)


@pytest.mark.parametrize("kind", ["<f2", "<f8", "i1"])
def test_other_types_of_numbers(kind, tmp_path):
    numbers = (VECTORS * 9).astype(kind)

    found = load(written(tmp_path / "model", static_files(safetensors(embeddings=numbers))))

    assert_allclose(found["dog"], numbers[3].astype(np.float32))


def test_the_folder_of_sentence_transformers(tmp_path):
    tensors = safetensors(embedding__weight=VECTORS)
    files = static_files(tensors, config__json=None)
    written(tmp_path / "model" / "0_StaticEmbedding", files)

    found = load(tmp_path / "model", words=["cats", "cat zebra"])

    assert found["dog"].tobytes() == VECTORS[3].tobytes()
    assert_allclose(found["cats"], VECTORS[[2, 4]].mean(axis=0), atol=1e-6)
    assert "cat zebra" not in found  # the model would use the vector of unknown tokens


def test_a_unigram_vocabulary(tmp_path):
    pairs = [["<unk>", 0], ["▁cat", -1.5], ["s", -2], ["▁dog", -3]]
    content = tokenizer(pairs, "Unigram", normalizer=None, pre_tokenizer={"type": "Metaspace"})

    found = load(written(tmp_path / "model", static_files(tokenizer__json=content)))

    assert list(found.words) == ["cat", "dog"]
    assert found["dog"].tobytes() == VECTORS[3].tobytes()


DEEP = b"[" * 200_000
SPACY_HOSTILE = {
    "vectors are empty": ({"vectors": b""}, "header is broken"),
    "vectors are text": ({"vectors": b"cat 1 2\n"}, "header is broken"),
    "vectors are cut": ({"vectors": npy(TABLE)[:-1]}, "the header announces"),
    "vectors announce more": (
        {"vectors": npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1<<40, 2)}")},
        "header is broken",
    ),
    "huge vectors": (
        {"vectors": npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (9**9, 9**9)}")},
        "header is broken",
    ),
    "vectors are objects": (
        {"vectors": npy(np.array([[None]]), pickled=True)}, "contains pickled objects",
    ),
    "vectors are integers": ({"vectors": npy(np.ones((3, 2), int))}, "is no table of numbers"),
    "one axis": ({"vectors": npy(TABLE[0])}, "is no table of numbers"),
    "no rows": ({"vectors": npy(TABLE[:0])}, "empty or truncated"),
    "fewer rows": ({"vectors": npy(TABLE[:2])}, "names row 2 of 2 vectors"),
    "NaN": ({"vectors": npy(TABLE * np.float32(np.nan))}, "is not finite"),
    "key2row is empty": ({"key2row": b""}, "is not the expected MessagePack"),
    "key2row is cut": ({"key2row": spacy_files()["key2row"][:-1]}, "expected MessagePack"),
    "key2row is a list": ({"key2row": b"\x93\x01\x02\x03"}, "is not the expected MessagePack"),
    "key2row of text": ({"key2row": b"\x81\xa1a\xa1b"}, "is not the expected MessagePack"),
    "key2row announces more": ({"key2row": b"\xdf\xff\xff\xff\xff"}, "expected MessagePack"),
    "key2row is nested": ({"key2row": b"\x81\x01" * 9999}, "is not the expected MessagePack"),
    "key2row of others": ({"key2row": b"\x81\x01\x00"}, "no word of strings.json has a row"),
    "no keys": ({"key2row": b"\x80"}, "no word of strings.json has a row"),
    "negative rows": (
        {"key2row": msgspec.msgpack.encode({keys()[0]: -1})}, "names row -1 of 3 vectors",
    ),
    "strings are missing": ({"strings__json": None}, "cannot be opened"),
    "strings are cut": ({"strings__json": b'["cat", "d'}, "is not the expected JSON"),
    "strings are a dict": ({"strings__json": b"{}"}, "is not the expected JSON"),
    "strings are numbers": ({"strings__json": b"[1]"}, "is not the expected JSON"),
    "strings are deep": ({"strings__json": DEEP}, "is not the expected JSON"),
    "strings are not UTF-8": ({"strings__json": b'["\xff\xfe"]'}, "is not the expected JSON"),
    "an unknown mode": ({"vectors__cfg": b'{"mode": "x"}'}, "neither default nor floret"),
    "settings are a list": ({"vectors__cfg": b"[]"}, "is not the expected JSON"),
    "long n-grams": ({"vectors__cfg": FLORET.replace(b"3", b"999999")}, "n-grams of 1 to 999,999"),
    "no hashes": ({"vectors__cfg": FLORET.replace(b"2", b"0")}, "that floret does not have"),
    "a negative seed": ({"vectors__cfg": FLORET.replace(b"7", b"-7")}, "floret does not have"),
    "long marks": ({"vectors__cfg": FLORET.replace(b"<", b"<" * 99)}, "floret does not have"),
}  # fmt: skip
STATIC_HOSTILE = {
    "no tensors": ({"tensors": safetensors(other=VECTORS)}, "has no vectors of tokens"),
    "tensors are empty": ({"tensors": b"\0"}, "the safetensors file is broken"),
    "tensors are cut": ({"tensors": safetensors(embeddings=VECTORS)[:-1]}, "is broken"),
    "a huge header": ({"tensors": struct.pack("<Q", 1 << 60) + b"{"}, "is broken"),
    "a header of text": ({"tensors": struct.pack("<Q", 9) + b'{"a":[[[['}, "is broken"),
    "one axis": ({"tensors": safetensors(embeddings=VECTORS[0])}, "is no table of vectors"),
    "no rows": ({"tensors": safetensors(embeddings=VECTORS[:0])}, "is no table of vectors"),
    "fewer rows": ({"tensors": safetensors(embeddings=VECTORS[:4])}, "but the matrix has 4 rows"),
    "NaN": ({"tensors": safetensors(embeddings=VECTORS * np.float32(np.nan))}, "is not finite"),
    "weights of fewer tokens": (
        {"tensors": safetensors(embeddings=VECTORS, weights=np.ones(3))}, "weights (3,)",
    ),
    "weights in a table": (
        {"tensors": safetensors(embeddings=VECTORS, weights=np.ones((8, 1)))}, "weights (8, 1)",
    ),
    "endless weights": (
        {"tensors": safetensors(embeddings=VECTORS, weights=np.full(8, 1e300))}, "is not finite",
    ),
    "a mapping of fewer tokens": (
        {"tensors": safetensors(embeddings=VECTORS, mapping=np.zeros(3, int))}, "has 3 rows",
    ),
    "a mapping to other rows": (
        {"tensors": safetensors(embeddings=VECTORS, mapping=np.full(8, 8))}, "names row 8 of 8",
    ),
    "a negative mapping": (
        {"tensors": safetensors(embeddings=VECTORS, mapping=np.full(8, -1))}, "names row -1 of 8",
    ),
    "a mapping of numbers": (
        {"tensors": safetensors(embeddings=VECTORS, mapping=np.ones(8))}, "is no list of rows",
    ),
    "the tokenizer is empty": ({"tokenizer__json": b""}, "is not the expected JSON"),
    "the tokenizer is cut": ({"tokenizer__json": tokenizer()[:-9]}, "is not the expected JSON"),
    "the tokenizer is deep": ({"tokenizer__json": DEEP}, "is not the expected JSON"),
    "no model": ({"tokenizer__json": b"{}"}, "is not the expected JSON"),
    "no tokens": ({"tokenizer__json": tokenizer({})}, "has no tokens"),
    "ids of text": ({"tokenizer__json": tokenizer({"a": "b"})}, "is not the expected JSON"),
    "negative ids": ({"tokenizer__json": tokenizer({"cat": -1})}, "the id of 'cat' is -1"),
    "endless ids": ({"tokenizer__json": tokenizer({"cat": 10**30})}, "tokenizer.json"),
    "only pieces": ({"tokenizer__json": tokenizer({"##a": 0})}, "contains no vectors"),
    "not UTF-8": ({"tokenizer__json": b'{"model":{"vocab":{"\xff":0}}}'}, "expected JSON"),
    "only control characters": ({"tokenizer__json": tokenizer({"\n": 0})}, "contains no vectors"),
    "the settings are a list": ({"config__json": b"[]"}, "is not the expected JSON"),
    "the modules are a dict": (
        {"config__json": None, "modules__json": b"{}"}, "is not the expected JSON",
    ),
}  # fmt: skip
FLORET_HOSTILE = {
    "only a header": (floret(body="0 "), "only 2 follow"),
    "no rows": (b"0 2 2 3 2 7 < >\n0 1 2\n", "announces 0 words"),
    "many rows": (floret(header="99999999 2 2 3 2 7 < >"), "must be 1 to"),
    "endless rows": (floret(header="40000000 60000 2 3 2 7 < >"), "only"),
    "no dimensions": (floret(header="5 0 2 3 2 7 < >"), "announces 0 dimensions"),
    "many dimensions": (floret(header="5 99999 2 3 2 7 < >"), "must be 1 to 65,536"),
    "more rows": (floret(header="6 2 2 3 2 7 < >"), ":7: expected the number 5"),
    "fewer rows": (floret(header="4 2 2 3 2 7 < >"), "has more lines than the 4"),
    "other dimensions": (floret(header="5 3 2 3 2 7 < >"), ":2: expected the number 0 and 3"),
    "cut": (floret()[:-9], "expected the number"),
    "cut in a row": (floret()[:-5], ":6: expected the number 4"),
    "text in a row": (floret().replace(b"1 1.0 1.5", b"1 1.0 a"), ":3: contains text"),
    "a row number": (floret().replace(b"\n1 ", b"\n7 "), ":3: expected the number 1"),
    "NaN": (floret().replace(b"1 1.0 1.5", b"1 1.0 nan"), "is not finite"),
    "infinity": (floret().replace(b"1 1.0 1.5", b"1 1.0 1e999"), "is not finite"),
    "overflow": (floret().replace(b"1 1.0 1.5", b"1 1.0 1e300"), "is not finite"),
    "NUL": (floret().replace(b"1 1.0 1.5", b"1 1.0 \0"), ":3: "),
    "not UTF-8": (floret().replace(b"1 1.0 1.5", b"1 1.0 \xff"), ":3: contains text"),
    "marks that are not UTF-8": (
        floret().replace(b" < >", b" \xff >"), "the marks of words are not UTF-8",
    ),
    "long n-grams": (floret(header="5 2 2 999 2 7 < >"), "n-grams of 2 to 999"),
    "no hashes": (floret(header="5 2 2 3 0 7 < >"), "that floret does not have"),
    "five hashes": (floret(header="5 2 2 3 5 7 < >"), "that floret does not have"),
    "a large seed": (floret(header="5 2 2 3 2 99999999999 < >"), "that floret does not have"),
}  # fmt: skip


def assert_one_sentence(path, fragment):
    with pytest.raises(BadData) as caught:
        load(path, words=["cat"])
    message = str(caught.value)
    assert fragment in message
    assert path.name in message
    assert message.endswith(".")
    assert shown(message, 700) == message


@pytest.mark.parametrize("name", SPACY_HOSTILE)
def test_a_hostile_folder_of_spacy_gives_one_sentence(name, tmp_path):
    changes, fragment = SPACY_HOSTILE[name]

    assert_one_sentence(written(tmp_path / "vocab", spacy_files(**changes)), fragment)


@pytest.mark.parametrize("name", STATIC_HOSTILE)
def test_a_hostile_static_model_gives_one_sentence(name, tmp_path):
    changes, fragment = STATIC_HOSTILE[name]

    assert_one_sentence(written(tmp_path / "model", static_files(**changes)), fragment)


@pytest.mark.parametrize("name", FLORET_HOSTILE)
def test_a_hostile_floret_file_gives_one_sentence(name, write_file):
    content, fragment = FLORET_HOSTILE[name]

    assert_one_sentence(write_file("v.floret", content), fragment)


def test_a_folder_without_vectors_is_refused(tmp_path):
    assert_one_sentence(tmp_path, "is a folder; give a vector file")


@pytest.mark.parametrize("files", [spacy_files(), spacy_files(vectors__cfg=FLORET), static_files()])
def test_a_damaged_folder_gives_an_embedding_or_one_error(files, tmp_path):
    rng = np.random.default_rng(
        zlib.crc32(files["vectors" if "vectors" in files else "config.json"])
    )
    folder = tmp_path / "vocab"
    for _ in range(60):
        name = sorted(files)[rng.integers(len(files))]
        written(folder, files | {name: mutated(files[name], rng)})
        assert_an_embedding_or_one_sentence(folder, "skip")
        shutil.rmtree(folder)


def test_an_embedding_is_named_after_the_folder_of_its_model(tmp_path):
    written(tmp_path / "en_core" / "vocab", spacy_files())
    written(tmp_path / "potion", static_files())

    for path, name in (("en_core", "en_core"), ("en_core/vocab", "en_core"), ("potion", "potion")):
        found = load(tmp_path / path)
        assert found.name == name
        assert str(tmp_path) not in found.origin
