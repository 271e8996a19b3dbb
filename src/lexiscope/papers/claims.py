"""Claims: the numbers that papers print. `verdicts.py` has the rule that judges them."""

from typing import Literal

from msgspec import Struct


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
    def is_order(self) -> bool:
        """Whether the claim is judged by the sign of a significant difference."""
        return not self.needs_number

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

    `at` is a value of the criterion's sweep. `trials` is the number of trials in the paper; without
    it, one trial is assumed.
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
    """The score of a model (row) in an evaluation (column), in the unit of the paper.

    The paper rounds it to `decimals`. It is only judged at its own dimensionality.
    """

    dimension: int
    decimals: int = 1

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "evaluation": self.column, "dimension": str(self.dimension)}

    @property
    def text(self) -> str:
        return self.printed or f"{self.range[0]:.{self.decimals}f}"


class ColumnCountClaim(Claim, frozen=True, kw_only=True, tag="column-count"):
    """In how many columns of a table a model (row) is best alone, or worst alone.

    The columns are the evaluations of which `average` is the mean.
    """

    statistic: Literal["best", "worst"]
    average: str = "average"

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "columns": f"{self.statistic} {self.column}"}


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
    """How much better an evaluation (row) predicts a task (column) than another (`below`) does.

    `value` is the difference of the printed correlations with the task.
    """

    below: str

    @property
    def labels(self) -> dict[str, str]:
        return {"target": self.column, "correlation of": f"{self.row} minus {self.below}"}

    @property
    def text(self) -> str:
        return self.printed or f"{self.range[0]:+.2f}"


class SignificanceClaim(Claim, frozen=True, kw_only=True, tag="significance"):
    """A model (row) is better in an evaluation (column) than another (`below`).

    `value` is the printed p-value.
    """

    below: str

    @property
    def is_order(self) -> bool:
        return True

    @property
    def labels(self) -> dict[str, str]:
        return {"evaluation": self.column, "order": f"{self.below} < {self.row}"}

    @property
    def text(self) -> str:
        return self.printed or f"p = {self.range[0]:g}"


class FrequencyAccuracyClaim(Claim, frozen=True, kw_only=True, tag="frequency-accuracy"):
    """The accuracy in percent of predicting whether a word is frequent, from its vector (row).

    It is the lowest over the thresholds from `lowest` to `highest`.
    """

    lowest: int
    highest: int

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "thresholds": f"{self.lowest:,} to {self.highest:,}"}


class FrequencyOrderClaim(Claim, frozen=True, kw_only=True, tag="frequency-order"):
    """Frequency is predicted better than by chance, or the better the higher the threshold.

    `column` is the statistic: "above chance" is the lowest accuracy over all thresholds, in
    percentage points above 50; "slope" is the change of the accuracy in percentage points if the
    threshold grows tenfold, of the model (row), minus that of `below` if it is given.
    """

    statistic: Literal["above chance", "slope"]
    below: str = ""

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def labels(self) -> dict[str, str]:
        order = f"{self.below} < {self.row}" if self.below else self.row
        return {"model": order, "statistic": self.statistic}

    @property
    def text(self) -> str:
        return self.printed


class PowerLawClaim(Claim, frozen=True, kw_only=True, tag="power-law"):
    """The exponent of corpus rank against neighbour rank of a model (row), in log-log scale.

    Corpus rank is fitted on neighbour rank; the other direction is a secondary estimate. `queries`
    is the number of query words in the paper.
    """

    queries: int

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "quantity": self.column}


Study = Literal["comparison", "intrusion"]


class JudgmentClaim(Claim, frozen=True, kw_only=True):
    """What judges decided in a human study; `column` says on which items."""

    study: Study

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def text(self) -> str:
        return self.printed


class JudgmentOrderClaim(JudgmentClaim, frozen=True, kw_only=True, tag="judgment-order"):
    """Judges prefer one model (row) to another (`below`), or to chance if that is empty.

    With `rank`, only on neighbours of this rank. If the paper reports that the difference is not
    `significant`, there is no order to judge.
    """

    below: str = ""
    rank: int | None = None
    significant: bool = True

    @property
    def labels(self) -> dict[str, str]:
        return {"items": self.column, "order": f"{self.below or 'chance'} < {self.row}"}


