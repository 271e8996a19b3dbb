"""What each embedding lacks, and what went wrong."""

from lexiscope.bench.results import Results
from lexiscope.core.display import shown
from lexiscope.core.result import Coverage
from lexiscope.report.layout import Section, Table

_WORDS_SHOWN = 40
_HEAD: tuple[str, ...] = (
    "dataset", "embedding", "items asked", "share", "running words known", "missing words",
    "words with a zero vector",
)  # fmt: skip


def coverage(results: Results) -> Section:
    """Items that could be asked, and the words that are missing; the worst first."""
    rows = sorted(results.coverage, key=lambda c: c.used / max(1, c.total))
    head, body = _HEAD, [_row(row) for row in rows]
    if not any(row.zero for row in rows):
        head, body = head[:-1], [line[:-1] for line in body]
    numeric: tuple[int, ...] = (2, 3, 4)
    if not any(row.running for row in rows):
        head, numeric = (*head[:4], *head[5:]), (2, 3)
        body = [(*line[:4], *line[5:]) for line in body]
    return Section("Coverage", (_policy(results),), (Table(head, tuple(body), numeric=numeric),))


def _policy(results: Results) -> str:
    meaning = {
        "skip": "are left out of the score and counted here",
        "zero": "count as answered with nothing",
        "mean": "get the mean of all vectors for it",
    }[results.policy.unknown]
    return (
        f"Policy: {results.policy}. Items with a missing word {meaning}; a zero vector has no "
        "direction and counts as missing."
    )


def _row(coverage: Coverage) -> tuple[str, ...]:
    return (
        shown(coverage.dataset),
        shown(coverage.embedding),
        f"{coverage.used:,} / {coverage.total:,}",
        f"{coverage.used / max(1, coverage.total):.1%}",
        f"{(coverage.known or 0) / coverage.running:.1%}" if coverage.running else "–",
        _some(coverage.missing),
        _some(coverage.zero),
    )


def _some(words: tuple[str, ...]) -> str:
    listed = ", ".join(shown(word) for word in words[:_WORDS_SHOWN])
    more = len(words) - _WORDS_SHOWN
    return f"{listed} … and {more:,} more" if more > 0 else listed


def problems(results: Results) -> Section | None:
    """What failed, what was repaired."""
    rows = [
        (shown(f.embedding), f"{shown(f.task)}, {shown(f.dataset)}", "failed", shown(f.reason, 300))
        for f in results.failures
    ]
    rows += [
        (shown(entry["name"]), "", "repaired", shown(sentence, 300))
        for entry in results.manifest["embeddings"]
        for sentence in entry["repairs"]
    ]
    if not rows:
        return None
    head = ("embedding", "task and dataset", "what", "why")
    return Section("Problems", (), (Table(head, tuple(rows)),))
