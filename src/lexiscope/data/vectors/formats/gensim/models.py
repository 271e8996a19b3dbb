"""Reader of the vectors of gensim 0.12 to 4: KeyedVectors, Word2Vec and FastText.

Large arrays are in files next to the pickle: FILE.vectors.npy, or FILE.wv.vectors.npy.
"""

import io
import mmap
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, UnsafeFormat
from lexiscope.core.paths import is_file
from lexiscope.data.vectors.columns import from_columns
from lexiscope.data.vectors.formats.arrays import array_in
from lexiscope.data.vectors.formats.gensim.opcodes import interpret
from lexiscope.data.vectors.formats.gensim.values import ArrayRecord, Record
from lexiscope.data.vectors.formats.stream import Settings, Source
from lexiscope.data.vectors.subwords.ngrams import FastTextNGrams, check_lengths, encoded

_WORDS = ("index_to_key", "index2word", "index2entity")
_INDEX = ("key_to_index", "vocab")
_VECTORS = ("vectors", "syn0")
_OWN_VECTORS = ("vectors_vocab", "syn0_vocab")
_NGRAM_VECTORS = ("vectors_ngrams", "syn0_ngrams")
_TRAINED = ("Word2Vec", "FastText", "Doc2Vec")
_OLD_HASH = (
    "was saved by an early gensim with another table of n-grams. Words in its vocabulary have "
    "vectors, OOV words have none."
)


class _Owner(NamedTuple):
    """An object with arrays, and the path before the names of their files."""

    record: Record
    prefix: str


def read(source: Source, settings: Settings) -> Embedding:
    """Read the vectors in a file of gensim."""
    path = source.path
    found = interpret(path, *_stream(source))
    if not isinstance(found, Record):
        raise UnsafeFormat(
            f"{path}: is a pickle without vectors of gensim (joblib, PyTorch?). Save the matrix as "
            ".npz or .safetensors in the program that wrote it."
        )
    inner = found.get("wv")
    keyed = inner if isinstance(inner, Record) else found
    owner = _Owner(keyed, f"{path}.wv" if keyed is not found else path)
    words = _words(path, keyed)
    vectors, subwords, notes = _vectors(owner, words)
    rows = len(vectors)
    if len(words) != rows:
        raise BadData(f"{path}: {len(words):,} words for {rows:,} vectors. The file is damaged.")
    number = rows if settings.limit is None else min(rows, settings.limit)
    embedding = from_columns("", words[:number], vectors[:number], path, settings.on_error)
    counts = _counts(found, keyed, words)
    known = all(word in counts for word in embedding.words)
    return replace(
        embedding,
        counts=np.array([counts[word] for word in embedding.words], np.int64) if known else None,
        subwords=subwords,
        repairs=(*notes, *embedding.repairs),
    )


def _stream(source: Source) -> tuple[Any, int]:
    """The content and its size. Reading from it never takes more memory than there is content."""
    if source.size is None:
        content = source.everything()
        return io.BytesIO(content), len(content)
    with Path(source.path).open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), source.size


def _words(path: str, keyed: Record) -> list[Any]:
    words = keyed.get(*_WORDS)
    if isinstance(words, list):
        return words
    index = keyed.get(*_INDEX)
    if not isinstance(index, dict):
        raise BadData(
            f"{path}: holds a {shown(keyed.kind)} without words. Save its KeyedVectors: "
            "model.wv.save('vectors.kv')."
        )
    rows = {word: _row(value) for word, value in index.items()}
    if sorted(rows.values()) != list(range(len(rows))):
        raise BadData(f"{path}: its words have no rows, or the same ones. The file is damaged.")
    return sorted(rows, key=rows.__getitem__)


def _row(value: Any) -> int:
    found = value.get("index") if isinstance(value, Record) else value
    return found if isinstance(found, int) else -1


