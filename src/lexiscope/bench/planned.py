"""A plan file: train these, then ask these. An experiment is data."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope.bench.recording import Training, already
from lexiscope.bench.training import carry_out, corpus_of, keep, preparation_from, trainer_from
from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadData, LexiscopeError, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.progress import Progress, silent
from lexiscope.data.library import Library

_TOP = ("seed", "folder", "text", "train", "ask")
_POLICY = tuple(field.name for field in fields(Policy))
_ASK = (
    "vectors", "tasks", "datasets", "settings", "policies", "by", "frequencies", "fillers", *_POLICY
)  # fmt: skip


class PlanFile(NamedTuple):
    """What a plan file says, as it stands there."""

    path: Path
    seed: int
    folder: Path
    text: dict[str, Any]
    train: list[dict[str, Any]]
    ask: dict[str, Any]

    @property
    def trained(self) -> list[str]:
        """The vector files that the plan makes, in order."""
        return [str(self.folder / f"{step['name']}.safetensors") for step in self.train]

    @property
    def catalogued(self) -> list[str]:
        """Every text, dataset and vector file that the plan names."""
        texts = [step.get("text", self.text) for step in self.train]
        named = [source for text in texts for source in _listed(text.get("sources", []))]
        return [
            *named,
            *_listed(self.ask.get("vectors", [])),
            *_listed(self.ask.get("datasets", [])),
        ]


def read(path: Path) -> PlanFile:
    """The plan in a file."""
    try:
        found = tomllib.loads(path.read_bytes().decode())
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such plan file.") from None
    except (OSError, ValueError) as problem:
        raise BadData(f"{path}: is no plan in TOML ({problem}).") from None
    _only(path, "plan", found, _TOP)
    ask, steps = found.get("ask", {}), found.get("train", [])
    if not isinstance(ask, dict) or not isinstance(steps, list) or not (steps or ask):
        raise BadData(f"{path}: a plan has [[train]] tables, an [ask] table, or both.")
    _only(path, "[ask]", ask, _ASK)
    folder = path.parent / found.get("folder", path.stem)
    seed = found.get("seed", 0)
    return PlanFile(path, seed, folder, found.get("text", {}), _named(path, steps), ask)


def train_all(
    plan: PlanFile, library: Library, tell: Progress = silent, force: bool = False
) -> Iterator[Path]:
    """Train what the plan says, in its order, and yield each file; what is there stays."""
    texts = _Texts(library, tell)
    made: dict[str, str] = {}
    plan.folder.mkdir(parents=True, exist_ok=True)
    for step, place in zip(plan.train, map(Path, plan.trained), strict=True):
        try:
            training = _training(plan, step, made, library)
            if force or not already(training, library, place):
                tell(f"Training {step['name']}", 0, 1)
                corpus = texts.of(training)
                keep(carry_out(training, library, tell, corpus), training, step["name"], place)
        except LexiscopeError as problem:
            problem.args = (f"{plan.path}: {step['name']}: {problem}",)
            raise
        made[step["name"]] = str(place)
        yield place


class _Texts:
    """Corpora by what they are made from: trainers that follow each other share one."""

    def __init__(self, library: Library, tell: Progress) -> None:
        self._library, self._tell = library, tell
        self._last: tuple[Any, Corpus] | None = None

    def of(self, training: Training) -> Corpus:
        key = training.texts, training.preparation, training.on_error
        if self._last is None or self._last[0] != key:
            self._last = key, corpus_of(training, self._library, self._tell)
        return self._last[1]


def asking(plan: PlanFile) -> dict[str, Any]:
    """What the plan asks, as `run` takes it; everything that was trained is asked."""
    rest = {name: value for name, value in plan.ask.items() if name not in _POLICY}
    vectors = [*plan.trained, *_listed(rest.pop("vectors", []))]
    policy = {name: value for name, value in plan.ask.items() if name in _POLICY}
    return {"embeddings": vectors, "seed": plan.seed, "policy": Policy(**policy), **rest}


def _training(
    plan: PlanFile, step: Mapping[str, Any], made: Mapping[str, str], library: Library
) -> Training:
    settings = {k: v for k, v in step.items() if k not in ("trainer", "name", "seed", "text")}
    for field, value in settings.items():
        if isinstance(value, str) and value in made:  # vectors of an earlier step
            settings[field] = made[value]
    trainer = trainer_from(step["trainer"], settings, library)
    named = {
        f: v for f, v in settings.items() if isinstance(v, str) and v is not getattr(trainer, f)
    }
    text = dict(step.get("text", plan.text)) if trainer.needs_text else {}
    sources, on_error = _listed(text.pop("sources", [])), text.pop("on_error", "stop")
    seed = step.get("seed", plan.seed)
    return Training(trainer, tuple(sources), preparation_from(**text), seed, on_error, named)


def _named(path: Path, steps: list[Any]) -> list[dict[str, Any]]:
    """Each step with a name of its own; the trainer's by default."""
    found: dict[str, dict[str, Any]] = {}
    for number, step in enumerate(steps, 1):
        if not isinstance(step, dict) or not isinstance(step.get("trainer"), str):
            raise BadData(f"{path}: [[train]] number {number} does not say which trainer.")
        name = step.get("name", step["trainer"])
        if not isinstance(name, str) or Path(name).name != name or name.startswith("."):
            raise BadData(f"{path}: '{name}' cannot be the name of a file.")
        if name in found:
            raise BadData(f"{path}: two [[train]] tables are called '{name}'; give each a name.")
        found[name] = {**step, "name": name}
    return list(found.values())


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _only(path: Path, where: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in table:
        if name not in known:
            raise BadData(f"{path}: {UnknownName(f'entry of the {where}', name, known)}")
