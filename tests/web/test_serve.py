"""The server as it is started: addresses, messages, Ctrl-C and kill -9."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import requests

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.store.study_file import StudyFile
from lexiscope.web.serve import serve
from lexiscope.web.tokens import Tokens
from tests.web.http import Served, start
from tests.web.studies import SETTINGS, comparison, write

KILLS = 3
_SERVE = """
import sys
from lexiscope.web.serve import serve
from lexiscope.web.settings import Limits
import json
serve(sys.argv[1], port=0, limits=Limits(1e4, 1e4, 1e5),
      started=lambda links: print(json.dumps(links), flush=True))
"""


@pytest.fixture
def path(tmp_path):
    settings = replace(SETTINGS, judges_per_item=1000, items_per_judge=40)
    return write(tmp_path / "study.db", comparison(number=40, settings=settings))


@contextmanager
def _process(*arguments):
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()
        process.stderr.close()


def _line(process):
    """The next line that the process prints; a process that prints nothing is killed."""
    timer = threading.Timer(120.0, process.kill)
    timer.start()
    try:
        line = process.stdout.readline()
    finally:
        timer.cancel()
    assert line, process.stderr.read()
    return line


def _served(path, url):
    with StudyFile(path) as file:
        return Served(Path(path), url, Tokens(file.secret))


@contextmanager
def serving(path):
    """Serve a study in a process of its own; gives the site and the id of the process."""
    with _process("-c", _SERVE, str(path)) as process:
        yield _served(path, json.loads(_line(process))["judges"].rstrip("/")), process.pid


def test_ctrl_c_ends_the_server_and_closes_the_file(path):
    with _process("-m", "lexiscope", "study", "serve", str(path), "--port", "0") as process:
        lines = [_line(process) for _ in range(4)]
        site = _served(path, lines[1].strip().rstrip("/"))
        judge = start(site)
        judge.answer(1)
        site.get("/j/x", headers={"authorization": "Bearer wrong"})
        site.raw(b"nonsense\r\n\r\n")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert site.url.startswith("http://127.0.0.1:")
    assert lines[2:] == [
        "Administrator (keep this link secret):\n",
        f"  {site.url}/admin#{site.tokens.admin}\n",
    ]
    assert all(len(line.rstrip()) <= 80 for line in (*lines, *output.splitlines()))
    assert output.splitlines()[-1] == "Stopped. All answers are stored."
    assert process.returncode == 0
    # Nothing about requests is printed: no addresses with tokens, no ids.
    assert not any(text in output + errors for text in (judge.token, judge.id, "GET", "Traceback"))
    assert sorted(each.name for each in path.parent.iterdir()) == ["study.db"]
    assert len(judge.judgments()) == 1


def test_the_server_ends_on_sigterm_without_losing_answers(path):
    with _process("-c", _SERVE, str(path)) as process:
        site = _served(path, json.loads(_line(process))["judges"].rstrip("/"))
        judge = start(site)
        judge.answer(1)
        process.terminate()
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    assert len(judge.judgments()) == 1
    assert sorted(each.name for each in path.parent.iterdir()) == ["study.db"]


def test_kill_9_loses_no_acknowledged_judgment(path):
    tokens, acknowledged = [], {}
    for kill in range(KILLS):
        with _process("-c", _SERVE, str(path)) as process:
            site = _served(path, json.loads(_line(process))["judges"].rstrip("/"))
            judges = [start(site) for _ in range(3)]
            tokens += [judge.token for judge in judges]
            reached = threading.Event()
            threads = [threading.Thread(target=_answer_until_killed,
                                        args=(judge, acknowledged, reached, 5 + 4 * kill))
                       for judge in judges]  # fmt: skip
            for thread in threads:
                thread.start()
            assert reached.wait(120)
            process.send_signal(signal.SIGKILL)
            for thread in threads:
                thread.join(20)
        _assert_stored(path, acknowledged)
    assert len(acknowledged) >= KILLS * 5
    assert len(set(tokens)) == 3 * KILLS


def _answer_until_killed(judge, acknowledged, reached, number):
    try:
        for k in range(1, 41):
            item = judge.item(k)
            if judge.answer(k, k % 3, item).status_code == 303:
                acknowledged[judge.id, item] = k % 3
            if k == number:
                reached.set()
    except (requests.RequestException, KeyError):
        reached.set()


def _assert_stored(path, acknowledged):
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with StudyFile(path) as file:
        stored = {(each.judge, each.item): each.position for each in file.judgments()}
        assert file.revisions() == ()
    assert acknowledged.items() <= stored.items()
    # At most the answer under way of each killed judge was stored without being acknowledged.
    assert len(stored) - len(acknowledged) <= 3 * KILLS


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "study.example.org", ""])
def test_other_machines_need_a_proxy_in_front(path, host):
    with pytest.raises(BadUsage, match="--behind-proxy"):
        serve(path, host, 0)


def test_a_port_in_use_is_reported(path):
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(BadUsage, match=r"Cannot listen on 127\.0\.0\.1, port \d+ \(.*in use\)"),
    ):
        serve(path, port=taken.getsockname()[1])


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_does_not_exist_is_reported(path, port):
    with pytest.raises(BadUsage, match="Cannot listen on"):
        serve(path, port=port)


def test_prolific_needs_a_completion_code(tmp_path):
    settings = replace(SETTINGS, completion_code="")
    path = write(tmp_path / "study.db", comparison(settings=settings))
    with pytest.raises(BadUsage, match="Prolific needs a completion code"):
        serve(path, port=0, mode="prolific")


def test_a_file_that_is_not_a_study_is_reported(tmp_path):
    (tmp_path / "text.db").write_text("no study")
    for name in ("text.db", "missing.db"):
        with pytest.raises(BadData, match=name):
            serve(tmp_path / name, port=0)


def test_an_unknown_mode_is_reported(path):
    with pytest.raises(BadUsage, match=r"No mode named 'telepathy'\. Available: link, class"):
        serve(path, port=0, mode="telepathy")
