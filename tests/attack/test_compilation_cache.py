"""Loops compile where nothing is writable, and where the cache is damaged."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lexiscope

ROOT = Path(lexiscope.__file__).parents[1]
SCRIPT = """
import os, warnings
warnings.simplefilter("always")
from lexiscope.kernels.rng import bounded
import numpy as np
print(bounded(np.uint64(1 << 63), 10), os.environ.get("NUMBA_CACHE_DIR", ""))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package."""
    shutil.copytree(
        ROOT / "lexiscope" / "kernels", tmp_path / "lib" / "lexiscope" / "kernels",
        ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    (tmp_path / "lib" / "lexiscope" / "__init__.py").write_text("")
    (tmp_path / "temporary").mkdir()
    return tmp_path / "lib"


def blocked(package):
    """Files where folders would be made, which stop root as well."""
    (package / "lexiscope" / "kernels" / "__pycache__").write_text("")
    return package


def started(package, temporary):
    environment = {
        "PYTHONPATH": f"{package}{os.pathsep}{os.pathsep.join(filter(None, sys.path))}",
        "TMPDIR": str(temporary), "HOME": "/dev/null", "PATH": os.environ["PATH"],
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, cwd="/", capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def test_without_a_writable_folder_loops_are_kept_in_a_private_one(package, tmp_path):
    found = started(blocked(package), tmp_path / "temporary")

    private = tmp_path / "temporary" / f"lexiscope-numba-{os.getuid()}"
    assert (found.returncode, found.stdout) == (0, f"5 {private}\n"), found.stderr
    assert f"loops are kept in {private}" in found.stderr
    assert private.stat().st_mode & 0o777 == 0o700
    assert list(private.rglob("*.nbi"))


def test_a_folder_that_others_can_write_is_not_used(package, tmp_path):
    shared = tmp_path / "temporary" / f"lexiscope-numba-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)

    found = started(blocked(package), tmp_path / "temporary")

    assert found.stdout.startswith(f"5 {tmp_path}/temporary/lexiscope-numba-"), found.stderr
    assert not list(shared.iterdir())


def test_without_any_folder_loops_are_compiled_in_memory(package, tmp_path):
    (package / "sitecustomize.py").write_text(
        "import tempfile\ndef gettempdir(): raise FileNotFoundError\n"
        "tempfile.gettempdir = gettempdir\n"
    )

    found = started(blocked(package), tmp_path / "temporary")

    assert (found.returncode, found.stdout) == (0, "5 \n"), found.stderr
    assert "loops are compiled at every start" in found.stderr


def test_damaged_cache_files_are_rebuilt(package, tmp_path):
    assert started(package, tmp_path / "temporary").stdout == "5 \n"
    cache = package / "lexiscope" / "kernels" / "__pycache__"
    files = [path for ending in ("nbi", "nbc") for path in cache.glob(f"*.{ending}")]
    whole = {path: path.stat().st_size for path in files}
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[: whole[path] // 2])

    found = started(package, tmp_path / "temporary")

    assert (found.returncode, found.stdout) == (0, "5 \n"), found.stderr
    assert all(path.stat().st_size > whole[path] // 2 for path in files)
