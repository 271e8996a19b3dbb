"""Validation of grammars; errors carry their location."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.rules import BadGrammar, Image, Rule, Symbol, Words

if TYPE_CHECKING:
    from lexiscope.pcfg.grammar import Grammar, Target

_TOLERANCE = 1e-9  # of a sum of probabilities
_ENDLESS = 1e9  # expected number of expansions that counts as infinite
_MOST_SYMBOLS = 3000
_DEEP = 50
_MOST_PARAMETERS = 100


def check(grammar: "Grammar") -> None:
    """Raise an error for a grammar that cannot be sampled or probed."""
    if not grammar.rules:
        raise BadGrammar("A grammar needs at least one rule.", "rules")
    symbols = grammar.symbols
    _check_parts(grammar, symbols)
    _check_maps(grammar)
    _check_reached(grammar.rules, symbols)
    _check_parameters(grammar)
    probabilities, expansions = grammar.probabilities, grammar.expansions
    _check_probabilities(grammar.rules, probabilities)
    _check_end(grammar.rules, symbols, expansions)
    for name, target in grammar.targets.items():
        _check_target(grammar.words, name, target)
    for name, words in grammar.types.items():
        _check_words(grammar.words, words, f"types.{name}")


def _check_parts(grammar: "Grammar", symbols: Words) -> None:
    if len(symbols) > _MOST_SYMBOLS:
        raise BadGrammar(
            f"A grammar has at most {_MOST_SYMBOLS:,} symbols, found {len(symbols):,}.", "rules"
        )
    known = set(symbols)
    for rule in grammar.rules:
        if not rule.parts:
            raise BadGrammar(
                f"A rule of {shown(rule.symbol)} has an empty right-hand side.", rule.line
            )
        for part in rule.parts:
            if isinstance(part, Symbol) and part.name not in known:
                raise BadGrammar(
                    f"The symbol {shown(part.name)} has no rule. Add one, or write a word with a "
                    f'capital letter in quotes: "{shown(part.name)}".',
                    rule.line,
                )
            if isinstance(part, Image) and part.map not in grammar.maps:
                raise BadGrammar(
                    f"There is no map named '{shown(part.map)}'. List its words under [maps].",
                    rule.line,
                )


def _check_maps(grammar: "Grammar") -> None:
    used = {part.map for rule in grammar.rules for part in rule.parts if isinstance(part, Image)}
    for name, words in grammar.maps.items():
        if name not in used:
            raise BadGrammar(f"No rule uses the map '{shown(name)}'.", f"maps.{name}")
        if not words:
            raise BadGrammar(f"The map '{shown(name)}' has no words.", f"maps.{name}")
    if not all(grammar.extra):
        raise BadGrammar("An extra sentence is empty.", "extra")


def _check_reached(rules: Sequence[Rule], symbols: Words) -> None:
    start = symbols[0]
    uses: dict[str, set[str]] = {name: set() for name in symbols}
    for rule in rules:
        uses[rule.symbol] |= {part.name for part in rule.parts if isinstance(part, Symbol)}
    reached, coming = {start}, [start]
    while coming:
        new = uses[coming.pop()] - reached
        reached |= new
        coming += sorted(new)
    for rule in rules:
        if rule.symbol not in reached:
            raise BadGrammar(
                f"The symbol {shown(rule.symbol)} is unreachable from the start symbol "
                f"{shown(start)}.",
                rule.line,
            )


def _check_parameters(grammar: "Grammar") -> None:
    if len(grammar.definitions) > _MOST_PARAMETERS:
        raise BadGrammar(f"A grammar has at most {_MOST_PARAMETERS} parameters.", "parameters")
    used = needed(grammar.rules, grammar.definitions)
    for rule in grammar.rules:
        for name in sorted(rule.probability.names - set(grammar.definitions)):
            raise BadGrammar(nothing_sets(name, rule.probability), rule.line)
    for name in grammar.definitions:
        if name not in used:
            raise BadGrammar(f"No probability uses the parameter '{name}'.", f"parameters.{name}")
    if grammar.sweep and grammar.sweep.parameter not in grammar.parameters:
        raise BadGrammar(
            f"The sweep is over '{shown(grammar.sweep.parameter)}', which is not a parameter.",
            "sweep",
        )
    if grammar.sweep and not grammar.sweep.values:
        raise BadGrammar("The sweep has no values.", "sweep")


def needed(rules: tuple[Rule, ...], definitions: Mapping[str, Formula]) -> dict[str, Formula]:
    """Return the definitions that a probability depends on."""
    needed: set[str] = set()
    coming = {name for rule in rules for name in rule.probability.names}
    while coming:
        needed |= coming
        coming = {n for name in coming & set(definitions) for n in definitions[name].names} - needed
    return {name: formula for name, formula in definitions.items() if name in needed}


def nothing_sets(name: str, formula: Formula) -> str:
    return f"'{shown(name)}' in '{formula}' is not defined. Define it under [parameters]."


def _check_probabilities(rules: Sequence[Rule], probabilities: NDArray[np.float64]) -> None:
    sums: dict[str, float] = {}
    for rule, probability in zip(rules, probabilities.tolist(), strict=True):
        if not 0 <= probability <= 1:
            raise BadGrammar(
                f"A probability of {shown(rule.symbol)} is {probability:.6g} "
                f"('{rule.probability}'); probabilities are between 0 and 1.",
                rule.line,
            )
        sums[rule.symbol] = sums.get(rule.symbol, 0.0) + probability
    for rule in rules:
        if abs(sums[rule.symbol] - 1) > _TOLERANCE:
            raise BadGrammar(
                f"The probabilities of {shown(rule.symbol)} sum to {sums[rule.symbol]:.6g}; they "
                "must sum to 1.",
                rule.line,
            )


def _check_end(rules: Sequence[Rule], symbols: Words, expansions: NDArray[np.float64]) -> None:
    if _ends(expansions):
        return
    symbol = symbols[_first_endless(expansions)]
    line = next(rule.line for rule in rules if rule.symbol == symbol)
    raise BadGrammar(
        f"Sentences would have infinite expected length: {shown(symbol)} derives itself at least "
        "once on average. Increase the probability of its other rules.",
        line,
    )


def _ends(expansions: NDArray[np.float64]) -> bool:
    """Return whether the expected number of expansions of every symbol is finite.

    Only then does the linear system have a positive solution.
    """
    try:
        number = totals(expansions, np.ones(len(expansions)))
    except np.linalg.LinAlgError:
        return False
    return bool(((number >= 1 - _TOLERANCE) & (number < _ENDLESS)).all())


def totals(expansions: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum `own` over each symbol and all symbols that it derives (symbols,)."""
    total = own
    for _ in range(_DEEP):  # enough without recursion
        deeper = own + expansions @ total
        if np.array_equal(deeper, total):
            return total
        total = deeper
    return np.asarray(np.linalg.solve(np.eye(len(own)) - expansions, own), np.float64)


