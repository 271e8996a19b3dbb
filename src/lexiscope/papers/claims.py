"""Claims: the numbers that papers print, and verdicts on them.

Every kind of claim is judged by one rule, whichever paper makes it. The words of a verdict:

- agrees: our results are compatible with the claim, and precise enough to say so
- inconclusive: our results are too imprecise to decide
- possible: our 95 % confidence interval excludes the claim, but sampling error explains it
- differs: our results contradict the claim
- not run: the experiment does not cover the claim; the reason says why
- unknown: the claim cannot be judged; the reason says why
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from msgspec import Struct

Word = Literal["agrees", "inconclusive", "possible", "differs", "not run", "unknown"]
WORDS: tuple[Word, ...] = ("agrees", "inconclusive", "possible", "differs", "not run", "unknown")

_WIDE_PROPORTION = 0.3  # a wider interval of a proportion is too imprecise to agree
_WIDE_CORRELATION = 0.6  # of the 2 from -1 to 1
ALPHA = 0.05


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """A number that a paper prints: its position, and its value or its range.

    `printed` is the wording in the paper, if it is not a plain number. `misprint` explains why the
    printed number must be wrong; such a claim is not judged. `not_run` explains why no experiment
    of this package covers the claim.
    """

    table: str
    row: str
    column: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    printed: str = ""
    note: str = ""
    misprint: str = ""
    not_run: str = ""

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None):
            raise ValueError("a range needs both `low` and `high`")
        if self.value is not None and self.low is not None:
            raise ValueError("give either `value` or `low` and `high`, not both")
        if self.needs_number and self.value is None and self.low is None:
            raise ValueError("give `value`, or `low` and `high`")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("`low` must not be greater than `high`")

    @property
    def needs_number(self) -> bool:
        """Whether a claim of this kind states a number, and not only an order."""
        return True

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value that the claim allows."""
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        return (0.0 if low is None else low), (0.0 if high is None else high)

    @property
    def labels(self) -> dict[str, str]:
        """What identifies the claim in a table, by column title."""
        return {"row": self.row, "column": self.column}

    @property
    def text(self) -> str:
        """What the paper prints."""
        low, high = self.range
        return self.printed or (f"{low:g}" if low == high else f"{low:g} to {high:g}")


class ProportionClaim(Claim, frozen=True, kw_only=True, tag="proportion"):
    """The proportion of correct predictions of a model (row) for a criterion (column).

    `at` is a value of the criterion's sweep. `trials` is the number of trials in the paper.
    """

    probe: str = "subspace"
    at: float | None = None
    trials: int | None = None

    @property
    def labels(self) -> dict[str, str]:
        at = "" if self.at is None else f" at {self.at:g}"
        return {"criterion": f"{self.column}{at}", "probe": self.probe, "model": self.row}

    @property
    def text(self) -> str:
        trials = {None: "", 1: " (1 trial)"}.get(self.trials, f" ({self.trials} trials)")
        return f"{super().text}{trials}"

    @property
    def holds_for_each_trial(self) -> bool:
        """Whether the claim follows for every single trial: of one trial, or of all or none."""
        low, high = self.range
        return self.trials == 1 or low == high in (0.0, 1.0)


class ScoreClaim(Claim, frozen=True, kw_only=True, tag="score"):
    """The score of a model (row) in an evaluation (column), in the unit of the paper."""

    dimension: int

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "evaluation": self.column, "dimension": str(self.dimension)}

    @property
    def text(self) -> str:
        return self.printed or f"{self.range[0]:.1f}"


class CorrelationClaim(Claim, frozen=True, kw_only=True, tag="correlation"):
    """The correlation of two evaluations over models.

    `points` is the number of points in the paper. A `dimension_specific` claim is only judged at
    its own dimensionality, any other at the dimensionality of the experiment's tables.
    """

    metric: Literal["pearson", "spearman"]
    predictor: str
    target: str
    dimension: int
    points: int
    dimension_specific: bool = False

    @property
    def labels(self) -> dict[str, str]:
        names = {"predictor": self.predictor, "target": self.target}
        return {**names, "dimension": str(self.dimension)}

    @property
    def text(self) -> str:
        return self.printed or f"{self.range[0]:.2f}"


class OrderClaim(Claim, frozen=True, kw_only=True, tag="order"):
    """One model (row) scores higher than another (`below`) for a criterion (column)."""

    below: str

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def labels(self) -> dict[str, str]:
        return {"criterion": self.column, "order": f"{self.below} < {self.row}"}

    @property
    def text(self) -> str:
        return self.printed


