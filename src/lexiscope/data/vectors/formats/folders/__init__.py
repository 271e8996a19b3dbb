"""Folders that hold an embedding in several files: spaCy, model2vec, sentence-transformers."""

from collections.abc import Callable
from pathlib import Path

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.paths import is_file
from lexiscope.data.vectors.formats.folders import spacy, static
from lexiscope.data.vectors.formats.stream import Settings

Reader = Callable[[Path, Settings], Embedding]


def read(path: str, settings: Settings) -> Embedding:
    """Read the embedding in a folder."""
    folder = Path(path)
    for inner in (folder, *_inside(folder)):
        reader = _reader(inner)
        if reader is not None:
            return reader(inner, settings)
    raise BadData(
        f"{path}: is a folder; give a vector file, or a folder of spaCy (with vocab/vectors), "
        "model2vec or a static sentence-transformers model (with model.safetensors and "
        "tokenizer.json)."
    )


def _inside(folder: Path) -> list[Path]:
    """Folders in which these programs put vectors; an installed model of spaCy has one more."""
    try:
        versions = sorted(folder.glob("*/vocab"))[:1]
    except OSError:
        versions = []
    return [folder / "vocab", folder / "0_StaticEmbedding", *versions]


def _reader(folder: Path) -> Reader | None:
    if is_file(folder / "vectors") and is_file(folder / "key2row"):
        return spacy.read
    if is_file(folder / "model.safetensors") and is_file(folder / "tokenizer.json"):
        return static.read
    return None
