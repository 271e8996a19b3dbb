"""Package clients are started in any folder, and nothing in that folder decides what they do."""

import hashlib
import shutil
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import MappingProxyType

import pytest

from lexiscope.data import catalogue, download, local_data
from lexiscope.data.catalogue import Entry, File, Origin
from lexiscope.data.download import DownloadFailed, fetch
from lexiscope.data.local_data import LocalData

CONTENT = b"cat\tdog\t9\n"
METADATA = "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A hostile current folder, which also holds the cache."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LEXISCOPE_CACHE_DIR", "cache")
    monkeypatch.delenv("LEXISCOPE_OFFLINE", raising=False)
    return folder


@pytest.fixture
def toy(monkeypatch):
    """Adds an entry of one file to the catalogue."""

    def make(via, member):
        file = File("pairs.tsv", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), member)
        origin = Origin(via, (file,), "toy", "1.0", 100)
        entry = Entry("toy", "pairs", "Toy", 1, "en", "CC0", "@misc{toy}", (origin,))
        for module in (catalogue, download, local_data):
            monkeypatch.setattr(module, "catalogue", lambda: MappingProxyType({"toy": entry}))
        return entry

    return make


def test_a_pip_in_the_current_folder_is_not_run(project, toy, tmp_path, monkeypatch):
    canary = f"open({str(tmp_path / 'executed')!r}, 'w').close()"
    for name in ("pip.py", "sitecustomize.py", "usercustomize.py"):
        (project / name).write_text(canary)
    links = tmp_path / "links"
    links.mkdir()
    with zipfile.ZipFile(links / "toy-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("toy/pairs.tsv", CONTENT)
        wheel.writestr("toy-1.0.dist-info/METADATA", METADATA)
        wheel.writestr("toy-1.0.dist-info/WHEEL", WHEEL)
        wheel.writestr("toy-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))

    (path,) = fetch(LocalData(), toy("pypi", "toy/pairs.tsv"))

    assert path.read_bytes() == CONTENT
    assert not (tmp_path / "executed").exists()


def test_a_client_in_the_current_folder_is_not_run(project, toy, tmp_path, monkeypatch):
    (project / "npm").write_text(f"#!/bin/sh\ntouch {tmp_path / 'executed'}\n")
    (project / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", ".")

    with pytest.raises(DownloadFailed, match="npm is not installed"):
        fetch(LocalData(), toy("npm", "package/pairs.tsv"))

    assert not (tmp_path / "executed").exists()


def test_an_npmrc_in_the_current_folder_redirects_nothing(project, toy, tmp_path, monkeypatch):
    if shutil.which("npm") is None:
        pytest.skip("no npm on this machine")
    requests = []

    class Hostile(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_error(404)

        def log_message(self, *arguments):
            """Do not log."""

    server = HTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (project / ".npmrc").write_text(f"registry=http://127.0.0.1:{server.server_port}/\n")
    user = tmp_path / "user.npmrc"
    user.write_text("registry=http://127.0.0.1:9/\nfetch-retries=0\n")
    monkeypatch.setenv("NPM_CONFIG_USERCONFIG", str(user))

    with pytest.raises(DownloadFailed, match="npm toy"):
        fetch(LocalData(), toy("npm", "package/pairs.tsv"))

    server.shutdown()
    server.server_close()
    assert requests == []


@pytest.mark.parametrize("via", ["pypi", "npm", "debian"])
def test_a_client_that_writes_no_package_is_an_error(project, toy, monkeypatch, via):
    monkeypatch.setattr(download, "_run", lambda *arguments: None)
    monkeypatch.setattr(download, "_client", lambda name: f"/usr/bin/{name}")

    with pytest.raises(DownloadFailed, match="without an error and a package"):
        fetch(LocalData(), toy(via, "toy/pairs.tsv"))
