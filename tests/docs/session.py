"""Executes the blocks of a page as printed, in order, in a folder of their own."""

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from tests.docs.blocks import Block

_LONGEST = 3_600  # seconds, of one block
# A server runs until it is interrupted: after a few seconds, as by Ctrl-C.
_COMMAND = """#!/bin/bash
if [ "$1 $2" = "study serve" ]; then
  timeout --signal=INT --kill-after=30 "${SERVE_SECONDS:-8}" "%s" "$@"
  code=$?
  [ $code = 124 ] && exit 0
  exit $code
fi
exec "%s" "$@"
"""
# The package is installed already; test_wheel.py installs it in a fresh environment.
_PIP = """#!/bin/bash
[ "$*" = "install ." ] || exit 1
"""


class BlockError(AssertionError):
    """A block did not run as printed."""


@dataclass
class Session:
    """A folder, an environment, and the names that the Python blocks of a page define."""

    folder: Path
    environment: dict[str, str]
    module: ModuleType = field(default_factory=lambda: ModuleType("page"))

    def save(self, block: Block) -> None:
        """Write a file that the page shows."""
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.code, "utf-8")

    def run(self, block: Block) -> str:
        """Run a block and return what a shell block prints."""
        if block.language == "python":
            self._python(block)
            return ""
        return self._shell(block) if block.language == "sh" else ""

    def _shell(self, block: Block) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.code],
            cwd=self.folder, env=self.environment, text=True, errors="replace",
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_LONGEST, check=False,
        )  # fmt: skip
        if done.returncode:
            tail = f"{done.stdout[-1500:]}\n{done.stderr[-1500:]}"
            raise BlockError(f"{block}: exit code {done.returncode}\n{block.code}\n{tail}")
        return done.stdout

    def _python(self, block: Block) -> None:
        """Blocks of a page share their names, as cells of a notebook do."""
        sys.modules["page"] = self.module
        padding = "\n" * block.line  # so that a traceback has the line of the page
        exec(compile(padding + block.code, block.page, "exec"), self.module.__dict__)


def environment(folder: Path, cache: Path, offline: bool) -> dict[str, str]:
    """The environment of the shell: this Python first, 80 columns, and an empty cache."""
    scripts = Path(sysconfig.get_path("scripts"))
    wrappers = folder.parent / f"{folder.name}-bin"
    wrappers.mkdir(exist_ok=True)
    for name, code in (("lexiscope", _COMMAND % ((scripts / "lexiscope",) * 2)), ("pip", _PIP)):
        (wrappers / name).write_text(code, "utf-8")
        (wrappers / name).chmod(0o755)
    own = {k: v for k, v in os.environ.items() if not k.startswith("LEXISCOPE_")}
    return own | {
        "PATH": os.pathsep.join([str(wrappers), str(scripts), os.environ["PATH"]]),
        "LEXISCOPE_CACHE_DIR": str(cache),
        "LEXISCOPE_OFFLINE": "1" if offline else "",
        "COLUMNS": "80",
    }
