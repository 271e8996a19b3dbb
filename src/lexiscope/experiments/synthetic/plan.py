"""The plan of a synthetic experiment: criteria, models, and the probes of every training."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from lexiscope import probes
from lexiscope.core.contracts.probe import Probe
from lexiscope.core.contracts.registry import load
from lexiscope.core.contracts.settings import validate_setting
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.result import variant
from lexiscope.experiments.models import Model, Setting
from lexiscope.pcfg.grammar import Grammar

Space = Literal["input", "output"]
SPACES = ("input", "output")


@dataclass(frozen=True)
class SpaceProbe:
    """A probe of the input or the output vectors of a model."""

    name: str
    probe: Probe
    space: Space = "input"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the probe, and the space."""
        return {**self.probe.settings, "space": self.space}

    @cached_property
    def label(self) -> str:
        """The name of the probe with the settings that are not defaults."""
        return variant(self.name, self.settings, {**type(self.probe)().settings, "space": "input"})


@dataclass(frozen=True)
class Criterion:
    """A target of a grammar at every value of the grammar's sweep; None if it has no sweep."""

    name: str
    grammar: Grammar
    target: str
    points: tuple[float | None, ...]

    @cached_property
    def grammars(self) -> dict[float | None, Grammar]:
        """The grammar at every value of its sweep."""
        if self.grammar.sweep is None:
            return dict.fromkeys(self.points, self.grammar)
        name = self.grammar.sweep.parameter
        return {p: self.grammar.at(**{name: p}) for p in self.points if p is not None}


@dataclass(frozen=True)
class SyntheticPlan:
    """Every model is trained on every corpus and probed for every criterion.

    A trial is one sampled corpus of `sentences` sentences. There are `trials` of them for each
    grammar and value of its sweep.
    """

    name: str
    about: str
    models: tuple[Model, ...]
    criteria: tuple[Criterion, ...]
    probes: tuple[SpaceProbe, ...]
    sentences: int
    trials: int
    seed: int

    def __post_init__(self) -> None:
        for noun, value in (("sentences", self.sentences), ("trials", self.trials)):
            if value < 1:
                raise BadUsage(f"The number of {noun} must be 1 or more, found {value}.")

    def probes_of(self, criterion: Criterion) -> tuple[SpaceProbe, ...]:
        """Return the probes that apply to a criterion."""
        return tuple(
            p for p in self.probes if p.probe.applies_to(criterion.grammar, criterion.target)
        )

    @property
    def first_probe(self) -> SpaceProbe:
        """The probe that curves, facets and comparisons of models are about."""
        return self.probes[0]

    def main_probe(self, name: str) -> SpaceProbe:
        """Return the main variant of a probe: the first with this name."""
        return next(probe for probe in self.probes if probe.name == name)


def sweep_points(grammar: Grammar, number: int | None = None) -> tuple[float | None, ...]:
    """Return the values of a grammar's sweep, or `number` of them at equal distances."""
    if grammar.sweep is None:
        return (None,)
    values = grammar.sweep.values
    if number is None or number >= len(values):
        return values
    return tuple(values[index] for index in np.linspace(0, len(values) - 1, number).astype(int))


def probe_class(name: str) -> type[Probe]:
    """Return the probe with this name."""
    return load(probes, name, Probe)  # type: ignore[type-abstract]


def space_probes(
    entries: Iterable[tuple[str, Mapping[str, Any]]], settings: Sequence[Setting]
) -> tuple[SpaceProbe, ...]:
    """Create probes from names and settings.

    A user's setting such as ("subspace.cost", 10) changes the main variant of a probe, which is
    the first with its name.
    """
    created: list[SpaceProbe] = []
    for name, values in entries:
        is_main = all(each.name != name for each in created)
        own = {key.rpartition(".")[2]: v for key, v in settings if _owner(key) == name}
        created.append(_space_probe(name, {**values, **own} if is_main else dict(values)))
    return tuple(dict.fromkeys(created))


def _owner(key: str) -> str:
    return key.rpartition(".")[0].lower()


def _space_probe(name: str, values: dict[str, Any]) -> SpaceProbe:
    kind, space = probe_class(name), values.pop("space", "input")
    if space not in SPACES:
        raise UnknownName(f"value of {name}.space", str(space), SPACES)
    known = {field: validate_setting(kind, name, field, value) for field, value in values.items()}
    return SpaceProbe(name, kind(**known), space)
