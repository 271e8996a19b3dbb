"""Arithmetic formulas in data files: numbers, names, + - * / ** and parentheses.

A formula is parsed, never executed as code.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from lexiscope.core.errors import BadData

_LONGEST = 200
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([^\W\d]\w*)|(\*\*|[-+*/()]))")


class _Operator(NamedTuple):
    """An operator: its function and its precedence; powers are right-associative."""

    apply: Callable[[float, float], float]
    strength: int
    right: int


_OPERATORS = {
    "+": _Operator(operator.add, 1, 2),
    "-": _Operator(operator.sub, 1, 2),
    "*": _Operator(operator.mul, 2, 3),
    "/": _Operator(operator.truediv, 2, 3),
    "**": _Operator(math.pow, 4, 3),
}
_MINUS = 3  # lower precedence than a power: -2 ** 2 is -4

Value = Callable[[Mapping[str, float]], float]


@dataclass(frozen=True)
class Formula:
    """A number, or an expression in other parameters: "1/4", "(1 - beta) / 20", "2 ** -alpha"."""

    text: str

    def __post_init__(self) -> None:
        if len(self.text) > _LONGEST:
            raise BadData(f"A formula has at most {_LONGEST} characters, found {len(self.text)}.")
        _ = self._value

    def __reduce__(self) -> tuple[type["Formula"], tuple[str]]:
        return type(self), (self.text,)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that occur in the formula."""
        return frozenset(token for token in _tokens(self.text) if _is_name(token))

    def value(self, names: Mapping[str, float]) -> float:
        """Evaluate the formula for the given values of its names."""
        try:
            found = self._value(names)
        except (ArithmeticError, ValueError) as problem:
            raise BadData(f"'{self.text}' is not a number ({problem}).") from None
        if not math.isfinite(found):
            raise BadData(f"'{self.text}' is not a finite number.")
        return found

    @cached_property
    def _value(self) -> Value:
        tokens = _tokens(self.text)[::-1]
        found = _sum(tokens, 0, self.text)
        if tokens:
            raise BadData(f"'{self.text}' is not a formula: unexpected '{tokens[-1]}'.")
        return found


def _tokens(text: str) -> list[str]:
    found, position = [], 0
    while text[position:].strip():
        token = _TOKEN.match(text, position)
        if token is None:
            raise BadData(f"'{text}' is not a formula: cannot parse '{text[position:].strip()}'.")
        found.append(token[0].strip())
        position = token.end()
    return found


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _sum(rest: list[str], strength: int, text: str) -> Value:
    """Parse operators of at least this precedence; `rest` is consumed from its end."""
    value = _single(rest, text)
    while rest and (operator_ := _OPERATORS.get(rest[-1])) and operator_.strength >= strength:
        rest.pop()
        value = _joined(operator_.apply, value, _sum(rest, operator_.right, text))
    return value


def _joined(apply: Callable[[float, float], float], left: Value, right: Value) -> Value:
    return lambda names: apply(left(names), right(names))


def _single(rest: list[str], text: str) -> Value:
    token = rest.pop() if rest else "the end"
    if token == "-":
        inner = _sum(rest, _MINUS, text)
        return lambda names: -inner(names)
    if token == "(":
        inner = _sum(rest, 0, text)
        if not rest or rest.pop() != ")":
            raise BadData(f"'{text}' is not a formula: a parenthesis is not closed.")
        return inner
    if _is_name(token) and token != "the end":
        return lambda names: names[token]
    if token[0].isdigit() or token[0] == ".":
        number = float(token)
        return lambda names: number
    raise BadData(
        f"'{text}' is not a formula: a number or name is missing before {_quoted(token)}."
    )


def _quoted(token: str) -> str:
    return token if token == "the end" else f"'{token}'"
