"""Names become values: files become embeddings, task names become tasks with settings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from lexiscope import tasks as task_package
from lexiscope.bench.attributes import Attribute
from lexiscope.core.dataset import Dataset
from lexiscope.core.datasets import KINDS, Analogies, Preferences, Questions, WordPairs
from lexiscope.core.discovery import load as load_class
from lexiscope.core.discovery import names
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage, LexiscopeError, NotAtHand, UnknownName
from lexiscope.core.policy import Policy
from lexiscope.core.task import Task
from lexiscope.data import datasets as readers
from lexiscope.data.catalogue import catalogue
from lexiscope.data.library import Library
from lexiscope.data.vectors import OnError, load


@dataclass(frozen=True)
class Plan:
    """What to ask of whom: embeddings, tasks, each task's datasets, and policies.

    The first policy is the run's own; `attributes` are what scores are broken down by.
    """

    embeddings: tuple[Embedding, ...]
    tasks: tuple[tuple[str, Task[Any]], ...]
    datasets: tuple[Dataset, ...]
    policies: tuple[Policy, ...]
    seed: int
    attributes: tuple[Attribute, ...] = ()

    @property
    def policy(self) -> Policy:
        """The policy that comparisons and the summary are under."""
        return self.policies[0]

    def pairs(self) -> list[tuple[str, Task[Any], Dataset]]:
        """Every task with every dataset that it can read and that has something to ask."""
        return [
            (name, task, dataset)
            for name, task in self.tasks
            for dataset in self.datasets
            if isinstance(dataset, task.reads) and task.suits(dataset.spelt(self.policy))
        ]


def task_class(name: str) -> type[Task[Any]]:
    """The task with this name."""
    return load_class(task_package, name, Task)  # type: ignore[type-abstract]


def task_names() -> list[str]:
    """All tasks."""
    return names(task_package)


def tasks_from(
    wanted: Iterable[str] | None, settings: Sequence[tuple[str, str, Any]]
) -> tuple[tuple[str, Task[Any]], ...]:
    """Tasks with their settings; a setting given several times makes several tasks.

    `settings` are (task, field, value); text values are turned into what the field holds.
    """
    chosen = list(dict.fromkeys(wanted)) if wanted else task_names()
    for task, _, _ in settings:
        if task not in chosen:
            raise UnknownName("task in this run", task, chosen)
    made: list[tuple[str, Task[Any]]] = []
    for name in chosen:
        kind = task_class(name)
        given: dict[str, list[Any]] = {}
        for task, field, value in settings:
            if task == name:
                given.setdefault(field, []).append(_converted(kind, name, field, value))
        for values in product(*given.values()):
            entry = name, kind(**dict(zip(given, values, strict=True)))
            if entry not in made:
                made.append(entry)
    return tuple(made)


def _converted(kind: type[Task[Any]], task: str, name: str, value: Any) -> Any:
    import msgspec

    known = {field.name: field for field in fields(kind)}
    if name not in known:
        raise UnknownName(f"setting of {task}", name, known)
    from typing import Literal, get_args, get_origin, get_type_hints

    hint = get_type_hints(kind)[name]
    if get_origin(hint) is Literal and value not in get_args(hint):
        raise UnknownName(f"value of {task}.{name}", str(value), get_args(hint))
    try:
        return msgspec.convert(value, hint, strict=False)
    except msgspec.ValidationError as problem:
        raise BadUsage(f"{task}.{name}={value}: {problem}.") from None


def datasets_from(
    wanted: Sequence[Any] | None,
    tasks: Iterable[tuple[str, Task[Any]]],
    library: Library,
    fillers: str | Path | None = None,
) -> tuple[Dataset, ...]:
    """Datasets by catalogue name, by path, or as they are; all that are at hand by default."""
    kinds = _strictest_first(task.reads for _, task in tasks)
    table = None if fillers is None else Path(fillers)
    if wanted:
        return _apart(_dataset(source, kinds, library, table) for source in wanted)
    found = tuple(
        _catalogued(entry.name, library, table)
        for entry in catalogue().values()
        if entry.kind in {kind.kind for kind in kinds} and library.has(entry)
    )
    if not found:
        raise NotAtHand(
            "No dataset for these tasks is at hand. Get some with: "
            "lexiscope data get similarity analogy synonymy categorization"
        )
    return found


def _strictest_first(kinds: Iterable[type[Dataset]]) -> tuple[type[Dataset], ...]:
    """The kinds in the order a file is tried as: almost anything can be read as categories."""
    strict = (Preferences, WordPairs, Analogies, Questions)
    return tuple(
        sorted(dict.fromkeys(kinds), key=lambda k: strict.index(k) if k in strict else len(strict))
    )


def _dataset(
    source: Any, kinds: Sequence[type[Dataset]], library: Library, fillers: Path | None
) -> Dataset:
    if isinstance(source, Dataset):
        return source
    text = str(source)
    if text in catalogue() and not Path(text).is_file():
        dataset = _catalogued(text, library, fillers)
        if not isinstance(dataset, tuple(kinds)):
            raise BadUsage(f"{text} holds {dataset.kind}; none of the chosen tasks reads that.")
        return dataset
    if not Path(text).exists() and "/" not in text and "." not in text:
        raise UnknownName(
            "dataset or file", text, [n for n, e in catalogue().items() if e.kind in KINDS]
        )
    problems = []
    for kind in kinds:
        try:
            return readers.read(kind.kind, Path(text), Path(text).stem, fillers)
        except BadData as problem:
            problems.append((kind.kind, problem))
    if len(problems) == 1 or len({str(problem) for _, problem in problems}) == 1:
        raise problems[0][1]
    reasons = " ".join(f"As {kind}: {problem}" for kind, problem in problems)
    raise BadData(f"{text}: none of the chosen tasks can read it. {reasons}")


def _catalogued(name: str, library: Library, fillers: Path | None) -> Dataset:
    entry = catalogue()[name]
    if entry.kind not in KINDS:
        raise BadUsage(f"{name} holds {entry.kind}, not a dataset that a task reads.")
    if entry.fillers and fillers is None:
        fillers = library.fillers(name)
    return readers.read(entry.kind, library.files(name)[0], name, fillers)


class Reading(NamedTuple):
    """How vector files are read: how much, what to do about broken rows, where names lead."""

    limit: int | None = None
    on_error: OnError = "stop"
    library: Library | None = None


AS_IT_IS = Reading()
FEW = (
    "Only the words of the datasets were encoded, so analogies have few candidates and look easy "
    "beside embeddings with a whole vocabulary; load(encoder, words=...) takes as many as you give."
)


def words_of(datasets: Iterable[Dataset], policy: Policy) -> list[str]:
    """Every word of the datasets as the policy spells it: what an encoder is asked for."""
    return sorted({policy.spelling(word) for dataset in datasets for word in dataset.all_words})


def embeddings_from(
    sources: Any, words: Sequence[str] = (), reading: Reading = AS_IT_IS
) -> tuple[Embedding, ...]:
    """Embeddings from paths, catalogue names, objects, or a mapping of names to any of these.

    `SOURCE@first=N` takes the first N words, `SOURCE@centred` takes the mean vector off. Objects
    that encode are asked for `words`.
    """
    if isinstance(sources, Mapping) and not _is_vectors(sources):
        for name in sources:
            if not isinstance(name, str):
                raise BadUsage(f"An embedding's name is text, found {type(name).__name__}.")
        found = [_embedding(source, name, words, reading) for name, source in sources.items()]
    else:
        several = isinstance(sources, list | tuple) and not _is_pair(sources)
        listed = list(sources) if several else [sources]
        found = [_embedding(source, None, words, reading) for source in listed]
    if not found:
        raise BadUsage("At least one embedding is needed.")
    return _distinct(found, sources)


def _is_vectors(source: Mapping[Any, Any]) -> bool:
    import numpy as np

    first = next(iter(source.values()), None)
    return (
        isinstance(first, np.ndarray | list | tuple) and not _is_pair(first) and np.ndim(first) == 1
    )


def _is_pair(source: Any) -> bool:
    """(words, matrix), not a list of two sources."""
    import numpy as np

    return (
        isinstance(source, tuple)
        and len(source) == 2
        and not isinstance(source[0], str | Path)
        and isinstance(source[1], np.ndarray | list)
        and np.ndim(source[1]) == 2
    )


def _embedding(source: Any, name: str | None, words: Sequence[str], reading: Reading) -> Embedding:
    path, _, change = source.rpartition("@") if isinstance(source, str) else (source, "", "")
    if not path or (isinstance(source, str) and Path(source).exists()):
        path, change = source, ""
    if isinstance(path, str) and not Path(path).exists():
        path = _catalogued_vectors(path, reading)
    found = load(path, name=name, limit=reading.limit, on_error=reading.on_error, words=words)
    if not isinstance(path, str | Path | Embedding) and hasattr(path, "encode"):
        found = replace(found, repairs=(*found.repairs, FEW))
    if not change:
        return found
    changed = _changed(found, change)
    return changed.named(name or f"{found.name}@{change}")


def _catalogued_vectors(name: str, reading: Reading) -> str | Path:
    known = [entry.name for entry in catalogue().values() if entry.kind == "vectors"]
    if name in known:
        return (reading.library or Library()).vectors(name)
    if name in catalogue():
        raise BadUsage(f"{name} holds {catalogue()[name].kind}, not vectors.")
    if not {".", "/", "#"} & set(name):
        raise UnknownName("vector file or catalogue name", name, known)
    return name


def _changed(embedding: Embedding, change: str) -> Embedding:
    what, _, value = change.partition("=")
    if what == "centred" and not value:
        return embedding.centred()
    if what == "first" and value.isdecimal():
        return embedding.first(int(value))
    raise BadUsage(f"'@{change}' is not known. After @ stands centred or first=NUMBER.")


def _distinct(embeddings: list[Embedding], sources: Any) -> tuple[Embedding, ...]:
    """Names that tell the embeddings apart: the folder is added, then a number."""
    taken: set[str] = set()
    named = []
    for place, embedding in enumerate(embeddings):
        name = _readable(embedding.name)
        if name in taken and isinstance(sources, list | tuple):
            folder = _folder(sources[place])
            name = f"{_readable(folder)}/{name}" if folder else name
        number = 2
        while name in taken:
            name, number = f"{_readable(embedding.name)}-{number}", number + 1
        taken.add(name)
        named.append(embedding if name == embedding.name else embedding.named(name))
    return tuple(named)


def _readable(name: str) -> str:
    """A name that can be printed and stored; that of a file may hold bytes that are no text."""
    return name.encode("utf-8", "replace").decode()


def _folder(source: Any) -> str:
    return Path(source).parent.name if isinstance(source, str | Path) else ""


def _apart(datasets: Iterable[Dataset]) -> tuple[Dataset, ...]:
    """Each dataset once, under a name of its own."""
    named: dict[str, Dataset] = {}
    for dataset in datasets:
        name, number = _readable(dataset.name), 2
        while name in named and named[name].fingerprint != dataset.fingerprint:
            name, number = f"{_readable(dataset.name)}-{number}", number + 1
        named.setdefault(name, dataset if name == dataset.name else replace(dataset, name=name))
    return tuple(named.values())


def check(plan: Plan) -> None:
    """Refuse a plan in which nothing can be asked, or a seed that is none."""
    if not 0 <= plan.seed < 1 << 63:
        raise BadUsage(f"A seed is a number from 0 to 2**63 - 1, found {plan.seed}.")
    for dataset in plan.datasets:
        if not len(dataset):
            raise BadData(f"The dataset {dataset.name} holds no items.")
    if not plan.pairs():
        raise LexiscopeError(
            "None of the chosen tasks has anything to ask of the chosen datasets: "
            f"{', '.join(name for name, _ in plan.tasks)} / "
            f"{', '.join(dataset.name for dataset in plan.datasets)}."
        )
