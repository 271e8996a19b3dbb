"""Hundreds of connections that send slowly: judges go on, and the server's memory is bounded."""

import socket
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.http import start
from tests.web.studies import comparison, write
from tests.web.test_serve import serving

CONNECTIONS = 500
_MAX_GROWTH = 64 << 20  # bytes; headers and bodies are at most 16 KiB each
_HEAD = b"POST /start HTTP/1.1\r\nHost: x\r\n"
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 16000\r\n\r\n"


def _memory(process):
    """The resident memory of a process in bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("VmRSS:")]
    return 1024 * int(line.split()[1])


def _slow(stack, port, number):
    """A connection that has sent most of a header, or most of a body, and never ends."""
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    start_of_rest = _FORM if number % 2 else b"X-Slow: "
    connection.sendall(_HEAD + start_of_rest + b"a" * 15_000)
    return connection


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory of a process is read from /proc"
)
def test_500_slow_connections_do_not_stop_a_judge_and_memory_is_bounded(tmp_path):
    path = write(tmp_path / "study.db", comparison())
    with serving(path) as (site, process), ExitStack() as stack:
        start(site).answer_all()
        before = _memory(process)
        slow = [_slow(stack, site.port, number) for number in range(CONNECTIONS)]
        begin = time.monotonic()
        judge = start(site)
        judge.answer_all()
        seconds = time.monotonic() - begin
        for connection in slow:
            connection.sendall(b"a")
        assert judge.get("/thanks").status_code == 200

        assert seconds < 5.0  # 15 requests
        assert _memory(process) - before < _MAX_GROWTH
        assert len(judge.judgments()) == 6
