"""What is to be studied: made languages, models, and what each training is asked."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from lexiscope.core.errors import BadUsage
from lexiscope.core.grammar import Grammar
from lexiscope.core.result import variant
from lexiscope.core.study import Study
from lexiscope.core.trainer import Trainer

Space = Literal["input", "output"]


@dataclass(frozen=True)
class Model:
    """A trainer under the name that a report shows; `kind` is what sets it apart."""

    name: str
    trainer_name: str
    trainer: Trainer
    kind: str = ""

    @cached_property
    def taught(self) -> Trainer:
        """The trainer, keeping the vectors of both spaces where it has two."""
        has_two = "space" in self.trainer.settings
        return replace(self.trainer, space="both") if has_two else self.trainer  # type: ignore[call-arg]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The settings that it is trained with, as JSON can hold them."""
        simple = (str, int, float, bool, type(None))
        found = self.taught.settings.items()
        return {name: v if isinstance(v, simple) else repr(v) for name, v in found}


@dataclass(frozen=True)
class Probe:
    """A study of the vectors of one space."""

    name: str
    study: Study
    space: Space = "input"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the study, and the space."""
        return {**self.study.settings, "space": self.space}

    @cached_property
    def label(self) -> str:
        """The study's name with the settings that are not usual."""
        return variant(self.name, self.settings, {**type(self.study)().settings, "space": "input"})


@dataclass(frozen=True)
class Criterion:
    """A question about a grammar, at every value of its sweep; None where there is none."""

    name: str
    grammar: Grammar
    question: str
    points: tuple[float | None, ...]

    @cached_property
    def grammars(self) -> dict[float | None, Grammar]:
        """The grammar at every value of its sweep."""
        if self.grammar.sweep is None:
            return dict.fromkeys(self.points, self.grammar)
        name = self.grammar.sweep.parameter
        return {p: self.grammar.at(**{name: p}) for p in self.points if p is not None}


@dataclass(frozen=True)
class Published:
    """What a paper found in so many trials: a share of right answers between two numbers."""

    criterion: str
    model: str
    study: str
    at: float | None
    least: float
    most: float
    said: str
    trials: int | None = None


@dataclass(frozen=True)
class StudyPlan:
    """Every criterion is asked of every model in every trial, by every probe that suits it."""

    name: str
    about: str
    models: tuple[Model, ...]
    criteria: tuple[Criterion, ...]
    probes: tuple[Probe, ...]
    sentences: int
    trials: int
    seed: int
    published: tuple[Published, ...] = ()
    orders: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        for what, value in (("sentences", self.sentences), ("trials", self.trials)):
            if value < 1:
                raise BadUsage(f"The number of {what} must be 1 or more, found {value}.")

    def probes_of(self, criterion: Criterion) -> tuple[Probe, ...]:
        """The probes that have something to ask here."""
        return tuple(p for p in self.probes if p.study.suits(criterion.grammar, criterion.question))
