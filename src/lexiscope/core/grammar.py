"""Grammars: weighted rules that make sentences, and what can be asked about their words.

A probabilistic context-free grammar as in Yaghoobzadeh and Schütze 2016, section 4, with the three
things that their figures add: parameters of the weights, maps that are drawn once for a corpus and
then fixed, and sentences that stand once each beside the sampled ones.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.formula import Formula

_NEAR = 1e-9  # how far weights may be from summing to one
_ENDLESS = 1e9  # expected expansions of a symbol that will not come to an end
_MOST_SYMBOLS = 3000

Words = tuple[str, ...]


class BadGrammar(BadData):
    """What is wrong with a grammar, and where: a line, or an entry such as question.held_out."""

    def __init__(self, sentence: str, where: int | str = 0) -> None:
        super().__init__(sentence)
        self.where = where


@dataclass(frozen=True)
class Word:
    """A word of the sentence, as it is."""

    spelling: str


@dataclass(frozen=True)
class Symbol:
    """What is replaced by one of its rules."""

    name: str


@dataclass(frozen=True)
class Image:
    """The word that a map has drawn for a key; the same all through a corpus."""

    map: str
    key: str


Part = Word | Symbol | Image


@dataclass(frozen=True)
class Rule:
    """One way to replace a symbol, and how likely it is; `line` is where a file says so."""

    symbol: str
    parts: tuple[Part, ...]
    weight: Formula
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Sweep:
    """A parameter and the values it takes one after another."""

    parameter: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Question:
    """Two classes of words to be told apart, and the words kept from training.

    `contexts` are words of the classes that only serve as contexts of the others.
    """

    positive: Words
    negative: Words
    held_out: Words
    contexts: Words = ()
    about: str = ""

    def training(self, contexts: bool = True) -> Words:
        """The words to learn from, with or without those that only serve as contexts."""
        away = {*self.held_out, *(() if contexts else self.contexts)}
        return tuple(word for word in (*self.positive, *self.negative) if word not in away)

    def is_positive(self, word: str) -> bool:
        """The class of a word of this question."""
        return word in self.positive


@dataclass(frozen=True, eq=False)
class Grammar:
    """Rules, of which the first names the symbol that every sentence begins with.

    `definitions` say what the names in the weights stand for. A map draws for each of its keys one
    of its words. `extra` sentences stand once each in a corpus. `types` are named classes of words.
    """

    name: str
    about: str
    rules: tuple[Rule, ...]
    definitions: Mapping[str, Formula] = field(default_factory=dict)
    maps: Mapping[str, Words] = field(default_factory=dict)
    extra: tuple[Words, ...] = ()
    questions: Mapping[str, Question] = field(default_factory=dict)
    types: Mapping[str, Words] = field(default_factory=dict)
    sweep: Sweep | None = None

    def __post_init__(self) -> None:
        for name in ("definitions", "maps", "questions", "types"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        check(self)

    def __repr__(self) -> str:
        return f"Grammar({self.name!r}, {len(self.rules):,} rules, {len(self.words):,} words)"

    @property
    def start(self) -> str:
        """The symbol that every sentence begins with."""
        return self.rules[0].symbol

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The symbols, in the order of their first rules."""
        return tuple(dict.fromkeys(rule.symbol for rule in self.rules))

    @cached_property
    def words(self) -> Words:
        """Every word that a corpus can hold, in the order of the rules."""
        found: dict[str, None] = {}
        for rule in self.rules:
            for part in rule.parts:
                if isinstance(part, Word):
                    found[part.spelling] = None
                elif isinstance(part, Image):
                    found |= dict.fromkeys(self.maps[part.map])
        found |= dict.fromkeys(word for sentence in self.extra for word in sentence)
        return tuple(found)

    @cached_property
    def parameters(self) -> Mapping[str, float]:
        """The numbers that the names in the weights stand for."""
        found: dict[str, float] = {}
        for name in self.definitions:
            _define(self.definitions, name, found, ())
        return MappingProxyType({name: found[name] for name in self.definitions})

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """How likely each rule is among those of its symbol (rules,)."""
        weights = np.array([rule.weight.value(self.parameters) for rule in self.rules])
        weights.flags.writeable = False
        return weights

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """The mean number of words that each symbol becomes, in the order of `symbols`."""
        place = {name: number for number, name in enumerate(self.symbols)}
        words = np.zeros(len(place))
        for rule, weight in zip(self.rules, self.weights.tolist(), strict=True):
            said = sum(not isinstance(part, Symbol) for part in rule.parts)
            words[place[rule.symbol]] += weight * said
        found = np.linalg.solve(np.eye(len(words)) - expansions(self), words)
        return np.asarray(found, np.float64)

    @property
    def length(self) -> float:
        """The mean number of words of a sampled sentence."""
        return float(self.expected[0])

    @property
    def question(self) -> Question:
        """The only question, or the first."""
        if not self.questions:
            raise BadUsage(
                f"The grammar {self.name} asks nothing. Give it a [question] with positive, "
                "negative and held_out words."
            )
        return next(iter(self.questions.values()))

    def at(self, **values: float) -> "Grammar":
        """This grammar with parameters set; what no longer counts is gone.

        Where a parameter follows from another, the number given takes the place of its formula.
        """
        for name, value in values.items():
            if name not in self.definitions:
                raise UnknownName(f"parameter of the grammar {self.name}", name, self.definitions)
            if not np.isfinite(value):
                raise BadUsage(f"{name} must be a finite number, found {value}.")
        changed = {name: Formula(repr(float(value))) for name, value in values.items()}
        kept = _needed(self.rules, {**self.definitions, **changed})
        sweep = self.sweep if self.sweep and self.sweep.parameter in kept else None
        try:
            return replace(self, definitions=kept, sweep=sweep)
        except BadData as problem:
            told = ", ".join(f"{name} = {value}" for name, value in values.items())
            raise BadUsage(f"The grammar {self.name} with {told}: {problem}") from None

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of what sentences are made of and asked; names and notes do not count."""
        rules = [
            [
                rule.symbol,
                weight,
                *([type(part).__name__, *vars(part).values()] for part in rule.parts),
            ]
            for rule, weight in zip(self.rules, self.weights.tolist(), strict=True)
        ]
        questions = [
            [each.positive, each.negative, each.held_out, each.contexts]
            for each in self.questions.values()
        ]
        content = [rules, dict(self.maps), self.extra, questions, dict(self.types)]
        return hashlib.sha256(f"grammar 1 {json.dumps(content)}".encode()).hexdigest()


def _define(
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
            raise BadGrammar(_nothing_sets(other, definitions[name]), where)
        _define(definitions, other, found, (*above, name))
    found[name] = definitions[name].value(found)


def _nothing_sets(name: str, formula: Formula) -> str:
    return f"Nothing says what '{shown(name)}' in '{formula}' is. Set it under [parameters]."


def _needed(rules: tuple[Rule, ...], definitions: Mapping[str, Formula]) -> dict[str, Formula]:
    """The definitions that some weight depends on."""
    needed: set[str] = set()
    coming = {name for rule in rules for name in rule.weight.names}
    while coming:
        needed |= coming
        coming = {n for name in coming & set(definitions) for n in definitions[name].names} - needed
    return {name: formula for name, formula in definitions.items() if name in needed}


def expansions(grammar: Grammar) -> NDArray[np.float64]:
    """How many of each symbol an expansion of each leaves, on average (symbols, symbols)."""
    place = {name: number for number, name in enumerate(grammar.symbols)}
    found = np.zeros((len(place), len(place)))
    for rule, weight in zip(grammar.rules, grammar.weights.tolist(), strict=True):
        for part in rule.parts:
            if isinstance(part, Symbol):
                found[place[rule.symbol], place[part.name]] += weight
    return found


def check(grammar: Grammar) -> None:
    """Refuse a grammar that cannot be sampled or asked."""
    if not grammar.rules:
        raise BadGrammar("A grammar needs at least one rule.", "rules")
    _check_parts(grammar)
    _check_reached(grammar)
    _check_parameters(grammar)
    _check_weights(grammar)
    _check_end(grammar)
    for name, question in grammar.questions.items():
        _check_question(grammar, name, question)
    for name, words in grammar.types.items():
        _check_words(grammar, words, f"types.{name}")


def _check_parts(grammar: Grammar) -> None:
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


def _check_reached(grammar: Grammar) -> None:
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


def _check_parameters(grammar: Grammar) -> None:
    for rule in grammar.rules:
        for name in sorted(rule.weight.names - set(grammar.definitions)):
            raise BadGrammar(_nothing_sets(name, rule.weight), rule.line)
    needed = _needed(grammar.rules, grammar.definitions)
    for name in grammar.definitions:
        if name not in needed:
            raise BadGrammar(f"No weight needs the parameter '{name}'.", f"parameters.{name}")
    if grammar.sweep and grammar.sweep.parameter not in grammar.parameters:
        raise BadGrammar(
            f"The sweep is over '{shown(grammar.sweep.parameter)}', which is no parameter.", "sweep"
        )
    if grammar.sweep and not grammar.sweep.values:
        raise BadGrammar("The sweep has no values.", "sweep")


def _check_weights(grammar: Grammar) -> None:
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


def _check_end(grammar: Grammar) -> None:
    # One plus what follows is a positive solution only where every expansion comes to an end.
    matrix = np.eye(len(grammar.symbols)) - expansions(grammar)
    try:
        number = np.linalg.solve(matrix, np.ones(len(matrix)))
    except np.linalg.LinAlgError:
        number = np.full(len(matrix), np.inf)
    endless = ~((number >= 1 - _NEAR) & (number < _ENDLESS))
    if endless.any():
        symbol = grammar.symbols[int(np.flatnonzero(endless)[0])]
        line = next(rule.line for rule in grammar.rules if rule.symbol == symbol)
        raise BadGrammar(
            f"Sentences would never end: on average, {shown(symbol)} leads to itself again as "
            "often as it ends. Make the rules that end more likely.",
            line,
        )


def _check_question(grammar: Grammar, name: str, question: Question) -> None:
    for entry in ("positive", "negative"):
        if not getattr(question, entry):
            raise BadGrammar(f"The question has no {entry} words.", f"questions.{name}.{entry}")
    for entry in ("positive", "negative", "held_out", "contexts"):
        _check_words(grammar, getattr(question, entry), f"questions.{name}.{entry}")
    both = [word for word in question.positive if word in set(question.negative)]
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


def _check_training(name: str, question: Question) -> None:
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


def _check_words(grammar: Grammar, words: Words, where: str) -> None:
    known, seen = set(grammar.words), set[str]()
    for word in words:
        if word not in known:
            raise BadGrammar(f"The word '{shown(word)}' occurs in no sentence.", where)
        if word in seen:
            raise BadGrammar(f"The word '{shown(word)}' stands twice.", where)
        seen.add(word)
