"""Dataset files: one file a kind, named like the kind. Each has `read(path, name)`.

Kinds whose published sets come in several files also have `catalogued(paths, name)`.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from lexiscope.core.dataset import Dataset


def read(kind: str, path: Path, name: str, fillers: Path | None = None) -> Dataset:
    """The dataset of this kind in a file; preferences come with a table of fillers."""
    module = import_module(f"lexiscope.data.datasets.{kind}")
    more = {"fillers": fillers} if kind == "preferences" else {}
    dataset: Dataset = module.read(path, name, **more)
    return dataset


def catalogued(kind: str, paths: Sequence[Path], name: str, fillers: Path | None = None) -> Dataset:
    """The dataset of a catalogue entry, from its files in their published form."""
    module = import_module(f"lexiscope.data.datasets.{kind}")
    if not hasattr(module, "catalogued"):
        return read(kind, paths[0], name, fillers)
    dataset: Dataset = module.catalogued(paths, name)
    return dataset
