"""From names, files and objects to embeddings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import readable
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.paths import exists
from lexiscope.core.vectors import is_sparse
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import OnError, load
from lexiscope.data.vectors.catalogue_vectors import vectors_path
from lexiscope.data.vectors.transforms import split_source, transformed


class Reading(NamedTuple):
    """How vector files are read: word limit, broken rows, and where catalogue files are.

    `frequencies` are counts of words for the transform `frequency`.
    """

    limit: int | None = None
    on_error: OnError = "stop"
    local_data: LocalData | None = None
    frequencies: Mapping[str, int] | None = None

    def counts(self, embedding: Embedding) -> NDArray[np.int64] | None:
        """Return the given counts of the words of an embedding, -1 where there is none."""
        if self.frequencies is None:
            return None
        return np.array([self.frequencies.get(word, -1) for word in embedding.words], np.int64)


DEFAULT_READING = Reading()
FEW_CANDIDATES = (
    "Only the words of the datasets were encoded, so analogies have few candidates and are easier "
    "than for embeddings with a whole vocabulary; load(encoder, words=...) encodes more words."
)


def embeddings_from(
    sources: Any, words: Sequence[str] = (), reading: Reading = DEFAULT_READING
) -> tuple[Embedding, ...]:
    """Return embeddings from paths, catalogue names, objects, or a mapping of names to these.

    `NAME=SOURCE` names a source, `SOURCE@first=N` keeps the first N words; `transforms` lists what
    else can follow. Encoders encode `words`.
    """
    if isinstance(sources, Mapping) and not _is_vectors(sources):
        for name in sources:
            if not isinstance(name, str):
                raise BadUsage(f"An embedding's name is text, found {type(name).__name__}.")
        found = [_embedding(source, name, words, reading) for name, source in sources.items()]
    else:
        several = isinstance(sources, list | tuple) and not _is_pair(sources)
        listed = list(sources) if several else [sources]
        named = [split_name(each) if isinstance(each, str) else ("", each) for each in listed]
        found = [_embedding(source, name or None, words, reading) for name, source in named]
    if not found:
        raise BadUsage("At least one embedding is needed.")
    return _distinct(found, sources)


def split_name(text: str) -> tuple[str, str]:
    """Return the name and the source of NAME=SOURCE; the name is empty if there is none.

    >>> split_name("mine=vectors/a.vec@first=1000"), split_name("a.vec@first=1000")
    (('mine', 'vectors/a.vec@first=1000'), ('', 'a.vec@first=1000'))
    """
    name, equals, source = text.partition("=")
    is_named = equals and name and source and not set(name) & set("@/\\#")
    return (name, source) if is_named and not exists(text) else ("", text)


def _is_vectors(source: Mapping[Any, Any]) -> bool:
    first = next(iter(source.values()), None)
    return (
        isinstance(first, np.ndarray | list | tuple) and not _is_pair(first) and np.ndim(first) == 1
    )


def _is_pair(source: Any) -> bool:
    """Whether this is a pair (words, matrix), not a list of two sources."""
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and not isinstance(source[0], str | Path)
        and (isinstance(source[1], np.ndarray | list) or is_sparse(source[1]))
        and np.ndim(source[1]) == 2
    )


def _embedding(source: Any, name: str | None, words: Sequence[str], reading: Reading) -> Embedding:
    path, changes = split_source(source) if isinstance(source, str) else (source, ())
    if isinstance(path, str) and not exists(path):
        path = _catalogue_path(path, reading)
    found = load(path, name=name, limit=reading.limit, on_error=reading.on_error, words=words)
    if not isinstance(path, str | Path | Embedding) and hasattr(path, "encode"):
        found = replace(found, repairs=(*found.repairs, FEW_CANDIDATES))
    if not changes:
        return found
    changed = reduce(
        lambda each, change: transformed(each, change, reading.counts(each)), changes, found
    )
    return changed if name is None else changed.named(name)


def _catalogue_path(name: str, reading: Reading) -> str | Path:
    known = [entry.name for entry in catalogue().values() if entry.kind == "vectors"]
    if name in known:
        return vectors_path(reading.local_data or LocalData(), name)
    if name in catalogue():
        raise BadUsage(f"{name} holds {catalogue()[name].kind}, not vectors.")
    if not {".", "/", "#"} & set(name):
        raise UnknownName("vector file or catalogue name", name, known)
    return name


def _distinct(embeddings: list[Embedding], sources: Any) -> tuple[Embedding, ...]:
    """The embeddings with unique names: the folder is added, then a number."""
    taken: set[str] = set()
    named = []
    for position, embedding in enumerate(embeddings):
        name = readable(embedding.name)
        if name in taken and isinstance(sources, list | tuple):
            folder = _folder(sources[position])
            name = f"{readable(folder)}/{name}" if folder else name
        number = 2
        while name in taken:
            name, number = f"{readable(embedding.name)}-{number}", number + 1
        taken.add(name)
        named.append(embedding if name == embedding.name else embedding.named(name))
    return tuple(named)


def _folder(source: Any) -> str:
    return Path(source).parent.name if isinstance(source, str | Path) else ""
