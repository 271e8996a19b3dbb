"""From a trainer's name and a text to an embedding, with the record that repeats it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from numpy.random import default_rng

from lexiscope import trainers as trainer_package
from lexiscope.bench import resuming
from lexiscope.bench.recording import Spent, Training, command, keep, origin, outcome
from lexiscope.bench.resuming import Course
from lexiscope.bench.settings import converted
from lexiscope.bench.sources import Reading, embeddings_from
from lexiscope.core.corpus import NO_TEXT, Corpus
from lexiscope.core.discovery import load as load_class
from lexiscope.core.discovery import names
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.preparation import PRESETS, Preparation
from lexiscope.core.progress import Progress, silent
from lexiscope.core.trainer import Stepwise, Trainer
from lexiscope.data import corpora, lexicons
from lexiscope.data.library import Library


class Trained(NamedTuple):
    """An embedding, and all that is needed to make it again."""

    embedding: Embedding
    record: dict[str, Any]


def trainer_class(name: str) -> type[Trainer]:
    """The trainer with this name."""
    return load_class(trainer_package, name, Trainer)  # type: ignore[type-abstract]


def trainer_names() -> list[str]:
    """All trainers."""
    return names(trainer_package)


def trainer_from(name: str, settings: Mapping[str, Any], library: Library) -> Trainer:
    """The trainer with these settings; text values are turned into what the fields hold."""
    kind = trainer_class(name)
    values = {field: _value(kind, name, field, v, library) for field, v in settings.items()}
    try:
        return kind(**values)
    except TypeError:
        needed = [f for f in kind.__dataclass_fields__ if f not in values and _is_required(kind, f)]
        if not needed:
            raise
        raise BadUsage(f"{name} needs {' and '.join(f'--{field}' for field in needed)}.") from None


def preparation_from(preset: Any = "default", **steps: Any) -> Preparation:
    """A preset with some of its steps changed."""
    if not isinstance(preset, str) or preset not in PRESETS:
        raise UnknownName("preset", str(preset), PRESETS)
    known = {name: converted(Preparation, "text", name, v) for name, v in steps.items()}
    return replace(PRESETS[preset], **known)


def ordered(
    trainer: str, settings: Mapping[str, Any], texts: Sequence[str], library: Library, **more: Any
) -> Training:
    """A training as a command or a plan orders it; `more` are the other fields of a Training."""
    made = trainer_from(trainer, settings, library)
    named = {
        field: _written(value, getattr(made, field))
        for field, value in settings.items()
        if isinstance(getattr(made, field), Trainer | Embedding | Lexicon)
    }
    return Training(made, tuple(texts), named=named, **more)


def train(
    trainer: str | Trainer,
    text: Any = None,
    *,
    preparation: Preparation | str = "default",
    seed: int = 0,
    name: str | None = None,
    data_dir: str | Path | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Embedding:
    """Train an embedding on a text: a corpus, a path, a catalogue name, or a list of the latter.

    `trainer` is a name, with its settings as keywords, or a trainer. `preparation` is a preset's
    name or a Preparation; it has no effect on a corpus, which is prepared already. Retrofitting
    vectors that are there needs no text.
    """
    library, tell = Library(data_dir), progress or silent
    if isinstance(trainer, str):
        trainer = trainer_from(trainer, settings, library)
    elif settings:
        raise BadUsage("Settings go with a trainer's name; this trainer has its own already.")
    if isinstance(preparation, str):
        preparation = preparation_from(preparation)
    corpus = text
    if not isinstance(text, Corpus):
        listed = [text] if isinstance(text, str | Path) else list(text or ())
        order = Training(trainer, tuple(map(str, listed)), preparation)
        corpus = corpus_of(order, library, tell)
    found = trainer.train(corpus, default_rng(seed), tell)
    return found if name is None else found.named(name)


def read_corpus(
    text: Any,
    preparation: Preparation | str = "default",
    *,
    data_dir: str | Path | None = None,
    progress: Progress | None = None,
    **steps: Any,
) -> Corpus:
    """The corpus of a text: a path, a catalogue name, or a list of these.

    `preparation` is a preset's name or a Preparation; `steps` change single steps, as `minimum=1`.
    """
    if isinstance(preparation, str):
        preparation = preparation_from(preparation, **steps)
    elif steps:
        raise BadUsage(
            "Single steps go with a preset's name; this preparation has its own already."
        )
    return corpora.read(text, preparation, None, progress or silent, Library(data_dir))


def make(
    training: Training,
    library: Library,
    vectors: Path,
    tell: Progress = silent,
    corpus: Corpus | None = None,
    resume: bool = False,
) -> Trained:
    """Carry out a training and put vectors and record into place.

    `resume` goes on from the checkpoint, which must be there. What is interrupted leaves one.
    """
    identity = training.identity(library)  # of the texts as they are now
    begun = time.perf_counter()
    if corpus is None:
        corpus = corpus_of(training, library, tell)
    reading = Spent(time.perf_counter() - begun)
    if isinstance(training.trainer, Stepwise):
        place = resuming.place_of(vectors)
        course = Course(training, training.trainer, identity, corpus, place, reading)
        found, spent = (course.again() if resume else course).carried_out(tell)
    else:
        found, spent = _in_one_piece(training, corpus, reading, tell)
    embedding = replace(found, name=training.name or found.name, origin=origin(training, corpus))
    again = {"command": command(training, library, vectors)}
    record = {**identity, **outcome(training, corpus, embedding, spent), **again}
    keep(embedding, record, vectors)
    resuming.drop(vectors)
    return Trained(embedding, record)


def _in_one_piece(
    training: Training, corpus: Corpus, reading: Spent, tell: Progress
) -> tuple[Embedding, Spent]:
    begun = time.perf_counter()
    found = training.trainer.train(corpus, default_rng(training.seed), tell)
    return found, reading._replace(training=time.perf_counter() - begun)


def corpus_of(training: Training, library: Library, tell: Progress) -> Corpus:
    """The corpus that a training asks for."""
    training.check(library)
    if not training.texts:
        return NO_TEXT
    return corpora.read(
        training.texts, training.preparation, None, tell, library, on_error=training.on_error
    )


def _value(kind: type[Trainer], owner: str, name: str, value: Any, library: Library) -> Any:
    """What a field holds: trainers, embeddings and lexicons are named by text."""
    hint = get_type_hints(kind).get(name)
    if isinstance(value, Trainer | Embedding | Lexicon):
        return value
    if hint is Lexicon and isinstance(value, Mapping):
        return Lexicon("given", {word: tuple(tied) for word, tied in value.items()})
    if hint is Lexicon:
        return lexicons.read(value, library)
    if takes_vectors(kind, name):
        return _base(value, library)
    return converted(kind, owner, name, value)


def takes_vectors(kind: type[Trainer], name: str) -> bool:
    """Whether a field holds vectors, or a trainer that makes them."""
    return Embedding in get_args(get_type_hints(kind).get(name))


def _written(text: Any, value: Any) -> str:
    """How a setting is written in a command; a lexicon by the name that it was resolved to."""
    resolved = isinstance(value, Lexicon) and not Path(text).exists()
    return value.name if resolved else str(text)


def _base(text: str, library: Library) -> Trainer | Embedding:
    """`svd`, `svd:dimension=50,window=2`, or vectors: a file or a catalogue name."""
    name, _, listed = text.partition(":")
    if name not in trainer_names():
        (found,) = embeddings_from([text], reading=Reading(library=library))
        return found
    settings = {}
    for part in filter(None, listed.split(",")):
        field, equals, value = part.partition("=")
        if not equals:
            raise BadUsage(f"A base's settings are FIELD=VALUE,..., found '{part}'.")
        settings[field.strip()] = value.strip()
    return trainer_from(name, settings, library)


def _is_required(kind: type[Trainer], field: str) -> bool:
    found = kind.__dataclass_fields__[field]
    return found.default is MISSING and found.default_factory is MISSING
