"""Names become values: tasks and datasets by name, by path, or as objects."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope import tasks as task_package
from lexiscope.core.contracts.registry import TASKS, load_file, loadable_names
from lexiscope.core.contracts.settings import convert_setting, name_of
from lexiscope.core.contracts.task import Task
from lexiscope.core.datasets import KINDS
from lexiscope.core.datasets.base import Dataset
from lexiscope.core.decision import DecisionRule
from lexiscope.core.display import readable
from lexiscope.core.errors import BadData, BadUsage, NotDownloaded, UnknownName
from lexiscope.core.paths import exists, is_file
from lexiscope.core.policy import CASES, Policy
from lexiscope.data import datasets as readers
from lexiscope.data.catalogue import catalogue, suites
from lexiscope.data.datasets.frames import from_frame, is_frame
from lexiscope.data.languages import ENGLISH, available_in, downloaded
from lexiscope.data.local_data import LocalData
from lexiscope.data.vectors.resolve import split_name
from lexiscope.evaluation.plan import NamedTask
from lexiscope.evaluation.task_index import task_class, task_entries

Setting = tuple[str, str, Any]  # task, field, value


class NamedSource(NamedTuple):
    """A dataset by name, path or object, under a name of the user's own."""

    name: str
    source: Any


def resolve(
    tasks: Any,
    datasets: Any,
    settings: Sequence[Setting],
    local_data: LocalData,
    fillers: str | Path | None = None,
    language: str = "",
) -> tuple[tuple[NamedTask, ...], tuple[Dataset, ...]]:
    """The tasks and datasets of a run.

    Without `tasks`, all tasks that can evaluate one of the datasets; without `datasets`, all in
    English that are available locally, or all in `language`, downloaded if needed. Supervised
    tasks take time and run only if they or datasets are named.
    """
    sources = _listed(datasets)
    if _listed(tasks):
        chosen = resolve_tasks(tasks, settings)
        kinds = [task.dataset for _, task in chosen]
        return chosen, resolve_datasets(sources, kinds, local_data, fillers, language)
    entries = [entry for entry in task_entries() if sources or not entry.supervised]
    _check_names(settings, [entry.name for entry in entries])
    resolve_tasks([task for task, _, _ in settings], settings)  # to check them before reading
    kinds = [entry.dataset for entry in entries]
    found = resolve_datasets(sources, kinds, local_data, fillers, language)
    names = [e.name for e in entries if any(isinstance(each, e.dataset) for each in found)]
    return resolve_tasks(names, [each for each in settings if each[0] in names]), found


def resolve_tasks(wanted: Any, settings: Sequence[Setting] = ()) -> tuple[NamedTask, ...]:
    """Tasks by name, by the path of a Python file, as classes or as objects; None: all tasks.

    A setting with several values gives several tasks. Text is converted to the type of the field.
    """
    sources = _all_tasks() if wanted is None else _listed(wanted)
    named = _unique(map(_named_task, sources))
    _check_names(settings, [name for name, _, _ in named])
    classes: dict[str, type] = {}
    for name, kind, _ in named:
        if classes.setdefault(name, kind) is not kind:
            raise BadUsage(f"Two tasks are called {name}. Define `name` in one of the classes.")
    return tuple(
        _unique(
            (name, task)
            for name, kind, own in named
            for task in _with_settings(name, kind, own, settings)
        )
    )


def _all_tasks() -> list[str]:
    return loadable_names(task_package, Task, TASKS)


def _named_task(source: Any) -> tuple[str, type[Task[Any]], dict[str, Any]]:
    """The name, the class and the own settings of a task."""
    if isinstance(source, Task):
        return name_of(type(source)), type(source), source.settings
    if isinstance(source, type) and issubclass(source, Task):
        return name_of(source), source, {}
    if isinstance(source, Path) or (isinstance(source, str) and source.endswith(".py")):
        kind = task_from_file(source)
        return name_of(kind), kind, {}
    if not isinstance(source, str):
        raise BadUsage(
            "A task is a name, the path of a Python file, or a lexiscope.Task, found "
            f"{type(source).__name__}."
        )
    return source, task_class(source), {}


def task_from_file(path: str | Path) -> type[Task[Any]]:
    """The task that a Python file defines, with everything that a task must have."""
    kind: type[Task[Any]] = load_file(path, Task)  # type: ignore[type-abstract]
    if not {"__dataclass_params__", "__dataclass_fields__"} <= set(vars(kind)):
        raise BadData(f"{path}: decorate the class {kind.__name__} with @dataclass(frozen=True).")
    for name in ("dataset", "metric"):
        if not hasattr(kind, name):
            raise BadData(f"{path}: the task {kind.__name__} must set `{name}`.")
    return kind