def _first_endless(expansions: NDArray[np.float64]) -> int:
    """Return the first symbol of a strongly connected group that does not terminate."""
    from scipy.sparse.csgraph import connected_components

    _, group = connected_components(expansions > 0, connection="strong")
    for number in dict.fromkeys(group.tolist()):
        members = np.flatnonzero(group == number)
        if not _ends(expansions[np.ix_(members, members)]):
            return int(members[0])
    return 0  # every group terminates on its own, but not all together


def _check_target(known: Words, name: str, target: "Target") -> None:
    for entry in ("positive", "negative"):
        if not getattr(target, entry):
            raise BadGrammar(f"The target has no {entry} words.", f"targets.{name}.{entry}")
    for entry in ("positive", "negative", "held_out", "contexts"):
        _check_words(known, getattr(target, entry), f"targets.{name}.{entry}")
    both = [word for word in target.negative if target.is_positive(word)]
    if both:
        raise BadGrammar(
            f"The word '{shown(both[0])}' is in both classes.", f"targets.{name}.negative"
        )
    classes = {*target.positive, *target.negative}
    for entry in ("held_out", "contexts"):
        for word in getattr(target, entry):
            if word not in classes:
                raise BadGrammar(
                    f"The word '{shown(word)}' is in neither class: add it to positive or "
                    "negative.",
                    f"targets.{name}.{entry}",
                )
    if not target.held_out:
        raise BadGrammar("The target has no held-out words.", f"targets.{name}.held_out")
    if len({target.is_positive(word) for word in target.training()}) < 2:
        raise BadGrammar(
            "The training set needs words of both classes, but all words of one are held out.",
            f"targets.{name}.held_out",
        )


def _check_words(known: Words, words: Words, where: str) -> None:
    occurring, seen = set(known), set[str]()
    for word in words:
        if word not in occurring:
            raise BadGrammar(f"The word '{shown(word)}' occurs in no sentence.", where)
        if word in seen:
            raise BadGrammar(f"The word '{shown(word)}' occurs twice.", where)
        seen.add(word)
