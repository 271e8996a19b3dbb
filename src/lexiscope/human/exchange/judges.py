"""The judges, one per row, with what they said after the last item. CSV or JSON lines."""

from collections.abc import Iterator, Mapping
from typing import Any

from lexiscope.core.errors import BadUsage
from lexiscope.core.study import Judge
from lexiscope.human.answers import fingerprint
from lexiscope.human.export_files import ExportOptions
from lexiscope.human.study_tables import csv_bytes, json_lines
from lexiscope.store.study_file import StudyFile

_COLUMNS = (
    "study", "judge", "platform", "started", "finished", "judgments", "first_language",
    "other_help",
)  # fmt: skip
_PLATFORM_IDS = ("person", "session")


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return the judges, one per row."""
    if options.suffix not in (".csv", ".jsonl"):
        raise BadUsage("Judges are written to a .csv or a .jsonl file.")
    rows = _rows(file, options.with_platform_ids)
    if options.suffix == ".jsonl":
        return {"judges.jsonl": json_lines(rows)}
    columns = [*_COLUMNS, *(_PLATFORM_IDS if options.with_platform_ids else ())]
    return {"judges.csv": csv_bytes(columns, rows)}


def _rows(file: StudyFile, with_platform_ids: bool) -> Iterator[dict[str, Any]]:
    judgments, mark = file.judgments_per_judge(), fingerprint(file.study)
    ids = file.platform_ids() if with_platform_ids else {}
    for judge in file.judges():
        row = {
            "study": mark,
            "judge": judge.id,
            "platform": judge.platform,
            "started": judge.started,
            "finished": judge.finished,
            "judgments": judgments.get(judge.id, 0),
            **closing_fields(judge),
        }
        if with_platform_ids:
            row |= dict(zip(_PLATFORM_IDS, ids.get(judge.id, ("", "")), strict=True))
        yield row


def closing_fields(judge: Judge) -> dict[str, str | None]:
    """Return the closing answers: empty if the judge left them out, None if they sent nothing."""
    said = judge.closing
    return {
        "first_language": None if said is None else said.first_language,
        "other_help": None if said is None else said.other_help,
    }
