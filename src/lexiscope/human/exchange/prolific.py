"""Prolific: the address of the study, the completion link, and submissions for payment."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from lexiscope.core.errors import BadUsage
from lexiscope.human.export_files import ExportOptions
from lexiscope.human.scoring.quality import judge_quality
from lexiscope.human.study_tables import csv_bytes
from lexiscope.human.workload import judges_needed
from lexiscope.store.study_file import StudyFile

PLACEHOLDERS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
_COMPLETE = "https://app.prolific.com/submissions/complete?cc="
_COLUMNS = (
    "participant_id", "session_id", "judge", "status", "answers", "minutes", "control_accuracy",
    "flags",
)  # fmt: skip


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return what Prolific asks for; submissions only together with platform ids."""
    if options.suffix not in ("", ".zip"):
        raise BadUsage("The files for Prolific are written to a folder or a .zip file.")
    files = {"prolific.txt": _settings(file, options.url).encode("utf-8", "replace")}
    if options.with_platform_ids:
        files["submissions.csv"] = csv_bytes(_COLUMNS, _submissions(file))
    return files


def study_url(url: str) -> str:
    """Return the address of a study with Prolific's placeholders."""
    return f"{checked_https(url)}?{PLACEHOLDERS}"


def checked_https(url: str) -> str:
    """Return an address of the form https://host/path."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    odd = any(character.isspace() or not character.isprintable() for character in url)
    if parts.scheme != "https" or not host or odd or parts.query or parts.fragment:
        raise BadUsage(
            f"--url takes an address such as https://example.org/study, without parameters; "
            f"found '{url[:80]}'."
        )
    if parts.username is not None:
        raise BadUsage("--url must not contain a user name or a password.")
    return url


def _settings(file: StudyFile, url: str) -> str:
    code, full = file.study.settings.completion_code, file.study.settings.full_code
    if not code:
        raise BadUsage(
            "The study has no completion code. Add it with 'lexiscope study edit "
            "--completion-code CODE'."
        )
    lines = [
        "Study URL:",
        study_url(url) if url else f"https://YOUR-HOST/?{PLACEHOLDERS}",
        "",
        "Completion code:",
        code,
        "",
        "Completion URL (lexiscope study serve --mode prolific shows it after the last answer):",
        _COMPLETE + quote(code, safe=""),
        "",
        "Code for people who arrive when the study is full or closed:",
        full or "none; add it with 'lexiscope study edit --full-code CODE'",
        "",
        "Places (judges needed):",
        str(judges_needed(file.study)),
    ]
    return "\n".join(lines) + "\n"


def _submissions(file: StudyFile) -> Iterator[dict[str, Any]]:
    """One row per judge from Prolific: who is to be paid, and what speaks for and against it."""
    quality = {each.judge: each for each in judge_quality(file.study, file.judgments())}
    ids = file.platform_ids()
    for judge in file.judges():
        if judge.platform != "prolific":
            continue
        found = quality.get(judge.id)
        person, session = ids.get(judge.id, ("", ""))
        end = judge.finished
        yield {
            "participant_id": person,
            "session_id": session,
            "judge": judge.id,
            "status": "incomplete" if end is None else "complete",
            "answers": found.judgments if found else 0,
            "minutes": None if end is None else round((end - judge.started) / 60, 1),
            "control_accuracy": found.control_accuracy if found else None,
            "flags": "; ".join(found.flags) if found else "",
        }
