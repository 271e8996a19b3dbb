"""Grammar files: a rule notation inside TOML, described in docs/grammars.md; errors name the key.

The name of an included grammar is that of its file in `grammars/`.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, TypeVar

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, TooLarge, UnknownName
from lexiscope.core.paths import is_file
from lexiscope.pcfg import notation as _notation
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.grammar import Grammar, Sweep, Target
from lexiscope.pcfg.rules import BadGrammar, Words

_LARGEST = 1 << 20
_KEYS = {
    "about": str,
    "rules": str,
    "parameters": dict,
    "maps": dict,
    "extra": list,
    "target": dict,
    "targets": dict,
    "types": dict,
    "sweep": dict,
}
_TARGET_KEYS = ("about", "positive", "negative", "held_out", "contexts")
_KINDS = {str: "a string", dict: "a table", list: "a list"}

T = TypeVar("T")


def names() -> list[str]:
    """Return the names of the included grammars."""
    found = (Path(file.name) for file in (resources("lexiscope.pcfg") / "grammars").iterdir())
    return sorted(path.stem for path in found if path.suffix == ".toml")


def text(source: str | Path) -> str:
    """Return the text of a grammar file, or of an included grammar."""
    path = str(source)
    if is_file(path):
        return _decoded(path, _bytes(Path(path)))
    if path.endswith(".toml"):
        raise BadData(f"{shown(path)}: there is no such file.")
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
        return _grammar(name, content, found)
    except BadGrammar as problem:
        line = problem.where if isinstance(problem.where, int) else _line_of(content, problem.where)
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


def _line_of(text: str, entry: str) -> int:
    """Return the line number of a key such as rules or types.noun; 0 if it was not found.

    A single target has no name in the file: its table is [target].
    """
    if entry.startswith("targets.") and re.search(r"^\s*\[\s*target\s*\]", text, re.MULTILINE):
        last = entry.rpartition(".")[2]
        return _line(text, "target", last) or _line(text, "", "target")
    table, _, key = entry.rpartition(".")
    return _line(text, table, key) or _line(text, "", entry)


def _line(text: str, table: str, key: str) -> int:
    inside = not table
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        if header and header[1] == key and not table:
            return number
        if header:
            inside = header[1] == table
        elif inside and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line):
            return number
    return 0


def _grammar(name: str, text: str, found: Mapping[str, Any]) -> Grammar:
    """Build and validate the grammar from the text of its file and the parsed TOML."""
    for key, value in found.items():
        _check_key(key, value)
    if not str(found.get("rules", "")).strip():
        raise BadGrammar('A grammar needs rules, such as rules = "S -> a b | a c".', "rules")
    first = _line_of(text, "rules")
    opened = text.split("\n")[first - 1].rstrip().endswith(('"""', "'''")) if first else False
    rules = Grammar(
        name,
        found.get("about", ""),
        _notation.rules(found["rules"], first + opened),
        _each(found, "parameters", _formula),
        _each(found, "maps", _words),
        _extra(found.get("extra", [])),
    )
    return _with_targets(rules, found)


def _check_key(key: str, value: Any) -> None:
    if key not in _KEYS:
        raise BadGrammar(str(UnknownName("key", shown(key), _KEYS)), key)
    if not isinstance(value, _KEYS[key]):
        raise BadGrammar(f"'{key}' must be {_KINDS[_KEYS[key]]}.", key)


def _each(found: Mapping[str, Any], table: str, make: Callable[[Any], T]) -> dict[str, T]:
    """Convert every value of a table."""
    return {
        name: _located(f"{table}.{name}", make, value)
        for name, value in found.get(table, {}).items()
    }


def _located(where: str, make: Callable[[Any], T], value: Any) -> T:
    try:
        return make(value)
    except BadData as problem:
        raise BadGrammar(str(problem), where) from None


def _formula(value: Any) -> Formula:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BadData('A parameter is a number, or a quoted formula such as "2 ** -alpha".')
    return Formula(value if isinstance(value, str) else repr(_float(value)))


def _float(value: float) -> float:
    if not _is_number(value):
        raise BadData("A parameter is larger than any floating-point number.")
    return float(value)


def _words(value: Any) -> Words:
    """Convert a string, or a list of strings, to words."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise BadData('Words are a string such as "w0..w4 a b", or a list of such strings.')
    found = tuple(word for each in listed for word in _notation.words(each))
    if not found:
        raise BadData("The list of words is empty.")
    return found


def _extra(lines: list[Any]) -> tuple[Words, ...]:
    if not all(isinstance(line, str) for line in lines):
        raise BadGrammar("'extra' is a list of quoted sentences.", "extra")
    found = [_located("extra", _notation.sentences, line) for line in lines]
    return tuple(sentence for sentences in found for sentence in sentences)


def _with_targets(grammar: Grammar, found: Mapping[str, Any]) -> Grammar:
    """Add targets, types and sweep."""
    tables, sweep = _targets(grammar.name, found), _sweep(found.get("sweep"))
    complete = replace(
        grammar,
        targets={name: _target(grammar, name, table) for name, table in tables.items()},
        types=_each(found, "types", _words),
        sweep=sweep,
    )
    for value in complete.sweep.values if complete.sweep else ():
        _located("sweep", lambda each: _at(complete, each), value)
    return complete


def _at(grammar: Grammar, value: float) -> Grammar:
    try:
        return grammar.at(**{grammar.sweep.parameter if grammar.sweep else "": value})
    except BadUsage as problem:
        raise BadData(str(problem)) from None


def _sweep(table: dict[str, Any] | None) -> Sweep | None:
    if table is None:
        return None
    values = next(iter(table.values()), None)
    if len(table) != 1 or not isinstance(values, list) or not all(map(_is_number, values)):
        raise BadGrammar("A sweep is one parameter and its values: alpha = [1.0, 1.5].", "sweep")
    return Sweep(next(iter(table)), tuple(map(float, values)))


def _is_number(value: Any) -> bool:
    """Whether a value is a number that fits into a float; TOML has integers of any length."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) <= sys.float_info.max


def _targets(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of the targets by name; a single target has the name of the grammar."""
    if "target" in found and "targets" in found:
        raise BadGrammar("Write one [target], or several [targets.NAME], not both.", "target")
    return {name: found["target"]} if "target" in found else found.get("targets", {})


def _target(grammar: Grammar, name: str, table: Any) -> Target:
    if not isinstance(table, dict):
        raise BadGrammar("A target is a table: [targets.NAME].", f"targets.{name}")
    for entry in table:
        if entry not in _TARGET_KEYS:
            where = f"targets.{name}.{entry}"
            raise BadGrammar(str(UnknownName("key of a target", shown(entry), _TARGET_KEYS)), where)
    for entry in ("positive", "held_out"):
        if entry not in table:
            raise BadGrammar(f"The target has no {entry} words.", f"targets.{name}")
    if not isinstance(table.get("about", ""), str):
        raise BadGrammar("'about' must be a string.", f"targets.{name}.about")
    words = {
        entry: _located(f"targets.{name}.{entry}", _words, table[entry])
        for entry in _TARGET_KEYS[1:]
        if entry in table
    }
    positive = set(words["positive"])
    rest = tuple(word for word in grammar.words if word not in positive)
    return Target(about=table.get("about", ""), **{"negative": rest, **words})
