"""`lexiscope inspect glove-6b-50d` in a new process: seconds, CPU seconds and peak memory.

400,000 words, with the 1,000 exact neighbours of 437 query words.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import clock
from lexiscope.data.catalogue import catalogue
from lexiscope.data.download import fetch
from lexiscope.data.local_data import LocalData

_VECTORS, _QUERIES = "glove-6b-50d", "ws353"


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield one result."""
    for name in (_VECTORS, _QUERIES):
        fetch(LocalData(), catalogue()[name])
    found = [_measured() for _ in range(rounds)]
    (document, *_) = (each["document"] for each in found)
    (inspected,) = document["embeddings"]
    yield {
        "what": f"inspect {_VECTORS}",
        "words": inspected["words"],
        "queries": inspected["neighbours"]["queries"],
        "neighbours": inspected["neighbours"]["neighbours"],
        "seconds": clock.rounded([each["seconds"] for each in found]),
        "cpu_seconds": clock.rounded([each["cpu"] for each in found]),
        "peak_megabytes": max(each["megabytes"] for each in found),
    }


def _measured() -> dict[str, Any]:
    command = [sys.executable, "-m", "lexiscope", "inspect", _VECTORS, "--offline", "--json"]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        document = json.loads(process.stdout.read())
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return {
        "document": document,
        "seconds": time.perf_counter() - start,
        "cpu": used.ru_utime + used.ru_stime,
        "megabytes": round(used.ru_maxrss / 1024),
    }
