"""Packages for tests: archives of a few tiny files."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path


def write_zip(path: Path, members: Mapping[str, bytes]) -> Path:
    """A zip archive of these members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def write_tgz(path: Path, members: Mapping[str, bytes]) -> Path:
    """A tarball of these members, as in npm."""
    path.write_bytes(_tar(members, "w:gz"))
    return path


def write_deb(path: Path, members: Mapping[str, bytes]) -> Path:
    """A Debian package of these members: an ar of a version, a control tar and a data tar."""
    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": b"odd",  # so that the next part is padded
        "data.tar.xz": _tar(members, "w:xz"),
    }
    packed = b"!<arch>\n"
    for name, content in parts.items():
        packed += f"{name:16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        packed += content + b"\n" * (len(content) % 2)
    path.write_bytes(packed)
    return path


def _tar(members: Mapping[str, bytes], mode: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return packed.getvalue()