def _with_settings(
    name: str, kind: type[Task[Any]], own: Mapping[str, Any], settings: Sequence[Setting]
) -> list[Task[Any]]:
    """A task for every combination of the settings that are given for it."""
    values: dict[str, list[Any]] = {}
    for task, field, value in settings:
        if task == name:
            values.setdefault(field, []).append(convert_setting(kind, name, field, value))
    return [
        kind(**{**own, **dict(zip(values, chosen, strict=True))})
        for chosen in product(*values.values())
    ]


def _unique(values: Iterable[Any]) -> list[Any]:
    """The values without repetitions; settings need not be hashable."""
    found: list[Any] = []
    found += (value for value in values if value not in found)
    return found


def _check_names(settings: Iterable[Setting], tasks: Sequence[str]) -> None:
    for task, _, _ in settings:
        if task not in tasks:
            raise UnknownName("task in this run", task, tasks)


def parse_settings(settings: Mapping[str, Any]) -> list[Setting]:
    """Settings as (task, field, value), from {"task.field": value or list of values}."""
    found: list[Setting] = []
    for name, value in settings.items():
        task, dot, field = name.partition(".")
        if not dot:
            raise BadUsage(f"A setting is TASK.FIELD, found '{name}'.")
        found += [(task, field, v) for v in (value if isinstance(value, list) else [value])]
    return found


def resolve_datasets(
    sources: Sequence[Any],
    kinds: Iterable[type[Dataset]],
    local_data: LocalData,
    fillers: str | Path | None = None,
    language: str = "",
) -> tuple[Dataset, ...]:
    """Datasets by the name of a catalogue entry or suite, by path, as data frames or as objects.

    `NAME=PATH` names a dataset, as a dict from names to datasets does in `resolve`.
    Without sources, all datasets of these kinds in the language, downloaded if needed; without a
    language, those in English that are available locally. A suite stands for its datasets of these
    kinds.
    """
    kinds = list(dict.fromkeys(kinds))
    table = _filler_table(fillers)
    if sources:
        split = map(_named_source, sources)
        named = chain.from_iterable(_without_suites(each, kinds, local_data) for each in split)
        return _distinct(_dataset(source, kinds, local_data, table) for source in named)
    wanted = [kind.kind for kind in kinds]
    entries = [
        entry
        for entry in catalogue().values()
        if entry.kind in wanted and not entry.only_for_curves
    ]
    available = available_in(entries, language, local_data)
    if not available:
        raise NotDownloaded(
            "No dataset for these tasks is available locally. "
            f"{how_to_download(wanted, language or ENGLISH)}"
        )
    return tuple(_published(entry.name, local_data, table) for entry in available)


def _named_source(source: Any) -> Any:
    """A NAME=PATH as its parts; another source stays as it is."""
    name, path = split_name(source) if isinstance(source, str) else ("", source)
    return NamedSource(name, path) if name else source


def _without_suites(
    source: Any, kinds: Sequence[type[Dataset]], local_data: LocalData
) -> list[Any]:
    """The names of a suite's datasets of these kinds that are available, downloaded if needed.

    One dead link must not cost the others: what cannot be downloaded is reported and left out.
    Another source stays as it is.
    """
    if not isinstance(source, str) or source not in suites() or is_file(source):
        return [source]
    if source in catalogue():
        return [source]
    wanted = [kind.kind for kind in kinds]
    found = [entry for entry in suites()[source] if entry.kind in wanted]
    if not found:
        raise BadUsage(f"The suite {source} has no dataset for the chosen tasks.")
    available = downloaded(found, local_data)
    if not available:
        raise NotDownloaded(f"No dataset of {source} is available. {_get(source)}")
    return [entry.name for entry in available]


def _get(source: str) -> str:
    return f"Get some with: lexiscope data get {source}"


def _filler_table(fillers: str | Path | None) -> Path | None:
    """The path of a table of fillers; an error if there is no such file, used or not."""
    if fillers is None:
        return None
    if not is_file(fillers):
        raise BadData(f"{fillers}: there is no such file of fillers.")
    return Path(fillers)


