"""The manifest of a run: versions, machine and inputs, everything needed to repeat it."""

import os
import platform
from typing import Any

from lexiscope.core.embedding import Embedding
from lexiscope.core.execution import Execution
from lexiscope.core.machine import threads
from lexiscope.core.versions import versions
from lexiscope.evaluation.plan import Plan
from lexiscope.evaluation.run_warnings import warnings_of
from lexiscope.stats.intervals import CONFIDENCE_LEVEL
from lexiscope.stats.randomization import PERMUTATIONS
from lexiscope.stats.resampling import RESAMPLES

_INTERVALS = (
    f"bootstrap over items ({RESAMPLES} resamples; BCa, percentile above 1,000 items), Fisher's z "
    "for correlations of few items, Jeffreys for binary items, t for means over units; wider where "
    f"items share units; level {CONFIDENCE_LEVEL:.0%}"
)
_TESTS = (
    f"paired; mid-p McNemar, at least {PERMUTATIONS} permutations, or t with a standard error over "
    "sampling units; two one-sided t tests for equivalence; Holm and Benjamini-Hochberg over all "
    "comparisons (Holm's method with Tarone's modification)"
)


def manifest(plan: Plan, execution: Execution) -> dict[str, Any]:
    """Everything that determines the numbers, and the machine that computed them."""
    return {
        "versions": versions(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "threads": threads(),
        "cpus": os.cpu_count(),
        "backend": execution.backend,
        "n_jobs": execution.n_jobs,
        "seed": plan.seed,
        "policy": plan.policy.as_dict(),
        "policies": [str(policy) for policy in plan.policies],
        "interval": _INTERVALS,
        "tests": _TESTS,
        "decision": plan.decision.as_dict(),
        "same_model": list(plan.same_model),
        "by": [{"name": each.name, "source": each.source} for each in plan.attributes],
        "embeddings": [
            {
                "name": e.name,
                "origin": e.origin,
                "trainer": e.trainer,
                "words": len(e),
                "dimension": e.dimension,
                "sha256": e.fingerprint,
                "repairs": list(e.repairs),
                "computed": _computed(plan, e),
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
        "skipped_tasks": plan.skipped_tasks,
        "warnings": warnings_of(plan),
    }


def _computed(plan: Plan, embedding: Embedding) -> dict[str, int]:
    """How many words of each dataset have vectors that were computed, such as from n-grams."""
    if not embedding.composed:
        return {}
    normalise = plan.policy.normalise
    composed = set(map(normalise, embedding.composed))
    return {d.name: len(composed.intersection(map(normalise, d.all_words))) for d in plan.datasets}
