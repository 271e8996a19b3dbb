"""Damaged files give an embedding or one error message, nothing else."""

import bz2
import gzip
import lzma
import zlib

import numpy as np
import pytest

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import LexiscopeError
from lexiscope.data.vectors import load
from tests.attack.mutators import mutated
from tests.data.vectors.formats.test_gensim import subwords as gensim_subwords
from tests.data.vectors.formats.test_gensim import vectors as gensim_vectors
from tests.data.vectors.vector_files import (
    binary,
    fasttext,
    floret,
    native,
    npy,
    npz,
    record,
    sparse_native,
    wink,
    zipped,
)

ROUNDS = 90  # mutations of each file
TEXT = "4 3\ncat 1 -0.5 2e-3\nété 0.1 2 3\nnew york 4 5 6\n日本 7 8 9.25\n".encode()
TABLE = np.arange(12, dtype=np.float32).reshape(4, 3) / 3
WORDS = np.array(["cat", "été", "new york", "日本"])
PLAIN = {
    "v.vec": TEXT,
    "v.glove": TEXT.partition(b"\n")[2],
    "v.tsv": TEXT.replace(b"new york", b"york").replace(b" ", b"\t"),
    "v.bin": binary(record(b"cat", 1, 2), record("été".encode(), 3, 4), record(b"x", 5, 6)),
    "lines.bin": binary(record(b"cat", 1, 2) + b"\n", record(b"dog", 3, 4) + b"\n"),
    "v.npy": npy(TABLE),
    "columns.npy": npy(np.asfortranarray(TABLE)),
    "v.npz": npz(words=WORDS, vectors=TABLE),
    "v.safetensors": native(
        words="catété日本".encode(), ends=(3, 8, 14), vectors=TABLE[:3], counts=(9, 5, 1)
    ),
    "s.safetensors": sparse_native(
        values=(1, 2, 3, 0.5), columns=(0, 2, 1, 3), row_ends=(2, 2, 4), words=b"catdogsun"
    ),
    "model.bin": fasttext(["cat", "été", "new york", "日本"]),
    "v.kv": gensim_vectors(),
    "v.model": gensim_subwords(),
    "v.json": wink('["cat","dog"]', 2, 2, '"cat":[1,2,3,0],"dog":[4,5,6,1]'),
}
PACKED = {
    "v.vec.gz": gzip.compress(TEXT),
    "v.vec.bz2": bz2.compress(TEXT),
    "v.vec.xz": lzma.compress(TEXT),
    "v.zip": zipped(v__vec=TEXT),
    "v.npy.gz": gzip.compress(npy(TABLE)),
    "v.npz.gz": gzip.compress(npz(words=WORDS, vectors=TABLE)),
    "v.bin.gz": gzip.compress(PLAIN["v.bin"]),
    "v.floret": floret(),
}


def assert_an_embedding_or_one_sentence(path, on_error, words=("cat", "Tür")):
    try:
        found = load(path, on_error=on_error, words=words)
    except LexiscopeError as problem:
        sentence = str(problem)
    else:
        assert isinstance(found, Embedding)
        assert len(found.words) == len(found) == found.vectors.shape[0] > 0
        _ = found.lengths, found.vectors[:1]  # wrong indices would raise here
        assert all(isinstance(word, str) and word for word in found.words)
        return
    assert shown(sentence, 2000) == sentence


@pytest.mark.parametrize("name", [*PLAIN, *PACKED])
def test_a_damaged_file_gives_an_embedding_or_one_error(name, tmp_path):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    content = (PLAIN | PACKED)[name]
    for words in ("v.words", "columns.words"):
        (tmp_path / words).write_text("\n".join(WORDS))
    for turn in range(ROUNDS):
        (tmp_path / name).write_bytes(mutated(content, rng))
        assert_an_embedding_or_one_sentence(tmp_path / name, ("stop", "skip", "replace")[turn % 3])


@pytest.mark.parametrize("name", PLAIN)
def test_a_truncated_file_gives_an_embedding_or_one_error(name, tmp_path):
    content = PLAIN[name]
    for length in range(0, len(content), max(1, len(content) // 60)):
        (tmp_path / name).write_bytes(content[:length])
        assert_an_embedding_or_one_sentence(tmp_path / name, "stop")


@pytest.mark.parametrize("name", PLAIN)
def test_the_undamaged_file_is_valid(name, tmp_path):
    (tmp_path / name).write_bytes(PLAIN[name])
    (tmp_path / f"{name.partition('.')[0]}.words").write_text("\n".join(WORDS))

    assert load(tmp_path / name).repairs == ()


@pytest.mark.parametrize("name", [*PLAIN, *PACKED])
def test_damage_inside_a_compressed_file_is_found_too(name, tmp_path):
    rng = np.random.default_rng(zlib.crc32(name.encode()) + 1)
    content = PLAIN.get(name, TEXT)
    for _ in range(ROUNDS // 10):
        (tmp_path / "v.gz").write_bytes(gzip.compress(mutated(content, rng)))
        assert_an_embedding_or_one_sentence(tmp_path / "v.gz", "skip")
