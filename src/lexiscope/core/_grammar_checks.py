"""What a grammar must keep to be sampled and asked; what is wrong is told with its place."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexiscope.core._parameters import needed, nothing_sets
from lexiscope.core.display import shown
from lexiscope.core.rules import BadGrammar, Image, Symbol, Words

if TYPE_CHECKING:
    from lexiscope.core.grammar import Grammar, Question

_NEAR = 1e-9  # how far weights may be from summing to one
_ENDLESS = 1e9  # expected expansions of a symbol that will not come to an end
_MOST_SYMBOLS = 3000
_DEEP = 50
_MOST_PARAMETERS = 100


def check(grammar: "Grammar") -> None:
    """Refuse a grammar that cannot be sampled or asked."""
    if not grammar.rules:
        raise BadGrammar("A grammar needs at least one rule.", "rules")
    _check_parts(grammar)
    _check_drawn(grammar)
    _check_reached(grammar)
    _check_parameters(grammar)
    _check_weights(grammar)
    _check_end(grammar)
    for name, question in grammar.questions.items():
        _check_question(grammar, name, question)
    for name, words in grammar.types.items():
        _check_words(grammar, words, f"types.{name}")


def _check_parts(grammar: "Grammar") -> None:
    symbols = set(grammar.symbols)
    if len(symbols) > _MOST_SYMBOLS:
        raise BadGrammar(
            f"A grammar has at most {_MOST_SYMBOLS:,} symbols, found {len(symbols):,}.", "rules"
        )
    for rule in grammar.rules:
        if not rule.parts:
            raise BadGrammar(f"A rule of {shown(rule.symbol)} makes nothing.", rule.line)
        for part in rule.parts:
            if isinstance(part, Symbol) and part.name not in symbols:
                raise BadGrammar(
                    f"The symbol {shown(part.name)} has no rule. Add one, or write a word with a "
                    f'capital letter in quotes: "{shown(part.name)}".',
                    rule.line,
                )
            if isinstance(part, Image) and part.map not in grammar.maps:
                raise BadGrammar(
                    f"There is no map called '{shown(part.map)}'. Name its words under [maps].",
                    rule.line,
                )


def _check_drawn(grammar: "Grammar") -> None:
    used = {part.map for rule in grammar.rules for part in rule.parts if isinstance(part, Image)}
    for name, words in grammar.maps.items():
        if name not in used:
            raise BadGrammar(f"No rule uses the map '{shown(name)}'.", f"maps.{name}")
        if not words:
            raise BadGrammar(f"The map '{shown(name)}' has no words.", f"maps.{name}")
    if not all(grammar.extra):
        raise BadGrammar("An extra sentence is empty.", "extra")


def _check_reached(grammar: "Grammar") -> None:
    uses: dict[str, set[str]] = {name: set() for name in grammar.symbols}
    for rule in grammar.rules:
        uses[rule.symbol] |= {part.name for part in rule.parts if isinstance(part, Symbol)}
    reached, coming = {grammar.start}, [grammar.start]
    while coming:
        new = uses[coming.pop()] - reached
        reached |= new
        coming += sorted(new)
    for rule in grammar.rules:
        if rule.symbol not in reached:
            raise BadGrammar(
                f"No sentence ever holds the symbol {shown(rule.symbol)}: it is not reached from "
                f"{shown(grammar.start)}, the first rule.",
                rule.line,
            )


def _check_parameters(grammar: "Grammar") -> None:
    if len(grammar.definitions) > _MOST_PARAMETERS:
        raise BadGrammar(f"A grammar has at most {_MOST_PARAMETERS} parameters.", "parameters")
    for rule in grammar.rules:
        for name in sorted(rule.weight.names - set(grammar.definitions)):
            raise BadGrammar(nothing_sets(name, rule.weight), rule.line)
    used = needed(grammar.rules, grammar.definitions)
    for name in grammar.definitions:
        if name not in used:
            raise BadGrammar(f"No weight needs the parameter '{name}'.", f"parameters.{name}")
    if grammar.sweep and grammar.sweep.parameter not in grammar.parameters:
        raise BadGrammar(
            f"The sweep is over '{shown(grammar.sweep.parameter)}', which is no parameter.", "sweep"
        )
    if grammar.sweep and not grammar.sweep.values:
        raise BadGrammar("The sweep has no values.", "sweep")


def _check_weights(grammar: "Grammar") -> None:
    sums: dict[str, float] = {}
    for rule, weight in zip(grammar.rules, grammar.weights.tolist(), strict=True):
        if not 0 <= weight <= 1:
            raise BadGrammar(
                f"A weight of {shown(rule.symbol)} is {weight:.6g} ('{rule.weight}'); weights are "
                "between 0 and 1.",
                rule.line,
            )
        sums[rule.symbol] = sums.get(rule.symbol, 0.0) + weight
    for rule in grammar.rules:
        if abs(sums[rule.symbol] - 1) > _NEAR:
            raise BadGrammar(
                f"The weights of {shown(rule.symbol)} sum to {sums[rule.symbol]:.6g}; they must "
                "sum to 1.",
                rule.line,
            )


def _check_end(grammar: "Grammar") -> None:
    if _ends(grammar.expansions):
        return
    symbol = grammar.symbols[_first_endless(grammar.expansions)]
    line = next(rule.line for rule in grammar.rules if rule.symbol == symbol)
    raise BadGrammar(
        f"Sentences would never end: {shown(symbol)} leads to itself at least once on average. "
        "Make the rules that do not lead back more likely.",
        line,
    )


def _ends(expansions: NDArray[np.float64]) -> bool:
    """Whether each symbol is expected to be expanded finitely often.

    One plus what follows is a positive solution only where that is so.
    """
    try:
        number = totals(expansions, np.ones(len(expansions)))
    except np.linalg.LinAlgError:
        return False
    return bool(((number >= 1 - _NEAR) & (number < _ENDLESS)).all())


def totals(expansions: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each symbol has of its own and by all that it becomes (symbols,)."""
    total = own
    for _ in range(_DEEP):  # enough where no symbol leads back to itself
        deeper = own + expansions @ total
        if np.array_equal(deeper, total):
            return total
        total = deeper
    return np.asarray(np.linalg.solve(np.eye(len(own)) - expansions, own), np.float64)


