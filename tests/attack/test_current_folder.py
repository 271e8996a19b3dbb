"""Files that lie in the current folder, next to downloaded vectors, run no code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lexiscope

ROOT = Path(lexiscope.__file__).parents[1]
STARTER = "from lexiscope.cli.main import main\nif __name__ == '__main__':\n    main()\n"
MODULES = (
    "multiprocessing", "pickle", "signal", "encodings", "site", "sitecustomize", "usercustomize",
    "numpy", "yaml", "distributed", "dask", "lexiscope", "tblib", "cloudpickle", "pip", "runpy",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A folder with two vector files, a dataset, and modules that report their execution."""
    folder = tmp_path / "downloaded"
    folder.mkdir()
    for name in MODULES:
        canary = f"open({str(tmp_path / 'executed')!r}, 'a').write('{name}\\n')\n"
        (folder / f"{name}.py").write_text(canary)
    for name, number in (("a", 1), ("b", 2)):
        (folder / f"{name}.vec").write_text(f"3 2\ncat 1 0\ndog 0 1\nsun {number} 1\n")
    (folder / "pairs.tsv").write_text("cat\tdog\t9\ncat\tsun\t1\ndog\tsun\t4\n")
    (tmp_path / "start.py").write_text(STARTER)  # as the script `lexiscope` in its own folder
    return folder


def started(folder, *arguments):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"}
    return subprocess.run(
        [sys.executable, folder.parent / "start.py", *arguments], cwd=folder, capture_output=True,
        env={**environment, "PYTHONPATH": str(ROOT)}, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_workers_import_nothing_from_the_current_folder(folder, backend):
    if backend == "dask":
        pytest.importorskip("distributed")
    found = started(
        folder, "run", "a.vec", "b.vec", "--dataset", "pairs.tsv", "--task", "similarity",
        "--store", "s.sqlite", "--jobs", "2", "--backend", backend,
    )  # fmt: skip

    executed = folder.parent / "executed"
    assert not executed.exists(), executed.read_text()
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("content", ["cache_dir: hostile\n", "disable_jit: 1\n", "{", "[1]\n"])
def test_numba_reads_no_configuration_of_the_current_folder(folder, content):
    (folder / ".numba_config.yaml").write_text(content)
    (folder.parent / "start.py").write_text(
        "from lexiscope.kernels.rng import bounded\nfrom numba import config\nimport numpy as np\n"
        "config.reload_config()\n"
        "print(bounded(np.uint64(1 << 63), 10), config.DISABLE_JIT, config.CACHE_DIR)\n"
    )

    found = started(folder)

    assert found.stdout.strip() == "5 0", found.stderr
    assert found.stderr == ""
    assert not (folder / "hostile").exists()


def test_the_environment_is_as_before():
    from lexiscope.evaluation.backends import processes

    before = dict(os.environ)
    assert dict(processes(abs, [-1, -2], 2)) == {0: 1, 1: 2}
    assert dict(os.environ) == before
