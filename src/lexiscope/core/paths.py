"""Whether a path exists, also for text that is not a valid path."""

from pathlib import Path

from lexiscope.core.errors import TooLarge


def exists(path: str | Path) -> bool:
    """Whether the path exists; an invalid path does not."""
    try:
        return Path(path).exists()
    except OSError:  # too long, or in a folder without read permission
        return False


def is_file(path: str | Path) -> bool:
    """Whether the path is a file; an invalid path is not."""
    return exists(path) and Path(path).is_file()


def content(path: str | Path, most: int, what: str) -> bytes:
    """Return the content of a file with an upper bound, also if it is a device without an end."""
    with Path(path).open("rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise TooLarge(f"{path}: is larger than {most >> 20} MB, so it is not {what}.")
    return found


def is_folder(path: str | Path) -> bool:
    """Whether the path is a folder; an invalid path is not."""
    return exists(path) and Path(path).is_dir()