class PredictorClaim(Claim, frozen=True, kw_only=True, tag="predictor"):
    """An evaluation (row) predicts a downstream task (column) better than another (`below`).

    `value` is the difference of the printed correlations.
    """

    below: str

    @property
    def labels(self) -> dict[str, str]:
        return {"target": self.column, "order": f"{self.below} < {self.row}"}

    @property
    def text(self) -> str:
        return self.printed or f"{self.range[0]:+.2f}"


class RankingClaim(Claim, frozen=True, kw_only=True, tag="ranking"):
    """The ranking of models by an evaluation (column), best first."""

    dimension: int
    models: tuple[str, ...]

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def labels(self) -> dict[str, str]:
        return {"evaluation": self.column, "dimension": str(self.dimension)}

    @property
    def text(self) -> str:
        return self.printed or ", ".join(self.models)


class NumberClaim(Claim, frozen=True, kw_only=True, tag="number"):
    """A printed number that no experiment of this package computes; `not_run` says why."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.not_run:
            raise ValueError("a claim of kind 'number' needs `not_run`, the reason")


class Estimate(NamedTuple):
    """A value of ours with its 95 % confidence interval, from `n` trials or models.

    `state` says why there is no interval.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    state: str = ""

    def contains(self, value: float) -> bool:
        """Return whether the interval contains a value."""
        return self.low is not None and self.high is not None and self.low <= value <= self.high


NO_ESTIMATE = Estimate()


@dataclass(frozen=True)
class Verdict:
    """A claim, our value, and whether the two agree.

    `dimension` is that of our vectors. `p_value` is that of the difference between claim and ours,
    or for an order that of the order. `matching_trials` is the proportion of our trials with the
    outcome in the paper. `secondary` estimates vary the analysis; no verdict but "possible" uses
    them.
    """

    claim: Claim
    verdict: Word
    ours: Estimate = NO_ESTIMATE
    reason: str = ""
    dimension: int | None = None
    p_value: float | None = None
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
            "dimension": self.dimension,
            "p_value": self.p_value,
            "matching_trials": self.matching_trials,
            "secondary": {name: each._asdict() for name, each in self.secondary.items()},
        }


def not_run(claim: Claim, reason: str) -> Verdict:
    """Return the verdict on a claim that the experiment does not cover."""
    return Verdict(claim, "not run", reason=reason)


def misprinted(judged: Verdict) -> Verdict:
    """Return the verdict on a misprinted claim, which cannot be judged."""
    return replace(judged, verdict="unknown", reason=judged.claim.misprint)


def judge_proportion(claim: ProportionClaim, ours: Estimate, matching: float | None) -> Word:
    """Judge a proportion of correct predictions over trials.

    The claim is possible if as many of our trials as the paper has would all have its outcome
    with a probability of at least 5 %.
    """
    if ours.value is None:
        return "unknown"
    low, high = (ours.value if end is None else end for end in (ours.low, ours.high))
    narrow = high - low <= _WIDE_PROPORTION
    least, most = claim.range
    if low <= most and high >= least:
        return "agrees" if narrow else "inconclusive"
    if matching is not None and matching ** (claim.trials or 1) >= ALPHA:
        return "possible"
    return "differs" if narrow else "inconclusive"


def judge_correlation(
    printed: float, ours: Estimate, p_value: float | None, bases: Estimate | None
) -> Word:
    """Judge a correlation over models.

    A value outside our interval is possible if the two correlations are not significantly
    different, or if the interval over models with separate vectors contains it.
    """
    if ours.low is None or ours.high is None or p_value is None:
        return "unknown"
    if ours.contains(printed):
        return "agrees" if ours.high - ours.low <= _WIDE_CORRELATION else "inconclusive"
    explained = p_value >= ALPHA or (bases is not None and bases.contains(printed))
    return "possible" if explained else "differs"


def judge_score(claim: Claim, ours: Estimate, rounding: float) -> Word:
    """Judge a score, which the paper rounds to multiples of twice `rounding`."""
    if ours.value is None or ours.low is None or ours.high is None:
        return "unknown"
    least, most = claim.range
    overlap = ours.low <= most + rounding and ours.high >= least - rounding
    return "agrees" if overlap else "differs"


def judge_order(difference: float | None, significant: bool | None) -> Word:
    """Judge an order: the sign of a difference, or of the correlation of two rankings.

    `difference` is positive where our results have the order of the paper.
    """
    if significant is None:
        return "unknown"
    if difference is None or not significant:
        return "inconclusive"
    return "agrees" if difference > 0 else "differs"
