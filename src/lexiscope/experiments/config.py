"""Read an experiment file (TOML), and validate it before anything is trained."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from lexiscope.core.contracts.settings import validate_setting
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.paths import content as file_content
from lexiscope.core.paths import exists
from lexiscope.core.policy import OOV, Case, Digits, Policy, Sharing
from lexiscope.core.preprocessing import Preprocessing
from lexiscope.data.catalogue import catalogue
from lexiscope.data.corpora import OnError
from lexiscope.evaluation.resolve import parse_settings, resolve_tasks
from lexiscope.training.spec import (
    preprocessing_from,
    takes_lexicon,
    takes_vectors,
    trainer_class,
    trainer_names,
)

T = TypeVar("T", bound=Struct)
Seed = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Listed = str | list[str]
_LARGEST = 1 << 24  # bytes
_POLICY = tuple(each.name for each in fields(Policy))


@dataclass(frozen=True)
class Text:
    """A training corpus: its sources and their preprocessing."""

    sources: tuple[str, ...]
    preprocessing: Preprocessing
    on_error: OnError = "stop"


@dataclass(frozen=True)
class TrainingStep:
    """One training of an experiment. The name is that of the embedding and of its file."""

    name: str
    trainer: str
    settings: Mapping[str, Any]
    text: Text
    seed: int = 0


@dataclass(frozen=True)
class EvaluationStep:
    """The evaluation of an experiment.

    `vectors` are evaluated in addition to the embeddings that the experiment trains; `arguments`
    are further arguments of `lexiscope.run`.
    """

    vectors: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy)
    frequencies: str | None = None
    fillers: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """Trainings, then an evaluation. All paths are resolved."""

    path: Path
    folder: Path
    seed: int
    training: tuple[TrainingStep, ...]
    evaluation: EvaluationStep | None = None

    @property
    def vector_paths(self) -> list[Path]:
        """The vector files that the experiment writes, in order."""
        return [self.folder / f"{step.name}.safetensors" for step in self.training]

    @property
    def sources(self) -> list[str]:
        """The names of everything that is read: texts, bases, lexicons, vectors, datasets."""
        texts = [source for step in self.training for source in step.text.sources]
        settings = [v for step in self.training for v in step.settings.values()]
        named = [value for value in settings if isinstance(value, str)]
        evaluation = self.evaluation or EvaluationStep()
        return [*texts, *named, *evaluation.vectors, *evaluation.arguments.get("datasets", ())]


class _TextTable(Struct, forbid_unknown_fields=True):
    """The table `text`: sources, a preset, and changes of its preprocessing."""

    sources: Listed = []
    on_error: OnError = "stop"
    preset: str = "default"
    tokens: Literal["words", "spaces"] | UnsetType = UNSET
    sentences: Literal["split", "lines", "documents"] | UnsetType = UNSET
    lower: bool | UnsetType = UNSET
    digits: Literal["keep", "zero", "seven"] | UnsetType = UNSET
    min_length: int | UnsetType = UNSET
    min_count: int | UnsetType = UNSET
    limit: int | UnsetType = UNSET


class _EvaluateTable(Struct, forbid_unknown_fields=True):
    """The table `evaluate`: arguments of `lexiscope.run`, and the vocabulary policy."""

    vectors: Listed = []
    tasks: Listed | UnsetType = UNSET
    datasets: Listed | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    all_policies: bool | UnsetType = UNSET
    by: Listed | UnsetType = UNSET
    frequencies: str | UnsetType = UNSET
    fillers: str | UnsetType = UNSET
    vocabulary: Sharing | UnsetType = UNSET
    case: Case | UnsetType = UNSET
    limit: int | UnsetType = UNSET
    oov: OOV | UnsetType = UNSET
    digits: Digits | UnsetType = UNSET


class _StepTable(Struct):
    """A table `train`, without the settings of the trainer."""

    trainer: str
    name: str = ""
    seed: Seed | UnsetType = UNSET
    text: dict[str, Any] | UnsetType = UNSET


class _File(Struct, forbid_unknown_fields=True):
    seed: Seed = 0
    folder: str = ""
    text: dict[str, Any] = {}
    train: list[dict[str, Any]] = []
    evaluate: dict[str, Any] | UnsetType = UNSET


def read(path: Path) -> Experiment:
    """Read an experiment file. Errors name the file, the key and the expected value."""
    try:
        content = tomllib.loads(file_content(path, _LARGEST, "an experiment").decode())
    except FileNotFoundError:
        raise BadData(f"{path}: no such experiment file.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise BadData(f"{path}: is not an experiment in TOML ({error}).") from None
    try:
        return _experiment(path, content)
    except BadUsage as error:  # wrong values in a file are bad input, not wrong usage
        raise BadData(f"{path}: {error}") from error
    except LexiscopeError as error:
        error.args = (f"{path}: {error}",)
        raise


def _experiment(path: Path, content: dict[str, Any]) -> Experiment:
    file = _convert(content, _File, "")
    if file.evaluate is UNSET and not file.train:
        raise BadData("an experiment has [[train]] tables, an [evaluate] table, or both.")
    text = _text(path, file.text, "text")
    training = _training_steps(path, file, text)
    evaluation = None if file.evaluate is UNSET else _evaluation(path, file.evaluate)
    return Experiment(path, _folder(path, file.folder), file.seed, training, evaluation)


def _folder(path: Path, name: str) -> Path:
    """The folder of the vectors. A file from elsewhere must not write outside its own folder."""
    longest = max(len(part.encode("utf-8", "replace")) for part in name.split("/"))
    if shown(name, 10_000) != name or longest > 200:
        raise BadData(f"folder: '{shown(name)}' cannot be the name of a folder.")
    folder = path.parent / (name or path.stem)
    try:
        inside = folder.resolve().is_relative_to(path.parent.resolve())
    except (OSError, RuntimeError):  # a name that is too long, or links in a circle
        inside = False
    if not inside:
        raise BadData(
            f"folder: '{name}' is not inside the folder of this file. Name a folder there."
        )
    return folder


def _training_steps(path: Path, file: _File, text: Text) -> tuple[TrainingStep, ...]:
    found: dict[str, TrainingStep] = {}
    for number, table in enumerate(file.train):
        where = f"train[{number}]"
        own = {key: value for key, value in table.items() if key in _StepTable.__struct_fields__}
        step = _convert(own, _StepTable, where)
        name = _file_name(step.name if "name" in table else step.trainer.removesuffix(".py"), where)
        if name in found:
            raise BadData(f"two [[train]] tables are named '{name}'; give each its own name.")
        settings = {key: value for key, value in table.items() if key not in own}
        try:
            trainer = _trainer(path, step.trainer)
            known = _settings(path, trainer, settings, found)
            own_text = text if step.text is UNSET else _text(path, step.text, f"{where}.text")
        except LexiscopeError as error:
            error.args = (f"{name}: {error}",)
            raise
        seed = file.seed if step.seed is UNSET else step.seed
        found[name] = TrainingStep(name, trainer, known, own_text, seed)
    return tuple(found.values())


def _file_name(name: str, where: str) -> str:
    plain = name and shown(name, 10_000) == name and Path(name).name == name
    if not plain or name.startswith(".") or len(name.encode()) > 200:
        raise BadData(f"{where}.name: '{shown(name)}' cannot be the name of a file.")
    return name


def _trainer(path: Path, name: str) -> str:
    """The name of a trainer, or the path of the Python file that defines it."""
    found = str(path.parent / name) if name.endswith(".py") else name
    trainer_class(found)
    return found


def _settings(
    path: Path, trainer: str, given: dict[str, Any], earlier: Iterable[str]
) -> dict[str, Any]:
    """The settings of a trainer, validated, with resolved paths."""
    kind = trainer_class(trainer)
    return {
        field: _setting(path, kind, trainer, field, value, earlier)
        for field, value in given.items()
    }


def _setting(
    path: Path, kind: type[Trainer], trainer: str, field: str, value: Any, earlier: Iterable[str]
) -> Any:
    if takes_vectors(kind, field) and isinstance(value, str):
        if value in earlier or value.partition(":")[0] in trainer_names():
            return value
        try:
            return _existing(path, value)
        except UnknownName:
            raise UnknownName("earlier step, trainer or vector file", value, earlier) from None
    if takes_lexicon(kind, field) and isinstance(value, str):
        return _resolved(path, value)
    return validate_setting(kind, trainer, field, value)


def _text(path: Path, table: dict[str, Any], where: str) -> Text:
    found = _convert(table, _TextTable, where)
    changes = {
        each.name: getattr(found, each.name)
        for each in fields(Preprocessing)
        if getattr(found, each.name) is not UNSET
    }
    sources = tuple(_resolved(path, source) for source in _listed(found.sources))
    return Text(sources, preprocessing_from(found.preset, **changes), found.on_error)


def _evaluation(path: Path, table: dict[str, Any]) -> EvaluationStep:
    found = msgspec.structs.asdict(_convert(table, _EvaluateTable, "evaluate"))
    given = {name: value for name, value in found.items() if value is not UNSET}
    policy = Policy(**{name: given.pop(name) for name in _POLICY if name in given})
    vectors = tuple(_existing(path, source) for source in _listed(given.pop("vectors")))
    for name in ("datasets", "tasks", "by"):
        if name in given:
            given[name] = _listed(given[name])
    resolve_tasks(given.get("tasks"), parse_settings(given.get("settings", {})))  # for its errors
    if "datasets" in given:
        given["datasets"] = [_existing(path, source) for source in given["datasets"]]
    tables = {
        name: _resolved(path, given.pop(name))
        for name in ("frequencies", "fillers")
        if name in given
    }
    return EvaluationStep(vectors, policy, arguments=given, **tables)


def _resolved(path: Path, text: str) -> str:
    """A path relative to the experiment file; catalogue names and standard input unchanged."""
    return text if _needs_no_file(text) else str(path.parent / text)


def _needs_no_file(text: str) -> bool:
    name = text.partition("@")[0].removesuffix("+")
    return text == "-" or name == "wordnet" or name in catalogue()


def _existing(path: Path, text: str) -> str:
    """A resolved path that exists, or a catalogue name."""
    resolved = _resolved(path, text)
    parts = (resolved, resolved.rpartition("@")[0], resolved.rpartition("#")[0])
    if not _needs_no_file(text) and not any(exists(part) for part in parts if part):
        raise UnknownName("file next to the experiment, or catalogue entry,", text, catalogue())
    return resolved


def _listed(value: Listed) -> list[str]:
    return [value] if isinstance(value, str) else value


def _convert(table: dict[str, Any], kind: type[T], where: str) -> T:
    """Convert a table to a struct; errors name the key and what is expected."""
    for key in table:
        if key not in kind.__struct_fields__:
            raise UnknownName(f"key of {where or 'the file'}", key, kind.__struct_fields__)
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        _invalid(where, str(error))


def _invalid(where: str, message: str) -> NoReturn:
    """Rewrite msgspec's "Expected `int`, got `str` - at `$.seed`" as "seed: Expected ..."."""
    problem, _, path = message.partition(" - at `$")
    key = f"{where}{path.removesuffix('`')}".removeprefix(".")
    raise BadData(f"{key}: {problem}." if key else f"{problem}.")
