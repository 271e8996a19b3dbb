"""Quality of judges: control items, time, positions and opt-outs. Flags never drop anybody.

A judge is flagged by rules that are fixed before the study; results are given with and without
flagged judges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lexiscope.core.estimate import plain
from lexiscope.core.study import OPT_OUT, Item, Judgment, Study

MIN_CONTROL_ACCURACY = 0.6
FAST_SECONDS = 0.4
MAX_FAST = 0.25  # proportion of answers
MAX_SAME_POSITION = 0.9
_SAME_POSITION = "same position"
_MIN_ANSWERS = 10  # for the rule of positions


@dataclass(frozen=True)
class JudgeQuality:
    """What is known of one judge; None where there are no such answers."""

    judge: str
    judgments: int
    opt_outs: int
    control_accuracy: float | None
    median_seconds: float | None
    fast: float | None
    same_position: float | None
    agreement: float | None
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


def judge_quality(study: Study, judgments: Sequence[Judgment]) -> tuple[JudgeQuality, ...]:
    """Describe each judge, sorted by id."""
    items = {item.id: item for item in study.items}
    by_judge: dict[str, list[Judgment]] = {}
    by_item: dict[str, list[Judgment]] = {}
    for each in judgments:
        by_judge.setdefault(each.judge, []).append(each)
        by_item.setdefault(each.item, []).append(each)
    found = (_quality(name, by_judge[name], items, by_item) for name in sorted(by_judge))
    if _order_recorded(study):
        return tuple(found)
    return tuple(
        replace(each, same_position=None, flags=_without_positions(each)) for each in found
    )


def _order_recorded(study: Study) -> bool:
    """Whether positions mean something: an imported study may not say in which order it showed."""
    return bool(study.manifest.get("order_recorded", True))


def _without_positions(found: JudgeQuality) -> tuple[str, ...]:
    return tuple(flag for flag in found.flags if flag != _SAME_POSITION)


def _quality(
    name: str,
    given: Sequence[Judgment],
    items: Mapping[str, Item],
    by_item: Mapping[str, Sequence[Judgment]],
) -> JudgeQuality:
    answers = [each for each in given if each.choice != OPT_OUT]
    controls = [each for each in given if items[each.item].control]
    times = [each.seconds for each in given if each.seconds is not None]
    found = JudgeQuality(
        name,
        len(given),
        len(given) - len(answers),
        _mean([each.choice == items[each.item].answer for each in controls]),
        float(np.median(times)) if times else None,
        _mean([seconds < FAST_SECONDS for seconds in times]),
        _same_position(answers),
        _agreement(answers, by_item),
        (),
    )
    return JudgeQuality(**{**vars(found), "flags": _flags(found, len(answers))})


def _mean(values: Sequence[bool]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _same_position(answers: Sequence[Judgment]) -> float | None:
    positions = [each.position for each in answers if each.position is not None]
    return float(np.bincount(positions).max() / len(positions)) if positions else None


def _agreement(
    answers: Sequence[Judgment], by_item: Mapping[str, Sequence[Judgment]]
) -> float | None:
    """The proportion of other answers to the same items that are the same; without opt-outs."""
    found = []
    for each in answers:
        others = [
            o.choice for o in by_item[each.item] if o.judge != each.judge and o.choice != OPT_OUT
        ]
        if others:
            found.append(float(np.mean([choice == each.choice for choice in others])))
    return float(np.mean(found)) if found else None


def _flags(found: JudgeQuality, answers: int) -> tuple[str, ...]:
    flags = []
    if found.control_accuracy is not None and found.control_accuracy < MIN_CONTROL_ACCURACY:
        flags.append("control items")
    if found.fast is not None and found.fast > MAX_FAST:
        flags.append("fast answers")
    same = found.same_position
    if same is not None and answers >= _MIN_ANSWERS and same >= MAX_SAME_POSITION:
        flags.append(_SAME_POSITION)
    return tuple(flags)


@dataclass(frozen=True)
class PositionBias:
    """Choices by position, for items with the same number of options, and a chi-square test."""

    options: int
    choices: tuple[int, ...]
    p: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


def position_bias(study: Study, judgments: Sequence[Judgment]) -> tuple[PositionBias, ...]:
    """Test whether all positions are chosen equally often. Ratings count as independent."""
    from scipy.stats import chisquare

    if not _order_recorded(study):
        return ()
    sizes = {item.id: len(item.options) for item in study.scored}
    found: dict[int, list[int]] = {}
    for each in judgments:
        if each.item in sizes and each.position is not None:
            found.setdefault(sizes[each.item], []).append(each.position)
    tables = {size: np.bincount(positions, minlength=size) for size, positions in found.items()}
    return tuple(
        PositionBias(size, tuple(counts.tolist()), float(chisquare(counts).pvalue))
        for size, counts in sorted(tables.items())
    )
