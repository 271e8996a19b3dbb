"""Results of an inspection."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lexiscope.core.estimate import Estimate, plain
from lexiscope.core.notebook import HasCard

Unit = Literal["count", "rank"]


class _Plain:
    """A value that becomes plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self)


@dataclass(frozen=True)
class FrequencySource(_Plain):
    """Where frequencies come from.

    `unit` is "rank" if only the order of the words is known: 1 is the most frequent word. `known`
    is the number of words that have a frequency.
    """

    unit: Unit
    name: str
    known: int
    words: int


@dataclass(frozen=True)
class ProbePoint(_Plain):
    """How well a linear classifier separates frequent from rare words at one threshold.

    Parameters
    ----------
    threshold : int
        Rare words have a count below the threshold, or a rank above it.
    words : int
        The number of words, half of them frequent; the same at all thresholds.
    accuracy : Estimate
        Cross-validated accuracy with its interval over words; chance level 0.5.
    spread : float
        Standard deviation over folds.
    control : Estimate
        The same with permuted labels.
    next_direction : float, optional
        Cosine between the weight vectors of this and of the next threshold, on different words.
    same_direction : float
        Cosine between two weight vectors of this threshold, on different words: how well the
        direction is determined.
    """

    threshold: int
    words: int
    accuracy: Estimate
    spread: float
    control: Estimate
    next_direction: float | None
    same_direction: float


@dataclass(frozen=True)
class FrequencyProbe(_Plain):
    """The probe at all thresholds; `left_out` are thresholds with too few words on one side."""

    points: tuple[ProbePoint, ...]
    left_out: tuple[int, ...] = ()
    state: str = ""


@dataclass(frozen=True)
class RankPoint(_Plain):
    """The mean corpus rank of the neighbours at one rank, over query words."""

    neighbour_rank: int
    corpus_rank: Estimate


@dataclass(frozen=True)
class NeighbourRanks(_Plain):
    """Mean corpus rank by neighbour rank, and power laws in both directions of the fit.

    `exponent` is the slope of log corpus rank on log neighbour rank, `inverse_exponent` that of
    log neighbour rank on log corpus rank; intervals are over query words. `random_rank` is the
    expected corpus rank of random neighbours.
    """

    queries: int
    neighbours: int
    points: tuple[RankPoint, ...]
    exponent: Estimate
    coefficient: float | None
    inverse_exponent: Estimate
    inverse_coefficient: float | None
    r_squared: float | None
    random_rank: float | None
    state: str = ""


@dataclass(frozen=True)
class ShapePoint(_Plain):
    """A property of the space of the most frequent words.

    The interval is over words, from subsamples; for hubness and anti-hubs, the value is the mean
    of subsamples and the limits are their range.
    """

    metric: str
    words: int
    value: Estimate
    subsample: int


@dataclass(frozen=True)
class NormBand(_Plain):
    """The mean norm of the vectors of words in a band of frequency; `first` is its first rank."""

    band: str
    words: int
    norm: Estimate
    first: int = 1


@dataclass(frozen=True)
class Norms(_Plain):
    """The norm of vectors against word frequency."""

    correlation: Estimate
    bands: tuple[NormBand, ...]


@dataclass(frozen=True)
class MapPoint(_Plain):
    """A word on a two-dimensional map."""

    word: str
    x: float
    y: float
    frequency: int | None


@dataclass(frozen=True)
class WordMap(_Plain):
    """Words on a plane; `explained` is the proportion of variance of a PCA."""

    projection: str
    points: tuple[MapPoint, ...]
    explained: float | None
    absent: int
    state: str = ""


@dataclass(frozen=True)
class MappedWords(_Plain):
    """Words of an embedding on a plane, and where their frequencies come from."""

    embedding: str
    map: WordMap
    source: FrequencySource


