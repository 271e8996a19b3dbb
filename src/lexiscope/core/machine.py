"""How much of the machine this process may use."""

import os
import re
from pathlib import Path

from lexiscope.core.errors import BadUsage

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_UNKNOWN = 4 << 30  # available memory where the system does not tell


def threads() -> int:
    """The number of threads for products and kernels; LEXISCOPE_THREADS sets it."""
    asked = os.environ.get("LEXISCOPE_THREADS", "")
    if asked:
        if not asked.isdecimal() or int(asked) < 1:
            raise BadUsage(f"LEXISCOPE_THREADS must be a number from 1 up, found '{asked}'.")
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> int:
    """The bytes that large intermediate results may take; LEXISCOPE_MEMORY sets them, as in 2G.

    Half of what is available when no one asks.
    """
    asked = os.environ.get("LEXISCOPE_MEMORY", "")
    if not asked:
        return min(_available(), _left_to_the_group()) // 2
    parts = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", asked.strip(), re.IGNORECASE)
    if not parts or not float(parts[1]):
        raise BadUsage(
            f"--memory or LEXISCOPE_MEMORY must be a size such as 500M or 2G, found '{asked}'."
        )
    return int(float(parts[1]) * _UNITS[parts[2].upper()])


def _available() -> int:
    """Free memory and what the system would free for us, in bytes."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass  # no Linux: the system calls know less
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return _UNKNOWN


def _left_to_the_group() -> int:
    """What a container's limit leaves, in bytes; very much where there is none."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit, used = (
            (folder / f"memory.{name}").read_text("ascii") for name in ("max", "current")
        )
        return max(int(limit) - int(used), 0)
    except (OSError, ValueError):
        return 1 << 62
