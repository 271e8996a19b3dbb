"""Vectors of the catalogue, converted once to the memory-mapped format."""

from dataclasses import replace
from pathlib import Path

from lexiscope.data.atomic_write import replacing
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData, sha256_of
from lexiscope.data.vectors.formats import detection, native
from lexiscope.data.vectors.formats.stream import Settings

_SOURCE = "source_sha256"  # metadata: the checksum of the file that was converted


def vectors_path(local_data: LocalData, name: str) -> Path:
    """Return the vectors of an entry in our own format; converted on first use."""
    entry = catalogue()[name]
    converted = local_data.cache / name / f"{name}.safetensors"
    checksums = {origin.files[0].sha256 for origin in entry.sources}
    if converted.exists() and native.metadata_of(converted).get(_SOURCE) in checksums:
        return converted
    source = local_data.paths(name)[0]
    checksum = sha256_of(source)
    embedding = detection.read(str(source), Settings(), name)
    embedding = replace(embedding, origin=f"{source.name} sha256 {checksum}")
    with replacing(converted) as file:
        native.write(embedding, file.name, metadata={_SOURCE: checksum})
    return converted
