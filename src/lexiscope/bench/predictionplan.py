"""What is to be trained and asked to see which evaluation predicts which: a file in `plans/`.

Every model is trained at every dimensionality, those that hang on chance several times; models that
change the vectors of another take over its first run.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench.plan import task_names
from lexiscope.bench.planfile import PlanFile, Table
from lexiscope.bench.studyfile import shipped
from lexiscope.bench.training import trainer_class
from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.data.wordnet import find as find_wordnet
from lexiscope.stats.correlations import Kind

ALL = "All"  # the joint order of all tasks
_OWN = ("name", "trainer", "runs")
_GIVEN = ("dimension", "space", "base", "lexicon")  # what the plan itself decides


@dataclass(frozen=True)
class Model:
    """A trainer with settings under the name of the paper; `base` is the model that it changes."""

    name: str
    trainer: str
    settings: Mapping[str, Any]
    base: str = ""
    lexicon: str = ""
    runs: bool = False


@dataclass(frozen=True)
class Evaluation:
    """Tasks on datasets whose scores are averaged; or alternatives, of which the first is taken."""

    name: str
    asks: tuple[tuple[str, str], ...]
    alternatives: bool = False


@dataclass(frozen=True)
class Published:
    """A correlation that a paper prints, over so many points of eleven models."""

    table: str
    measure: Kind
    predictor: str
    target: str
    dimension: int
    value: float
    points: int


class NotRun(NamedTuple):
    """What was left out, and what to do about it."""

    what: str
    why: str


@dataclass(frozen=True)
class PredictionPlan:
    """Every evaluation is asked of every model at every dimensionality."""

    name: str
    about: str
    paper: str
    scale: str
    texts: tuple[str, ...]
    dimensions: tuple[int, ...]
    runs: int
    seed: int
    models: tuple[Model, ...]
    evaluations: tuple[Evaluation, ...]
    validated: str
    tasks: tuple[str, ...]
    downstream: tuple[str, ...]
    dimension: int
    table: Mapping[str, tuple[float, float]]
    published: tuple[Published, ...]
    fingerprint: str  # of what decides the vectors: other settings are kept in another folder
    not_run: tuple[NotRun, ...] = ()
    preparation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shown_at(self) -> int:
        """The dimensionality of the tables: the paper's, or the largest that there is."""
        return self.dimension if self.dimension in self.dimensions else max(self.dimensions)

    @property
    def named(self) -> list[str]:
        """Everything that the plan names and that can be fetched."""
        lexicons = [model.lexicon for model in self.models if model.lexicon]
        asked = [dataset for e in self.evaluations for _, dataset in e.asks]
        return list(dict.fromkeys([*self.texts, *lexicons, *asked]))

    def trained(self, dimension: int) -> dict[str, str]:
        """The names of all embeddings of a dimensionality, each with the model that it is of."""
        return {
            _name(model.name, dimension, run): model.name
            for model in self.models
            for run in range(1, (self.runs if model.runs else 1) + 1)
        }


def of_paper(
    name: str,
    scale: str = "small",
    *,
    models: Iterable[str] = (),
    settings: Sequence[tuple[str, Any]] = (),
    texts: Sequence[str] = (),
    dimensions: Sequence[int] = (),
    runs: int | None = None,
    seed: int = 0,
) -> PredictionPlan:
    """The plan that comes with the product for a paper; the small scale shows how it goes.

    `texts` are trained on instead of those of the scale.
    """
    found = shipped(name)
    size = found["scales"].get(scale)
    if size is None:
        raise UnknownName("scale", scale, found["scales"])
    about, everyone = found["validated"], _models(found, size, settings)
    sources = list(texts) or size["texts"]
    return PredictionPlan(
        name,
        found["about"],
        found["paper"],
        scale,
        tuple(sources),
        tuple(sorted(set(dimensions or size["dimensions"]))),
        runs or size["runs"],
        seed,
        _chosen(everyone, list(models)),
        tuple(_evaluation(entry) for entry in found["evaluations"]),
        about["evaluation"],
        tuple(about["tasks"]),
        tuple(about["downstream"]),
        about["dimension"],
        {model: (row[0], row[1]) for model, row in found["table2"].items()},
        tuple(each for entry in found["published"] for each in _published(entry)),
        _fingerprint([sources, seed, [asdict(model) for model in everyone]]),
    )


def _fingerprint(parts: list[Any]) -> str:
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _models(found: Table, size: Table, settings: Sequence[tuple[str, Any]]) -> list[Model]:
    made = [_model(entry, found, size, settings) for entry in found["models"]]
    _must_meet(settings, made)
    return made


def _chosen(models: Sequence[Model], wanted: list[str]) -> tuple[Model, ...]:
    """The models that were named, with what they are based on, or all."""
    known = {model.name.lower(): model for model in models}
    for name in wanted:
        if name.lower() not in known:
            raise UnknownName("model", name, [model.name for model in models])
    chosen = [known[name.lower()] for name in wanted] or list(models)
    names = {name for model in chosen for name in (model.name, model.base)}
    return tuple(model for model in models if model.name in names)


def _model(entry: Table, found: Table, size: Table, settings: Sequence[tuple[str, Any]]) -> Model:
    name, trainer = entry["name"], entry["trainer"]
    known = _fields(trainer)
    learned = {**found["learned"], **size.get("learned", {})} if entry.get("runs") else {}
    own = {key: value for key, value in entry.items() if key not in _OWN}
    values = {**learned, **own, **size.get("models", {}).get(name, {})}
    for key, value in settings:
        owner, dot, field_ = key.rpartition(".")
        if (dot and owner.lower() in (name.lower(), trainer)) or (not dot and field_ in known):
            values[field_] = value
    base, lexicon = values.pop("base", ""), values.pop("lexicon", "")
    return Model(name, trainer, values, base, lexicon, entry.get("runs", False))