def _first_endless(expansions: NDArray[np.float64]) -> int:
    """The first symbol among those that lead to each other without end."""
    from scipy.sparse.csgraph import connected_components

    _, group = connected_components(expansions > 0, connection="strong")
    for number in dict.fromkeys(group.tolist()):
        members = np.flatnonzero(group == number)
        if not _ends(expansions[np.ix_(members, members)]):
            return int(members[0])
    return 0  # each ends after very long, all of them never


def _check_question(grammar: "Grammar", name: str, question: "Question") -> None:
    for entry in ("positive", "negative"):
        if not getattr(question, entry):
            raise BadGrammar(f"The question has no {entry} words.", f"questions.{name}.{entry}")
    for entry in ("positive", "negative", "held_out", "contexts"):
        _check_words(grammar, getattr(question, entry), f"questions.{name}.{entry}")
    both = [word for word in question.negative if question.is_positive(word)]
    if both:
        raise BadGrammar(
            f"The word '{shown(both[0])}' is in both classes.", f"questions.{name}.negative"
        )
    classes = {*question.positive, *question.negative}
    for entry in ("held_out", "contexts"):
        for word in getattr(question, entry):
            if word not in classes:
                raise BadGrammar(
                    f"The word '{shown(word)}' is in neither class: name it under positive or "
                    "negative.",
                    f"questions.{name}.{entry}",
                )
    _check_training(name, question)


def _check_training(name: str, question: "Question") -> None:
    if not question.held_out:
        raise BadGrammar(
            "The question holds no word out to be asked.", f"questions.{name}.held_out"
        )
    learnt = {question.is_positive(word) for word in question.training()}
    if len(learnt) < 2:
        raise BadGrammar(
            "Training needs words of both classes, and all of one are held out.",
            f"questions.{name}.held_out",
        )


def _check_words(grammar: "Grammar", words: Words, where: str) -> None:
    known, seen = set(grammar.words), set[str]()
    for word in words:
        if word not in known:
            raise BadGrammar(f"The word '{shown(word)}' occurs in no sentence.", where)
        if word in seen:
            raise BadGrammar(f"The word '{shown(word)}' stands twice.", where)
        seen.add(word)
