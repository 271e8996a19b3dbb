"""Dataset files: one file a kind, named like the kind. Each has `read(path, name)`."""

from importlib import import_module
from pathlib import Path

from lexiscope.core.dataset import Dataset


def read(kind: str, path: Path, name: str) -> Dataset:
    """The dataset of this kind in a file."""
    module = import_module(f"lexiscope.data.datasets.{kind}")
    dataset: Dataset = module.read(path, name)
    return dataset
