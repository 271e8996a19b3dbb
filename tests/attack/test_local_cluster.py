"""The cluster of `--backend dask` on this machine obeys this process only."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from lexiscope.cluster.connection import local_cluster

FOREIGN = """
import sys
from distributed import Client
from distributed.security import Security

if __name__ == "__main__":
    security = {"none": None, "own": Security.temporary()}[sys.argv[2]]
    for address in (sys.argv[1], sys.argv[1].replace("tls://", "tcp://")):
        try:
            Client(address, security=security, timeout=4, set_as_default=False).submit(
                open, sys.argv[3], "w"
            ).result(timeout=4)
        except Exception as problem:
            print(type(problem).__name__)
"""


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(1) as found:
        yield found


@pytest.mark.parametrize("key", ["none", "own"])
def test_the_client_of_another_user_is_refused(cluster, tmp_path, key):
    (tmp_path / "foreign.py").write_text(FOREIGN)

    found = subprocess.run(
        [sys.executable, "foreign.py", cluster.scheduler_address, key, "executed"], cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert len(found.stdout.split()) == 2, found
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("page", ["info/main/workers.html", "json/counts.json", "metrics"])
def test_no_page_describes_the_work(cluster, page):
    port = cluster.scheduler.http_server.port
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(f"GET /{page} HTTP/1.0\r\n\r\n".encode())
        assert connection.recv(100).split()[1] == b"404"


def test_it_listens_on_this_machine_only(cluster):
    ours = {int(cluster.scheduler_address.rpartition(":")[2]), cluster.scheduler.http_server.port}
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = {row[1] for row in rows if row[3] == "0A"}

    assert {f"0100007F:{port:04X}" for port in ours} <= listening
