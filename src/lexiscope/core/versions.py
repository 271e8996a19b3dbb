"""Versions of lexiscope, Python and the libraries that results depend on."""

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import lexiscope

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "safetensors")


@cache
def versions() -> dict[str, str]:
    """Return the versions of lexiscope, Python and the libraries that results depend on."""
    found = {"lexiscope": lexiscope.__version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:  # pragma: no cover - a core dependency is always installed
            found[library] = "missing"
    return found
