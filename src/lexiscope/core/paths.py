"""Whether a path exists, also for text that is not a valid path."""

from pathlib import Path


def exists(path: str | Path) -> bool:
    """Whether the path exists; an invalid path does not."""
    try:
        return Path(path).exists()
    except OSError:  # too long, or in a folder without read permission
        return False


def is_file(path: str | Path) -> bool:
    """Whether the path is a file; an invalid path is not."""
    return exists(path) and Path(path).is_file()


def is_folder(path: str | Path) -> bool:
    """Whether the path is a folder; an invalid path is not."""
    return exists(path) and Path(path).is_dir()
