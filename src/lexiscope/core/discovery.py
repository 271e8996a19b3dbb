"""Finding tasks and commands by their file names: no list, no registration."""

import ast
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, TypeVar

from lexiscope.core.errors import UnknownName

T = TypeVar("T")


def names(package: ModuleType) -> list[str]:
    """The public file names of a package, sorted; nothing is imported."""
    return sorted(m.name for m in iter_modules(package.__path__) if not m.name.startswith("_"))


def load(package: ModuleType, name: str, kind: type[T]) -> type[T]:
    """The one class of this kind that the file `name` defines."""
    known = names(package)
    noun = kind.__name__.lower()
    if name not in known:
        raise UnknownName(noun, name, known)
    module = import_module(f"{package.__name__}.{name}")
    found: list[Any] = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, kind)
        and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise TypeError(f"{module.__file__} must define one {noun}, found {len(found)}.")
    return found[0]  # type: ignore[no-any-return]


def summary(package: ModuleType, name: str) -> str:
    """The first line of a file's docstring; the file is read, not imported, which takes longer."""
    path = next(Path(folder, f"{name}.py") for folder in package.__path__)
    return (ast.get_docstring(ast.parse(path.read_bytes())) or "").partition("\n")[0]