def _dataset(
    source: Any, kinds: Sequence[type[Dataset]], local_data: LocalData, fillers: Path | None
) -> Dataset:
    if isinstance(source, NamedSource):
        return _under_name(source, kinds, local_data, fillers)
    if isinstance(source, Dataset):
        return source
    if not isinstance(source, str | Path):
        return _from_frame(source, kinds, fillers)
    text = str(source)
    if text in catalogue() and not is_file(text):
        dataset = _published(text, local_data, fillers)
        if not isinstance(dataset, tuple(kinds)):
            raise BadUsage(f"{text} holds {dataset.kind}; none of the chosen tasks reads that.")
        return dataset
    if not exists(text) and "/" not in text and "." not in text:
        names = [name for name, entry in catalogue().items() if entry.kind in KINDS]
        raise UnknownName("dataset, suite or file", text, [*names, *suites()])
    return readers.read_any(kinds, Path(text), Path(text).stem, fillers)


def _under_name(
    named: NamedSource, kinds: Sequence[type[Dataset]], local_data: LocalData, fillers: Path | None
) -> Dataset:
    if not isinstance(named.name, str):
        raise BadUsage(f"A dataset's name is text, found {type(named.name).__name__}.")
    if is_frame(named.source):
        return from_frame(named.source, named.name, kinds, fillers)
    return replace(_dataset(named.source, kinds, local_data, fillers), name=named.name)


def _from_frame(source: Any, kinds: Sequence[type[Dataset]], fillers: Path | None) -> Dataset:
    if not is_frame(source):
        raise BadUsage(
            "A dataset is a name, a path, a pandas DataFrame or a lexiscope dataset, found "
            f"{type(source).__name__}."
        )
    return from_frame(source, kinds=kinds, fillers=fillers)


def _published(name: str, local_data: LocalData, fillers: Path | None) -> Dataset:
    entry = catalogue()[name]
    if entry.kind not in KINDS:
        raise BadUsage(f"{name} holds {entry.kind}, not a dataset that a task reads.")
    if entry.fillers and fillers is None:
        fillers = local_data.fillers_path(name)
    return readers.read_published(entry.kind, local_data.paths(name), name, fillers)


def _distinct(datasets: Iterable[Dataset]) -> tuple[Dataset, ...]:
    """Each dataset once, under a unique name."""
    named: dict[str, Dataset] = {}
    for dataset in datasets:
        name, number = readable(dataset.name), 2
        while name in named and named[name].fingerprint != dataset.fingerprint:
            name, number = f"{readable(dataset.name)}-{number}", number + 1
        named.setdefault(name, dataset if name == dataset.name else replace(dataset, name=name))
    return tuple(named.values())


def with_dataset_names(rule: DecisionRule, datasets: Iterable[Dataset]) -> DecisionRule:
    """The rule with the names of datasets where it has their paths."""
    known = {dataset.name for dataset in datasets}

    def name_of(given: str) -> str:
        stem = readable(Path(given).stem)
        is_unique = stem in known and f"{stem}-2" not in known
        return stem if given not in known and is_unique else given

    primary = {name_of(str(given)): weight for given, weight in rule.primary.items()}
    return replace(rule, primary=primary)


def how_to_download(kinds: Iterable[str], language: str = ENGLISH) -> str:
    """The command that downloads datasets of these kinds; empty if the catalogue has none."""
    if language != ENGLISH:
        return f"Get some with: lexiscope data get --language {language}"
    known = [entry for entry in catalogue().values() if entry.language == ENGLISH]
    fitting = [e for e in known if e.kind in set(kinds) and not e.only_for_curves]
    suites = list(dict.fromkeys(entry.suites[0] for entry in fitting if entry.suites))
    return f"Get some with: lexiscope data get {' '.join(suites)}" if suites else ""


def words_of(datasets: Iterable[Dataset], policy: Policy, all_policies: bool = False) -> list[str]:
    """Every word of the datasets in the form that the policy compares: what an encoder encodes.

    With `all_policies`, also the forms under the other choices of case, after the policy's own.
    """
    policies = [policy, *(replace(policy, case=case) for case in CASES if all_policies)]
    words = set(chain.from_iterable(dataset.all_words for dataset in datasets))
    return list(
        dict.fromkeys(word for each in policies for word in sorted(set(map(each.normalise, words))))
    )


def _listed(given: Any) -> list[Any]:
    """A list, whether nothing, one value, several, or a dict from names to values are given."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [NamedSource(name, source) for name, source in given.items()]
    return list(given) if isinstance(given, list | tuple | set) else [given]
