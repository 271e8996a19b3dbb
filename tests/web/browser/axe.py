"""axe-core, which npm downloads into the cache of the tests; it is no part of this package."""

import hashlib
import shutil
import subprocess
import tarfile
from base64 import b64encode

import pytest

_VERSION = "4.14.0"
_SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="


def axe_source(folder):
    """Return the script, after checking the archive; skips the test without npm."""
    archive = folder / f"axe-core-{_VERSION}.tgz"
    if not archive.exists():
        _download(folder)
    digest = b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != _SHA512:
        archive.unlink()
        pytest.fail(f"axe-core {_VERSION} has another checksum: sha512-{digest}")
    with tarfile.open(archive) as files:
        return files.extractfile("package/axe.min.js").read().decode()


def _download(folder):
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on this machine: apt-get install npm")
    command = [npm, "pack", f"axe-core@{_VERSION}", "--silent", "--pack-destination", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if ended.returncode:
        pytest.skip(f"npm could not download axe-core {_VERSION}: {ended.stderr.strip()[-200:]}")
