"""Models of an experiment: selection by name, and hyperparameters from plans and users."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.data.local_data import LocalData
from lexiscope.training.spec import trainer_class, trainer_from, trainer_names

Setting = tuple[str, Any]  # FIELD or NAME.FIELD, and a value that may be a string


@dataclass(frozen=True)
class Model:
    """A trainer with hyperparameters, under the name that reports show.

    A model with a `base` changes the vectors of another model, with the help of a `lexicon`. A
    `repeated` model depends on a random seed and can be trained several times.
    """

    name: str
    trainer_name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    base: str = ""
    lexicon: str = ""
    repeated: bool = False

    @cached_property
    def trainer(self) -> Trainer:
        """The trainer with these hyperparameters."""
        return trainer_from(self.trainer_name, self.settings, LocalData(None))

    @cached_property
    def full_trainer(self) -> Trainer:
        """The trainer, set to keep input and output vectors if it has both."""
        has_two = "space" in self.trainer.settings
        return replace(self.trainer, space="both") if has_two else self.trainer  # type: ignore[call-arg]

    @cached_property
    def full_settings(self) -> dict[str, Any]:
        """All hyperparameters of `full_trainer`, as JSON values."""
        simple = (str, int, float, bool, type(None))
        found = self.full_trainer.settings.items()
        return {name: value if isinstance(value, simple) else repr(value) for name, value in found}

    @property
    def fields(self) -> set[str]:
        """The names of all hyperparameters of the trainer."""
        return {each.name for each in fields(trainer_class(self.trainer_name))}


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


def select(noun: str, available: Sequence[N], wanted: Iterable[str]) -> list[N]:
    """Return the entries that are named, ignoring case, or all of them, in their own order."""
    named = list(wanted)
    known = {entry.name.lower() for entry in available}
    for name in named:
        if name.lower() not in known:
            raise UnknownName(noun, name, [entry.name for entry in available])
    lower = {name.lower() for name in named}
    return [entry for entry in available if not named or entry.name.lower() in lower]


def with_trainers(models: Sequence[Model], wanted: Iterable[str]) -> list[Model]:
    """Select models; a name that is none of them is the name of a trainer."""
    names, trainers = list(wanted), trainer_names()
    known = {model.name.lower() for model in models}
    for name in names:
        if name.lower() not in known and name not in trainers and not name.endswith(".py"):
            raise UnknownName("model or trainer", name, [*(m.name for m in models), *trainers])
    own = [name for name in names if name.lower() in known]
    others = [Model(name, name) for name in names if name.lower() not in known]
    return [*([] if others and not own else select("model", models, own)), *others]


def with_bases(models: Sequence[Model], wanted: Iterable[str]) -> list[Model]:
    """Select models together with the models that they are based on."""
    chosen = select("model", models, wanted)
    names = {name for model in chosen for name in (model.name, model.base)}
    return [model for model in models if model.name in names]


def with_hyperparameters(
    model: Model,
    shared: Mapping[str, Any],
    settings: Sequence[Setting],
    models: Sequence[Model] = (),
) -> Model:
    """Add hyperparameters: shared ones, then the model's own, then those that a user sets.

    Shared hyperparameters apply to the trainers that have them. A user's setting NAME.FIELD
    applies to the model with this name. If none of `models`, those of the experiment, has it, it
    applies to all models of the trainer with this name.
    """
    known, names = model.fields, {each.name.lower() for each in models}
    owners = {model.name.lower(), *({model.trainer_name.lower()} - names)}
    values = {name: value for name, value in shared.items() if name in known}
    values |= model.settings
    for key, value in settings:
        owner, dot, name = key.rpartition(".")
        if name in known if not dot else owner.lower() in owners:
            values[name] = value
    return replace(model, settings=values)


def _owners(model: Model) -> set[str]:
    return {model.name.lower(), model.trainer_name.lower()}


def check_settings(
    settings: Sequence[Setting],
    models: Sequence[Model],
    *,
    probes: Iterable[str] = (),
    reserved: Mapping[str, str],
) -> None:
    """Raise an error for a setting of no model and no probe.

    `reserved` hyperparameters are chosen by the plan; each has a message about what to do instead.
    """
    probes = set(probes)
    owners = {owner for model in models for owner in _owners(model)}
    for key, _ in settings:
        owner, dot, name = key.rpartition(".")
        if owner.lower() in probes:
            continue
        if dot and owner.lower() not in owners:
            raise UnknownName("model or probe" if probes else "model", owner, owners | probes)
        if name in reserved:
            raise BadUsage(reserved[name])
        known = {each for model in models for each in model.fields} - set(reserved)
        if name not in known:
            raise UnknownName("setting of a model", name, known)
