"""The judgments in long form, one per row, with random ids of judges. CSV or JSON lines."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.study import OPT_OUT, Item, Judgment, Platform, Study
from lexiscope.human.answers import Answer, Contents, check_fingerprint, fingerprint, item_of
from lexiscope.human.export_files import ExportOptions, ImportOptions
from lexiscope.human.study_tables import csv_bytes, json_lines, read_csv, read_json_lines
from lexiscope.store.study_file import StudyFile

COLUMNS = (
    "study", "judge", "platform", "item", "query", "rank", "control", "choice", "option",
    "position", "order", "seconds", "answered", "revisions",
)  # fmt: skip
_PLATFORM_IDS = ("person", "session")
_PLATFORMS: tuple[Platform, ...] = ("link", "class", "prolific", "mturk", "import", "simulation")


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return the judgments, one per row."""
    if options.suffix not in (".csv", ".jsonl"):
        raise BadUsage("Judgments are written to a .csv or a .jsonl file.")
    rows = judgment_rows(file, options.with_platform_ids)
    if options.suffix == ".jsonl":
        return {"judgments.jsonl": json_lines(rows)}
    columns = [*COLUMNS, *(_PLATFORM_IDS if options.with_platform_ids else ())]
    return {"judgments.csv": csv_bytes(columns, map(table_row, rows))}


def judgment_rows(file: StudyFile, with_platform_ids: bool = False) -> Iterator[dict[str, Any]]:
    """Yield one record per judgment; choices, positions and orders count from 1."""
    platforms = {judge.id: judge.platform for judge in file.judges()}
    ids = file.platform_ids() if with_platform_ids else {}
    revised = Counter((judge, item) for judge, item, _, _ in file.revisions())
    mark = fingerprint(file.study)
    for each in file.judgments():
        row = {
            "study": mark,
            "judge": each.judge,
            "platform": platforms[each.judge],
            **_answer(file.items[each.item], each),
            "revisions": revised[each.judge, each.item],
        }
        if with_platform_ids:
            row |= dict(zip(_PLATFORM_IDS, ids.get(each.judge, ("", "")), strict=True))
        yield row


def _answer(item: Item, each: Judgment) -> dict[str, Any]:
    opted_out = each.choice == OPT_OUT
    return {
        "item": item.id,
        "query": item.query,
        "rank": item.rank,
        "control": item.control,
        "choice": 0 if opted_out else each.choice + 1,
        "option": None if opted_out else item.options[each.choice],
        "position": None if each.position is None else each.position + 1,
        "order": [k + 1 for k in each.order],
        "seconds": each.seconds,
        "answered": each.answered,
    }


def table_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with its order as text."""
    return {**row, "order": " ".join(map(str, row["order"]))}


def read(path: Path, study: Study, options: ImportOptions) -> Contents:
    """Read judgments from CSV or JSON lines."""
    return Contents(tuple(read_answers(path, study)))


def read_answers(path: Path, study: Study, text: str | None = None) -> Iterator[Answer]:
    """Yield the judgments of a file, or of its text."""
    items = {item.id: item for item in study.items}
    rows: Iterator[tuple[str, dict[str, Any]]]
    if path.suffix.casefold() == ".jsonl":
        rows = read_json_lines(path, text)
    else:
        rows = read_csv(path, ("study", "judge", "item", "choice", "order"))
    mark = ""
    for where, row in rows:
        if mark != str(row.get("study", "")):
            mark = str(row.get("study", ""))
            check_fingerprint(study, mark, where)
        yield _read(row, items, where)


def _read(row: Mapping[str, Any], items: Mapping[str, Item], where: str) -> Answer:
    item = item_of(items, str(row.get("item", "")), where)
    order = row.get("order", "")
    shown = order if isinstance(order, list) else str(order).split()
    judge = str(row.get("judge") or "")
    platform = row.get("platform") or "import"
    if not judge or platform not in _PLATFORMS:
        raise BadData(f"{where}: expected a judge and a platform ({', '.join(_PLATFORMS)}).")
    return Answer(
        where,
        judge,
        item.id,
        _whole(row.get("choice"), "choice", where) - 1,  # 0 becomes OPT_OUT
        tuple(_whole(each, "order", where) - 1 for each in shown),
        _number(row.get("seconds"), "seconds", where),
        _number(row.get("answered"), "answered", where),
        platform,
    )


def _whole(value: Any, name: str, where: str) -> int:
    number = _number(value, name, where)
    if number is None or number != int(number):
        raise BadData(f"{where}: expected a whole number as {name}, found '{value}'.")
    return int(number)


def _number(value: Any, name: str, where: str) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not abs(number) < 1e15:
        raise BadData(f"{where}: expected a number as {name}, found '{str(value)[:40]}'.")
    return number
