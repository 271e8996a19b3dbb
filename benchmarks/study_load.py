"""Load and kill tests of a study's server: simulated judges on this machine only.

`load`: concurrent judges answer whole studies without pauses, or with a pause between page and
answer. Prints requests per second, errors, times of a page with its answer, memory of the server,
and whether every acknowledged answer is stored once.

`kill`: the server is killed (SIGKILL) at random moments while judges answer, and started again on
the same file. Prints acknowledged answers that are missing or stored twice, judges who resume at
another item than the first one without an answer, and the time of a restart.

    python benchmarks/study_load.py load --judges 200 --items 50
    python benchmarks/study_load.py kill --kills 20
"""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from urllib.parse import urlencode, urlsplit

import numpy as np

from lexiscope.core.study import Item, Study, StudySettings
from lexiscope.store.study_file import StudyFile
from lexiscope.web.serve import serve
from lexiscope.web.settings import Limits
from lexiscope.web.tokens import Tokens

EMBEDDINGS = ("A", "B", "C", "D", "E", "F")
# Judges share one address here and never pause, so the limits of a real study do not apply.
LIMITS = Limits(answers_per_second=1e6, answer_burst=1e6, starts_per_minute=1e6)
_FIELD = re.compile(r'name="(item|start)" value="([^"]*)"')


def write_study(path: Path, judges: int, items: int) -> None:
    """Write a study in which every judge gets `items` items of six options."""
    made = tuple(
        Item(f"{k:016x}", "comparison", f"query{k}", tuple(f"word{k}{name}" for name in EMBEDDINGS),
             tuple((name,) for name in EMBEDDINGS), rank=1)
        for k in range(2 * items)
    )  # fmt: skip
    settings = StudySettings(
        judges_per_item=judges, items_per_judge=items, controls_per_judge=0, seed=1
    )
    StudyFile.create(path, Study("comparison", settings, dict.fromkeys(EMBEDDINGS, ""), made))


