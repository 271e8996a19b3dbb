"""The items: query, options and the embeddings that offered each of them. CSV or JSON lines."""

from collections.abc import Iterator, Mapping
from typing import Any

from lexiscope.core.errors import BadUsage
from lexiscope.core.study import Item, Study
from lexiscope.human.answers import fingerprint
from lexiscope.human.export_files import ExportOptions
from lexiscope.human.study_tables import csv_bytes, json_lines
from lexiscope.store.study_file import StudyFile

FIXED = ("study", "item", "kind", "query", "rank", "control", "answer", "width")


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return the items, one per row."""
    if options.suffix == ".jsonl":
        return {"items.jsonl": items_jsonl(file.study)}
    if options.suffix == ".csv":
        return {"items.csv": items_csv(file.study)}
    raise BadUsage("Items are written to a .csv or a .jsonl file.")


def items_jsonl(study: Study) -> bytes:
    """Return all items without loss."""
    return json_lines(study.items)


def items_csv(study: Study) -> bytes:
    """Return all items as a table; answer and options count from 1."""
    keys = sorted({key for item in study.items for key in item.attributes})
    most = max((len(item.options) for item in study.items), default=0)
    names = [f"attribute_{key}" for key in keys]
    numbered = [f"{what}_{k + 1}" for k in range(most) for what in ("option", "embeddings")]
    mark = fingerprint(study)
    rows = ({"study": mark, **_row(item)} for item in study.items)
    return csv_bytes([*FIXED, *names, *numbered], rows)


def _row(item: Item) -> dict[str, Any]:
    return {
        "item": item.id,
        "kind": item.kind,
        "query": item.query,
        "rank": item.rank,
        "control": item.control,
        "answer": None if item.answer is None else item.answer + 1,
        "width": item.width,
        **{f"attribute_{key}": value for key, value in item.attributes.items()},
        **dict(_options(item)),
    }


def _options(item: Item) -> Iterator[tuple[str, str]]:
    for number, (word, names) in enumerate(zip(item.options, item.sources, strict=True), 1):
        yield f"option_{number}", word
        yield f"embeddings_{number}", "; ".join(names)
