"""Vectors of the catalogue that were damaged after their conversion are found and repaired."""

import hashlib
from types import MappingProxyType

import numpy as np
import pytest

import lexiscope
from lexiscope.data import catalogue, local_data
from lexiscope.data.catalogue import Entry, File, Origin
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors import catalogue_vectors
from lexiscope.data.vectors.catalogue_vectors import vectors_path
from tests.builders import seeded


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Local data with vectors in the cache."""
    source = lexiscope.save(seeded("toy", [f"w{k}" for k in range(50)]), tmp_path / "toy.vec")
    content = source.read_bytes()
    file = File("toy.vec", hashlib.sha256(content).hexdigest(), len(content))
    entry = Entry("toy", "vectors", "Toy", 50, "en", "CC0", "@misc{toy}", (Origin("url", (file,)),))
    for module in (catalogue, local_data, catalogue_vectors):
        monkeypatch.setattr(module, "catalogue", lambda: MappingProxyType({"toy": entry}))
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache" / "toy").mkdir(parents=True)
    (tmp_path / "cache" / "toy" / "toy.vec").write_bytes(content)
    return LocalData()


def states(data):
    return {check.path.name: check.valid for check in data.verify(catalogue.catalogue()["toy"])}


def test_zeroed_rows_are_found_and_repaired(data):
    path = vectors_path(data, "toy")
    good = path.read_bytes()
    assert states(data) == {"toy.vec": True, "toy.safetensors": True}
    path.write_bytes(good[:-400] + bytes(400))

    assert states(data) == {"toy.vec": True, "toy.safetensors": False}
    assert vectors_path(data, "toy", verify=True) == path
    assert path.read_bytes() == good
    assert states(data) == {"toy.vec": True, "toy.safetensors": True}


@pytest.mark.parametrize("length", [0, 7, 100, -1])
def test_a_truncated_file_is_converted_again(data, length):
    path = vectors_path(data, "toy")
    good = path.read_bytes()
    path.write_bytes(good[:length])

    assert vectors_path(data, "toy") == path
    assert path.read_bytes() == good


def test_a_file_without_a_checksum_is_read_and_gets_one(data):
    path = vectors_path(data, "toy")
    path.with_name("toy.safetensors.sha256").unlink()

    assert np.isfinite(lexiscope.load(vectors_path(data, "toy")).vectors).all()
    assert states(data) == {"toy.vec": True, "toy.safetensors": False}
    vectors_path(data, "toy", verify=True)
    assert states(data) == {"toy.vec": True, "toy.safetensors": True}
