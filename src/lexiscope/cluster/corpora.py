"""Corpora on a cluster: workers receive the arrays of a corpus and memory-map them."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.cluster.files import SharedFile, path_of
from lexiscope.cluster.shipping import content_of
from lexiscope.core.corpus import Corpus
from lexiscope.core.vocabulary import PackedWords, Vocabulary, pack

_ARRAYS = ("tokens", "starts", "documents")


class SharedArray(NamedTuple):
    """An array of one axis that workers can receive as a file."""

    file: SharedFile
    dtype: str

    def mapped(self) -> NDArray[Any]:
        """The array, in a process that has received it; raises `NotHere` in one that has not."""
        path = path_of(self.file)
        if not self.file.size:
            return np.empty(0, self.dtype)
        return np.asarray(np.memmap(path, self.dtype, "r"))


class ArrayContents:
    """Arrays of this process, which are sent to workers without being written to a file first."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def share(self, array: NDArray[Any]) -> SharedArray:
        """Make an array available to workers."""
        values = np.ascontiguousarray(array)
        file = SharedFile(uuid.uuid4().hex, values.nbytes)
        self._arrays[file.key] = values
        return SharedArray(file, values.dtype.str)

    def content(self, file: SharedFile) -> memoryview:
        """The bytes of a shared array, or of a file of this machine."""
        if file.path:
            return content_of(file)
        return self._arrays[file.key].view(np.uint8).data

    def forget(self, shared: SharedArray) -> None:
        """Stop sharing an array."""
        self._arrays.pop(shared.file.key, None)


@dataclass(frozen=True)
class SharedCorpus:
    """A corpus that workers can receive: its arrays, the words among them, and all other fields."""

    arrays: Mapping[str, SharedArray]
    others: tuple[tuple[str, Any], ...]
    key: str

    def __hash__(self) -> int:
        return hash(self.key)

    def mapped(self) -> Corpus:
        """The corpus, in a process that has received it; the most recent one is kept."""
        return _mapped(self)


@lru_cache(maxsize=1)
def _mapped(shared: SharedCorpus) -> Corpus:
    found: dict[str, Any] = {name: array.mapped() for name, array in shared.arrays.items()}
    words = PackedWords(found.pop("words"), found.pop("ends"))
    return Corpus(vocabulary=Vocabulary(words), **found, **dict(shared.others))


def share(corpus: Corpus, contents: ArrayContents) -> SharedCorpus:
    """Make a corpus available to workers."""
    packed = pack(corpus.vocabulary.words)
    arrays = {name: getattr(corpus, name) for name in _ARRAYS}
    arrays |= {"words": packed.block, "ends": packed.ends}
    names = {field.name for field in fields(Corpus)} - {*_ARRAYS, "vocabulary"}
    others = tuple((name, getattr(corpus, name)) for name in sorted(names))
    shared = {name: contents.share(array) for name, array in arrays.items()}
    return SharedCorpus(shared, others, uuid.uuid4().hex)


@dataclass(frozen=True, eq=False)
class ClusterCorpus(Corpus):
    """A corpus whose shards are counted, and trained on, by the workers of a dask client.

    Vectors are those of the same corpus without a cluster, to the byte.
    """

    client: Any = None


def on_cluster(corpus: Corpus, client: Any) -> ClusterCorpus:
    """The same corpus, whose shards are processed by the workers of a client."""
    values = {field.name: getattr(corpus, field.name) for field in fields(Corpus)}
    return ClusterCorpus(**values, client=client)