@dataclass(frozen=True)
class BiasResult(_Plain):
    """One association test of word sets (WEAT) with the relative norm distance (RND).

    Parameters
    ----------
    test : str
        The name of the test.
    targets, attributes : pair of str
        The names of the sets X and Y, and of A and B.
    words : tuple of int
        The number of words of X, Y, A and B that were used.
    effect_size : Estimate
        Effect size d. Its limits are the smallest and the largest value without one of the words,
        which is not a confidence interval.
    statistic : float, optional
        The sum of the associations of X minus that of Y.
    p : float, optional
        One-sided p-value over partitions of the targets.
    partitions : int
        The number of partitions of this test; sampled unless `exact`.
    exact : bool
        Whether all partitions were enumerated.
    norm_distances : pair of float, optional
        RND of X and Y over the words of A, and over those of B.
    absent : tuple of str
        Words that the embedding lacks.
    left_out : tuple of str
        Targets that were left out at random, so that X and Y have equal size.
    """

    test: str
    targets: tuple[str, str]
    attributes: tuple[str, str]
    words: tuple[int, int, int, int]
    effect_size: Estimate
    statistic: float | None = None
    p: float | None = None
    partitions: int = 0
    exact: bool = True
    norm_distances: tuple[float, float] | None = None
    absent: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inspected(_Plain):
    """Everything about one embedding; `cautions` are sentences on what limits it."""

    embedding: str
    words: int
    dimension: int
    source: FrequencySource
    probe: FrequencyProbe
    neighbours: NeighbourRanks
    shape: tuple[ShapePoint, ...]
    norms: Norms | None
    map: WordMap
    bias: tuple[BiasResult, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def mapped(self) -> MappedWords:
        """The map, with what it needs to be read."""
        return MappedWords(self.embedding, self.map, self.source)


@dataclass(frozen=True)
class AgreementPoint(_Plain):
    """How similar two spaces are on the most frequent shared words.

    The interval of CKA is over words, that of the Jaccard index over query words.
    """

    words: int
    cka: Estimate
    queries: int
    jaccard: Estimate


@dataclass(frozen=True)
class SpaceAgreement(_Plain):
    """How similar the spaces of two embeddings are, as a curve over the words that both have."""

    first: str
    second: str
    points: tuple[AgreementPoint, ...]
    state: str = ""


@dataclass(frozen=True)
class TransformEffect(_Plain):
    """The change of a score by a transform of the vectors, after minus before.

    `outcome` is "different", "equivalent" or "undecided", by the paired tests of a run.
    """

    embedding: str
    transform: str
    task: str
    dataset: str
    before: float | None
    after: float | None
    difference: Estimate
    p_holm: float | None
    outcome: str


@dataclass(frozen=True)
class TransformProbe(_Plain):
    """The frequency probe after a transform, on the same words as before it."""

    embedding: str
    transform: str
    probe: FrequencyProbe


@dataclass(frozen=True)
class InspectionResults(HasCard):
    """What embeddings encode besides meaning.

    `lexiscope.inspect` returns it; `to_dict` gives plain data, `to_frame` the probe as a table.

    Examples
    --------
    >>> import numpy as np
    >>> import lexiscope
    >>> words = [f"word{n}" for n in range(60)]
    >>> vectors = np.random.default_rng(0).normal(size=(60, 5))
    >>> found = lexiscope.inspect({"noise": (words, vectors)},
    ...                           plan=lexiscope.InspectionPlan(words[:10], thresholds=(20,)))
    >>> [(each.embedding, each.words) for each in found.embeddings]
    [('noise', 60)]
    """

    embeddings: tuple[Inspected, ...]
    agreement: tuple[SpaceAgreement, ...] = ()
    transforms: tuple[TransformEffect, ...] = ()
    transform_probes: tuple[TransformProbe, ...] = ()
    transform_failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return plain(self) | {"manifest": dict(self.manifest)}

    def to_frame(self) -> Any:
        """Return the frequency probe as a pandas DataFrame, a row per embedding and threshold."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"embedding": each.embedding, "unit": each.source.unit,
                 "threshold": point.threshold, "accuracy": point.accuracy.value,
                 "low": point.accuracy.low, "high": point.accuracy.high,
                 "control": point.control.value}
                for each in self.embeddings
                for point in each.probe.points
            ]
        )  # fmt: skip
