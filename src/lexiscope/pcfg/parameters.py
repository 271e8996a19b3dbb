"""The parameters of a grammar's probabilities."""

from collections.abc import Mapping

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.rules import BadGrammar, Rule, Words


def define(
    definitions: Mapping[str, Formula], name: str, found: dict[str, float], above: Words
) -> None:
    """Evaluate a parameter after the parameters that it depends on."""
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
    return f"'{shown(name)}' in '{formula}' is not defined. Define it under [parameters]."


def needed(rules: tuple[Rule, ...], definitions: Mapping[str, Formula]) -> dict[str, Formula]:
    """Return the definitions that a probability depends on."""
    needed: set[str] = set()
    coming = {name for rule in rules for name in rule.probability.names}
    while coming:
        needed |= coming
        coming = {n for name in coming & set(definitions) for n in definitions[name].names} - needed
    return {name: formula for name, formula in definitions.items() if name in needed}
