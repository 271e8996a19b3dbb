"""Find tasks, trainers, probes and commands by name.

Built-in classes are found by their file names: no list, no registration. Installed packages add
classes by entry points of a group, such as `lexiscope.tasks` or `lexiscope.trainers`; a single
Python file is loaded by its path.
"""

import ast
import copyreg
import hashlib
import linecache
import sys
import warnings
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getdoc, isabstract
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from lexiscope.core.contracts.settings import Configurable
from lexiscope.core.errors import BadData, BadUsage, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

_SOURCE = "__lexiscope_source__"  # of a module that was loaded from a file
TASKS, TRAINERS = "lexiscope.tasks", "lexiscope.trainers"  # groups of entry points


class BrokenPlugin(UserWarning):
    """An entry point of an installed package that cannot be loaded and is left out."""


def names(package: ModuleType, group: str | None = None) -> list[str]:
    """List the public file names of a package, and the entry points of a group.

    Nothing is imported.
    """
    return sorted({*_files(package), *_plugins(package, group)})


def loadable_names(package: ModuleType, kind: type[Any], group: str) -> list[str]:
    """List the names as `names` does, but leave out entry points that cannot be loaded.

    Each of these gives a warning. They are imported, built-in files are not.
    """
    plugins = _plugins(package, group)
    return [n for n in names(package, group) if n not in plugins or _can_load(plugins[n], kind)]


def load(package: ModuleType, name: str, kind: type[T], group: str | None = None) -> type[T]:
    """Load the class with this name: built-in, or from an entry point of the group."""
    plugins = _plugins(package, group)
    if name in plugins:
        return _from_entry_point(plugins[name], kind)
    if name not in _files(package):
        raise UnknownName(_noun(kind), name, names(package, group))
    module = import_module(f"{package.__name__}.{name}")
    found = _classes(module, kind)
    if len(found) != 1:
        raise TypeError(f"{module.__file__} must define one {_noun(kind)}, found {len(found)}.")
    return found[0]


def load_file(path: str | Path, kind: type[T]) -> type[T]:
    """Load the one class of this kind that a Python file defines.

    The file is executed. Loading an unchanged file again gives the same class. Objects of the
    class can be sent to other processes, which load the file as well.
    """
    module = _module_of(Path(path))
    found = _classes(module, kind)
    if len(found) != 1:
        listed = f" ({', '.join(each.__name__ for each in found)})" if found else ""
        raise BadData(
            f"{path}: must define one subclass of {kind.__name__}, found {len(found)}{listed}."
        )
    copyreg.pickle(found[0], _reduce)  # type: ignore[arg-type]
    return found[0]


def summary(package: ModuleType, name: str, group: str | None = None) -> str:
    """The first line of a docstring: of a built-in file, which is not imported, or of a plug-in."""
    plugins = _plugins(package, group)
    if name in plugins:
        return _first_line(getdoc(_from_entry_point(plugins[name], object)))
    path = next(Path(folder, f"{name}.py") for folder in package.__path__)
    return _first_line(ast.get_docstring(ast.parse(path.read_bytes())))


def _files(package: ModuleType) -> list[str]:
    return [m.name for m in iter_modules(package.__path__) if not m.name.startswith("_")]


def _plugins(package: ModuleType, group: str | None) -> "dict[str, EntryPoint]":
    """The entry points of a group by name; a name may be neither built in nor taken twice."""
    if group is None:
        return {}
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        taken = ""
        if entry.name in _files(package):
            taken = f"is the name of a built-in {group.rpartition('.')[2].removesuffix('s')}"
        elif entry.name in found:
            taken = f"is also provided by {_distribution(found[entry.name])}"
        if taken:
            raise BadUsage(
                f"The installed package {_distribution(entry)} provides '{entry.name}' in the "
                f"entry-point group {group}, which {taken}. "
                "Rename the entry point or uninstall the package."
            )
        found[entry.name] = entry
    return found


def _distribution(entry: "EntryPoint") -> str:
    return f"'{entry.dist.name}'" if entry.dist else "without a name"


def _from_entry_point(entry: "EntryPoint", kind: type[T]) -> type[T]:
    where = f"The entry point {entry.name} = {entry.value} of the package {_distribution(entry)}"
    try:
        found: Any = entry.load()
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise BadUsage(f"{where} cannot be loaded ({problem}).") from error
    if not (isinstance(found, type) and issubclass(found, kind)):
        raise BadUsage(f"{where} is not a subclass of {kind.__name__}.")
    return found


def _can_load(entry: "EntryPoint", kind: type[Any]) -> bool:
    try:
        _from_entry_point(entry, kind)
    except BadUsage as problem:
        warnings.warn(f"{problem} It is left out.", BrokenPlugin, stacklevel=3)
        return False
    return True


def _module_of(path: Path) -> ModuleType:
    """Import a file, unless it is imported already and has not changed since."""
    path = path.absolute()
    try:
        source = path.read_bytes()
    except OSError as error:
        raise BadData(f"{path}: cannot be read ({error.strerror}).") from None
    name = _module_name(path, source)
    module = sys.modules[name] if name in sys.modules else _execute(path, name)
    vars(module)[_SOURCE] = source
    return module


def _module_name(path: Path, source: bytes) -> str:
    return f"_lexiscope_file_{hashlib.sha256(bytes(path) + source).hexdigest()[:16]}"


def _execute(path: Path, name: str) -> ModuleType:
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadData(f"{path}: is not a Python file; its name must end in .py.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, SyntaxError):
            where = f"{error.filename or path}:{error.lineno}"
            raise BadData(f"{where}: is not valid Python ({error.msg}).") from error
        if isinstance(error, Exception):
            problem = f"{type(error).__name__}: {error}"
            raise BadData(f"{path}: cannot be imported ({problem}).") from error
        raise
    return module


def _classes(module: ModuleType, kind: type[T]) -> list[type[T]]:
    """The public, concrete classes of this kind that a module defines."""
    return [
        value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, kind)
        and value.__module__ == module.__name__
        and not name.startswith("_")
        and not isabstract(value)
    ]


def _reduce(value: Configurable) -> tuple[Any, ...]:
    """Pickle an object whose class was loaded from a file: by source, class name and settings."""
    kind = type(value)
    path = Path(str(sys.modules[kind.__module__].__file__))
    source: bytes = vars(sys.modules[kind.__module__])[_SOURCE]
    return _rebuild, (str(path), source, kind.__name__, value.settings)


def _rebuild(path: str, source: bytes, name: str, settings: dict[str, Any]) -> Any:
    """The object again, also on another machine, which has no such file."""
    module = sys.modules.get(_module_name(Path(path), source)) or _from_source(path, source)
    kind = vars(module)[name]
    copyreg.pickle(kind, _reduce)
    return kind(**settings)


def _from_source(path: str, source: bytes) -> ModuleType:
    """Execute the source of a file, which need not exist here."""
    name = _module_name(Path(path), source)
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = path
    vars(module)[_SOURCE] = source
    linecache.cache[path] = (len(source), None, source.decode().splitlines(True), path)
    try:
        exec(compile(source, path, "exec"), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _noun(kind: type[Any]) -> str:
    return kind.__name__.lower()


def _first_line(docstring: str | None) -> str:
    return (docstring or "").partition("\n")[0]
