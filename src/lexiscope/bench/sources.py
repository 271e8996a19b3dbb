"""Names, files and objects become embeddings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.vectors import is_sparse
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.data.unpacking import exists
from lexiscope.data.vectors import OnError, load


class Reading(NamedTuple):
    """How vector files are read: how much, what to do about broken rows, where names lead."""

    limit: int | None = None
    on_error: OnError = "stop"
    library: Library | None = None


AS_IT_IS = Reading()
FEW = (
    "Only the words of the datasets were encoded, so analogies have few candidates and look easy "
    "beside embeddings with a whole vocabulary; load(encoder, words=...) takes as many as you give."
)


def embeddings_from(
    sources: Any, words: Sequence[str] = (), reading: Reading = AS_IT_IS
) -> tuple[Embedding, ...]:
    """Embeddings from paths, catalogue names, objects, or a mapping of names to any of these.

    `SOURCE@first=N` takes the first N words, `SOURCE@centred` takes the mean vector off. Objects
    that encode are asked for `words`.
    """
    if isinstance(sources, Mapping) and not _is_vectors(sources):
        for name in sources:
            if not isinstance(name, str):
                raise BadUsage(f"An embedding's name is text, found {type(name).__name__}.")
        found = [_embedding(source, name, words, reading) for name, source in sources.items()]
    else:
        several = isinstance(sources, list | tuple) and not _is_pair(sources)
        listed = list(sources) if several else [sources]
        found = [_embedding(source, None, words, reading) for source in listed]
    if not found:
        raise BadUsage("At least one embedding is needed.")
    return _distinct(found, sources)


def _is_vectors(source: Mapping[Any, Any]) -> bool:
    import numpy as np

    first = next(iter(source.values()), None)
    return (
        isinstance(first, np.ndarray | list | tuple) and not _is_pair(first) and np.ndim(first) == 1
    )


def _is_pair(source: Any) -> bool:
    """(words, matrix), not a list of two sources."""
    import numpy as np

    return (
        isinstance(source, tuple)
        and len(source) == 2
        and not isinstance(source[0], str | Path)
        and (isinstance(source[1], np.ndarray | list) or is_sparse(source[1]))
        and np.ndim(source[1]) == 2
    )


def _embedding(source: Any, name: str | None, words: Sequence[str], reading: Reading) -> Embedding:
    path, _, change = source.rpartition("@") if isinstance(source, str) else (source, "", "")
    if not path or (isinstance(source, str) and exists(source)):
        path, change = source, ""
    if isinstance(path, str) and not exists(path):
        path = _catalogued_vectors(path, reading)
    found = load(path, name=name, limit=reading.limit, on_error=reading.on_error, words=words)
    if not isinstance(path, str | Path | Embedding) and hasattr(path, "encode"):
        found = replace(found, repairs=(*found.repairs, FEW))
    if not change:
        return found
    changed = _changed(found, change)
    return changed.named(name or f"{found.name}@{change}")


def _catalogued_vectors(name: str, reading: Reading) -> str | Path:
    known = [entry.name for entry in catalogue().values() if entry.kind == "vectors"]
    if name in known:
        return (reading.library or Library()).vectors(name)
    if name in catalogue():
        raise BadUsage(f"{name} holds {catalogue()[name].kind}, not vectors.")
    if not {".", "/", "#"} & set(name):
        raise UnknownName("vector file or catalogue name", name, known)
    return name


def _changed(embedding: Embedding, change: str) -> Embedding:
    what, _, value = change.partition("=")
    if what == "centred" and not value:
        return embedding.centred()
    if what == "first" and value.isdecimal():
        return embedding.first(int(value))
    raise BadUsage(f"'@{change}' is not known. After @ stands centred or first=NUMBER.")


def _distinct(embeddings: list[Embedding], sources: Any) -> tuple[Embedding, ...]:
    """Names that tell the embeddings apart: the folder is added, then a number."""
    taken: set[str] = set()
    named = []
    for place, embedding in enumerate(embeddings):
        name = readable(embedding.name)
        if name in taken and isinstance(sources, list | tuple):
            folder = _folder(sources[place])
            name = f"{readable(folder)}/{name}" if folder else name
        number = 2
        while name in taken:
            name, number = f"{readable(embedding.name)}-{number}", number + 1
        taken.add(name)
        named.append(embedding if name == embedding.name else embedding.named(name))
    return tuple(named)


def readable(name: str) -> str:
    """A name that can be printed and stored; that of a file may hold bytes that are no text."""
    return name.encode("utf-8", "replace").decode()


def _folder(source: Any) -> str:
    return Path(source).parent.name if isinstance(source, str | Path) else ""
