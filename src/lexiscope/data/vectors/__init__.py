"""Vector files of every format, behind one `load` and one `save`."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.vectors.encoders.encoder import Encoder
from lexiscope.data.vectors.formats.stream import OnError, Settings

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
    """Load an embedding from a file, a catalogue name or an object.

    Parameters
    ----------
    source : str, Path or object
        One of:

        - a path: word2vec text or binary, GloVe, fastText .vec or .bin, gensim's .kv or .model,
          .npy or .npz with words, floret, Parquet, Arrow, our own .safetensors format, or a
          folder of spaCy, model2vec or a static sentence-transformers model. The format is
          detected from the content. The file may be compressed (.gz, .bz2, .xz, .zip);
          `archive.zip#member` selects a member.
        - the name of vectors in the catalogue that are downloaded;
        - either with transforms, such as `vectors.txt@abtt=2` or `NAME@first=10000@centred`;
        - a dict of vectors, a pair (words, matrix), in which the words can be a dict from words
          to rows such as a tokenizer's vocabulary, a pandas DataFrame with the words in its index
          or in one column, or an object with `key_to_index` and `vectors`, such as gensim's
          KeyedVectors;
        - an object with `encode(list of texts)`, or an `Encoder`. It encodes `words`.
    name : str, optional
        Name of the embedding. The default is derived from the source.
    limit : int, optional
        Load the first `limit` words only.
    on_error : {"stop", "skip", "replace"}, default "stop"
        What to do about a broken row of a file: raise an error; leave the row out and list it
        in `Embedding.repairs`; or as "skip", but replace bytes that are not UTF-8 and control
        characters in words with U+FFFD.
    words : iterable of str, optional
        The words that an encoder encodes. A model that computes vectors of out-of-vocabulary
        words, such as fastText with n-grams, computes those of these words.
    progress : callable, optional
        Called with the name of the encoder, the number of words encoded, and their total.

    Returns
    -------
    Embedding

    Examples
    --------
    >>> import lexiscope
    >>> pets = lexiscope.load({"cat": [1.0, 0.0], "dog": [0.8, 0.6]}, name="pets")
    >>> pets
    Embedding('pets', 2 words x 2)
    >>> pets["dog"].tolist()
    [0.800000011920929, 0.6000000238418579]
    """
    if limit is not None and limit < 1:
        raise BadUsage(f"A vocabulary limit must be 1 or more, found {limit}.")
    if on_error not in ("stop", "skip", "replace"):
        raise BadUsage(f"on_error is 'stop', 'skip' or 'replace', found '{on_error}'.")
    if isinstance(source, str | Path):
        return _from_path(source, Settings(limit, on_error, tuple(words or ())), name)
    from lexiscope.data.vectors import objects

    found = objects.read(source, name, words, progress)
    return found if limit is None else found.first(limit)


def save(embedding: Embedding, path: str | Path) -> Path:
    """Write an embedding to a file; the ending of the path selects the format.

    Parameters
    ----------
    embedding : Embedding
        The embedding to write.
    path : str or Path
        The file: .safetensors (our own format, memory-mapped), .vec or .txt (word2vec text),
        .glove (no header), .bin (word2vec binary), .npz, or .npy with a .words file. All but
        .safetensors can be followed by .gz, .bz2 or .xz.

    Returns
    -------
    Path
        The path of the file.

    Examples
    --------
    >>> import lexiscope, tempfile
    >>> pets = lexiscope.load({"cat": [1.0, 0.0], "dog": [0.8, 0.6]}, name="pets")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = lexiscope.save(pets, f"{folder}/pets.vec")
    ...     print(path.read_text(), end="")
    2 2
    cat 1.0 0.0
    dog 0.8 0.6
    """
    from lexiscope.data.vectors.formats import writers

    return writers.write(embedding, Path(path))


def check_target(path: str | Path) -> None:
    """Raise an error if `save` cannot write to this path; call it before long computations."""
    from lexiscope.data.atomic_write import check_name
    from lexiscope.data.vectors.formats import writers

    writers.output_format(Path(path))
    check_name(Path(path))
    if Path(path).is_dir():
        raise BadUsage(f"{path}: is a folder. Name a file in it.")


def _read(source: str | Path, settings: Settings, name: str | None) -> Embedding:
    """Read a file; pieces of words among its words are a repair note, since they are no words."""
    from dataclasses import replace

    from lexiscope.data.vectors.formats import detection
    from lexiscope.data.vectors.tokens import note_on_marks

    path = _path(source)
    found = detection.read(path, settings, name)
    notes = note_on_marks(found.words, path)
    return replace(found, repairs=(*found.repairs, *notes)) if notes else found


def _from_path(source: str | Path, settings: Settings, name: str | None) -> Embedding:
    """Read a file, and apply the transforms that follow its name."""
    if isinstance(source, Path) or "@" not in source:
        return _read(source, settings, name)
    from functools import reduce

    from lexiscope.data.vectors.transforms import split_source, transformed

    path, changes = split_source(source)
    found = reduce(transformed, changes, _read(path, settings, name))
    return found if name is None else found.named(name)


def _path(source: str | Path) -> str:
    """The path itself, or the file of a catalogue name."""
    text = str(source)
    if not text:
        raise BadData("An empty path names no vector file.")
    from lexiscope.core.paths import exists

    if isinstance(source, Path) or exists(text):
        return text
    from lexiscope.data.catalogue import catalogue

    if text in catalogue():
        from lexiscope.data.local_data import LocalData
        from lexiscope.data.vectors.catalogue_vectors import vectors_path

        return str(vectors_path(LocalData(), text))
    return text
