"""The ambiguity sweep of S0: 3,300 trainings of six models, or a measured fraction of them.

`python benchmarks/ambiguity_sweep.py --trials 2` trains each model on 11 corpora per trial, with
start-up, probes and tables, and prints what it measured; the figures for 50 trials are printed as
extrapolated. `--whole` runs all 50 trials. LBL, which takes most of the time, is not one of the
six.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

MODELS = ("PPMI", "vLBL", "CBOW", "CWIN", "SKIP", "SSKIP")
TRIALS, VALUES_OF_ALPHA = 50, 11


def compare(rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a line for one trial; only `--whole` runs the whole sweep."""
    del rounds
    yield measured(1)


def measured(trials: int, jobs: int | None = None) -> dict[str, Any]:
    """Run the sweep in a process of its own with a new store."""
    cores = len(os.sched_getaffinity(0)) if jobs is None else jobs
    with tempfile.TemporaryDirectory() as folder:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(_command(trials, cores), cwd=folder, capture_output=True, check=True)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    line = {
        "what": "S0, ambiguity",
        "trainings": trials * VALUES_OF_ALPHA * len(MODELS),
        "processes": cores,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu_seconds, 1),
    }
    if trials < TRIALS:
        line["extrapolated_minutes_of_3300"] = round(seconds * TRIALS / trials / 60, 1)
        line["extrapolated_cpu_minutes_of_3300"] = round(cpu_seconds * TRIALS / trials / 60, 1)
    return line


def _command(trials: int, jobs: int) -> list[str]:
    models = [part for model in MODELS for part in ("--model", model)]
    return [
        sys.executable, "-m", "lexiscope", "reproduce", "s0", "--scale", "paper",
        "--criterion", "ambiguity", "--trials", str(trials), "--jobs", str(jobs), *models,
    ]  # fmt: skip


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--whole", action="store_true")
    chosen = parser.parse_args()
    print(json.dumps(measured(TRIALS if chosen.whole else chosen.trials, chosen.jobs)))


if __name__ == "__main__":
    main()
