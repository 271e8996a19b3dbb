"""The plan of a correlation experiment: models to train, and evaluations to correlate.

Every model is trained at every dimensionality, models that depend on a random seed several times.
Models with a base change the vectors of its first run.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.core.errors import BadUsage
from lexiscope.core.policy import Policy
from lexiscope.experiments.config import Experiment, Text, TrainingStep
from lexiscope.experiments.models import Model
from lexiscope.training.spec import preprocessing_from

ALL = "All"  # the consensus ranking of all tasks


@dataclass(frozen=True)
class Evaluation:
    """Tasks on datasets whose scores are averaged, or alternatives, of which the first is used.

    `percent` says whether reports show the score, a proportion or a correlation, in percent.
    `slice` is one of the dataset's; empty for all items. An evaluation with `members` has no
    parts: its score is the mean of the scores of these evaluations.
    """

    name: str
    parts: tuple[tuple[str, str], ...]
    alternatives: bool = False
    percent: bool = True
    slice: str = ""
    members: tuple[str, ...] = ()


class NotRun(NamedTuple):
    """A part of the plan that was left out, and the reason."""

    what: str
    why: str


@dataclass(frozen=True)
class CorrelationPlan:
    """Every evaluation is run on every model at every dimensionality.

    `predictor` is the evaluation that the experiment is about. It is correlated with the `tasks`,
    of which some are `downstream` tasks. `dimension` is the preferred dimensionality of tables.
    `fingerprint` identifies the trained vectors. With `without_vectors`, supervised tasks also
    run without vectors, as a baseline. `resources` are catalogue names that are used in addition
    to texts and datasets.
    """

    name: str
    about: str
    texts: tuple[str, ...]
    dimensions: tuple[int, ...]
    runs: int
    seed: int
    models: tuple[Model, ...]
    evaluations: tuple[Evaluation, ...]
    predictor: str
    tasks: tuple[str, ...]
    downstream: tuple[str, ...]
    dimension: int
    fingerprint: str
    not_run: tuple[NotRun, ...] = ()
    preprocessing: Mapping[str, Any] = field(default_factory=dict)
    without_vectors: bool = False
    resources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise BadUsage(f"The number of runs must be 1 or more, found {self.runs}.")
        for dimension in self.dimensions:
            if dimension < 1:
                raise BadUsage(f"A dimensionality must be 1 or more, found {dimension}.")

    @property
    def table_dimension(self) -> int:
        """The dimensionality of tables: the preferred one if trained, else the largest."""
        return self.dimension if self.dimension in self.dimensions else max(self.dimensions)

    @property
    def downloads(self) -> list[str]:
        """Names of corpora, lexicons and datasets, which the catalogue may know."""
        lexicons = [model.lexicon for model in self.models if model.lexicon]
        datasets = [dataset for e in self.evaluations for _, dataset in e.parts]
        return list(dict.fromkeys([*self.texts, *lexicons, *datasets, *self.resources]))

    @property
    def policy(self) -> Policy:
        """The vocabulary policy: digits of datasets are replaced like those of the texts."""
        digits = preprocessing_from(**self.preprocessing).digits
        return Policy(digits="zero" if digits == "zero" else "keep")

    def runs_of(self, model: Model) -> int:
        """Return how often a model is trained at each dimensionality."""
        return self.runs if model.repeated else 1

    def embeddings(self, dimension: int) -> dict[str, str]:
        """Return the names of the embeddings of a dimensionality, each with its model."""
        return {
            _name(model.name, dimension, run): model.name
            for model in self.models
            for run in range(1, self.runs_of(model) + 1)
        }


def fingerprint(
    texts: Sequence[str],
    seed: int,
    models: Iterable[Model],
    preprocessing: Mapping[str, Any] | None = None,
) -> str:
    """Hash what determines the vectors; other settings are stored in another folder."""
    parts: list[Any] = [list(texts), seed, [asdict(model) for model in models]]
    if preprocessing:
        parts.append(dict(preprocessing))
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _name(model: str, dimension: int, run: int) -> str:
    return f"{model}-{dimension}-{run}"


def trainings(plan: CorrelationPlan, folder: Path) -> list[Experiment]:
    """Return all trainings: each model together with those that change its vectors."""
    return [
        _chain(plan, folder, model, dimension, run)
        for dimension in plan.dimensions
        for model in plan.models
        if not model.base
        for run in range(1, plan.runs_of(model) + 1)
    ]


def _chain(
    plan: CorrelationPlan, folder: Path, model: Model, dimension: int, run: int
) -> Experiment:
    text = Text(plan.texts, preprocessing_from(**plan.preprocessing))
    seed = plan.seed + run - 1  # the runs of a model differ only in their seed
    base = _name(model.name, dimension, run)
    settings = {**model.settings, "dimension": dimension}
    first = TrainingStep(base, model.trainer_name, settings, text, seed)
    later = [
        TrainingStep(
            _name(m.name, dimension, run),
            m.trainer_name,
            {**m.settings, "base": base, "lexicon": m.lexicon},
            text,
            seed,
        )
        for m in plan.models
        if m.base == model.name and run == 1
    ]
    return Experiment(Path(plan.name), folder, plan.seed, (first, *later))
