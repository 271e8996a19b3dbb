"""A spreadsheet for each judge, to fill in without a network: 1 to n, or 0 for "I don't know"."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lexiscope.core.display import guarded
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.study import Item, Study
from lexiscope.human.answers import (
    Answer,
    Contents,
    check_fingerprint,
    choice_of,
    fingerprint,
    item_of,
)
from lexiscope.human.assignment import choose_items, option_order
from lexiscope.human.export_files import ExportOptions, ImportOptions
from lexiscope.human.instructions import instructions, instructions_text
from lexiscope.human.study_tables import csv_bytes, read_csv
from lexiscope.store.study_file import StudyFile

# Ids get a letter in front: a spreadsheet would take 12e4 for a number.
_STUDY, _JUDGE, _ITEM = "study-", "judge-", "item-"
INSTRUCTIONS = "instructions.txt"
_ANSWERING = (
    "If you agree, open your file in a spreadsheet program. Each row is a question. Write the "
    "number of your option into the column 'answer', or 0 if you do not know the meaning of one or "
    "several of the words. Change nothing else. An empty answer is left out."
)


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return one table per judge with instructions; a .csv file has the tables of all judges."""
    if options.suffix not in ("", ".zip", ".csv"):
        raise BadUsage("Spreadsheets are written to a folder, a .zip or a .csv file.")
    plan = assigned(file, options.judges, options.now)
    if not plan:
        raise BadUsage("All items have enough judgments: there is nothing to fill in.")
    study, items = file.study, file.items
    most = max(len(item.options) for item in study.items)
    columns = ["number", "question", "query", *(f"option_{k}" for k in range(1, most + 1)),
               "answer", "study", "judge", "item"]  # fmt: skip
    tables = {
        judge: [_row(study, judge, items[key], n) for n, key in enumerate(chosen, 1)]
        for judge, chosen in plan.items()
    }
    if options.suffix == ".csv":
        every = [row for rows in tables.values() for row in rows]
        return {"answers.csv": csv_bytes(columns, every, bom=True)}
    width = len(str(len(tables)))
    text = instructions_text(study, "spreadsheet", _ANSWERING).replace("\n", "\r\n")
    return {INSTRUCTIONS: text.encode("utf-8-sig", "replace")} | {
        f"judge-{n:0{width}d}.csv": csv_bytes(columns, rows, bom=True)
        for n, rows in enumerate(tables.values(), 1)
    }


def assigned(file: StudyFile, judges: int, now: float) -> dict[str, Sequence[str]]:
    """Assign items to new judges, so that all items get equally many."""
    loads = dict(file.loads(now))
    found: dict[str, Sequence[str]] = {}
    for _ in range(judges):
        judge = secrets.token_hex(8)
        chosen = choose_items(file.study, loads, judge)
        if not chosen:
            break
        found[judge] = chosen
        for key in chosen:
            loads[key] = loads.get(key, 0) + 1
    return found


def _row(study: Study, judge: str, item: Item, number: int) -> dict[str, Any]:
    order = option_order(study, judge, item)
    words = {f"option_{n}": item.options[k] for n, k in enumerate(order, 1)}
    hidden = item.kind == "intrusion"  # the query is one of the words
    return {
        "number": number,
        "question": f"{instructions(item.kind).question} Write 1 to {len(order)}, or 0 for "
        '"I don’t know".',
        "query": "" if hidden else item.query,
        **words,
        "answer": "",
        "study": _STUDY + fingerprint(study),
        "judge": _JUDGE + judge,
        "item": _ITEM + item.id,
    }


def read(path: Path, study: Study, options: ImportOptions) -> Contents:
    """Read filled tables: a file, or a folder of .csv files. Empty answers are left out."""
    paths = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    if not paths:
        raise BadData(f"{path}: has no .csv files.")
    return Contents(tuple(answer for each in paths for answer in _answers(each, study)))


def _answers(path: Path, study: Study) -> Iterator[Answer]:
    items = {item.id: item for item in study.items}
    for where, row in read_csv(path, ("answer", "study", "judge", "item")):
        check_fingerprint(study, row["study"].removeprefix(_STUDY), where)
        item = item_of(items, row["item"].removeprefix(_ITEM), where)
        judge = row["judge"].removeprefix(_JUDGE)
        if not judge:
            raise BadData(f"{where}: the column 'judge' is empty.")
        order = option_order(study, judge, item)
        _check_words(item, order, row, where)
        if row["answer"]:
            yield Answer(where, judge, item.id, choice_of(row["answer"], item, order, where), order)


def _check_words(item: Item, order: Sequence[int], row: Mapping[str, str], where: str) -> None:
    """Cells that were moved or sorted separately would change the meaning of answers.

    Words with digits are not compared: spreadsheets convert some of them to dates.
    """
    for number, option in enumerate(order, 1):
        word = item.options[option]
        found = row.get(f"option_{number}")
        if found is None or any(character.isdigit() for character in word):
            continue
        if _plain(found) != _plain(guarded(word)):
            raise BadData(
                f"{where}: option {number} is '{found[:40]}', but was '{word[:40]}' when the table "
                "was exported. Change only the column 'answer'."
            )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
