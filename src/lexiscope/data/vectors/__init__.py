"""Vector files of every kind, behind one `load` and one `save`."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors._encoders import Encoder
from lexiscope.data.vectors._reading import OnError, Settings

__all__ = ["Encoder", "OnError", "check_target", "load", "save"]


def load(
    source: Any,
    *,
    name: str | None = None,
    limit: int | None = None,
    on_error: OnError = "stop",
    words: Iterable[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Embedding:
    """An embedding from a file, a catalogue name, or an object; the content tells the format.

    - a path: word2vec text or binary, GloVe, fastText .vec, .npy or .npz with words, our own
      format; each also as .gz, .bz2, .xz or .zip (`archive.zip#member` picks a member);
    - a dict of vectors, a pair (words, matrix), anything with `key_to_index` and `vectors`;
    - anything with `encode(list of texts)`, or an `Encoder`, for the `words` given; `progress` is
      called with its name, the words encoded so far, and how many there are in all.

    `limit` keeps the first words only. `on_error` says what happens to a broken row: "stop",
    "skip" (left out and listed in `repairs`), or "replace" (as skip, but bytes that are not UTF-8
    and control characters in words become U+FFFD).
    """
    if limit is not None and limit < 1:
        raise BadUsage(f"A vocabulary limit must be 1 or more, found {limit}.")
    if on_error not in ("stop", "skip", "replace"):
        raise BadUsage(f"on_error is 'stop', 'skip' or 'replace', found '{on_error}'.")
    if isinstance(source, str | Path):
        from lexiscope.data.vectors import _files

        return _files.read(_place(source), Settings(limit, on_error), name)
    from lexiscope.data.vectors import _objects

    found = _objects.read(source, name, words, progress)
    return found if limit is None else found.first(limit)


def save(embedding: Embedding, path: str | Path) -> Path:
    """Write an embedding; the ending of the path chooses the format."""
    from lexiscope.data.vectors import _writing

    return _writing.write(embedding, Path(path))


def check_target(path: str | Path) -> None:
    """Refuse a path that `save` could not write to, before long work is done for it."""
    from lexiscope.data.files import check_name
    from lexiscope.data.vectors import _writing

    _writing.way(Path(path))
    check_name(Path(path))
    if Path(path).is_dir():
        raise BadUsage(f"{path}: is a folder. Name a file in it.")


def _place(source: str | Path) -> str:
    """The path itself, or the file behind a catalogue name."""
    text = str(source)
    if not text:
        raise BadData("An empty path names no vector file.")
    from lexiscope.data.unpacking import exists

    if isinstance(source, Path) or exists(text):
        return text
    from lexiscope.data.catalogue import catalogue

    known = catalogue()
    if text in known:
        from lexiscope.data.library import Library

        return str(Library().vectors(text))
    return text
