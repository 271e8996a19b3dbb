"""The rules that fail a check."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from lexiscope.core.errors import BadUsage
from lexiscope.regression.outcome import CheckedEvaluation

_COVERAGE_DROP = 0.05  # proportion of the items of a dataset


class Rule(NamedTuple):
    """A rule as written on the command line, and whether it fails for an evaluation."""

    text: str
    fails_for: Callable[[CheckedEvaluation], bool]


def rule(text: str) -> Rule:
    """The rule with this text."""
    name, equals, value = text.partition("=")
    if name == "drop" and equals:
        limit = _limit(text, value)
        return Rule(text, lambda checked: _difference(checked) <= -limit)
    rules: dict[str, Callable[[CheckedEvaluation], bool]] = {
        "significant-drop": lambda checked: checked.verdict == "significantly worse",
        "any-drop": lambda checked: _difference(checked) < 0,
        "coverage-drop": lambda c: c.baseline_used - c.used > _COVERAGE_DROP * c.total,
    }
    if text not in rules:
        raise BadUsage(
            f"--fail-on takes {', '.join(rules)} or drop=NUMBER (drop=0.01), found '{text}'."
        )
    return Rule(text, rules[text])


def _limit(text: str, value: str) -> float:
    try:
        limit = float(value)
    except ValueError:
        limit = math.nan
    if not 0 < limit <= 2:  # scores are between -1 and 1
        raise BadUsage(f"--fail-on drop=NUMBER takes a number above 0 and up to 2, found '{text}'.")
    return limit


def _difference(checked: CheckedEvaluation) -> float:
    found = checked.comparison and checked.comparison.difference
    return found or 0.0


def apply_rules(
    evaluations: Sequence[CheckedEvaluation], rules: Sequence[Rule]
) -> list[CheckedEvaluation]:
    """Add to each evaluation the rules that fail.

    An evaluation that the new embedding cannot complete always fails. If nothing was tested, every
    evaluation fails: a check that tested nothing must not pass.
    """
    nothing = _nothing(evaluations)
    return [replace(each, fails=_fails(each, rules, nothing)) for each in evaluations]


def _nothing(evaluations: Sequence[CheckedEvaluation]) -> str:
    """What no evaluation is: comparable, or tested; empty if one is tested."""
    if all(each.verdict == "not comparable" for each in evaluations):
        return "nothing comparable"
    without_test = ("not comparable", "not evaluated")
    untested = [each for each in evaluations if each.verdict not in without_test]
    if untested and all(each.comparison and each.comparison.p is None for each in untested):
        return "nothing tested"
    return ""


def _fails(checked: CheckedEvaluation, rules: Sequence[Rule], nothing: str) -> tuple[str, ...]:
    if checked.verdict == "not evaluated":
        return ("not evaluated",)
    if nothing:
        return (nothing,)
    if checked.score is None:
        return ()
    return tuple(rule.text for rule in rules if rule.fails_for(checked))
