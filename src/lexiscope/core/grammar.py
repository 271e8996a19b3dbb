"""Grammars: weighted rules that make sentences, and what can be asked about their words.

A probabilistic context-free grammar as in Yaghoobzadeh and Schütze 2016, section 4, with the three
things that their figures add: parameters of the weights, maps that are drawn once for a corpus and
then fixed, and sentences that stand once each beside the sampled ones.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexiscope.core._grammar_checks import check, totals
from lexiscope.core._parameters import define, needed
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.formula import Formula
from lexiscope.core.rules import BadGrammar, Image, Rule, Symbol, Word, Words


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
        return word in self._positive

    @cached_property
    def _positive(self) -> frozenset[str]:
        return frozenset(self.positive)


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

    def __reduce__(self) -> tuple[Any, ...]:  # read-only mappings do not travel to other processes
        values = (getattr(self, each.name) for each in fields(self))
        return type(self), tuple(dict(v) if isinstance(v, Mapping) else v for v in values)

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
            define(self.definitions, name, found, ())
        return MappingProxyType({name: found[name] for name in self.definitions})

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """How likely each rule is among those of its symbol (rules,)."""
        weights = np.array([_weight(rule, self.parameters) for rule in self.rules])
        weights.flags.writeable = False
        return weights

    @cached_property
    def expansions(self) -> NDArray[np.float64]:
        """How many of each symbol an expansion of each leaves, on average (symbols, symbols)."""
        place = {name: number for number, name in enumerate(self.symbols)}
        found = np.zeros((len(place), len(place)))
        for rule, weight in zip(self.rules, self.weights.tolist(), strict=True):
            for part in rule.parts:
                if isinstance(part, Symbol):
                    found[place[rule.symbol], place[part.name]] += weight
        found.flags.writeable = False
        return found

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """The mean number of words that each symbol becomes, in the order of `symbols`."""
        place = {name: number for number, name in enumerate(self.symbols)}
        words = np.zeros(len(place))
        for rule, weight in zip(self.rules, self.weights.tolist(), strict=True):
            said = sum(not isinstance(part, Symbol) for part in rule.parts)
            words[place[rule.symbol]] += weight * said
        return totals(self.expansions, words)

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
        kept = needed(self.rules, {**self.definitions, **changed})
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


def _weight(rule: Rule, parameters: Mapping[str, float]) -> float:
    try:
        return rule.weight.value(parameters)
    except BadData as problem:
        raise BadGrammar(str(problem), rule.line) from None
