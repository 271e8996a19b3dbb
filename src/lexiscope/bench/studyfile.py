"""Plans of studies: a paper's is a file in `plans/`, a person's own grammar goes the same way."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from lexiscope import studies
from lexiscope.bench.settings import checked
from lexiscope.bench.studyplan import Criterion, Model, Probe, Published, StudyPlan
from lexiscope.bench.training import trainer_class, trainer_from
from lexiscope.core.discovery import load, names
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.grammar import Grammar
from lexiscope.core.study import Study
from lexiscope.data import grammars
from lexiscope.data.library import Library

Setting = tuple[str, Any]  # FIELD or NAME.FIELD, and a value that may be text

SENTENCES = 10_000  # of a person's own grammar
TRIALS = 10
_OWN = ("name", "trainer", "kind")


@cache
def shipped(name: str) -> dict[str, Any]:
    """The plan of a paper that comes with the product, as its file says it."""
    folder = files("lexiscope") / "plans"
    known = sorted(file.name.removesuffix(".toml") for file in folder.iterdir())
    if name not in known:
        raise UnknownName("paper", name, known)
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def of_paper(
    name: str,
    scale: str = "small",
    *,
    criteria: Iterable[str] = (),
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    sentences: int | None = None,
    trials: int | None = None,
    seed: int = 0,
) -> StudyPlan:
    """The plan that comes with the product for a paper; the small scale shows how it goes."""
    found = shipped(name)
    size = found["scales"].get(scale)
    if size is None:
        raise UnknownName("scale", scale, found["scales"])
    chosen = _chosen("criterion", found["criteria"], criteria)
    return StudyPlan(
        name,
        found["about"],
        _models(found, models, settings),
        tuple(_criterion(each, size.get("points")) for each in chosen),
        _probes(found["probes"], settings),
        size["sentences"] if sentences is None else sentences,
        size["trials"] if trials is None else trials,
        seed,
        tuple(each for entry in found["published"] for each in _published(entry)),
        tuple((entry["criterion"], tuple(entry["models"])) for entry in found["orders"]),
    )


def of_grammar(
    source: str | Path,
    *,
    questions: Iterable[str] = (),
    models: Iterable[str] = (),
    settings: Sequence[Setting] = (),
    sentences: int = SENTENCES,
    trials: int = TRIALS,
    seed: int = 0,
) -> StudyPlan:
    """A person's own grammar, asked of the models of the paper by the same probes."""
    found, grammar = shipped("s0"), grammars.read(source)
    grammar.question  # noqa: B018 - says so if it asks nothing
    known = _chosen("question", [{"name": name} for name in grammar.questions], questions)
    asked = tuple(Criterion(e["name"], grammar, e["name"], _points(grammar)) for e in known)
    chosen = _models(found, models, settings)
    probes = _probes(found["probes"], settings)
    return StudyPlan(grammar.name, grammar.about, chosen, asked, probes, sentences, trials, seed)


def _chosen(noun: str, entries: list[dict[str, Any]], wanted: Iterable[str]) -> list[Any]:
    """The entries that were named, or all, in the order of the plan."""
    known, named = [entry["name"] for entry in entries], list(wanted)
    for name in named:
        if name.lower() not in map(str.lower, known):
            raise UnknownName(noun, name, known)
    lower = {name.lower() for name in named}
    return [each for each in entries if not named or each["name"].lower() in lower]


def _models(
    found: Mapping[str, Any], wanted: Iterable[str], settings: Sequence[Setting]
) -> tuple[Model, ...]:
    """The models of a plan, then trainers that it does not name, as `svd`."""
    wanted = list(wanted)
    own = {entry["name"].lower() for entry in found["models"]}
    others = [name for name in wanted if name.lower() not in own]
    chosen = _chosen("model", found["models"], [n for n in wanted if n.lower() in own])
    if others and len(others) == len(wanted):
        chosen = []
    chosen += [{"name": name, "trainer": name, "kind": ""} for name in others]
    made = tuple(_model(entry, found["learned"], settings) for entry in chosen)
    _must_meet(settings, made)
    return made


def _model(entry: dict[str, Any], learned: Mapping[str, Any], settings: Sequence[Setting]) -> Model:
    name, trainer = entry["name"], entry["trainer"]
    known = {each.name for each in fields(trainer_class(trainer))}
    values = {key: value for key, value in learned.items() if key in known}
    values |= {key: value for key, value in entry.items() if key not in _OWN}
    for key, value in settings:
        owner, dot, field = key.rpartition(".")
        if (dot and owner.lower() in (name.lower(), trainer)) or (not dot and field in known):
            values[field] = value
    return Model(name, trainer, trainer_from(trainer, values, Library(None)), entry["kind"])


def _must_meet(settings: Sequence[Setting], models: Sequence[Model]) -> None:
    """Refuse a setting that belongs to nothing."""
    owners = {name.lower() for m in models for name in (m.name, m.trainer_name)}
    owners |= set(names(studies))
    for key, _ in settings:
        owner, dot, field = key.rpartition(".")
        if field == "space" and owner.lower() not in names(studies):
            raise BadUsage("Both spaces are trained; say which is asked: subspace.space=output.")
        if dot and owner.lower() not in owners:
            raise UnknownName("model or study", owner, owners)
        if not dot and not any(field in model.trainer.settings for model in models):
            known = {name for model in models for name in model.trainer.settings}
            raise UnknownName("setting of a model", field, known)


def _criterion(entry: Mapping[str, Any], points: int | None) -> Criterion:
    grammar = grammars.read(entry["grammar"])
    question = entry.get("question", next(iter(grammar.questions)))
    return Criterion(entry["name"], grammar, question, _points(grammar, points))


def _points(grammar: Grammar, number: int | None = None) -> tuple[float | None, ...]:
    if grammar.sweep is None:
        return (None,)
    values = grammar.sweep.values
    if number is None or number >= len(values):
        return values
    return tuple(values[place] for place in np.linspace(0, len(values) - 1, number).astype(int))


def study_class(name: str) -> type[Study]:
    """The study with this name."""
    return load(studies, name, Study)  # type: ignore[type-abstract]


def _probes(entries: list[dict[str, Any]], settings: Sequence[Setting]) -> tuple[Probe, ...]:
    """The probes; a setting changes the first of its study, on which the verdict rests."""
    made, seen = [], set()
    for entry in entries:
        name = entry["study"]
        values = {key: value for key, value in entry.items() if key != "study"}
        if name not in seen:
            own = [(key.rpartition(".")[2], v) for key, v in settings if _owner(key) == name]
            values |= dict(own)
        seen.add(name)
        made.append(_probe(name, values))
    return tuple(dict.fromkeys(made))


def _owner(key: str) -> str:
    return key.rpartition(".")[0].lower()


def _probe(name: str, values: dict[str, Any]) -> Probe:
    kind, space = study_class(name), values.pop("space", "input")
    if space not in ("input", "output"):
        raise UnknownName(f"value of {name}.space", str(space), ("input", "output"))
    known = {field: checked(kind, name, field, value) for field, value in values.items()}
    return Probe(name, kind(**known), space)


def _published(entry: Mapping[str, Any]) -> list[Published]:
    rest = {key: entry[key] for key in ("criterion", "least", "most", "said")}
    where = {"study": entry.get("study", "subspace")}
    where |= {key: entry.get(key) for key in ("at", "trials")}
    return [Published(model=model, **rest, **where) for model in entry["models"]]
