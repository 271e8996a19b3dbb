"""Number of threads and amount of memory that this process may use."""

import os
import re
from pathlib import Path

from lexiscope.core.errors import BadUsage

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_UNKNOWN = 4 << 30  # available memory where the system does not report it


def threads() -> int:
    """The number of threads for kernels: LEXISCOPE_THREADS, or the number of cores."""
    value = os.environ.get("LEXISCOPE_THREADS", "")
    if value:
        if not value.isdecimal() or int(value) < 1:
            raise BadUsage(f"LEXISCOPE_THREADS must be an integer of 1 or more, found '{value}'.")
        return int(value)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> int:
    """The number of bytes for large intermediate results, from LEXISCOPE_MEMORY, such as 2G.

    By default half of the available memory.
    """
    value = os.environ.get("LEXISCOPE_MEMORY", "")
    if not value:
        return min(_available(), _available_in_container()) // 2
    parts = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    if not parts or not float(parts[1]):
        raise BadUsage(
            f"--memory or LEXISCOPE_MEMORY must be a size such as 500M or 2G, found '{value}'."
        )
    return int(float(parts[1]) * _UNITS[parts[2].upper()])


def _available() -> int:
    """The available memory of the machine in bytes."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass  # not Linux: fall back to the total memory
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return _UNKNOWN


def _available_in_container() -> int:
    """The remaining memory within the limit of a container, in bytes; very large without one."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit, used = (
            (folder / f"memory.{name}").read_text("ascii") for name in ("max", "current")
        )
        return max(int(limit) - int(used), 0)
    except (OSError, ValueError):
        return 1 << 62
