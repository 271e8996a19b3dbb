"""Grammar files: a rule notation inside TOML, described in docs/grammars.md.

The name of an included grammar is that of its file in `grammars/`.
"""

import tomllib
from importlib.resources import files as resources
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge, UnknownName
from lexiscope.core.paths import is_file
from lexiscope.pcfg.entries import grammar, line_of
from lexiscope.pcfg.grammar import Grammar
from lexiscope.pcfg.rules import BadGrammar

_LARGEST = 1 << 20


def names() -> list[str]:
    """Return the names of the included grammars."""
    found = (Path(file.name) for file in (resources("lexiscope.pcfg") / "grammars").iterdir())
    return sorted(path.stem for path in found if path.suffix == ".toml")


def text(source: str | Path) -> str:
    """Return the text of a grammar file, or of an included grammar."""
    path = str(source)
    if is_file(path):
        return _decoded(path, _bytes(Path(path)))
    if path not in names():
        raise UnknownName("grammar or file", shown(path), names())
    return included(path)


def included(name: str) -> str:
    """Return the file of an included grammar."""
    return ((resources("lexiscope.pcfg") / "grammars") / f"{name}.toml").read_text("utf-8")


def read(source: str | Path) -> Grammar:
    """Read a grammar from a file, or an included grammar by name."""
    content, name = text(source), Path(str(source)).stem
    try:
        found = tomllib.loads(content)
    except (ValueError, RecursionError) as problem:
        raise BadData(f"{source}: is not valid TOML ({problem}).") from None
    try:
        return grammar(name, content, found)
    except BadGrammar as problem:
        line = problem.where if isinstance(problem.where, int) else line_of(content, problem.where)
        raise BadData(f"{source}:{line}: {problem}" if line else f"{source}: {problem}") from None


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            found = file.read(_LARGEST + 1)
    except OSError as problem:
        raise BadData(f"{path}: cannot be read ({problem.strerror}).") from None
    if len(found) > _LARGEST:
        raise TooLarge(f"{path}: more than {_LARGEST:,} bytes for a grammar.")
    return found


def _decoded(path: str, found: bytes) -> str:
    try:
        return found.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        line = found.count(b"\n", 0, problem.start) + 1
        raise BadData(f"{path}:{line}: is not UTF-8 text. Save the grammar as UTF-8.") from None