class JudgmentContrastClaim(JudgmentClaim, frozen=True, kw_only=True, tag="judgment-contrast"):
    """A model (row) scores higher on items with one value of an attribute than on others.

    `higher` are the values whose mean score is compared with the score of `lower`.
    """

    attribute: str
    higher: tuple[str, ...]
    lower: str

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "order": f"{self.lower} < {', '.join(self.higher)}"}


class JudgmentEqualityClaim(JudgmentClaim, frozen=True, kw_only=True, tag="judgment-equality"):
    """A model (row) scores equally well on items with two values of an attribute.

    Ours is the difference of the two scores, and the paper's is 0.
    """

    attribute: str
    values: tuple[str, str]

    @property
    def is_order(self) -> bool:
        return False

    @property
    def labels(self) -> dict[str, str]:
        return {"model": self.row, "difference": f"{self.values[0]} minus {self.values[1]}"}


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


class RankClaim(Claim, frozen=True, kw_only=True, tag="rank"):
    """The mean rank of an embedding (row) over datasets, at the start, at the end or by area.

    `family` selects the datasets; `sd` is the printed standard deviation over datasets.
    """

    family: str = "all"
    sd: float | None = None

    @property
    def labels(self) -> dict[str, str]:
        return {"embedding": self.row, "family": self.family, "rank": self.column}

    @property
    def text(self) -> str:
        spread = "" if self.sd is None else f" ± {self.sd:.2f}"
        return self.printed or f"{self.range[0]:.2f}{spread}"


class CurveScoreClaim(Claim, frozen=True, kw_only=True, tag="curve-score"):
    """The score of a supervised model (column) on a dataset (row), the best over embeddings.

    `at` is "start" (30 % of the training items) or "end" (100 %). The paper rounds the percentage
    to a whole number.
    """

    at: Literal["start", "end"]

    @property
    def labels(self) -> dict[str, str]:
        size = {"start": "30 %", "end": "100 %"}[self.at]
        return {"dataset": self.row, "model": self.column, "size": size}

    @property
    def text(self) -> str:
        return self.printed or f"{self.range[0]:g} %"


class ModelOrderClaim(Claim, frozen=True, kw_only=True, tag="model-order"):
    """A supervised model (row) scores higher than another (`below`) on a dataset (column)."""

    below: str

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def labels(self) -> dict[str, str]:
        return {"dataset": self.column, "order": f"{self.below} < {self.row}"}

    @property
    def text(self) -> str:
        return self.printed


class ConsistencyClaim(Claim, frozen=True, kw_only=True, tag="consistency"):
    """The mean cosine or rank over the terms of a text (row) with a model.

    `column` is "cosine", "rank", "drift cosine", "drift rank", "size N" for the mean cosine with N
    sentences per sample ("size all" for all of them), or "domain GROUP" for the drift cosine of the
    terms of a group by frequency, such as "domain text high, background low".
    """

    model: str

    @property
    def labels(self) -> dict[str, str]:
        return {"text": self.row, "model": self.model, "quantity": self.column}


class TermModelOrderClaim(Claim, frozen=True, kw_only=True, tag="term-model-order"):
    """A model (row) is more consistent than another (`below`) on a text (column), by cosine."""

    below: str

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def labels(self) -> dict[str, str]:
        return {"text": self.column, "order": f"{self.below} < {self.row}"}

    @property
    def text(self) -> str:
        return self.printed


class SizeOrderClaim(Claim, frozen=True, kw_only=True, tag="size-order"):
    """The cosine of a model (row) on a text (column) rises with each size of samples.

    The sizes are those of the experiment, from the smallest to all sentences.
    """

    @property
    def needs_number(self) -> bool:
        return False

    @property
    def is_order(self) -> bool:
        return True

    @property
    def labels(self) -> dict[str, str]:
        return {"text": self.column, "model": self.row}

    @property
    def text(self) -> str:
        return self.printed


class NumberClaim(Claim, frozen=True, kw_only=True, tag="number"):
    """A printed number that no experiment of this package computes; `not_run` says why."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.not_run:
            raise ValueError("a claim of kind 'number' needs `not_run`, the reason")
