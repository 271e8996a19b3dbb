"""Vectors of terms from samples of a text, and everything that is summarised from them.

`TermVectors` is what was learned; all other values are computed from it by `summary.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.decision import DEFAULT_RULE, DecisionRule
from lexiscope.core.errors import BadUsage
from lexiscope.core.estimate import Estimate, plain
from lexiscope.core.notebook import HasCard
from lexiscope.core.result import Outcome

ALL = 0  # in `TermVectors.by_size`: all sentences of the term, divided over two samples

Split = Literal["random", "halves", "documents", "published"]
Verdict = Literal["learnable", "not learnable", "untested"]
Variant = Literal["raw", "without background mean", "without term mean"]
Quantity = Literal["excess", "identified"]


@dataclass(frozen=True, eq=False)
class TermVectors:
    """The vectors that one model learned for all terms of one text.

    Parameters
    ----------
    model : str
        Name of the model.
    split : {"random", "halves"}
        How the sentences of a term are divided into samples.
    terms : tuple of str
        The terms.
    frequency : ndarray of shape (terms,)
        Frequency of each term in the text.
    background_count : ndarray of shape (terms,), optional
        Frequency of each term in the background; 0 where it is unknown.
    vectors : tuple of ndarray of shape (samples, dimension)
        For each term, a vector per sample; NaN where no context word is known.
    sizes : tuple of tuples of int
        For each term, the number of sentences in each sample.
    own : ndarray of shape (terms, dimension), optional
        The background vector of each term; NaN where it has none.
    by_size : dict of int to tuple of ndarray of shape (2, dimension)
        For each number of sentences per sample, the vectors of two samples of each term; NaN where
        the term has too few sentences. The key `ALL` stands for all sentences.
    in_background : bool, default True
        Whether the vectors are in the space of the background. Without it, as for a joint SVD,
        there are no ranks and no neighbours among the background vectors.
    """

    model: str
    split: Split
    terms: tuple[str, ...]
    frequency: NDArray[np.int64]
    background_count: NDArray[np.int64] | None
    vectors: tuple[Floats, ...]
    sizes: tuple[tuple[int, ...], ...]
    own: Floats | None = None
    by_size: Mapping[int, tuple[Floats, ...]] = field(default_factory=dict)
    in_background: bool = True

    def __post_init__(self) -> None:
        number = len(self.terms)
        parts: dict[str, Any] = {
            "frequency": self.frequency, "vectors": self.vectors, "sizes": self.sizes,
            "background_count": self.background_count, "own": self.own,
            **{f"by_size[{size}]": each for size, each in self.by_size.items()},
        }  # fmt: skip
        for name, part in parts.items():
            if part is not None and len(part) != number:
                raise BadUsage(f"{name} has {len(part)} entries for {number} terms.")

    def stacked(self) -> Floats:
        """Return the vectors as one array (samples, terms, dimension), padded with NaN."""
        return stacked(self.vectors)


def stacked(vectors: tuple[Floats, ...]) -> Floats:
    """Return vectors of terms as one array (samples, terms, dimension), padded with NaN."""
    samples = max((len(each) for each in vectors), default=0)
    dimension = next((each.shape[1] for each in vectors if each.size), 0)
    found = np.full((samples, len(vectors), dimension), np.nan)
    for term, each in enumerate(vectors):
        found[: len(each), term] = each
    return found


@dataclass(frozen=True)
class ConsistencyOptions:
    """Choices of the summary.

    Parameters
    ----------
    keep_own_entry : bool, default False
        Whether a term's own entry in the background counts in the rank of its other sample.
    similar_terms : int, default 40
        The number of other terms of similar frequency that form the null of a term.
    draws : int, default 999
        The number of random draws of the null, and of permutations.
    full_size : int, default 10
        The number of sentences of a full sample, for the saturation.
    neighbours : int, default 10
        The number of nearest neighbours that are listed for each sample.
    shown_terms : int, default 12
        The number of terms whose neighbours are listed.
    text_tokens, background_tokens : int, optional
        Tokens of the text and of the background, for relative frequencies. The default for the
        background is the sum of its counts.
    low_in_text, high_in_text, low_in_background, high_in_background : float
        Limits of relative frequency for the groups of domain difference. Terms between the limits
        belong to no group.
    """

    keep_own_entry: bool = False
    similar_terms: int = 40
    draws: int = 999
    full_size: int = 10
    neighbours: int = 10
    shown_terms: int = 12
    text_tokens: int | None = None
    background_tokens: int | None = None
    low_in_text: float = 0.0005
    high_in_text: float = 0.001
    low_in_background: float = 0.000025
    high_in_background: float = 0.00005

    def __post_init__(self) -> None:
        for name in ("similar_terms", "draws", "full_size", "neighbours"):
            if getattr(self, name) < 1:
                raise BadUsage(f"{name} must be 1 or more, found {getattr(self, name)}.")
        for where in ("text", "background"):
            low, high = getattr(self, f"low_in_{where}"), getattr(self, f"high_in_{where}")
            if not 0 < low <= high:
                raise BadUsage(
                    f"low_in_{where} must be above 0 and at most high_in_{where}, "
                    f"found {low:g} and {high:g}."
                )


@dataclass(frozen=True)
class TermResult:
    """One term with one model.

    Parameters
    ----------
    cosine, rank : float
        Means over the pairs of samples; the rank is that of the later sample's vector among the
        background vectors, by cosine to the earlier one. None with fewer than two vectors.
    worst_rank : float
        The highest rank of all pairs.
    null : float
        Mean cosine with samples of other terms of similar frequency.
    centred, limit, p : float
        Cosine without the mean direction of all terms, the 95 % quantile of its nulls (the higher
        of both), and its p-value, which decides the verdict.
    identified, reciprocal_rank : float
        Means over ordered pairs of samples: whether the own other sample is nearer than the same
        sample of all other terms, and the reciprocal of its rank among them.
    drift_cosine, drift_rank : float
        Cosine and rank between the learned vectors and the background vector of the term.
    state : str
        Why the term is untested or left out.
    """

    model: str
    split: Split
    term: str
    frequency: int
    background_count: int | None
    samples: int
    sentences: tuple[int, ...]
    verdict: Verdict
    cosine: float | None = None
    rank: float | None = None
    worst_rank: float | None = None
    null: float | None = None
    centred: float | None = None
    limit: float | None = None
    p: float | None = None
    identified: float | None = None
    reciprocal_rank: float | None = None
    drift_cosine: float | None = None
    drift_rank: float | None = None
    state: str = ""

    @property
    def excess(self) -> float | None:
        """Cosine minus null."""
        return None if self.cosine is None or self.null is None else self.cosine - self.null

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**plain(self), "excess": self.excess}


@dataclass(frozen=True)
class VariantSummary:
    """Consistency over terms in the raw space, or without a mean direction.

    "without background mean" removes the direction of the mean background vector, for vectors in
    the space of the background, and
    "without term mean" that of all terms, separately in each sample. Removing the direction, not
    the mean itself, gives the same for sums and for means of context vectors.
    `over_samples` is the mean cosine with its interval over samples: how far it would move if other
    sentences of the same terms were drawn. `p` is the p-value of the mean cosine under permutation
    of the terms; `chance` is the expected proportion of identified terms if samples are assigned at
    random.
    """

    variant: Variant
    cosine: Estimate
    over_samples: Estimate
    null: Estimate
    excess: Estimate
    identified: Estimate
    reciprocal_rank: Estimate
    chance: float | None
    p: float | None
    learnable: int
    tested: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class CorrectedTerms:
    """Learnable terms after the correction of Benjamini and Hochberg.

    Parameters
    ----------
    learnable : int
        The number of terms whose corrected p-value is at most alpha.
    smallest_p : float, optional
        The smallest p-value, before the correction, that a term can have; None if no term is
        tested.
    fewest : int, optional
        The fewest terms that the correction can select, which all need the smallest p-value; None
        if it cannot select any term.
    """

    learnable: int
    smallest_p: float | None
    fewest: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class ModelSummary:
    """Consistency of one model on one text.

    Parameters
    ----------
    terms : int
        Terms with two or more vectors; `left_out` is the number of the others.
    variants : tuple of VariantSummary
        Results in the raw space, without the direction of the background mean, and without that of
        the mean over terms. Verdicts and comparisons use the last one.
    rank : Estimate
        Mean over terms of the mean rank, with an interval from 1 to the number of background
        vectors plus 1; `median_rank` is the median over terms.
    first : Estimate
        Proportion of pairs of samples with rank 1, averaged over terms.
    saturation : float, optional
        Proportion of terms with full samples; None if the text was halved.
    drift_cosine, drift_rank : Estimate
        Cosine and rank between learned and background vectors, over terms that have both.
    corrected : CorrectedTerms
        Learnable terms after the correction of Benjamini and Hochberg.
    observed, null_values : tuple of float
        Cosines of terms, and a sample of the null, for the chart.
    """

    model: str
    split: Split
    terms: int
    left_out: int
    variants: tuple[VariantSummary, ...]
    rank: Estimate
    median_rank: float | None
    first: Estimate
    saturation: float | None
    drift_cosine: Estimate
    drift_rank: Estimate
    drift_terms: int
    corrected: CorrectedTerms
    observed: tuple[float, ...] = ()
    null_values: tuple[float, ...] = ()

    @property
    def raw(self) -> VariantSummary:
        """Results in the raw space."""
        return self.variants[0]

    @property
    def centred(self) -> VariantSummary:
        """Results without the mean direction of all terms, which decide the verdicts."""
        return self.variants[-1]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class ModelComparison:
    """The difference first minus second on the same terms and samples."""

    split: Split
    quantity: Quantity
    first: str
    second: str
    terms: int
    value: float
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    p_equivalence: float | None
    margin: float
    outcome: Outcome = "undecided"
    state: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class SizePoint:
    """Consistency with `sentences` per sample; `sentences` is 0 for all sentences."""

    model: str
    split: Split
    sentences: int
    terms: int
    cosine: Estimate
    null: Estimate
    excess: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


_NO_COMMON_SIZE = Estimate(None, state="no common size")


@dataclass(frozen=True)
class Slice:
    """Consistency of the terms in a range of frequency, or of a group of domain difference.

    Rare terms have smaller samples, and cosines rise with the size of samples. `sentences` is the
    mean number of sentences per sample; `equal_cosine` is the cosine of two samples of
    `equal_size` sentences, the largest size that all terms have.
    """

    model: str
    split: Split
    by: str
    name: str
    terms: int
    cosine: Estimate
    excess: Estimate
    identified: Estimate
    drift_cosine: Estimate
    learnable: int
    sentences: float | None = None
    equal_size: int | None = None
    equal_cosine: Estimate = _NO_COMMON_SIZE

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class SampleNeighbours:
    """The nearest background words of two samples of a term, and the cosine of the samples."""

    model: str
    split: Split
    term: str
    cosine: float
    first: tuple[str, ...]
    second: tuple[str, ...]

    @property
    def shared(self) -> int:
        """The number of neighbours that both samples have."""
        return len(set(self.first) & set(self.second))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**plain(self), "shared": self.shared}


@dataclass(frozen=True)
class Stability:
    """Agreement of the neighbours of terms over repeated trainings or resampled documents.

    `source` is what differed between them, such as the seed; `common` is the proportion of
    neighbours that all lists have, `jaccard` intersection over union of all lists, and `overlap`
    the mean rank-biased overlap of every two lists.
    """

    model: str
    source: str
    repeats: int
    neighbours: int
    terms: int
    common: Estimate
    jaccard: Estimate
    overlap: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class StableNeighbours:
    """The neighbours of a term in half or more of the resamples, each with this proportion."""

    model: str
    term: str
    resamples: int
    neighbours: tuple[tuple[str, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


@dataclass(frozen=True)
class ConsistencyResults(HasCard):
    """All summaries of consistency, and what they were computed with.

    Examples
    --------
    >>> import lexiscope
    >>> lexiscope.ConsistencyResults((), ()).names
    ()
    """

    models: tuple[ModelSummary, ...]
    terms: tuple[TermResult, ...]
    comparisons: tuple[ModelComparison, ...] = ()
    size_effect: tuple[SizePoint, ...] = ()
    slices: tuple[Slice, ...] = ()
    neighbours: tuple[SampleNeighbours, ...] = ()
    stability: tuple[Stability, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    rule: DecisionRule = DEFAULT_RULE
    options: ConsistencyOptions = field(default_factory=ConsistencyOptions)
    warnings: tuple[str, ...] = ()
    manifest: dict[str, Any] = field(default_factory=dict)
    stable_neighbours: tuple[StableNeighbours, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(dict.fromkeys(each.model for each in self.models))

    def model(self, name: str, split: str) -> ModelSummary | None:
        """Return the summary of a model, None if there is none."""
        return next((m for m in self.models if (m.model, m.split) == (name, split)), None)

    def of_model(self, name: str, split: str) -> list[TermResult]:
        """Return the terms of a model."""
        return [each for each in self.terms if (each.model, each.split) == (name, split)]

    def to_dict(self) -> dict[str, Any]:
        """Return one JSON document with stable keys."""
        return {
            "format": "lexiscope consistency 1",
            "manifest": self.manifest,
            "rule": self.rule.as_dict(),
            "options": asdict(self.options),
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            **{name: _dicts(getattr(self, name)) for name in _PARTS},
            "left_out": [{"term": term, "reason": why} for term, why in self.left_out],
        }


_PARTS = (
    "models", "terms", "comparisons", "size_effect", "slices", "neighbours", "stability",
    "stable_neighbours",
)  # fmt: skip


def _dicts(values: Iterable[Any]) -> list[dict[str, Any]]:
    return [each.to_dict() for each in values]
