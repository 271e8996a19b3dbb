"""The libraries that own a format, in an environment of their own, and packages with real files.

OWNER_LIBRARIES is the folder of an environment that has the libraries; by default, pip creates one
in the cache of the tests.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

_LIBRARIES = {
    "spacy": ["spacy==3.8.18"],
    "floret": ["floret==0.10.5"],
    "model2vec": ["model2vec==0.10.0"],
    "sentence-transformers": ["sentence-transformers==6.2.0", "torch==2.13.0"],
}
_PIP = ("pip", "--quiet", "--disable-pip-version-check")
_WHEELS_ONLY = ("--only-binary", ":all:")  # the setup script of a package never runs


class Owners:
    """Runs scripts with the libraries, and fetches packages."""

    def __init__(self, cache: Path) -> None:
        given = os.environ.get("OWNER_LIBRARIES")
        self._cache, self._is_given = cache, given is not None
        self._environment = Path(given) if given else cache / "environment"

    def vectors(self, library, script, words, *arguments):
        """Run a script that saves the vectors of `words` in `found`; return them."""
        target = self._cache / "found.npy"
        prologue = "import json, sys\nimport numpy as np\nwords, arguments = json.load(sys.stdin)\n"
        epilogue = f"\nnp.save({str(target)!r}, np.asarray(found))"
        self.run(library, prologue + script + epilogue, [words, [*map(str, arguments)]])
        return np.load(target)

    def run(self, library, script, given=()):
        """Run a script with JSON on its standard input."""
        python = self._python(library)
        subprocess.run(
            [python, "-c", script], input=json.dumps(given), text=True, check=True, timeout=900,
            env={**os.environ, "PYTHONPATH": "", "HF_HUB_OFFLINE": "1"}, stdout=subprocess.PIPE,
        )  # fmt: skip

    def _python(self, library):
        python = self._environment / "bin" / "python"
        if not self._is_given:
            if not python.exists():
                subprocess.run([sys.executable, "-m", "venv", self._environment], check=True)
            _pip(python, "install", *_WHEELS_ONLY, *_LIBRARIES[library])
        return python

    def package(self, requirement, sha256):
        """Download a wheel with this checksum; return its path."""
        folder = self._cache / "packages" / requirement
        found = list(folder.glob("*.whl"))
        if not found:
            folder.mkdir(parents=True, exist_ok=True)
            listed = folder / "requirements.txt"
            listed.write_text(f"{requirement} --hash=sha256:{sha256}\n", "utf-8")
            _pip(sys.executable, "download", *_WHEELS_ONLY, "--no-deps", "--require-hashes",
                 "-r", listed, "-d", folder)  # fmt: skip
            found = list(folder.glob("*.whl"))
        return found[0]


def _pip(python, *arguments):
    command = [python, "-m", *_PIP, *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if ended.returncode:
        pytest.skip(f"pip could not fetch {arguments[-1]}: {ended.stderr.strip()[-300:]}")


def unpacked(wheel, folder, part):
    """The files of a wheel below the folder `part`, unpacked; return that folder."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(part)])
    return folder / part
