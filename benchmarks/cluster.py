"""Efficiency of a cluster: python benchmarks/cluster.py --workers 1 2 4 --delay 0 0.005.

Starts a scheduler and workers with separate folders on loopback. Every connection goes through a
proxy that delivers data `--delay` seconds later, as a network does, and counts the bytes. Prints
the wall time, the CPU time of client and workers, the messages and the bytes of each workload.
"""

import asyncio
import os
import tempfile
import threading
import time
from argparse import ArgumentParser
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from tests.builders import seeded, synthetic_pairs, synthetic_words
from tests.cluster.separate_workers import Cluster

import lexiscope
from lexiscope.core.corpus import Corpus
from lexiscope.core.execution import Execution
from lexiscope.core.vocabulary import Vocabulary

_CHUNK = 1 << 16
_TICKS = os.sysconf("SC_CLK_TCK")


class Proxies:
    """Proxies in a thread of their own; each delays what it forwards."""

    def __init__(self, delay):
        self.delay, self.bytes, self.chunks = delay, 0, 0
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def to(self, port):
        """The port of a new proxy to a port of this machine."""
        return asyncio.run_coroutine_threadsafe(self._serve(port), self.loop).result()

    async def _serve(self, port):
        async def connected(reader, writer):
            with suppress(OSError):
                there = await asyncio.open_connection("127.0.0.1", port)
                await asyncio.gather(
                    self._forward(reader, there[1]), self._forward(there[0], writer)
                )

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]

    async def _forward(self, reader, writer):
        waiting = asyncio.Queue()
        sender = asyncio.create_task(self._send(waiting, writer))
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                self.bytes += len(data)
                self.chunks += 1
                waiting.put_nowait((self.loop.time() + self.delay, data))
        waiting.put_nowait((0, b""))
        await sender

    async def _send(self, waiting, writer):
        with suppress(OSError):
            while True:
                due, data = await waiting.get()
                if not data:
                    break
                await asyncio.sleep(max(0, due - self.loop.time()))
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def delayed_cluster(workers, proxies):
    """A cluster whose scheduler and workers are reached through proxies only."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder), 0)
        (cluster.folder / "here").mkdir()
        tempfile.tempdir = str(cluster.folder / "here")  # no worker may read there
        try:
            port = proxies.to(int(cluster.address.rpartition(":")[2]))
            cluster.address = f"tcp://127.0.0.1:{port}"
            for number in range(workers):
                own = 20000 + os.getpid() % 20000 + number
                contact = f"tcp://127.0.0.1:{proxies.to(own)}"
                listen = f"tcp://127.0.0.1:{own}"
                cluster.add_worker("--listen-address", listen, "--contact-address", contact)
            cluster.wait_for(workers)
            yield cluster
        finally:
            cluster.end()
            tempfile.tempdir = None


def corpus(tokens, words):
    """A corpus with Zipfian frequencies, in sentences of 20 tokens."""
    rng = np.random.default_rng(0)
    weights = 1 / np.arange(1, words + 1)
    drawn = rng.choice(words, tokens, p=weights / weights.sum()).astype(np.int32)
    starts = np.arange(0, tokens + 1, 20, dtype=np.int64)
    return Corpus("zipf", Vocabulary(tuple(synthetic_words(words))), drawn, starts)


EMBEDDINGS = [seeded(name, synthetic_words(20_000), seed, 100) for seed, name in enumerate("ab")]
DATASETS = [synthetic_pairs(800, 20_000, seed, f"d{seed}") for seed in range(16)]


def evaluate(scheduler):
    results = lexiscope.run(
        EMBEDDINGS, "similarity", DATASETS, execution=Execution(scheduler=scheduler)
    )
    return [result.value for result in results.main()]


def count(scheduler):
    return lexiscope.train("ppmi", corpus(12_000_000, 5_000), scheduler=scheduler).fingerprint


def train(scheduler):
    settings = {"dimension": 100, "epochs": 1, "shards": 2, "subsample": 0.0}
    found = lexiscope.train("skipgram", corpus(1_200_000, 5_000), scheduler=scheduler, **settings)
    return found.fingerprint


WORKLOADS = {"run": evaluate, "count": count, "skipgram": train}


def cpu_of(process):
    """CPU seconds of a process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def measured(workload, scheduler, processes):
    """Wall seconds, CPU seconds of client and workers, and what the workload returned."""
    before, started = sum(map(cpu_of, processes)) + time.process_time(), time.perf_counter()
    found = workload(scheduler)
    seconds = time.perf_counter() - started
    return seconds, sum(map(cpu_of, processes)) + time.process_time() - before, found


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--delay", type=float, nargs="+", default=[0.0])
    parser.add_argument("--only", nargs="+", choices=WORKLOADS, default=list(WORKLOADS))
    parser.add_argument("--repeats", type=int, default=2)
    given = parser.parse_args()
    os.environ.setdefault("LEXISCOPE_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    expected = {}
    for name in given.only:
        WORKLOADS[name]("")
        runs = [measured(WORKLOADS[name], "", []) for _ in range(given.repeats)]
        expected[name] = runs[0][2]
        print(f"{name:8} serial    {min(r[0] for r in runs):7.1f} s wall "
              f"{min(r[1] for r in runs):7.1f} s CPU", flush=True)  # fmt: skip
    for delay in given.delay:
        for workers in given.workers:
            proxies = Proxies(delay)
            with delayed_cluster(workers, proxies) as cluster:
                for name in given.only:
                    report(name, cluster, proxies, given.repeats, expected[name])


def report(name, cluster, proxies, repeats, expected):
    WORKLOADS[name](cluster.address)  # loads the compiled loops
    runs, bytes_before, chunks_before = [], proxies.bytes, proxies.chunks
    for _ in range(repeats):
        runs.append(measured(WORKLOADS[name], cluster.address, cluster.workers))
        assert runs[-1][2] == expected, "the results differ"
    moved = (proxies.bytes - bytes_before) / repeats / 1e6
    chunks = (proxies.chunks - chunks_before) / repeats
    print(f"{name:8} {len(cluster.workers)} workers, {1000 * proxies.delay:3.0f} ms "
          f"{min(r[0] for r in runs):7.1f} s wall {min(r[1] for r in runs):7.1f} s CPU "
          f"{moved:9.1f} MB {chunks:7.0f} chunks", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
