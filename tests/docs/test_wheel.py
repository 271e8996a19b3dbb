"""The wheel contains what the package needs: installed alone, it compares embeddings."""

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
_SMOKE = """
import sys, lexiscope
assert lexiscope.__file__.startswith(sys.prefix), lexiscope.__file__
pairs = lexiscope.WordPairs.example()
vectors = {word: [len(word), word.count("a") + 1, ord(word[0]) - 90] for word in pairs.all_words}
results = lexiscope.run({"lengths": vectors}, "similarity", pairs)
lexiscope.write_report(results, "report.html")
lexiscope.train("skipgram", [list("abcdefghij")] * 20, dimension=4, epochs=1)
print(len(results.main()))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", folder, ROOT]
    subprocess.run(command, check=True, timeout=600)
    [path] = folder.glob("lexiscope-*.whl")
    return path


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {n for n in archive.namelist() if n.startswith("lexiscope/")}
        rest = {n.partition("/")[0] for n in archive.namelist()} - {"lexiscope"}
    tracked = subprocess.run(
        ["git", "ls-files", "src/lexiscope"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()

    missing = {path.removeprefix("src/") for path in tracked} - packed
    assert not {path for path in missing if (ROOT / "src" / path).exists()}
    assert not {path for path in packed if "__pycache__" in path or path.endswith(".sqlite")}
    assert rest == {wheel.name.rpartition("-py3")[0] + ".dist-info"}


def test_the_wheel_works_in_a_fresh_environment(wheel, tmp_path):
    """Its dependencies are those of this environment, found after its own packages."""
    fresh = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", fresh], check=True, timeout=300)
    python = fresh / "bin" / "python"
    [packages] = (fresh / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", wheel]
    subprocess.run(install, check=True, timeout=300)

    smoke = subprocess.run(
        [python, "-W", "error", "-c", _SMOKE], cwd=tmp_path, capture_output=True, text=True,
        timeout=600, check=False,
    )  # fmt: skip
    shown = subprocess.run(
        [fresh / "bin" / "lexiscope", "tasks"], cwd=tmp_path, capture_output=True, text=True,
        timeout=300, check=True,
    )  # fmt: skip

    assert smoke.returncode == 0, smoke.stderr
    assert smoke.stdout == "1\n"
    assert (tmp_path / "report.html").stat().st_size > 100_000
    assert "similarity" in shown.stdout
