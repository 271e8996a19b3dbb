"""Arithmetic in data files: numbers, names, + - * / ** and brackets. Text is read, never run."""

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


class _Sign(NamedTuple):
    """What a sign does, and how strongly it binds; powers bind from the right."""

    apply: Callable[[float, float], float]
    strength: int
    right: int


_SIGNS = {
    "+": _Sign(operator.add, 1, 2),
    "-": _Sign(operator.sub, 1, 2),
    "*": _Sign(operator.mul, 2, 3),
    "/": _Sign(operator.truediv, 2, 3),
    "**": _Sign(math.pow, 4, 3),
}
_MINUS = 3  # binds less than a power: -2 ** 2 is -4

Value = Callable[[Mapping[str, float]], float]


@dataclass(frozen=True)
class Formula:
    """A number, or how it follows from others: "1/4", "(1 - beta) / 20", "2 ** -alpha"."""

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
        """The names that the number depends on."""
        return frozenset(token for token in _tokens(self.text) if _is_name(token))

    def value(self, names: Mapping[str, float]) -> float:
        """The number, where each name stands for the number given."""
        try:
            found = self._value(names)
        except (ArithmeticError, ValueError) as problem:
            raise BadData(f"'{self.text}' is no number ({problem}).") from None
        if not math.isfinite(found):
            raise BadData(f"'{self.text}' is no finite number.")
        return found

    @cached_property
    def _value(self) -> Value:
        tokens = _tokens(self.text)[::-1]
        found = _sum(tokens, 0, self.text)
        if tokens:
            raise BadData(f"'{self.text}' is no formula: '{tokens[-1]}' is one too many.")
        return found


def _tokens(text: str) -> list[str]:
    found, place = [], 0
    while text[place:].strip():
        token = _TOKEN.match(text, place)
        if token is None:
            raise BadData(f"'{text}' is no formula: '{text[place:].strip()}' cannot be read.")
        found.append(token[0].strip())
        place = token.end()
    return found


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _sum(rest: list[str], strength: int, text: str) -> Value:
    """The value of what binds at least so strongly; `rest` is read from its end."""
    value = _single(rest, text)
    while rest and (sign := _SIGNS.get(rest[-1])) and sign.strength >= strength:
        rest.pop()
        value = _joined(sign.apply, value, _sum(rest, sign.right, text))
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
            raise BadData(f"'{text}' is no formula: a bracket is not closed.")
        return inner
    if _is_name(token) and token != "the end":
        return lambda names: names[token]
    if token[0].isdigit() or token[0] == ".":
        number = float(token)
        return lambda names: number
    raise BadData(f"'{text}' is no formula: a number or name is missing before {_quoted(token)}.")


def _quoted(token: str) -> str:
    return token if token == "the end" else f"'{token}'"
