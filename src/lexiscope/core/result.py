"""Results: scores, comparisons and coverage, each with everything needed to interpret it."""

from dataclasses import dataclass
from typing import Any, Literal

Control = Literal["", "random", "none"]  # random vectors, or no vectors at all
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
    with all settings that are not the default.
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


@dataclass(frozen=True)
class Comparison:
    """Score of the first embedding minus that of the second, on the items that both cover.

    `p_holm` is corrected by Holm's method over all comparisons, `p_bh` by that of Benjamini and
    Hochberg; the difference is `significant` if `p_holm` is below 0.05. `detectable_difference` is
    the smallest true difference that these items show with a power of 80 %, `items_needed` the
    number of items that would show the observed difference. `control` is the kind of control if
    the second is one.
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
    items_needed: int | None = None
    control: Control = ""


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
    `known_tokens` of `tokens` are in the vocabulary.
    """

    embedding: str
    dataset: str
    used: int
    total: int
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    known_tokens: int | None = None
    tokens: int | None = None


def variant(task: str, settings: dict[str, Any], defaults: dict[str, Any]) -> str:
    """A task's name with the settings that differ from its defaults."""
    other = [f"{key}={value}" for key, value in settings.items() if defaults.get(key) != value]
    return f"{task} ({', '.join(other)})" if other else task


def display_name(embedding: str, control: Control) -> str:
    """The name of an embedding, or of its control."""
    names = {"": embedding, "random": f"random vectors for {embedding}", "none": "without vectors"}
    return names[control]
