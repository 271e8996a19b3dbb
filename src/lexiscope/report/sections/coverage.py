"""Coverage: the items that each embedding has vectors for, and the words that are missing."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Coverage
from lexiscope.evaluation.results import Results
from lexiscope.report.coverage_sentences import computed_vectors
from lexiscope.report.layout import Section, Table
from lexiscope.report.numbers import MISSING, count, fraction, percent

_WORDS_SHOWN = 30
_HEAD: tuple[str, ...] = (
    "dataset", "embedding", "items covered", "coverage", "token coverage", "missing words",
    "words with a zero vector",
)  # fmt: skip
_ORDER = "Missing words are in the order of the items that are lost with them."


def coverage(results: Results) -> Section:
    """Covered items and missing words, lowest coverage first."""
    rows = sorted(results.coverage, key=lambda c: c.used / max(1, c.total))
    head, body = _HEAD, [_row(row) for row in rows]
    if not any(row.zero for row in rows):
        head, body = head[:-1], [line[:-1] for line in body]
    numeric: tuple[int, ...] = (2, 3, 4)
    if not any(row.tokens for row in rows):
        head, numeric = (*head[:4], *head[5:]), (2, 3)
        body = [(*line[:4], *line[5:]) for line in body]
    table = Table(head, tuple(body), "Items covered, lowest coverage first", numeric=numeric)
    text = (_policy(results), _ORDER, *computed_vectors(results))
    return Section("Coverage", text, (table,), folded=True, abstract=_abstract(rows))


def _abstract(rows: Sequence[Coverage]) -> str:
    """The lowest coverage, and how many others are not complete."""
    lacking = [row for row in rows if row.used < row.total]
    if not lacking:
        return "every embedding covers every item"
    lowest = lacking[0]
    part = percent(lowest.used / max(1, lowest.total))
    return f"at least {part} ({shown(lowest.embedding)} on {shown(lowest.dataset)})"


def _policy(results: Results) -> str:
    meaning = {
        "skip": "are skipped",
        "zero": "get an empty prediction",
        "mean": "get the mean of all vectors for it",
    }[results.policy.oov]
    return (
        f"Policy: {results.policy}. Items with an out-of-vocabulary (OOV) word {meaning}. A zero "
        "vector has no direction, so its word counts as OOV."
    )


def _row(coverage: Coverage) -> tuple[str, ...]:
    return (
        shown(coverage.dataset),
        shown(coverage.embedding),
        fraction(coverage.used, coverage.total),
        percent(coverage.used / max(1, coverage.total)),
        percent((coverage.known_tokens or 0) / coverage.tokens) if coverage.tokens else MISSING,
        _some(coverage.missing),
        _some(coverage.zero),
    )


def _some(words: tuple[str, ...]) -> str:
    listed = ", ".join(shown(word) for word in words[:_WORDS_SHOWN])
    more = len(words) - _WORDS_SHOWN
    return f"{listed} … and {count(more)} more" if more > 0 else listed
