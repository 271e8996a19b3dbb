"""How much of the machine this process may use."""

import os

from lexiscope.core.errors import BadUsage


def threads() -> int:
    """The number of threads for products and kernels; LEXISCOPE_THREADS sets it."""
    asked = os.environ.get("LEXISCOPE_THREADS", "")
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise BadUsage(f"LEXISCOPE_THREADS must be a number from 1 up, found '{asked}'.")
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
