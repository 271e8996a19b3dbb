"""Options of exports and imports, and the files and folders that they write."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Literal

from lexiscope.core.contracts.registry import names
from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.core.study import Kind
from lexiscope.data.atomic_write import replacing
from lexiscope.human import exchange

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the same content gives the same archive


@dataclass(frozen=True)
class ExportOptions:
    """What an export contains.

    Parameters
    ----------
    suffix : str
        The suffix of the output, such as ".csv", ".jsonl" or ".zip"; empty for a folder.
    with_platform_ids : bool
        Whether ids of platforms are exported, which identify people.
    judges : int
        The number of judges to make spreadsheets for.
    url : str
        The address under which judges reach the study.
    frame_height : int
        Height of MTurk's frame in pixels; 0 fits the window.
    now : float
        The time, in seconds since 1970; reservations of judges expire.
    """

    suffix: str = ""
    with_platform_ids: bool = False
    judges: int = 1
    url: str = ""
    frame_height: int = 0
    now: float = 0.0


@dataclass(frozen=True)
class ImportOptions:
    """How files are read.

    Parameters
    ----------
    skip_rejected : bool
        Whether to leave out work that was rejected on MTurk.
    kind : {"comparison", "intrusion"}
        The task to read from files that hold both, if the import creates the study.
    """

    skip_rejected: bool = False
    kind: Kind = "comparison"


def formats(ability: Literal["write", "read"]) -> list[str]:
    """List the formats that can be exported (`write`) or imported (`read`)."""
    return [name for name in names(exchange) if hasattr(_module(name), ability)]


def format_named(name: str, ability: Literal["write", "read"]) -> ModuleType:
    """Return the module of a format."""
    known = formats(ability)
    if name not in known:
        raise UnknownName("format", name, known)
    return _module(name)


def _module(name: str) -> ModuleType:
    return import_module(f"{exchange.__name__}.{name}")


def save_files(out: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write one file, a ZIP archive, or a new folder; returns the paths.

    A single content becomes the file `out` if that has a suffix.
    """
    if out.suffix.casefold() == ".zip":
        return [_saved(out, _archive(files))]
    if out.suffix:
        if len(files) > 1:
            raise BadUsage(
                f"{out}: this export has {len(files)} files. Give a folder or a .zip file."
            )
        return [_saved(out, next(iter(files.values())))]
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadData(f"{out}: is not an empty folder. Choose another one.")
    return [_saved(out / name, content) for name, content in files.items()]


def _saved(path: Path, content: bytes) -> Path:
    with replacing(path) as file:
        file.write(content)
    return path


def _archive(files: Mapping[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), content, zipfile.ZIP_DEFLATED)
    return raw.getvalue()
