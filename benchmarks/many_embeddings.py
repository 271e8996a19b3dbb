"""A run of many embeddings on ten data sets: seconds, memory, and the sizes of store and page.

The embeddings are noisy copies of GloVe 50d: a fifth of them have only the 20,000 most frequent
words, and with `--vocabularies own` every embedding lacks other words, so that every two of them
share other items. `python benchmarks/many_embeddings.py 50` prints one line for 50 embeddings.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import lexiscope
from lexiscope.core.embedding import Embedding
from lexiscope.core.execution import Execution
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.report.page import write_report

NUMBER = 50
DATASETS = (
    "ws353", "men", "simlex999", "simverb3500", "rw", "mturk771", "mturk287", "rg65",
    "wordnet-synonyms", "ap",
)  # fmt: skip
_WORDS, _FEW_WORDS = 50_000, 20_000
_MISSING = 0.01  # proportion of words that an embedding with its own vocabulary lacks


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a line for embeddings with common words, and one for those with their own words."""
    del rounds  # minutes each
    for own_words in (False, True):
        yield measured(NUMBER, own_words)


def noisy_copies(number: int, own_words: bool) -> Iterator[Embedding]:
    """Copies of the most frequent words of GloVe 50d with more and more noise."""
    glove = lexiscope.load("glove-6b-50d").first(_WORDS)
    spread = float(np.std(glove.vectors))
    for index in range(number):
        rng = np.random.default_rng([7, index])
        kept = np.arange(_FEW_WORDS if index % 5 == 4 else _WORDS)
        if own_words:
            kept = kept[rng.random(len(kept)) >= _MISSING]
        noise = rng.standard_normal((len(kept), glove.dimension), np.float32)
        vectors = glove.vectors[kept] + 1.5 * index / number * spread * noise
        words = tuple(glove.words[row] for row in kept.tolist())
        yield Embedding(f"glove-{index:02}", Vocabulary(words), vectors)


def measured(number: int, own_words: bool) -> dict[str, Any]:
    """Run, store, and write the page; every step in seconds of this process."""
    embeddings = list(noisy_copies(number, own_words))
    with tempfile.TemporaryDirectory() as folder:
        store, page = Path(folder) / "store.sqlite", Path(folder) / "report.html"
        start = _clocks()
        results = lexiscope.run(
            embeddings, datasets=list(DATASETS), execution=Execution(store=store)
        )
        end = _clocks()
        write_report(results, page)
        return {
            "what": f"{number} embeddings on {len(DATASETS)} data sets",
            "vocabularies": "own" if own_words else "common",
            "evaluations": len(results.evaluations),
            "comparisons": len(results.comparisons),
            "seconds": round(end[0] - start[0], 1),
            "cpu_seconds": round(end[1] - start[1], 1),
            "page_cpu_seconds": round(time.process_time() - end[1], 1),
            "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
            "store_megabytes": round(store.stat().st_size / 1e6, 1),
            "page_megabytes": round(page.stat().st_size / 1e6, 1),
        }


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def main() -> None:
    """Print one line per kind of vocabularies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=NUMBER)
    parser.add_argument("--vocabularies", choices=["common", "own", "both"], default="both")
    chosen = parser.parse_args()
    for kind in ("common", "own"):
        if chosen.vocabularies in (kind, "both"):
            json.dump(measured(chosen.number, kind == "own"), sys.stdout)
            print(flush=True)


if __name__ == "__main__":
    main()
