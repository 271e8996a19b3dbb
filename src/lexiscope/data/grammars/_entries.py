"""From the entries of a grammar file to a grammar; what is wrong is told with its entry."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.formula import Formula
from lexiscope.core.grammar import Grammar, Question, Sweep
from lexiscope.core.rules import BadGrammar, Words
from lexiscope.data.grammars import _notation

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


def line_of(said: str, entry: str) -> int:
    """The line of an entry such as rules or types.noun, 0 where it is written in another way.

    A question that is the only one may have no name in the file.
    """
    if entry.startswith("questions.") and re.search(r"^\s*\[\s*question\s*\]", said, re.MULTILINE):
        last = entry.rpartition(".")[2]
        return _line(said, "question", last) or _line(said, "", "question")
    table, _, key = entry.rpartition(".")
    return _line(said, table, key) or _line(said, "", entry)


def _line(said: str, table: str, key: str) -> int:
    inside = not table
    for number, line in enumerate(said.split("\n"), 1):
        header = re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line)
        if header and header[1] == key and not table:
            return number
        if header:
            inside = header[1] == table
        elif inside and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line):
            return number
    return 0


def grammar(name: str, said: str, found: Mapping[str, Any]) -> Grammar:
    """The grammar of a file that says this; what was found in it is checked."""
    for entry, value in found.items():
        _check_entry(entry, value)
    if not str(found.get("rules", "")).strip():
        raise BadGrammar('A grammar needs rules, such as rules = "S -> a b | a c".', "rules")
    first = line_of(said, "rules")
    opened = said.split("\n")[first - 1].rstrip().endswith(('"""', "'''")) if first else False
    rules = Grammar(
        name,
        found.get("about", ""),
        _notation.rules(found["rules"], first + opened),
        _each(found, "parameters", _formula),
        _each(found, "maps", _words),
        _extra(found.get("extra", [])),
    )
    return _asked(rules, found)


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
    found = [_placed("extra", _notation.sentences, line) for line in lines]
    return tuple(sentence for sentences in found for sentence in sentences)


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
    positive = set(said["positive"])
    rest = tuple(word for word in grammar.words if word not in positive)
    return Question(about=table.get("about", ""), **{"negative": rest, **said})
