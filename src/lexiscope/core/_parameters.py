"""What the names in the weights of a grammar stand for."""

from collections.abc import Mapping

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.formula import Formula
from lexiscope.core.rules import BadGrammar, Rule, Words


def define(
    definitions: Mapping[str, Formula], name: str, found: dict[str, float], above: Words
) -> None:
    """Find out what a name stands for, after the names it depends on."""
    if name in found:
        return
    where = f"parameters.{name}"
    if name in above:
        raise BadGrammar(f"The parameter '{shown(name)}' depends on itself.", where)
    for other in sorted(definitions[name].names):
        if other not in definitions:
            raise BadGrammar(nothing_sets(other, definitions[name]), where)
        define(definitions, other, found, (*above, name))
    try:
        found[name] = definitions[name].value(found)
    except BadData as problem:
        raise BadGrammar(str(problem), where) from None


def nothing_sets(name: str, formula: Formula) -> str:
    return f"Nothing says what '{shown(name)}' in '{formula}' is. Set it under [parameters]."


def needed(rules: tuple[Rule, ...], definitions: Mapping[str, Formula]) -> dict[str, Formula]:
    """The definitions that some weight depends on."""
    needed: set[str] = set()
    coming = {name for rule in rules for name in rule.weight.names}
    while coming:
        needed |= coming
        coming = {n for name in coming & set(definitions) for n in definitions[name].names} - needed
    return {name: formula for name, formula in definitions.items() if name in needed}
