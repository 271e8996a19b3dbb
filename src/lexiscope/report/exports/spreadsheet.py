"""Tidy CSV: one row per score, or per comparison. Numbers stay numbers, text stays text."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lexiscope.bench.results import Results
from lexiscope.core.policy import Policy
from lexiscope.core.result import Comparison, Result
from lexiscope.data.files import replacing

# A spreadsheet takes what begins so for a formula; full-width forms count as well.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_SCORE = (
    "embedding", "task", "variant", "dataset", "measure", "slice", "value", "low", "high", "level",
    "used", "total", "state", "main", "vocabulary", "case", "limit", "unknown", "digits",
    "settings", "seed", "task_version", "embedding_fingerprint", "dataset_fingerprint",
)  # fmt: skip
_COMPARISON = (
    "first", "second", "task", "variant", "dataset", "measure", "difference", "low", "high", "p",
    "p_holm", "p_bh", "real", "items", "detectable", "needed", "test", "state",
    "vocabulary", "case", "limit", "unknown", "digits", "settings",
)  # fmt: skip


def to_csv(results: Results, path: str | Path) -> list[Path]:
    """Write the scores to a file, or scores, comparisons and other policies into a folder.

    A path without an ending is a folder.
    """
    place = Path(path)
    if place.suffix and not place.is_dir():
        return [_written(place, scores_csv(results))]
    files = {"scores.csv": scores_csv(results), "comparisons.csv": comparisons_csv(results)}
    if results.elsewhere:
        files["policies.csv"] = policies_csv(results)
    return [_written(place / name, text) for name, text in files.items()]


def scores_csv(results: Results) -> str:
    """The scores under the run's own policy, those of parts of datasets included."""
    return _table(_SCORE, map(_score, (*results.results, *results.parts)))


def policies_csv(results: Results) -> str:
    """The scores under the other policies."""
    return _table(_SCORE, map(_score, results.elsewhere))


def comparisons_csv(results: Results) -> str:
    """The comparisons."""
    return _table(_COMPARISON, (_comparison(c, results.policy) for c in results.comparisons))


def _score(result: Result) -> dict[str, Any]:
    return {**asdict(result), **result.policy, "settings": json.dumps(result.settings)}


def _comparison(comparison: Comparison, policy: Policy) -> dict[str, Any]:
    return {**asdict(comparison), **policy.as_dict(), "settings": json.dumps(comparison.settings)}


def _table(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value


def guarded(text: str) -> str:
    """Text that no spreadsheet runs as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _written(path: Path, text: str) -> Path:
    with replacing(path) as file:
        file.write(text.encode("utf-8", "replace"))
    return path
