"""A result: a score with everything needed to believe it."""

from dataclasses import dataclass
from typing import Any, Literal

Control = Literal["", "random", "none"]  # random vectors, or no vectors at all
RANDOM = "random vectors for "  # and an embedding's name
WITHOUT = "without vectors"
WHOLE = "all"  # the name of the slice that is the whole dataset


@dataclass(frozen=True)
class Score:
    """One measure on one slice; `value` is None when it is undefined, `state` says why."""

    measure: str
    slice: str
    value: float | None
    low: float | None
    high: float | None
    used: int
    total: int
    state: str = ""


@dataclass(frozen=True)
class Result:
    """A score, whose it is, and how it came about."""

    embedding: str
    task: str
    dataset: str
    measure: str
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
    main: bool  # the task's own measure, not one that stands beside it
    cell: str
    task_version: int
    embedding_fingerprint: str
    dataset_fingerprint: str
    variant: str  # the task's name with the settings that are not usual


@dataclass(frozen=True)
class Comparison:
    """First minus second on the items that both answered, and whether it is real.

    `p_holm` is corrected so that one false alarm among all comparisons stays rare, `p_bh` so that
    few of those called real are false. `detectable` is the smallest true difference that these
    items would show four times out of five, `needed` the number of items that would show the
    difference seen.
    """

    first: str
    second: str
    task: str
    dataset: str
    measure: str
    settings: dict[str, Any]
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    items: int
    test: str
    real: bool
    state: str = ""
    variant: str = ""
    p_bh: float | None = None
    detectable: float | None = None
    needed: int | None = None
    control: Control = ""  # what kind of control the second is


@dataclass(frozen=True)
class Disagreement:
    """An item that embeddings answered very differently; `gap` is how far apart, 0 to 1."""

    task: str
    dataset: str
    item: str
    gold: str
    answers: dict[str, str]
    gap: float


@dataclass(frozen=True)
class Dimension:
    """What a dimension of an embedding stands for, as far as a dataset tells.

    `number` is counted from 0; `property` is empty where it goes with none; `words` are those of
    the dataset that score highest on it.
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
    """A cell that could not be finished, and why; `task` names the settings that are not usual."""

    embedding: str
    task: str
    dataset: str
    reason: str


@dataclass(frozen=True)
class Coverage:
    """What an embedding lacks of a dataset; of running text, how many words it knows."""

    embedding: str
    dataset: str
    used: int
    total: int
    missing: tuple[str, ...]
    zero: tuple[str, ...]
    known: int | None = None
    running: int | None = None


def variant(task: str, settings: dict[str, Any], defaults: dict[str, Any]) -> str:
    """A task's name with the settings that differ from its defaults."""
    other = [f"{key}={value}" for key, value in settings.items() if defaults.get(key) != value]
    return f"{task} ({', '.join(other)})" if other else task
