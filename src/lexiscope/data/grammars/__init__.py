"""Grammar files: a small notation inside TOML; docs/grammars.md explains it on a page.

A grammar that comes with the product is a file here; its name is the file's.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, TypeVar

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, TooLarge, UnknownName
from lexiscope.core.formula import Formula
from lexiscope.core.grammar import Grammar, Question, Sweep
from lexiscope.core.rules import BadGrammar, Words
from lexiscope.data.grammars import _notation
from lexiscope.data.unpacking import is_file

_LARGEST = 1 << 20
_ENTRIES = {
    "about": str,
    "rules": str,
    "parameters": dict,
    "maps": dict,
    "extra": list,
    "question": dict,
    "questions": dict,
    "types": dict,
    "sweep": dict,
}
_ASKED = ("about", "positive", "negative", "held_out", "contexts")
_KINDS = {str: "text", dict: "a table", list: "a list"}

T = TypeVar("T")


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
        return _grammar(name, said, found)
    except BadGrammar as problem:
        where = problem.where
        if isinstance(where, str):
            where = line_of(said, _written(where, name, found))
        place = f"{source}:{where}" if where else f"{source}"
        raise BadData(f"{place}: {problem}") from None


def _written(where: str, name: str, found: Mapping[str, Any]) -> str:
    """An entry as the file names it: an only question has no name there."""
    only = f"questions.{name}"
    if "question" in found and where.startswith(only):
        return f"question{where.removeprefix(only)}"
    return where


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
    except UnicodeDecodeError:
        line = found[:_LARGEST].decode("utf-8", "replace").partition("\ufffd")[0].count("\n") + 1
        raise BadData(f"{path}:{line}: is not UTF-8 text. Save the grammar as UTF-8.") from None


def line_of(said: str, entry: str) -> int:
    """The line of an entry such as rules or types.noun, 0 where it is written in another way."""
    table, _, key = entry.rpartition(".")
    inside = not table
    for number, line in enumerate(said.splitlines(), 1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        if header and not inside:
            inside = header[1] == table
        elif header and key in (header[1], "*"):
            return number
        elif header and table:
            return 0
        elif inside and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line):
            return number
    return 0


def _grammar(name: str, said: str, found: Mapping[str, Any]) -> Grammar:
    for entry, value in found.items():
        _check_entry(entry, value)
    if not str(found.get("rules", "")).strip():
        raise BadGrammar('A grammar needs rules, such as rules = "S -> a b | a c".', "rules")
    first = line_of(said, "rules")
    opened = said.splitlines()[first - 1].rstrip().endswith(('"""', "'''")) if first else False
    grammar = Grammar(
        name,
        found.get("about", ""),
        _notation.rules(found["rules"], first + opened),
        _each(found, "parameters", _formula),
        _each(found, "maps", _words),
        _extra(found.get("extra", [])),
    )
    return _asked(grammar, found)


def _check_entry(entry: str, value: Any) -> None:
    if entry not in _ENTRIES:
        raise BadGrammar(str(UnknownName("entry", shown(entry), _ENTRIES)), entry)
    if not isinstance(value, _ENTRIES[entry]):
        raise BadGrammar(f"'{entry}' is {_KINDS[_ENTRIES[entry]]}.", entry)


def _each(found: Mapping[str, Any], table: str, make: Callable[[Any], T]) -> dict[str, T]:
    """A table with every value made into what it stands for."""
    made = {}
    for name, value in found.get(table, {}).items():
        made[name] = _placed(f"{table}.{name}", make, value)
    return made


def _placed(where: str, make: Callable[[Any], T], value: Any) -> T:
    try:
        return make(value)
    except BadData as problem:
        raise BadGrammar(str(problem), where) from None


def _formula(value: Any) -> Formula:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BadData('A parameter is a number, or a formula in quotes such as "2 ** -alpha".')
    return Formula(value if isinstance(value, str) else repr(float(value)))


def _words(value: Any) -> Words:
    """Words from a text or from a list of texts."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise BadData('Words are a text such as "w0..w4 a b", or a list of such texts.')
    found = tuple(word for each in listed for word in _notation.words(each))
    if not found:
        raise BadData("There are no words here.")
    return found


def _extra(lines: list[Any]) -> tuple[Words, ...]:
    if not all(isinstance(line, str) for line in lines):
        raise BadGrammar("'extra' is a list of sentences in quotes.", "extra")
    return _placed(
        "extra", lambda all_: tuple(s for e in all_ for s in _notation.sentences(e)), lines
    )


def _asked(grammar: Grammar, found: Mapping[str, Any]) -> Grammar:
    """The grammar with its questions, types and sweep."""
    tables = _questions(grammar.name, found)
    asked = replace(
        grammar,
        questions={name: _question(grammar, name, table) for name, table in tables.items()},
        types=_each(found, "types", _words),
        sweep=_sweep(found.get("sweep")),
    )
    for value in asked.sweep.values if asked.sweep else ():
        _placed("sweep", lambda each: _at(asked, each), value)
    return asked


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
    return isinstance(value, int | float) and not isinstance(value, bool)


def _questions(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of the questions by name; an only one is called like the grammar."""
    if "question" in found and "questions" in found:
        raise BadGrammar("Write one [question], or several [questions.NAME], not both.", "question")
    return {name: found["question"]} if "question" in found else found.get("questions", {})


def _question(grammar: Grammar, name: str, table: Any) -> Question:
    if not isinstance(table, dict):
        raise BadGrammar("Questions are tables: [questions.NAME].", f"questions.{name}")
    for entry in table:
        if entry not in _ASKED:
            where = f"questions.{name}.{entry}"
            raise BadGrammar(str(UnknownName("entry of a question", shown(entry), _ASKED)), where)
    for entry in ("positive", "held_out"):
        if entry not in table:
            raise BadGrammar(f"The question does not say its {entry} words.", f"questions.{name}")
    if not isinstance(table.get("about", ""), str):
        raise BadGrammar("'about' is text.", f"questions.{name}.about")
    said = {
        entry: _placed(f"questions.{name}.{entry}", _words, table[entry])
        for entry in _ASKED[1:]
        if entry in table
    }
    rest = tuple(word for word in grammar.words if word not in said["positive"])
    return Question(about=table.get("about", ""), **{"negative": rest, **said})
