"""Peak memory of `run` on vectors of many words: python benchmarks/memory.py --words N.

Writes a native file whose rows repeat a block of random vectors, with case variants and a zero
vector, then evaluates it in a process whose memory is read from /proc every 20 ms.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

import numpy as np

_BLOCK = 1 << 14  # rows

SCRIPT = """
import sys
import lexiscope
from lexiscope.core.policy import Policy
from benchmarks.memory import dataset
if __name__ == "__main__":
    if sys.argv[1] != "nothing":
        policy = Policy(oov=sys.argv[3])
        results = lexiscope.run(sys.argv[1], "similarity", dataset(int(sys.argv[2])), policy=policy)
        print([(each.used, each.value) for each in results.main()])
"""


def dataset(words):
    """Pairs of words from the whole vocabulary, and one unknown word."""
    from lexiscope import WordPairs
    from lexiscope.core.datasets.base import word_array

    rng = np.random.default_rng(0)
    left, right = rng.integers(0, words, (2, 1000)).tolist()
    names = ([f"w{k:09d}" for k in column] for column in (left, right))
    first, second = names
    columns = word_array(["unknown", *first[1:]]), word_array(second)
    return WordPairs("pairs", *columns, rng.integers(0, 10, 1000).astype(float))


def write(path, words, dimension):
    """Write the file without holding it in memory; every hundredth word also in upper case."""
    names = np.arange(words, dtype=np.int64)
    length = 10
    header = {
        "__metadata__": {"format": "lexiscope embedding 1", "name": "many", "origin": ""},
        "ends": {"dtype": "I64", "shape": [words], "data_offsets": [0, 8 * words]},
        "vectors": {"dtype": "F32", "shape": [words, dimension],
                    "data_offsets": [8 * words, (8 + 4 * dimension) * words]},
        "words": {"dtype": "U8", "shape": [length * words],
                  "data_offsets": [(8 + 4 * dimension) * words, (18 + 4 * dimension) * words]},
    }  # fmt: skip
    raw = json.dumps(header).encode()
    raw += b" " * (-len(raw) % 8)
    block = np.random.default_rng(1).normal(size=(_BLOCK, dimension)).astype(np.float32)
    with Path(path).open("wb") as file:
        file.write(len(raw).to_bytes(8, "little") + raw)
        for first in range(0, words, _BLOCK):
            file.write((names[first : first + _BLOCK] + 1) * length)
        for first in range(0, words, _BLOCK):
            rows = block[: min(_BLOCK, words - first)]
            file.write(rows if first else np.concatenate([np.zeros_like(rows[:1]), rows[1:]]))
        for first in range(0, words, _BLOCK):
            some = range(first, min(first + _BLOCK, words))
            file.write("".join(_name(k) for k in some).encode())


def _name(number):
    """Every hundredth word is the one before it, in upper case."""
    is_variant = number % 100 == 99
    return f"W{number - 1:09d}" if is_variant else f"w{number:09d}"


def peak(path, words, oov):
    """The peak of anonymous and of all resident memory in MB, the time, and what was printed."""
    started, peaks = time.perf_counter(), {"RssAnon": 0, "VmRSS": 0}
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(words), oov], stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])},
    )  # fmt: skip
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            break
        for line in status.splitlines():
            name, _, value = line.partition(":")
            if name in peaks:
                peaks[name] = max(peaks[name], int(value.split()[0]) >> 10)
        time.sleep(0.02)
    printed = process.communicate()[0].decode().strip()
    return peaks["RssAnon"], peaks["VmRSS"], time.perf_counter() - started, printed


def main():
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=10_000_000)
    parser.add_argument("--dimension", type=int, default=50)
    parser.add_argument("--oov", default="skip")
    given = parser.parse_args()
    print("import only: {} MB anonymous, {} MB resident".format(*peak("nothing", 0, "skip")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.safetensors"
        write(path, given.words, given.dimension)
        found = peak(path, given.words, given.oov)
    size = (18 + 4 * given.dimension) * given.words >> 20
    print(
        f"{given.words:,} words x {given.dimension}, {size:,} MB, oov {given.oov}: "
        f"{found[0]:,} MB anonymous, {found[1]:,} MB resident, {found[2]:.0f} s {found[3]}"
    )


if __name__ == "__main__":
    main()
