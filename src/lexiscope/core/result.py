"""Results: scores, comparisons and coverage, each with everything needed to interpret it."""

from dataclasses import dataclass
from typing import Any, Literal

Control = Literal["", "random", "none"]  # random vectors, or no vectors at all
Outcome = Literal["different", "equivalent", "undecided"]  # of a comparison
WHOLE = "all"  # the name of the slice that is the whole dataset


@dataclass(frozen=True)
class Score:
    """One metric on one slice; `value` is None where it is undefined, and `state` is the reason."""

    metric: str
    slice: str
    value: float | None
    low: float | None
    high: float | None
    used: int
    total: int
    state: str = ""


@dataclass(frozen=True)
class Result:
    """A score of an embedding on a task and a dataset.

    `low` and `high` are the ends of the confidence interval, `used` of `total` items are covered.
    `main` marks the task's own metric, as opposed to a secondary one. `variant` is the task's name
    with all settings that are not the default. `shared_value` is the score on the `shared_items`
    that all embeddings with enough coverage cover, so that these scores are comparable.
    """

    embedding: str
    task: str
    dataset: str
    metric: str
    slice: str
    value: float | None
    low: float | None
    high: float | None
    used: int
    total: int
    state: str
    settings: dict[str, Any]
    policy: dict[str, Any]
    seed: int
    level: float
    main: bool
    cell: str
    task_version: int
    embedding_fingerprint: str
    dataset_fingerprint: str
    variant: str
    shared_value: float | None = None
    shared_low: float | None = None
    shared_high: float | None = None
    shared_items: int = 0


@dataclass(frozen=True)
class Comparison:
    """Score of the first embedding minus that of the second, on the items that both cover.

    `outcome` is one of three: the embeddings are different (`p_holm` is below the level), or
    equivalent (the true difference is smaller than `margin`: `p_equivalence`, of two one-sided
    tests, is below the level), or neither is shown. `p_holm` and `p_equivalence` are corrected
    over all comparisons by Holm's method with Tarone's modification, `p_bh` by that of Benjamini
    and Hochberg. `min_p` is the smallest p-value that the test can give, `error` the standard
    error of the difference. `detectable_difference` is the smallest true difference that is found
    with a power of 80 % at the corrected level; None if no possible difference is. `items` of
    `total` are covered by both. `range` is the largest possible difference, None if unlimited.
    `control` is the kind of control if the second is one.
    """

    first: str
    second: str
    task: str
    dataset: str
    metric: str
    settings: dict[str, Any]
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    items: int
    test: str
    significant: bool
    state: str = ""
    variant: str = ""
    p_bh: float | None = None
    detectable_difference: float | None = None
    control: Control = ""
    outcome: Outcome = "undecided"
    p_equivalence: float | None = None
    margin: float | None = None
    min_p: float = 0.0
    error: float | None = None
    degrees_of_freedom: float | None = None
    total: int = 0
    range: float | None = None


@dataclass(frozen=True)
class SharedScore:
    """The score of an embedding on the items that all embeddings with enough coverage cover.

    `task` is its variant; `items` is the number of these items.
    """

    embedding: str
    task: str
    dataset: str
    value: float | None
    low: float | None
    high: float | None
    items: int


@dataclass(frozen=True)
class PolicyComparison:
    """A comparison under another vocabulary policy than that of the run."""

    policy: dict[str, Any]
    comparison: Comparison


@dataclass(frozen=True)
class Disagreement:
    """An item for which embeddings predict very different values; `gap` is from 0 to 1."""

    task: str
    dataset: str
    item: str
    gold: str
    predictions: dict[str, str]
    gap: float


@dataclass(frozen=True)
class Dimension:
    """The label of a dimension of an embedding.

    `number` counts from 0; `property` is empty where the dimension correlates with none; `words`
    are those of the dataset with the highest values.
    """

    embedding: str
    task: str
    dataset: str
    number: int
    property: str
    correlation: float
    words: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """A cell that failed, and why; `task` is its variant."""

    embedding: str
    task: str
    dataset: str
    reason: str


@dataclass(frozen=True)
class Coverage:
    """How much of a dataset is in the vocabulary of an embedding.

    `missing` are out-of-vocabulary words, `zero` those whose vector is zero. Of running text,
    `known_tokens` of `tokens` are in the vocabulary. `computed` is the number of words outside the
    vocabulary that the model computed vectors for, such as from character n-grams.
    """

    embedding: str
    dataset: str
    used: int
    total: int
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    known_tokens: int | None = None
    tokens: int | None = None
    computed: int = 0


def variant(task: str, settings: dict[str, Any], defaults: dict[str, Any]) -> str:
    """A task's name with the settings that differ from its defaults."""
    other = [f"{key}={value}" for key, value in settings.items() if defaults.get(key) != value]
    return f"{task} ({', '.join(other)})" if other else task


def display_name(embedding: str, control: Control) -> str:
    """The name of an embedding, or of its control."""
    names = {"": embedding, "random": f"random vectors for {embedding}", "none": "without vectors"}
    return names[control]
