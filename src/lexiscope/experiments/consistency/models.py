"""The models of an experiment on consistency, from their names and settings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.settings import convert_setting
from lexiscope.core.contracts.term_model import Background, TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.data.local_data import LocalData
from lexiscope.experiments.consistency.term_scores import background_rows
from lexiscope.learners import term_models
from lexiscope.learners.term_models.alacarte import Alacarte
from lexiscope.training.spec import trainer_from, trainer_names

_TRAINED = "lexiscope train skipgram TEXT --space both -o FILE.safetensors"


class AvailableModels(NamedTuple):
    models: dict[str, TermModel]
    trainers: dict[str, Trainer]
    notes: tuple[str, ...]


def models_of(
    wanted: Iterable[str] | Mapping[str, str] | str,
    settings: Mapping[str, Any],
    background: Background,
    text: Corpus | None,
    terms: Sequence[str],
) -> AvailableModels:
    """Models and trainers by name; by default the models that the background allows."""
    known, others = names(term_models), trainer_names()
    given = _labelled(wanted)
    for kind_name in given.values():
        if kind_name not in known and kind_name not in others:
            raise UnknownName("model", kind_name, [*known, *(n for n in others if n not in known)])
    chosen = given or _labelled(known)
    for key in settings:
        if key.partition(".")[0] not in chosen:
            raise UnknownName("model in this experiment", key.partition(".")[0], list(chosen))
    own = {label: _own_settings(label, settings) for label in chosen}
    joint = {label: name for label, name in chosen.items() if name not in known}
    trainers = {
        label: trainer_from(name, own[label], LocalData(None)) for label, name in joint.items()
    }
    notes: list[str] = []
    found: dict[str, TermModel] = {}
    for label, name in chosen.items():
        if name not in known:
            continue
        kind: type[TermModel] = load(term_models, name, TermModel)  # type: ignore[type-abstract]
        lacking = _lacking(kind, background, text)
        if lacking and not given:
            notes.append(f"{label} is left out: there is no {lacking}.")
            continue
        values = {f: convert_setting(kind, name, f, v) for f, v in own[label].items()}
        try:
            found[label] = _with_map(kind(**values), background, text, terms)
        except BadData as problem:
            if given:
                raise
            notes.append(f"{label} is left out: {problem}")
            continue
        notes += [each for each in found[label].notes(background) if each not in notes]
    return AvailableModels(found, trainers, tuple(notes))


def _labelled(models: Iterable[str] | Mapping[str, str] | str) -> dict[str, str]:
    """The models by label; the label of a model is its name if none is given."""
    if isinstance(models, Mapping):
        return dict(models)
    return {name: name for name in ([models] if isinstance(models, str) else models)}


def _own_settings(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {k.partition(".")[2]: v for k, v in settings.items() if k.partition(".")[0] == name}


def _lacking(kind: type[TermModel], background: Background, text: Corpus | None) -> str:
    """What a model needs and there is not; empty if there is everything."""
    if issubclass(kind, Alacarte) and text is None:
        return "text to learn a map from (--background-text)"
    if kind.needs_output and background.output is None:
        return f"output vector in the background ({_TRAINED} has them)"
    if kind.needs_counts and background.counts is None:
        return f"word count in the background ({_TRAINED} has them)"
    return ""


def _with_map(
    model: TermModel, background: Background, text: Corpus | None, terms: Sequence[str]
) -> TermModel:
    """A la carte with its map, learned from the words of a text that are no terms."""
    if not isinstance(model, Alacarte) or model.map is not None:
        return model
    if text is None:
        raise BadUsage("alacarte needs a text to learn its map from: give --background-text.")
    rows = {word: row for row, word in enumerate(background.words)}
    own = np.array([rows.get(word, -1) for word in text.vocabulary.words], np.int64)
    exclude = [row for row in background_rows(terms, background) if row >= 0]
    starts = np.asarray(text.starts)
    return model.with_map(text.name, own[text.tokens], starts, background, exclude)
