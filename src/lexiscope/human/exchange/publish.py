"""Everything to recompute the results, without personal data: items, judgments, settings."""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from lexiscope.core.errors import BadData, BadUsage, TooLarge
from lexiscope.core.study import Item, Judge, Study
from lexiscope.human.answers import Contents, check_fingerprint, fingerprint
from lexiscope.human.exchange.inventory import inventory_csv
from lexiscope.human.exchange.items import items_csv, items_jsonl
from lexiscope.human.exchange.judges import closing_fields
from lexiscope.human.exchange.judgments import COLUMNS, judgment_rows, read_answers, table_row
from lexiscope.human.export_files import ExportOptions, ImportOptions
from lexiscope.human.study_tables import MAX_BYTES, csv_bytes, json_lines, read_json_lines
from lexiscope.store.study_file import StudyFile

VERSION = 1
_STUDY, _ITEMS, _JUDGES = "study.json", "items.jsonl", "judges.jsonl"
_JUDGMENTS, _REVISIONS = "judgments.jsonl", "revisions.jsonl"
_README = """# {title}

Items and judgments of a human study of word embeddings ({kind}), exported by lexiscope.

| file | content |
|---|---|
| study.json | task, settings, names and fingerprints of the embeddings, versions and options |
| inventory.csv | query words with frequency, part of speech, concreteness and category |
| items.jsonl, items.csv | one item per line: query, options, the embeddings that offered each |
| judges.jsonl | one judge per line: random id, platform, duration in seconds, version of the consent text, answers to closing questions |
| judgments.jsonl, judgments.csv | one judgment per line |
| revisions.jsonl | answers that a judge replaced later |

JSON lines have no loss. In CSV files, text that a spreadsheet would run as a formula begins with an apostrophe.

Columns of judgments: `study` (fingerprint of the items), `judge` (random id), `platform`, `item`, `query`, `rank` (of the
neighbours), `control` (an item with an obvious answer), `choice` (number of the option in items, 0 for "I don't know"),
`option` (the word), `position` (of the choice on the screen), `order` (numbers of the options as they were shown), `seconds`
(from display to answer), `answered` (seconds since the judge started), `revisions` (how often the answer was replaced).

There are no ids of platforms, no addresses and no dates. {judges} judges gave {judgments} judgments.

`lexiscope study import NEW.study THIS_FOLDER` recreates the study; `lexiscope study results NEW.study` recomputes the results.
`lexiscope study new OTHER.study VECTORS --words inventory.csv` asks about the same words with other embeddings.
"""  # noqa: E501 - lines of a Markdown table


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return all files of a publication."""
    if options.with_platform_ids:
        raise BadUsage("A publication has no platform ids.")
    if options.suffix not in ("", ".zip"):
        raise BadUsage("A publication is a folder or a .zip file.")
    without_codes = replace(file.study.settings, completion_code="", full_code="")
    study = replace(file.study, settings=without_codes)
    starts = {judge.id: judge.started for judge in file.judges()}
    rows = list(_without_dates(judgment_rows(file), starts))
    return {
        "README.md": _readme(file, len(rows)),
        _STUDY: _study_json(study),
        "inventory.csv": inventory_csv(study),
        _ITEMS: items_jsonl(study),
        "items.csv": items_csv(study),
        _JUDGES: json_lines(map(_judge, file.judges())),
        _JUDGMENTS: json_lines(rows),
        "judgments.csv": csv_bytes(COLUMNS, map(table_row, rows)),
        _REVISIONS: json_lines(
            {"judge": judge, "item": item, "choice": choice + 1, "answered": at - starts[judge]}
            for judge, item, choice, at in file.revisions()
        ),
    }


def _readme(file: StudyFile, judgments: int) -> bytes:
    title = " ".join(file.study.settings.title.split()) or "Word study"
    judges = len(file.judges())
    text = _README.format(title=title, kind=file.study.kind, judges=judges, judgments=judgments)
    return text.encode("utf-8", "replace")


def _study_json(study: Study) -> bytes:
    content = {
        "version": VERSION,
        "fingerprint": fingerprint(study),
        "kind": study.kind,
        "settings": study.settings,
        "embeddings": study.embeddings,
        "manifest": study.manifest,
    }
    return msgspec.json.format(msgspec.json.encode(content)) + b"\n"


def _judge(judge: Judge) -> dict[str, Any]:
    """A judge without dates: when a person took part can identify them."""
    return {
        "judge": judge.id,
        "platform": judge.platform,
        "duration": None if judge.finished is None else judge.finished - judge.started,
        "consent": judge.consent,
        **closing_fields(judge),
    }


def _without_dates(
    rows: Iterator[dict[str, Any]], starts: Mapping[str, float]
) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {**row, "answered": row["answered"] - starts[row["judge"]]}


def is_publication(path: Path) -> bool:
    """Return whether a path is a folder or an archive that this format may have written."""
    return (path / _STUDY).is_file() or path.suffix.casefold() == ".zip"


def read_study(path: Path, options: ImportOptions) -> Study:
    """Read the study of a publication, without its judgments."""
    texts = _texts(path)
    try:
        content = msgspec.json.decode(texts[_STUDY])
        if content["version"] > VERSION:
            raise BadData(f"{path}: was written by a newer lexiscope. Upgrade lexiscope.")
        items = [
            msgspec.convert(row, Item) for _, row in read_json_lines(path / _ITEMS, texts[_ITEMS])
        ]
        keys = ("kind", "settings", "embeddings", "manifest")
        made = {**{key: content[key] for key in keys}, "items": items}
        study = msgspec.convert(made, Study)
    except (msgspec.MsgspecError, KeyError, TypeError) as problem:
        raise BadData(f"{path / _STUDY}: is no study ({problem}).") from None
    check_fingerprint(study, str(content.get("fingerprint", "")), str(path / _STUDY))
    return study


def read(path: Path, study: Study, options: ImportOptions) -> Contents:
    """Read judges, judgments and revisions of a publication of this study."""
    check_fingerprint(study, fingerprint(read_study(path, options)), str(path / _STUDY))
    texts = _texts(path)
    answers = tuple(read_answers(path / _JUDGMENTS, study, texts[_JUDGMENTS]))
    try:
        judges = tuple(
            _read_judge(row) for _, row in read_json_lines(path / _JUDGES, texts[_JUDGES])
        )
        revisions = tuple(
            msgspec.convert(
                (row["judge"], row["item"], row["choice"] - 1, row["answered"]),
                tuple[str, str, int, float],
            )
            for _, row in read_json_lines(path / _REVISIONS, texts[_REVISIONS])
        )
    except (msgspec.MsgspecError, KeyError, TypeError) as problem:
        raise BadData(f"{path}: a judge or a revision cannot be read ({problem}).") from None
    return Contents(answers, judges, revisions)


def _read_judge(row: Mapping[str, Any]) -> Judge:
    language = row.get("first_language")
    closing = {"first_language": language, "other_help": row.get("other_help")}
    return msgspec.convert(
        {"id": row["judge"], "platform": row["platform"], "started": 0.0,
         "finished": row["duration"], "consent": row["consent"],
         "closing": None if language is None else closing}, Judge,
    )  # fmt: skip


def _texts(path: Path) -> dict[str, str]:
    """The files of a publication, from a folder or an archive. Other files are ignored."""
    names = (_STUDY, _ITEMS, _JUDGES, _JUDGMENTS, _REVISIONS)
    try:
        raw = _from_zip(path, names) if path.is_file() else _from_folder(path, names)
        return {name: content.decode("utf-8") for name, content in raw.items()}
    except (KeyError, OSError, zipfile.BadZipFile, UnicodeDecodeError, ValueError, EOFError):
        raise BadData(
            f"{path}: is no publication of a study. It needs {', '.join(names)} in UTF-8."
        ) from None
    except (zipfile.LargeZipFile, NotImplementedError, RuntimeError, zlib.error) as problem:
        raise BadData(f"{path}: cannot be unpacked ({problem}).") from None


def _from_folder(path: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    found = {}
    for name in names:
        if (path / name).stat().st_size > MAX_BYTES:
            raise TooLarge(f"{path / name}: more than {MAX_BYTES:,} bytes.")
        found[name] = (path / name).read_bytes()
    return found


def _from_zip(path: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    if path.stat().st_size > MAX_BYTES:
        raise TooLarge(f"{path}: more than {MAX_BYTES:,} bytes.")
    found = {}
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        for name in names:
            with archive.open(name) as member:  # the declared size may be wrong
                found[name] = member.read(MAX_BYTES + 1)
            if len(found[name]) > MAX_BYTES:
                raise TooLarge(f"{path}: '{name}' has more than {MAX_BYTES:,} bytes.")
    return found