def _vectors(
    owner: _Owner, words: list[Any]
) -> tuple[NDArray[Any], FastTextNGrams | None, tuple[str, ...]]:
    """The vectors of the words, the n-grams of OOV words, and what is missing."""
    path = owner.prefix
    vectors, own = _array(owner, *_VECTORS), _array(owner, *_OWN_VECTORS)
    ngrams, notes = _ngrams(owner)
    if vectors is None and own is not None:
        if ngrams is None and notes:
            raise BadData(f"{path}: has no vectors of words, and {notes[0]}")
        plain = ngrams or FastTextNGrams(own[:0], 0, 0)
        known = [encoded(word) if isinstance(word, str) else b"" for word in words]
        _check_rows(path, own, len(words))
        vectors = plain.vectors_with(own, known, [True] * len(words))
    if vectors is None or vectors.ndim != 2:
        raise BadData(
            f"{path}: holds a {shown(owner.record.kind)} without vectors. Save its KeyedVectors: "
            "model.wv.save('vectors.kv')."
        )
    return vectors, ngrams, tuple(f"{path}: {note}" for note in notes)


def _check_rows(path: str, own: NDArray[Any], words: int) -> None:
    if len(own) != words:
        raise BadData(f"{path}: {words:,} words for {len(own):,} vectors. The file is damaged.")


def _ngrams(owner: _Owner) -> tuple[FastTextNGrams | None, tuple[str, ...]]:
    record, path = owner.record, owner.prefix
    shortest, longest = _small(record.get("min_n")), _small(record.get("max_n"))
    if shortest is None or longest is None:
        return None, ()
    if record.get("compatible_hash") is not True or record.get("hash2index"):
        return None, (_OLD_HASH,)
    check_lengths(path, shortest, longest)
    table, buckets = _array(owner, *_NGRAM_VECTORS), _small(record.get("bucket"))
    if table is None or not len(table) or longest < 1 or not buckets:
        return None, ()
    if len(table) != buckets:
        raise BadData(
            f"{path}: {len(table):,} n-gram vectors for {buckets:,} buckets. The file is damaged."
        )
    return FastTextNGrams(table, shortest, longest), ()


def _small(value: Any) -> int | None:
    """A number of the settings; None for other values, and for numbers that no setting has."""
    return value if isinstance(value, int) and abs(value) < 1 << 40 else None


def _array(owner: _Owner, *names: str) -> NDArray[np.float32] | None:
    """A table of numbers among the attributes, or in a file of its own."""
    separate = owner.record.get("__numpys")
    for name in names:
        value = owner.record.get(name)
        found = value.values if isinstance(value, ArrayRecord) else None
        if found is None and isinstance(separate, list) and name in separate:
            found = _separate(f"{owner.prefix}.{name}")
        if found is not None:
            if found.ndim != 2 or found.dtype.kind != "f" or not found.shape[1]:
                raise BadData(
                    f"{owner.prefix}: {name} {found.shape} {found.dtype} is no table of numbers."
                )
            return np.asarray(found, np.float32) if found.dtype != np.float32 else found
    return None


def _separate(path: str) -> NDArray[Any]:
    for file in (f"{path}.npy", f"{path}.npz"):
        if is_file(file):
            return array_in(file)
    raise BadData(
        f"{path}.npy: there is no such file. gensim saves large arrays in files of their own; copy "
        "all files whose names begin with that of the model."
    )


def _counts(model: Record, keyed: Record, words: list[Any]) -> dict[str, int]:
    """The counts of a trained model; those of bare vectors may be invented."""
    if model.kind not in _TRAINED:
        return {}
    expandos, items = keyed.get("expandos"), keyed.get("vocab")
    count = expandos.get("count") if isinstance(expandos, dict) else None
    values = count.values if isinstance(count, ArrayRecord) else None
    if values is not None and values.shape == (len(words),) and values.dtype.kind in "iu":
        found = zip(words, values.tolist(), strict=True)
        return {word: number for word, number in found if isinstance(word, str)}
    if not isinstance(items, dict):
        return {}
    listed = {word: v.get("count") for word, v in items.items() if isinstance(v, Record)}
    return {w: n for w, n in listed.items() if isinstance(n, int) and 0 <= n < 1 << 62}