def _fields(trainer: str) -> set[str]:
    return {each.name for each in fields(trainer_class(trainer))}


def _must_meet(settings: Sequence[tuple[str, Any]], models: Sequence[Model]) -> None:
    """Refuse a setting that belongs to nothing, or that the plan decides."""
    owners = {name.lower() for m in models for name in (m.name, m.trainer)}
    known = {name for m in models for name in _fields(m.trainer)} - set(_GIVEN)
    for key, _ in settings:
        owner, dot, name = key.rpartition(".")
        if dot and owner.lower() not in owners:
            raise UnknownName("model", owner, owners)
        if name == "dimension":
            raise BadUsage("The dimensionality is chosen with --dimension, not with --set.")
        if name not in known:
            raise UnknownName("setting of a model", name, known)


def _evaluation(entry: Table) -> Evaluation:
    alternatives = "first" in entry
    asks = entry["first"] if alternatives else entry["asks"]
    return Evaluation(entry["name"], tuple((ask[0], ask[1]) for ask in asks), alternatives)


def _published(entry: Table) -> list[Published]:
    rest = {key: entry[key] for key in ("table", "measure", "predictor", "dimension", "points")}
    return [Published(target=t, value=value, **rest) for t, value in entry["values"].items()]


def at_hand(plan: PredictionPlan, library: Library) -> PredictionPlan:
    """The plan without what cannot be done here, which is listed with what to do about it."""
    models, no_models = _split(plan.models, lambda model: _lacks_lexicon(model, library))
    asked, no_asked = [], []
    for evaluation in plan.evaluations:
        lacking = [(ask, reason) for ask in evaluation.asks if (reason := _lacks(*ask, library))]
        there = [ask for ask in evaluation.asks if ask not in dict(lacking)]
        if evaluation.alternatives and there:
            asked.append(Evaluation(evaluation.name, (there[0],)))
            chosen = evaluation.asks.index(there[0])
            lacking = [(ask, reason) for ask, reason in lacking if ask in evaluation.asks[:chosen]]
            no_asked += [
                NotRun(f"{a[0]} on {a[1]}", f"{r} Instead: {there[0][1]}.") for a, r in lacking
            ]
        elif lacking:
            no_asked.append(NotRun(evaluation.name, lacking[0][1]))
        else:
            asked.append(evaluation)
    if not asked:
        raise BadUsage(f"Nothing can be asked: {no_asked[0].why}")
    return replace(
        plan, models=tuple(models), evaluations=tuple(asked), not_run=(*no_models, *no_asked)
    )


def _split(models: Iterable[Model], lacking: Any) -> tuple[list[Model], list[NotRun]]:
    there, away = [], []
    for model in models:
        reason = lacking(model)
        if reason:
            away.append(NotRun(model.name, reason))
        else:
            there.append(model)
    return there, away


def _lacks_lexicon(model: Model, library: Library) -> str:
    """Why a model's lexicon is not at hand; empty: it is, or needs none."""
    name = model.lexicon.removesuffix("+")
    if not name or Path(model.lexicon).is_file():
        return ""
    if name == "wordnet":
        from lexiscope.core.errors import LexiscopeError

        try:
            find_wordnet(library)
        except LexiscopeError as problem:
            return str(problem)
        return ""
    return _not_there(name, library)


def _lacks(task: str, dataset: str, library: Library) -> str:
    if task not in task_names():
        return f"This version has no task {task}."
    return _not_there(dataset, library)


def _not_there(name: str, library: Library) -> str:
    if Path(name).is_file():
        return ""
    if name not in catalogue():
        return f"The catalogue does not know {name}."
    if library.has(catalogue()[name]):
        return ""
    return (
        f"{name} is not at hand. Get it with: lexiscope data get {name}, or name the folder "
        "that it is in with --data-dir."
    )


def _name(model: str, dimension: int, run: int) -> str:
    return f"{model}-{dimension}-{run}"


def chains(plan: PredictionPlan, folder: Path) -> list[PlanFile]:
    """All trainings: each with those that change its vectors, as plans of their own."""
    found = []
    for dimension in plan.dimensions:
        for model in plan.models:
            if not model.base:
                runs = plan.runs if model.runs else 1
                found += [_chain(plan, folder, model, dimension, r) for r in range(1, runs + 1)]
    return found


def _chain(plan: PredictionPlan, folder: Path, model: Model, dimension: int, run: int) -> PlanFile:
    text = {"sources": list(plan.texts), "on_error": "stop", **plan.preparation}
    base = _name(model.name, dimension, run)
    first = {**model.settings, "dimension": dimension, "trainer": model.trainer, "name": base}
    later = [
        {**m.settings, "base": base, "lexicon": m.lexicon, "trainer": m.trainer,
         "name": _name(m.name, dimension, run)}
        for m in plan.models
        if m.base == model.name and run == 1
    ]  # fmt: skip
    # Runs of a model differ in their seed only.
    shared = {"seed": plan.seed + run - 1, "text": text}
    steps = tuple({**step, **shared} for step in (first, *later))
    return PlanFile(Path(plan.name), plan.seed, folder, text, steps, None)
