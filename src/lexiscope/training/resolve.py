"""Names become values: trainer names, settings, presets, bases and lexicons."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from lexiscope import trainers as trainer_package
from lexiscope.core.contracts.registry import TRAINERS, load, load_file, names
from lexiscope.core.contracts.settings import convert_setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.preprocessing import PRESETS, Preprocessing
from lexiscope.data import lexicons
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.training.spec import Training


def trainer_names() -> list[str]:
    """The names of all built-in and installed trainers."""
    return names(trainer_package, TRAINERS)


def trainer_class(name: str) -> type[Trainer]:
    """The trainer with this name, or the one that a Python file (`path/to/file.py`) defines."""
    if name.endswith(".py"):
        return load_file(name, Trainer)  # type: ignore[type-abstract]
    return load(trainer_package, name, Trainer, TRAINERS)  # type: ignore[type-abstract]


def trainer_from(name: str, settings: Mapping[str, Any], local_data: LocalData) -> Trainer:
    """Create a trainer; values given as text are converted to the types of its fields."""
    kind = trainer_class(name)
    values = {field: _value(kind, name, field, v, local_data) for field, v in settings.items()}
    missing = [field for field in required_settings(kind) if field not in values]
    if missing:
        raise BadUsage(f"{name} needs {' and '.join(f'--{field}' for field in missing)}.")
    return kind(**values)


def training_from(
    trainer: str,
    settings: Mapping[str, Any],
    texts: Sequence[str],
    local_data: LocalData,
    **more: Any,
) -> Training:
    """Create a training from names; `more` are further fields of `Training`."""
    created = trainer_from(trainer, settings, local_data)
    setting_names = {
        field: _setting_name(value, getattr(created, field))
        for field, value in settings.items()
        if isinstance(getattr(created, field), Trainer | Embedding | Lexicon)
    }
    return Training(
        created, tuple(texts), trainer_name=trainer, setting_names=setting_names, **more
    )


def preprocessing_from(preset: Any = "default", **changes: Any) -> Preprocessing:
    """A preset with some of its settings changed."""
    if not isinstance(preset, str) or preset not in PRESETS:
        raise UnknownName("preset", str(preset), PRESETS)
    known = {name: convert_setting(Preprocessing, "text", name, v) for name, v in changes.items()}
    return replace(PRESETS[preset], **known)


def takes_vectors(kind: type[Trainer], field: str) -> bool:
    """Whether a setting is an embedding, or a trainer that creates it."""
    return Embedding in get_args(get_type_hints(kind).get(field))


def takes_lexicon(kind: type[Trainer], field: str) -> bool:
    """Whether a setting is a lexicon."""
    return get_type_hints(kind).get(field) is Lexicon


def required_settings(kind: type[Trainer]) -> list[str]:
    """The settings of a trainer that have no default."""
    fields = kind.__dataclass_fields__.values()
    return [f.name for f in fields if f.default is MISSING and f.default_factory is MISSING]


def _value(kind: type[Trainer], owner: str, field: str, value: Any, local_data: LocalData) -> Any:
    if isinstance(value, Trainer | Embedding | Lexicon):
        return value
    if takes_lexicon(kind, field):
        if isinstance(value, Mapping):
            return Lexicon("given", {word: tuple(related) for word, related in value.items()})
        return lexicons.read(value, local_data)
    if takes_vectors(kind, field):
        return _base(value, local_data)
    return convert_setting(kind, owner, field, value)


def _base(text: str, local_data: LocalData) -> Trainer | Embedding:
    """`svd`, `svd:dimension=50,window=2`, or vectors: a file or a catalogue name."""
    name, _, listed = text.partition(":")
    if name not in trainer_names():
        (found,) = embeddings_from([text], reading=Reading(local_data=local_data))
        return found
    settings = {}
    for part in filter(None, listed.split(",")):
        field, equals, value = part.partition("=")
        if not equals:
            raise BadUsage(f"The settings of a base are FIELD=VALUE,..., found '{part}'.")
        settings[field.strip()] = value.strip()
    return trainer_from(name, settings, local_data)


def _setting_name(text: Any, value: Any) -> str:
    """The text of a setting in a command; for a lexicon the name that it was resolved to."""
    resolved = isinstance(value, Lexicon) and not Path(text).exists()
    return value.name if resolved else str(text)
