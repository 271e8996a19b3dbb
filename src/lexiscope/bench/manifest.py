"""What a result needs to be repeated: versions, machine, inputs."""

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import lexiscope
from lexiscope.bench.plan import Plan
from lexiscope.core.machine import threads
from lexiscope.stats.bootstrap import LEVEL, RESAMPLES
from lexiscope.stats.paired import SWAPS

_PARTS = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "safetensors",
          "python-crfsuite")  # fmt: skip


@cache
def versions() -> dict[str, str]:
    """lexiscope, Python and the libraries that numbers depend on."""
    found = {"lexiscope": lexiscope.__version__, "python": platform.python_version()}
    for part in _PARTS:
        try:
            found[part] = version(part)
        except PackageNotFoundError:  # pragma: no cover - a core dependency is always there
            found[part] = "missing"
    return found


def manifest(plan: Plan, backend: str, jobs: int) -> dict[str, Any]:
    """Everything that decides the numbers, and where they were made."""
    return {
        "versions": versions(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "threads": threads(),
        "cpus": os.cpu_count(),
        "backend": backend,
        "jobs": jobs,
        "seed": plan.seed,
        "policy": plan.policy.as_dict(),
        "policies": [str(policy) for policy in plan.policies],
        "interval": f"bootstrap over items ({RESAMPLES} resamples; BCa, percentile above 1,000 "
        f"items; Jeffreys for right or wrong), wider where items share words; level {LEVEL:.0%}",
        "tests": f"paired; exact McNemar, at least {SWAPS} swaps, or t with a standard error over "
        "recurring words; Holm and Benjamini-Hochberg over all comparisons",
        "by": [attribute.title for attribute in plan.attributes],
        "embeddings": [
            {
                "name": e.name,
                "origin": e.origin,
                "words": len(e),
                "dimension": e.dimension,
                "sha256": e.fingerprint,
                "repairs": list(e.repairs),
            }
            for e in plan.embeddings
        ],
        "datasets": [
            {"name": d.name, "kind": d.kind, "items": len(d), "sha256": d.fingerprint}
            for d in plan.datasets
        ],
        "tasks": [
            {"name": name, "version": task.version, "settings": task.settings}
            for name, task in plan.tasks
        ],
    }
