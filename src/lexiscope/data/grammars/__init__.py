"""Grammar files: a small notation inside TOML; docs/grammars.md explains it on a page.

A grammar that comes with the product is a file here; its name is the file's.
"""

import tomllib
from importlib.resources import files as resources
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, TooLarge, UnknownName
from lexiscope.core.grammar import Grammar
from lexiscope.core.rules import BadGrammar
from lexiscope.data.grammars._entries import grammar, line_of
from lexiscope.data.unpacking import is_file

_LARGEST = 1 << 20


def names() -> list[str]:
    """The grammars that come with the product."""
    found = (Path(file.name) for file in resources(__name__).iterdir())
    return sorted(path.stem for path in found if path.suffix == ".toml")


def text(source: str | Path) -> str:
    """What the file of a grammar says; a name is one of `names`."""
    path = str(source)
    if is_file(path):
        return _decoded(path, _bytes(Path(path)))
    if path not in names():
        raise UnknownName("grammar or file", shown(path), names())
    return shipped(path)


def shipped(name: str) -> str:
    """The file of a grammar that comes with the product."""
    return (resources(__name__) / f"{name}.toml").read_text("utf-8")


def read(source: str | Path) -> Grammar:
    """The grammar in a file, or the one that has this name."""
    said, name = text(source), Path(str(source)).stem
    try:
        found = tomllib.loads(said)
    except (ValueError, RecursionError) as problem:
        raise BadData(f"{source}: is no grammar in TOML ({problem}).") from None
    try:
        return grammar(name, said, found)
    except BadGrammar as problem:
        line = problem.where if isinstance(problem.where, int) else line_of(said, problem.where)
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
