"""Results as tidy CSV: one row per score, or per comparison."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lexiscope.core.display import guarded
from lexiscope.core.policy import Policy
from lexiscope.core.result import Comparison, Result
from lexiscope.data.atomic_write import replacing
from lexiscope.evaluation.results import Results

_SCORE = (
    "embedding", "task", "variant", "dataset", "metric", "slice", "value", "low", "high", "level",
    "used", "total", "shared_value", "shared_low", "shared_high", "shared_items", "state", "main",
    "vocabulary", "case", "limit", "oov", "digits", "settings", "seed", "task_version",
    "embedding_fingerprint", "dataset_fingerprint",
)  # fmt: skip
_COMPARISON = (
    "first", "second", "task", "variant", "dataset", "metric", "difference", "low", "high", "p",
    "p_holm", "p_bh", "significant", "outcome", "p_equivalence", "margin", "items", "total",
    "detectable_difference", "error", "degrees_of_freedom", "min_p", "test", "state", "vocabulary",
    "case", "limit", "oov", "digits", "settings",
)  # fmt: skip


def to_csv(results: Results, path: str | Path) -> list[Path]:
    """Write scores to a CSV file, or scores, comparisons and other policies into a folder.

    Text that a spreadsheet would run as a formula gets a leading apostrophe.

    Parameters
    ----------
    results : Results
        Results of `lexiscope.run`.
    path : str or Path
        A file for the scores. A path without suffix is a folder for scores.csv, comparisons.csv
        and, with `run(all_policies=True)`, policies.csv.

    Returns
    -------
    list of Path
        The files that were written.

    Examples
    --------
    >>> import lexiscope
    >>> pairs = lexiscope.WordPairs.example()
    >>> vectors = {word: [len(word), word.count("a")] for word in pairs.all_words}
    >>> results = lexiscope.run({"spelling": vectors}, "similarity", pairs)
    >>> [path.name for path in lexiscope.to_csv(results, "tables")]
    ['scores.csv', 'comparisons.csv']
    """
    target = Path(path)
    if target.suffix and not target.is_dir():
        return [_written(target, scores_csv(results))]
    files = {"scores.csv": scores_csv(results), "comparisons.csv": comparisons_csv(results)}
    if results.other_policies:
        files["policies.csv"] = policies_csv(results)
    return [_written(target / name, text) for name, text in files.items()]


def scores_csv(results: Results) -> str:
    """The scores under the policy of the run, including breakdowns."""
    return _table(_SCORE, map(_score, (*results.results, *results.breakdowns)))


def policies_csv(results: Results) -> str:
    """The scores under the other policies."""
    return _table(_SCORE, map(_score, results.other_policies))


def comparisons_csv(results: Results) -> str:
    """The comparisons of embeddings."""
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


def _written(path: Path, text: str) -> Path:
    with replacing(path) as file:
        file.write(text.encode("utf-8", "replace"))
    return path
