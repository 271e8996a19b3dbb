"""Import of files into a study: all of them in one transaction, or none."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from lexiscope.core.errors import BadData
from lexiscope.human.answers import Contents, Imported, store_contents
from lexiscope.human.export_files import ImportOptions
from lexiscope.store.study_file import StudyFile


def import_files(
    file: str, format_: ModuleType, paths: Sequence[Path], options: ImportOptions, now: float
) -> Imported:
    """Import files of one format; a publication creates the study if the file does not exist."""
    if Path(file).exists() or not hasattr(format_, "read_study"):
        with StudyFile(file) as opened:
            return store_contents(opened, _contents(opened, format_, paths, options), now)
    with StudyFile.create(file, format_.read_study(paths[0], options)) as opened:
        try:
            return store_contents(opened, _contents(opened, format_, paths, options), now)
        except BadData:
            opened.close()
            _remove(file)
            raise


def _contents(
    file: StudyFile, format_: ModuleType, paths: Sequence[Path], options: ImportOptions
) -> Contents:
    parts: list[Contents] = [format_.read(path, file.study, options) for path in paths]
    return Contents(
        tuple(each for part in parts for each in part.answers),
        tuple(each for part in parts for each in part.judges),
        tuple(each for part in parts for each in part.revisions),
        tuple(each for part in parts for each in part.skipped),
        tuple(each for part in parts for each in part.notes),
    )


def _remove(file: str) -> None:
    """Delete the study that was created for an import that failed."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(file + suffix).unlink(missing_ok=True)
