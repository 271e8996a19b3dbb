"""Verdicts on claims: one rule for every kind of number, whichever paper prints it.

The printed number and ours are compared with the sampling error of both (`agreement.py`).

- differs: the two numbers are significantly different after Holm's correction over all claims of
  the paper that are judged
- agrees: their difference is within an equivalence margin, by two one-sided tests at 5 %
- undecided: neither; more trials, models or items are needed
- not run: the experiment does not cover the claim, for the given reason
- unknown: the claim cannot be judged, for the given reason

A claim about an order agrees or differs if our difference is significant after the same correction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from lexiscope.papers.agreement import EQUIVALENCE_LEVEL, Agreement, Sample
from lexiscope.papers.claims import Claim
from lexiscope.stats.multiple_comparisons import holm

Word = Literal["agrees", "undecided", "differs", "not run", "unknown"]
WORDS: tuple[Word, ...] = ("agrees", "undecided", "differs", "not run", "unknown")
ALPHA = 0.05


class Margins(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[margins] of a paper file: the largest difference that counts as agreement."""

    proportion: float = 0.1
    correlation: float = 0.2
    score: float = 2.0  # in the unit of the paper's scores
    exponent: float = 0.05  # of a power law
    cosine: float = 0.05  # a mean over terms


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval, from `n` trials, models or items.

    `state` says why there is no interval, or what the interval does not cover.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    state: str = ""


NO_ESTIMATE = Estimate()


def estimate(sample: Sample, n: int, state: str = "") -> Estimate:
    """Return the value of a sample with its 95 % confidence interval."""
    return Estimate(sample.value, *sample.interval(), n, state)


@dataclass(frozen=True)
class Verdict:
    """A claim, the two numbers with their uncertainty, and whether they agree.

    `paper` is the printed number; of a range, the value that is nearest to ours. `difference` is
    ours minus the paper's with its 90 % confidence interval, `margin` the equivalence margin.
    `p_value` is that of the difference, or for an order that of our difference; `min_p` is the
    smallest that the test can give, and `p_holm` is corrected over the claims of the paper.
    `can_agree` is false if the paper's own interval is wider than the margin: no result of ours
    could agree. `dimension` is that of our vectors. `covered` are the test items that we cover, and
    all. `matching_trials` is the proportion of our trials with the outcome in the paper.
    `secondary` estimates vary the analysis; no verdict uses them.
    """

    claim: Claim
    verdict: Word
    ours: Estimate = NO_ESTIMATE
    reason: str = ""
    dimension: int | None = None
    paper: Estimate = NO_ESTIMATE
    difference: Estimate = NO_ESTIMATE
    margin: float | None = None
    can_agree: bool = True
    p_value: float | None = None
    min_p: float = 0.0
    p_holm: float | None = None
    covered: tuple[int, int] | None = None
    matching_trials: float | None = None
    secondary: Mapping[str, Estimate] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        import msgspec

        return {
            "claim": msgspec.to_builtins(self.claim),
            "verdict": self.verdict,
            "reason": self.reason,
            "ours": self.ours._asdict(),
            "paper": self.paper._asdict(),
            "difference": self.difference._asdict(),
            "margin": self.margin,
            "can_agree": self.can_agree,
            "dimension": self.dimension,
            "p_value": self.p_value,
            "p_holm": self.p_holm,
            "covered": None if self.covered is None else list(self.covered),
            "matching_trials": self.matching_trials,
            "secondary": {name: each._asdict() for name, each in self.secondary.items()},
        }


def not_run(claim: Claim, reason: str) -> Verdict:
    """Return the verdict on a claim that the experiment does not cover."""
    return Verdict(claim, "not run", reason=reason)


def unknown(verdict: Verdict, reason: str) -> Verdict:
    """Return the verdict on a claim that cannot be judged, such as a misprint."""
    return replace(verdict, verdict="unknown", reason=reason, p_value=None)


def compared(verdict: Verdict, found: Agreement, margin: float) -> Verdict:
    """Add the comparison of the two numbers; `decide` judges it."""
    difference = Estimate(found.difference, found.low, found.high)
    low, high = found.paper.interval(EQUIVALENCE_LEVEL)
    precise = max(found.paper.value - low, high - found.paper.value) < margin
    return replace(
        verdict, difference=difference, margin=margin, can_agree=precise, p_value=found.p,
        min_p=found.min_p,
    )  # fmt: skip


def decide(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Judge all claims of a paper that were compared, with Holm's correction over them."""
    tested = {
        k: float(v.p_value)
        for k, v in enumerate(verdicts)
        if v.verdict == "undecided" and v.p_value is not None
    }
    corrected = holm(list(tested.values()), [verdicts[k].min_p for k in tested]).tolist()
    decided = list(verdicts)
    for k, p in zip(tested, corrected, strict=True):
        found = replace(decided[k], p_holm=p)
        decided[k] = replace(found, verdict=_word(found))
    return tuple(decided)


def _word(verdict: Verdict) -> Word:
    significant = verdict.p_holm is not None and verdict.p_holm < ALPHA
    if verdict.claim.is_order:
        if not significant or not verdict.ours.value:
            return "undecided"
        return "agrees" if verdict.ours.value > 0 else "differs"
    return "differs" if significant else "agrees" if is_equivalent(verdict) else "undecided"


def is_equivalent(verdict: Verdict) -> bool:
    """Return whether the 90 % confidence interval of the difference is within the margin."""
    low, high, margin = verdict.difference.low, verdict.difference.high, verdict.margin
    if low is None or high is None or margin is None:
        return False
    return -margin < low and high < margin
