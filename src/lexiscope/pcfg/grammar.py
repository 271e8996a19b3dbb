"""Probabilistic context-free grammars with targets for probes.

As in Yaghoobzadeh and Schütze 2016, section 4, with the three additions of their figures:
parameters of the probabilities, maps that are sampled once per corpus, and extra sentences that
occur once each.
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

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.rules import BadGrammar, Image, Rule, Symbol, Word, Words
from lexiscope.pcfg.validation import check, needed, nothing_sets, totals


@dataclass(frozen=True)
class Sweep:
    """A parameter and its values."""

    parameter: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Target:
    """Two classes of words that a probe predicts, and the held-out words that form the test set.

    `contexts` are words of the classes that only serve as contexts of the others.
    """

    positive: Words
    negative: Words
    held_out: Words
    contexts: Words = ()
    about: str = ""

    def training(self, contexts: bool = True) -> Words:
        """Return the words of the training set, with or without context words."""
        excluded = {*self.held_out, *(() if contexts else self.contexts)}
        return tuple(word for word in (*self.positive, *self.negative) if word not in excluded)

    def is_positive(self, word: str) -> bool:
        """Return whether a word of this target is in the positive class."""
        return word in self._positive

    @cached_property
    def _positive(self) -> frozenset[str]:
        return frozenset(self.positive)


@dataclass(frozen=True, eq=False)
class Grammar:
    """Rules, targets and types. The start symbol is that of the first rule.

    `definitions` are the formulas of the parameters. A map assigns one of its words to each of its
    keys at random. `extra` sentences occur once each in a corpus. `types` are named word classes.
    """

    name: str
    about: str
    rules: tuple[Rule, ...]
    definitions: Mapping[str, Formula] = field(default_factory=dict)
    maps: Mapping[str, Words] = field(default_factory=dict)
    extra: tuple[Words, ...] = ()
    targets: Mapping[str, Target] = field(default_factory=dict)
    types: Mapping[str, Words] = field(default_factory=dict)
    sweep: Sweep | None = None

    def __post_init__(self) -> None:
        for name in ("definitions", "maps", "targets", "types"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        check(self)

    def __reduce__(self) -> tuple[Any, ...]:  # read-only mappings cannot be pickled
        values = (getattr(self, each.name) for each in fields(self))
        return type(self), tuple(dict(v) if isinstance(v, Mapping) else v for v in values)

    def __repr__(self) -> str:
        return f"Grammar({self.name!r}, {len(self.rules):,} rules, {len(self.words):,} words)"

    @property
    def start(self) -> str:
        """The start symbol."""
        return self.rules[0].symbol

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The symbols (nonterminals), in the order of their first rules."""
        return tuple(dict.fromkeys(rule.symbol for rule in self.rules))

    @cached_property
    def words(self) -> Words:
        """All words (terminals), in the order of the rules."""
        found: dict[str, None] = {}
        for rule in self.rules:
            for part in rule.parts:
                if isinstance(part, Word):
                    found[part.text] = None
                elif isinstance(part, Image):
                    found |= dict.fromkeys(self.maps[part.map])
        found |= dict.fromkeys(word for sentence in self.extra for word in sentence)
        return tuple(found)

    @cached_property
    def parameters(self) -> Mapping[str, float]:
        """The values of the parameters."""
        found: dict[str, float] = {}
        for name in self.definitions:
            _define(self.definitions, name, found, ())
        return MappingProxyType({name: found[name] for name in self.definitions})

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each rule given its symbol (rules,)."""
        probabilities = np.array([_probability(rule, self.parameters) for rule in self.rules])
        probabilities.flags.writeable = False
        return probabilities

    @cached_property
    def expansions(self) -> NDArray[np.float64]:
        """Expected number of each symbol in one expansion of each symbol (symbols, symbols)."""
        index = {name: number for number, name in enumerate(self.symbols)}
        found = np.zeros((len(index), len(index)))
        for rule, probability in zip(self.rules, self.probabilities.tolist(), strict=True):
            for part in rule.parts:
                if isinstance(part, Symbol):
                    found[index[rule.symbol], index[part.name]] += probability
        found.flags.writeable = False
        return found

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """Expected number of words that each symbol derives (symbols,)."""
        index = {name: number for number, name in enumerate(self.symbols)}
        words = np.zeros(len(index))
        for rule, probability in zip(self.rules, self.probabilities.tolist(), strict=True):
            own = sum(not isinstance(part, Symbol) for part in rule.parts)
            words[index[rule.symbol]] += probability * own
        return totals(self.expansions, words)

    @property
    def length(self) -> float:
        """Expected number of words of a sentence."""
        return float(self.expected[0])

    @property
    def target(self) -> Target:
        """The only target, or the first."""
        self.require_target()
        return next(iter(self.targets.values()))

    def require_target(self) -> None:
        """Raise an error if the grammar has no target."""
        if not self.targets:
            raise BadUsage(
                f"The grammar {self.name} has no target. Add a [target] table with positive, "
                "negative and held_out words."
            )

    def at(self, **values: float) -> "Grammar":
        """Return the grammar with parameters set, without parameters that are no longer used.

        A number replaces the formula of its parameter.
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
            values_ = ", ".join(f"{name} = {value}" for name, value in values.items())
            raise BadUsage(f"The grammar {self.name} with {values_}: {problem}") from None

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of rules, probabilities, targets and types, without names and descriptions."""
        rules = [
            [
                rule.symbol,
                probability,
                *([type(part).__name__, *vars(part).values()] for part in rule.parts),
            ]
            for rule, probability in zip(self.rules, self.probabilities.tolist(), strict=True)
        ]
        targets = [
            [each.positive, each.negative, each.held_out, each.contexts]
            for each in self.targets.values()
        ]
        content = [rules, dict(self.maps), self.extra, targets, dict(self.types)]
        return hashlib.sha256(f"grammar 1 {json.dumps(content)}".encode()).hexdigest()


def _probability(rule: Rule, parameters: Mapping[str, float]) -> float:
    try:
        return rule.probability.value(parameters)
    except BadData as problem:
        raise BadGrammar(str(problem), rule.line) from None


def _define(
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
        _define(definitions, other, found, (*above, name))
    try:
        found[name] = definitions[name].value(found)
    except BadData as problem:
        raise BadGrammar(str(problem), where) from None
