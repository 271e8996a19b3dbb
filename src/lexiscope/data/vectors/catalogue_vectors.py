"""Vectors of the catalogue, converted once to the memory-mapped format."""

from dataclasses import replace
from pathlib import Path

from lexiscope.core.errors import BadData
from lexiscope.data.atomic_write import replacing
from lexiscope.data.catalogue import catalogue
from lexiscope.data.local_data import LocalData, is_intact, record_checksum, sha256_of
from lexiscope.data.vectors.formats import detection, native
from lexiscope.data.vectors.formats.stream import Settings

_SOURCE = "source_sha256"  # metadata: the checksum of the file that was converted


def vectors_path(local_data: LocalData, name: str, verify: bool = False) -> Path:
    """Return the vectors of an entry in our own format; converted on first use.

    A truncated file is converted again. With `verify`, so is one whose checksum is not the one
    that was recorded when it was written.
    """
    entry = catalogue()[name]
    converted = local_data.converted_path(entry)
    checksums = {origin.files[0].sha256 for origin in entry.sources}
    if _source_of(converted) in checksums and not (verify and not is_intact(converted)):
        return converted
    source = local_data.paths(name)[0]
    checksum = sha256_of(source)
    embedding = detection.read(str(source), Settings(), name)
    embedding = replace(embedding, origin=f"{source.name} sha256 {checksum}")
    with replacing(converted) as file:
        native.write(embedding, file.name, metadata={_SOURCE: checksum})
    record_checksum(converted)
    return converted


def _source_of(converted: Path) -> str:
    """The checksum of the file from which this one was converted; empty if it is damaged."""
    if not converted.exists():
        return ""
    try:
        return native.metadata_of(converted).get(_SOURCE, "")
    except BadData:
        return ""
