"""Where numba keeps compiled loops, and what happens if it cannot, or if its files are damaged.

Numba raises an error for a package that cannot be written by a user without a cache folder, as in
containers with a foreign user id, and for a cache file that was truncated by a full disk.
"""

import functools
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_VARIABLE = "NUMBA_CACHE_DIR"


class NoCompilationCache(UserWarning):
    """Compiled loops cannot be kept where numba keeps them."""


def prepare() -> None:
    """Find a folder for the cache, and have damaged cache files rebuilt."""
    _ignore_configuration_file()
    from numba.core import caching, config
    from numba.core.dispatcher import Dispatcher

    _rebuild_damaged_files(caching.IndexDataCacheFile, caching.FunctionCache)
    if any(map(_is_writable, _usual_folders(config.CACHE_DIR))):
        return
    folder = _private_folder()
    if folder is not None:
        os.environ[_VARIABLE] = config.CACHE_DIR = str(folder)  # for worker processes as well
        where = f"are kept in {folder}"
    else:
        Dispatcher.enable_caching = lambda self: None
        where = "are compiled at every start"
    warnings.warn(
        f"Neither the package nor the cache folder of the user is writable: loops {where}. "
        f"Set {_VARIABLE} to a folder that is writable.",
        NoCompilationCache,
        stacklevel=2,
    )


def _ignore_configuration_file() -> None:
    """Have numba ignore `.numba_config.yaml` in the current folder.

    It can name a cache folder, whose files are pickled. Numba reads it when it is imported, if
    there is a module yaml, and again before it compiles.
    """
    before = dict(sys.modules)
    sys.modules["yaml"] = None  # type: ignore[assignment]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that yaml is missing
            from numba.core import config
    finally:
        del sys.modules["yaml"]
        if "yaml" in before:
            sys.modules["yaml"] = before["yaml"]
    config._config_fname = os.devnull
    config.reload_config()


def _usual_folders(named: str) -> list[Path]:
    """Where numba would keep the loops of this package."""
    from numba.misc.appdirs import AppDirs

    user = Path(AppDirs(appname="numba", appauthor=False).user_cache_dir)
    return [*([Path(named)] if named else []), Path(__file__).parent / "__pycache__", user]


def _is_writable(folder: Path) -> bool:
    """Whether files can be written into a folder, which may have to be made."""
    existing = next((each for each in (folder, *folder.parents) if each.exists()), None)
    return existing is not None and existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def _private_folder() -> Path | None:
    """A folder that nobody else can write: cached loops are pickled, so they could run code."""
    with suppress(OSError):
        folder = Path(tempfile.gettempdir()) / f"lexiscope-numba-{os.getuid()}"
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        about = folder.lstat()
        if stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o77:
            return folder
        return Path(tempfile.mkdtemp(prefix="lexiscope-numba-"))
    return None


def _rebuild_damaged_files(files: Any, functions: Any) -> None:
    """Treat a cache file that cannot be read as missing: the loop is compiled and kept again."""
    files._load_index = _with_default(files._load_index, dict)
    functions._load_overload = _with_default(functions._load_overload, lambda: None)


def _with_default(method: Callable[..., Any], default: Callable[[], Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def tolerant(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Exception:  # a damaged pickle can raise anything
            return default()

    return tolerant
