"""A training: trainer, texts, preprocessing and seed; names become these values."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from lexiscope import trainers as trainer_package
from lexiscope.core.contracts.registry import TRAINERS, load, load_file, names
from lexiscope.core.contracts.settings import convert_setting, name_of
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus, empty_corpus
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.preprocessing import PRESETS, Preprocessing
from lexiscope.core.progress import Progress, silent
from lexiscope.core.terms import Terms
from lexiscope.data import corpora, induction_maps, lexicons, term_lists
from lexiscope.data.local_data import LocalData, sha256_of
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.learners.induction_map import InductionMap
from lexiscope.training.trainer_groups import usual_names

# Settings that are chosen by a name or a file, and recorded by their content.
Input = Embedding | Lexicon | Terms | InductionMap | Corpus


@dataclass(frozen=True)
class Training:
    """A trainer with its settings, the texts, their preprocessing, and a seed.

    Attributes
    ----------
    trainer_name
        The name or file by which the trainer was chosen; by default its own name.
    setting_names
        The texts by which embeddings, trainers, lexicons and terms among the settings were chosen.
    name
        The name of the embedding.
    """

    trainer: Trainer
    texts: tuple[str, ...]
    preprocessing: Preprocessing = PRESETS["default"]
    seed: int = 0
    on_error: corpora.OnError = "stop"
    trainer_name: str = ""
    setting_names: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def check(self, local_data: LocalData) -> None:
        """Raise an error if a text is missing, or given to a trainer that needs none."""
        if self.texts and not self.trainer.needs_text:
            raise BadUsage("With existing vectors as its base this trainer takes no text.")
        if self.trainer.needs_text and not self.texts:
            raise BadUsage("A text is needed: a file, a folder, - or a name from the catalogue.")
        if self.texts:
            corpora.check(self.texts, local_data)

    def read_corpus(self, local_data: LocalData, progress: Progress = silent) -> Corpus:
        """Read and preprocess the texts; empty if the trainer needs none."""
        self.check(local_data)
        if not self.texts:
            return empty_corpus()
        return corpora.read(
            self.texts, self.preprocessing, None, progress, local_data, on_error=self.on_error
        )

    def identity(self, local_data: LocalData) -> dict[str, Any]:
        """Everything that determines the vectors, as plain data.

        Trainings with equal identities give equal vectors, unless hogwild threads are used.
        """
        self.check(local_data)
        return {
            "name": self.name,
            "trainer": plain_data(self.trainer),
            "seed": self.seed,
            "texts": [_text_identity(text, local_data) for text in self.texts],
            "reader_version": corpora.VERSION,
            "preprocessing": self.preprocessing.as_dict() if self.texts else None,
            "on_error": self.on_error,
        }


def plain_data(value: Any) -> Any:
    """A setting as plain data; trainers by name and settings, other inputs by content."""
    if isinstance(value, Trainer):
        settings = {name: plain_data(v) for name, v in value.settings.items()}
        return {"name": name_of(type(value)), "version": value.version, "settings": settings}
    if isinstance(value, Input):
        kind = type(value).__name__.lower()
        return {kind: value.name, "sha256": value.fingerprint}
    return value


def _text_identity(text: str, local_data: LocalData) -> dict[str, Any]:
    """A text by name and checksum; the content of standard input is known only after reading."""
    if text == "-":
        return {"source": text}
    digest = hashlib.sha256()
    for path in corpora.files_of(text, local_data):
        digest.update(os.fsencode(path.name) + b"\0" + sha256_of(path).encode() + b"\n")
    return {"source": text, "sha256": digest.hexdigest()}


def trainer_names() -> list[str]:
    """The names of all built-in and installed trainers."""
    return names(trainer_package, TRAINERS)


def trainer_class(source: str | Path | type[Trainer]) -> type[Trainer]:
    """The trainer with a name, the one that a Python file defines, or the class itself."""
    if isinstance(source, type):
        if issubclass(source, Trainer):
            return source
        raise BadUsage(f"{source.__name__} is not a lexiscope.Trainer.")
    name = str(source)
    if name.endswith(".py"):
        return load_file(name, Trainer)  # type: ignore[type-abstract]
    known = names(trainer_package, TRAINERS)
    if name not in known and usual_names(name):
        raise UnknownName("trainer", name, known, usual_names(name))
    return load(trainer_package, name, Trainer, TRAINERS)  # type: ignore[type-abstract]


def trainer_from(
    source: str | Path | type[Trainer], settings: Mapping[str, Any], local_data: LocalData
) -> Trainer:
    """Create a trainer; values given as text are converted to the types of its fields."""
    kind = trainer_class(source)
    name = source.__name__ if isinstance(source, type) else str(source)
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
        if isinstance(getattr(created, field), Trainer | Input)
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


def takes_terms(kind: type[Trainer], field: str) -> bool:
    """Whether a setting is a list of terms."""
    return Terms in get_args(get_type_hints(kind).get(field))


def takes_map(kind: type[Trainer], field: str) -> bool:
    """Whether a setting is a map from contexts to vectors, or a text to learn it from."""
    return InductionMap in get_args(get_type_hints(kind).get(field))


def required_settings(kind: type[Trainer]) -> list[str]:
    """The settings of a trainer that have no default."""
    fields = kind.__dataclass_fields__.values()
    return [f.name for f in fields if f.default is MISSING and f.default_factory is MISSING]


def _value(kind: type[Trainer], owner: str, field: str, value: Any, local_data: LocalData) -> Any:
    if isinstance(value, Trainer | Input):
        return value
    if takes_lexicon(kind, field):
        return _lexicon(value, local_data)
    if takes_vectors(kind, field):
        return _base(value, local_data)
    if takes_terms(kind, field):
        return None if value is None else _terms(value)
    if takes_map(kind, field):
        return None if value is None else _map(value, local_data)
    return convert_setting(kind, owner, field, value)


def _lexicon(value: Any, local_data: LocalData) -> Lexicon:
    if isinstance(value, Mapping):
        return Lexicon("given", {word: tuple(related) for word, related in value.items()})
    return lexicons.read(value, local_data)


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


def _terms(value: Any) -> Terms:
    """A file with terms, or the terms."""
    if isinstance(value, str | Path):
        return Terms(Path(value).name.partition(".")[0], term_lists.read_terms(value))
    return Terms("given", tuple(dict.fromkeys(value)))


def _map(value: Any, local_data: LocalData) -> InductionMap | Corpus:
    """A matrix, the file of one, or a text from which a map is learned."""
    if not isinstance(value, str | Path):
        return InductionMap("given", value)
    if induction_maps.is_map(value):
        return InductionMap(Path(value).name, induction_maps.read(value))
    return corpora.read(str(value), PRESETS["default"], None, silent, local_data)


def _setting_name(text: Any, value: Any) -> str:
    """The text of a setting in a command; for a lexicon the name that it was resolved to."""
    resolved = isinstance(value, Lexicon) and not Path(text).exists()
    return value.name if resolved else str(text)
