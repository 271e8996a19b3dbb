"""What a plan file says, checked as far as it can be before anything is trained."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from lexiscope.bench.plan import tasks_from
from lexiscope.bench.run import settings_from
from lexiscope.bench.settings import checked, converted
from lexiscope.bench.training import preparation_from, takes_vectors, trainer_class, trainer_names
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, UnknownName
from lexiscope.core.lexicon import Lexicon
from lexiscope.core.policy import Policy
from lexiscope.core.trainer import Trainer
from lexiscope.data.catalogue import catalogue
from lexiscope.data.unpacking import exists

Table = dict[str, Any]

POLICY = tuple(field.name for field in fields(Policy))
OWN = ("trainer", "name", "seed", "text")  # entries of a step that are no settings


class PlanFile(NamedTuple):
    """What a plan file says; paths in it stand beside the file."""

    path: Path
    seed: int
    folder: Path
    text: Table
    train: tuple[Table, ...]
    ask: Table | None

    @property
    def trained(self) -> list[Path]:
        """The vector files that the plan makes, in order."""
        return [self.folder / f"{step['name']}.safetensors" for step in self.train]

    @property
    def named(self) -> list[str]:
        """Everything that the plan names: texts, bases, lexicons, vectors, datasets."""
        texts = [source for step in self.train for source in step["text"]["sources"]]
        settings = [v for step in self.train for v in step.values() if isinstance(v, str)]
        asked = self.ask or {}
        return [*texts, *settings, *asked.get("vectors", ()), *asked.get("datasets", ())]


# What the entries of a plan hold.
_PLAN = {
    "seed": int,
    "folder": str,
    "text": dict[str, Any],
    "train": list[dict[str, Any]],
    "ask": dict[str, Any],
}
_ASK = {
    "vectors": str | list[str],
    "tasks": str | list[str],
    "datasets": str | list[str],
    "settings": dict[str, Any],
    "policies": bool,
    "by": str | list[str],
    "frequencies": str,
    "fillers": str,
}


def read(path: Path) -> PlanFile:
    """The plan in a file, checked as far as it can be before anything is trained."""
    try:
        found = tomllib.loads(path.read_bytes().decode())
    except FileNotFoundError:
        raise BadData(f"{path}: there is no such plan file.") from None
    except (OSError, ValueError, RecursionError) as problem:
        raise BadData(f"{path}: is no plan in TOML ({problem}).") from None
    try:
        return _checked(path, found)
    except LexiscopeError as problem:
        problem.args = (f"{path}: {problem}",)
        raise


def _checked(path: Path, found: Table) -> PlanFile:
    plan = _typed(_PLAN, "the plan", found)
    if "ask" not in plan and not plan.get("train"):
        raise BadData("a plan has [[train]] tables, an [ask] table, or both.")
    seed = _seed(plan.get("seed", 0))
    folder = path.parent / (plan.get("folder") or path.stem)
    text = _text(path, plan.get("text", {}))
    steps = _steps(path, plan.get("train", []), seed, text)
    return PlanFile(path, seed, folder, text, steps, _ask(path, plan.get("ask")))


def _seed(seed: Any) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 63:
        raise BadUsage(f"A seed is a number from 0 to 2**63 - 1, found {seed}.")
    return seed


def _ask(path: Path, table: Table | None) -> Table | None:
    if table is None:
        return None
    policy = {name: converted(Policy, "ask", name, table[name]) for name in POLICY if name in table}
    rest = {name: value for name, value in table.items() if name not in POLICY}
    asked = _typed(_ASK, "[ask]", rest, POLICY)
    for name in ("vectors", "datasets", "tasks", "by"):
        if name in asked:
            asked[name] = _listed(asked[name])
    tasks_from(asked.get("tasks"), settings_from(asked.get("settings", {})))  # a slip is told now
    for name in ("vectors", "datasets"):
        if name in asked:
            asked[name] = [_found(path, source) for source in asked[name]]
    for name in ("frequencies", "fillers"):
        if name in asked:
            asked[name] = _placed(path, asked[name])
    return {**asked, **policy}


def _steps(path: Path, steps: list[Table], seed: int, text: Table) -> tuple[Table, ...]:
    """Each step with its name, seed and text; the trainer's name and the plan's by default."""
    found: dict[str, Table] = {}
    for number, step in enumerate(steps, 1):
        name = _name(step, number)
        if name in found:
            raise BadData(f"two [[train]] tables are called '{name}'; give each a name.")
        try:
            settings = _settings(path, step, set(found))
            own = _text(path, step["text"]) if "text" in step else text
            seeded = _seed(step.get("seed", seed))
        except LexiscopeError as problem:
            problem.args = (f"{name}: {problem}",)
            raise
        found[name] = {**step, **settings, "name": name, "seed": seeded, "text": own}
    return tuple(found.values())


def _name(step: Table, number: int) -> str:
    if not isinstance(step.get("trainer"), str):
        raise BadData(f"[[train]] number {number} does not say which trainer.")
    name = str(step.get("name", step["trainer"]))
    plain = name and shown(name, 10_000) == name and Path(name).name == name
    if not plain or name.startswith(".") or len(name.encode()) > 200:
        raise BadData(f"'{shown(name)}' cannot be the name of a file.")
    return name


def _settings(path: Path, step: Table, earlier: set[str]) -> Table:
    """The settings of a step, checked, with paths where they lie."""
    kind = trainer_class(step["trainer"])
    given = {name: value for name, value in step.items() if name not in OWN}
    return {
        name: _setting(path, kind, step["trainer"], name, value, earlier)
        for name, value in given.items()
    }


def _setting(
    path: Path, kind: type[Trainer], trainer: str, field: str, value: Any, earlier: set[str]
) -> Any:
    if takes_vectors(kind, field) and isinstance(value, str):
        if value in earlier or value.partition(":")[0] in trainer_names():
            return value
        try:
            return _found(path, value)
        except UnknownName:
            raise UnknownName("earlier step, trainer or vector file", value, earlier) from None
    if get_type_hints(kind).get(field) is Lexicon and isinstance(value, str):
        return _placed(path, value)
    return checked(kind, trainer, field, value)


def _text(path: Path, table: Any) -> Table:
    """Sources, where they lie, and the steps of preparation, checked."""
    if not isinstance(table, Mapping):
        raise BadData(f"text is a table with sources, found {type(table).__name__}.")
    text = dict(table)
    sources, on_error = text.pop("sources", []), text.pop("on_error", "stop")
    if on_error not in ("stop", "replace"):
        raise BadUsage(f"on_error is 'stop' or 'replace', found '{on_error}'.")
    listed = _listed(sources)
    if not all(isinstance(source, str) for source in listed):
        raise BadData("sources are texts by name: a path, or a list of paths.")
    preparation_from(**text)
    return {**text, "sources": [_placed(path, source) for source in listed], "on_error": on_error}


def _placed(path: Path, text: str) -> str:
    """A path beside the plan; names that need no file, and standard input, as they are."""
    return text if _needs_no_file(text) else str(path.parent / text)


def _needs_no_file(text: str) -> bool:
    name = text.partition("@")[0].removesuffix("+")
    return text == "-" or name == "wordnet" or name in catalogue()


def _found(path: Path, text: str) -> str:
    """A file beside the plan that is there, or a name of the catalogue."""
    placed = _placed(path, text)
    parts = (placed, placed.rpartition("@")[0], placed.rpartition("#")[0])
    if not _needs_no_file(text) and not any(exists(part) for part in parts if part):
        raise UnknownName("file beside the plan, or name of the catalogue,", text, catalogue())
    return placed


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]


def _typed(types: Mapping[str, Any], where: str, table: Table, others: Sequence[str] = ()) -> Table:
    """The entries of a table, each of the type that it must have."""
    import msgspec

    for name in table:
        if name not in types:
            raise BadData(str(UnknownName(f"entry of {where}", name, (*types, *others))))
    found = {}
    for name, value in table.items():
        try:
            found[name] = msgspec.convert(value, types[name])
        except msgspec.ValidationError as problem:
            raise BadData(f"{where}, {name}: {problem}.") from None
    return found
