"""What fails a check."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lexiscope.bench.checked import Checked
from lexiscope.core.errors import BadUsage

_LOST = 0.05  # the share of a dataset's items whose loss coverage-drop fails on


class Rule(NamedTuple):
    """A name for what fails a check, and how a question breaks it."""

    text: str
    broken_by: Callable[[Checked], bool]


def rule(text: str) -> Rule:
    """A rule by its name on the command line."""
    name, equals, value = text.partition("=")
    if name == "drop" and equals:
        least = _share(text, value)
        return Rule(text, lambda checked: _difference(checked) <= -least)
    rules: dict[str, Callable[[Checked], bool]] = {
        "significant-drop": lambda checked: checked.verdict == "really worse",
        "any-drop": lambda checked: _difference(checked) < 0,
        "coverage-drop": lambda c: c.used_before - c.used > _LOST * c.total,
    }
    if text not in rules:
        raise BadUsage(
            f"--fail-on takes {', '.join(rules)} or drop=NUMBER (drop=0.01), found '{text}'."
        )
    return Rule(text, rules[text])


def _share(text: str, value: str) -> float:
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not 0 < least <= 2:  # from 1 to -1 no score falls further
        raise BadUsage(f"--fail-on drop=NUMBER takes a number above 0 and up to 2, found '{text}'.")
    return least


def _difference(checked: Checked) -> float:
    found = checked.comparison and checked.comparison.difference
    return found or 0.0


def judged(questions: Sequence[Checked], rules: Sequence[Rule]) -> list[Checked]:
    """The questions with the rules that each breaks.

    One that the new embedding cannot answer fails always. Where nothing at all could be compared,
    everything fails: a check that looked at nothing must not pass.
    """
    nothing = all(question.verdict == "not comparable" for question in questions)
    return [replace(q, fails=_broken(q, rules, nothing)) for q in questions]


def _broken(checked: Checked, rules: Sequence[Rule], nothing: bool) -> tuple[str, ...]:
    if nothing:
        return ("nothing compared",)
    if checked.verdict == "not answered":
        return ("not answered",)
    if checked.now is None:
        return ()
    return tuple(rule.text for rule in rules if rule.broken_by(checked))