@contextmanager
def server(path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve a study in a process of its own, and end it."""
    process = subprocess.Popen(
        [sys.executable, __file__, "serve", "--study", str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        yield process, json.loads(line)["judges"]
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


class Connection:
    """One kept connection to the server, as a browser has."""

    def __init__(self, address: str) -> None:
        self._host, self._port = urlsplit(address).hostname, urlsplit(address).port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, form: dict[str, str] | None = None) -> "Reply":
        """Send a request and read the whole response."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        body = urlencode(form or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        kind = "Content-Type: application/x-www-form-urlencoded\r\n" if form else ""
        writer.write((head + kind + "\r\n").encode() + body)
        await writer.drain()
        found = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = found.split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        text = await reader.readexactly(int(headers.get("content-length", "0")))
        location = re.search(r"(?im)^location: (\S+)", found)
        if headers.get("connection") == "close":
            self.close()
        return Reply(int(lines[0].split()[1]), location.group(1) if location else "", text.decode())

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass(frozen=True)
class Reply:
    """A response."""

    status: int
    location: str
    text: str

    def field(self, name: str) -> str:
        """Return the value of a hidden field."""
        return dict(_FIELD.findall(self.text))[name]


@dataclass
class Tally:
    """What all judges saw; an answer counts as acknowledged after its redirect."""

    requests: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    each: list[float] = field(default_factory=list)
    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    misplaced: int = 0


class Simulated:
    """A judge who answers with a seeded choice, and goes on after a lost connection."""

    def __init__(self, number: int, address: str, pause: float, tally: Tally) -> None:
        self.number, self.pause, self.tally = number, pause, tally
        self.address, self.connection = address, Connection(address)
        self.rng = Random(number)
        self.home = ""
        self.done: set[str] = set()

    async def get(self, method: str, path: str, form: dict[str, str] | None = None) -> Reply:
        reply = await self.connection.request(method, path, form)
        self.tally.requests += 1
        if reply.status >= 400:
            self.tally.errors[str(reply.status)] += 1
        return reply

    async def start(self) -> None:
        page = await self.get("GET", "/")
        form = {"start": page.field("start"), "agree": "yes"}
        reply = await self.get("POST", "/start", form)
        self.home = reply.location.removesuffix("/instructions")
        await self.get("GET", reply.location)

    async def answer_all(self) -> None:
        """Answer until the last page."""
        if not self.home:
            await self.start()
        reply = await self.get("GET", self.home)
        while not reply.location.endswith("/thanks"):
            reply = await self.answer(reply.location)
        await self.get("GET", reply.location)

    async def answer(self, path: str) -> Reply:
        begin = time.perf_counter()
        page = await self.get("GET", path)
        shown = time.perf_counter()
        item = page.field("item")
        self.tally.misplaced += item in self.done
        if self.pause:
            await asyncio.sleep(self.pause * (0.5 + self.rng.random()))
        sent = time.perf_counter()
        form = {"item": item, "choice": str(self.rng.randrange(len(EMBEDDINGS)))}
        reply = await self.get("POST", path, form)
        if reply.status == 303:
            self.done.add(item)
            self.tally.acknowledged.append((self.home, item))
            self.tally.each += [shown - begin, time.perf_counter() - sent]
            self.tally.seconds.append(sum(self.tally.each[-2:]))
        return reply


def memory(process: "subprocess.Popen[str]") -> float:
    """Return the largest resident memory of a process so far, in megabytes."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", text)
    return int(found.group(1)) / 1024 if found else float("nan")


def cpu_seconds(process: "subprocess.Popen[str]") -> float:
    """Return the CPU time of a process so far, which does not depend on other programs."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stored(path: Path, tally: Tally) -> tuple[int, int, int]:
    """Return the numbers of stored, missing and surplus answers, by judge and item."""
    with StudyFile(path) as file:
        rows = {(each.judge, each.item) for each in file.judgments()}
        revisions, tokens = len(file.revisions()), Tokens(file.secret)
    links = {home: tokens.read_link(home.split("/")[2]) for home, _ in tally.acknowledged}
    keys = Counter((link.judge, item) for home, item in tally.acknowledged
                   if (link := links[home]))  # fmt: skip
    return len(rows), len(keys.keys() - rows), keys.total() - len(keys) + revisions


async def _load(address: str, judges: int, pause: float) -> Tally:
    tally = Tally()
    everyone = [Simulated(k, address, pause, tally) for k in range(judges)]
    await asyncio.gather(*(each.answer_all() for each in everyone))
    for each in everyone:
        each.connection.close()
    return tally


def load(judges: int, items: int, pause: float) -> None:
    """Print the figures of a load test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.study"
        write_study(path, judges, items)
        with server(path) as (process, address):
            begin, used = time.perf_counter(), cpu_seconds(process)
            tally = asyncio.run(_load(address, judges, pause))
            seconds, used = time.perf_counter() - begin, cpu_seconds(process) - used
            most = memory(process)
        number, missing, surplus = stored(path, tally)
    times = 1000 * np.quantile(tally.seconds, [0.5, 0.99])
    print(f"{judges} judges, {items} items each, pause {pause:g} s")
    print(f"  {tally.requests / seconds:,.0f} requests/s; {sum(tally.errors.values())} errors")
    print(f"  {tally.requests / used:,.0f} requests per CPU second of the server; "
          f"load average {os.getloadavg()[0]:.1f}")  # fmt: skip
    single = 1000 * np.quantile(tally.each, [0.5, 0.99])
    print(f"  a request: median {single[0]:.0f} ms, 99 % {single[1]:.0f} ms")
    print(f"  page and answer: median {times[0]:.0f} ms, 99 % {times[1]:.0f} ms")
    print(f"  memory of the server: {most:.0f} MB")
    print(f"  answers: {len(tally.acknowledged):,} acknowledged, {number:,} stored, "
          f"{missing} missing, {surplus} surplus")  # fmt: skip


async def _until_killed(
    judges: list[Simulated], process: "subprocess.Popen[str]", after: float
) -> bool:
    """Let judges answer until the server is killed; returns whether all are done."""
    tasks = [asyncio.create_task(each.answer_all()) for each in judges]
    done, _ = await asyncio.wait(tasks, timeout=after)
    finished = len(done) == len(tasks)
    if not finished:
        process.kill()
    await asyncio.gather(*tasks, return_exceptions=True)
    for each in judges:
        each.connection.close()
    return finished


def kill(kills: int, judges: int, items: int) -> None:
    """Print what is lost when the server is killed."""
    rng, tally, starts = Random(0), Tally(), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kill.study"
        write_study(path, judges, items)
        everyone: list[Simulated] = []
        killed, finished = 0, False
        while not finished:
            begin = time.perf_counter()
            with server(path) as (process, address):
                starts.append(time.perf_counter() - begin)
                everyone = everyone or [Simulated(k, address, 0.02, tally) for k in range(judges)]
                for each in everyone:
                    each.connection = Connection(address)
                wait = rng.uniform(0.1, 1.5) if killed < kills else 600.0
                finished = asyncio.run(_until_killed(everyone, process, wait))
                killed += not finished
        number, missing, surplus = stored(path, tally)
    print(f"{killed} kills while {judges} judges answered {items} items each")
    print(f"  {len(tally.acknowledged):,} acknowledged, {number:,} stored, {missing} lost, "
          f"{surplus} doubled")  # fmt: skip
    print(f"  resumed at an answered item: {tally.misplaced}; restart: {max(starts):.1f} s at most")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["load", "kill", "serve"])
    parser.add_argument("--study", type=Path)
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--items", type=int, default=50)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--kills", type=int, default=20)
    chosen = parser.parse_args()
    if chosen.what == "serve":
        serve(chosen.study, port=0, limits=LIMITS, started=lambda links: print(
            json.dumps(dict(links)), flush=True))  # fmt: skip
    elif chosen.what == "load":
        load(min(chosen.judges, 1000), min(chosen.items, 500), chosen.pause)
    else:
        kill(min(chosen.kills, 100), min(chosen.judges, 1000), min(chosen.items, 500))


if __name__ == "__main__":
    main()
