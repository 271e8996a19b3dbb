"""Standings: every embedding and every two embeddings over all datasets, as tables."""

from collections import Counter
from typing import get_args

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.recommendation import (
    DatasetOutcome,
    PairComparison,
    Recommendation,
)
from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Table
from lexiscope.report.numbers import MISSING, margin, percent

_OPEN = 12  # rows; longer tables are folded


def standings(results: Results, found: Recommendation) -> tuple[Table, ...]:
    """The embeddings, and the pairs of those that are candidates."""
    rows = tuple(_embedding(results, found, name) for name in results.embeddings)
    head = (
        "embedding", "better than", "worse than", "equivalent", "undecided or mixed", "coverage",
    )  # fmt: skip
    embeddings = Table(head, rows, "Number of other embeddings", numeric=(1, 2, 3, 4, 5))
    pairs = tuple(map(_pair, found.pairs))
    within = margin(found.rule.margin)
    columns = ("first better", "second better", "both", f"equivalent within {within}", "undecided")
    caption = "Number of datasets with each outcome, for every two embeddings"
    folded = len(pairs) > _OPEN
    return embeddings, Table(("pair", *columns), pairs, caption, folded, (1, 2, 3, 4, 5))


def _embedding(results: Results, found: Recommendation, name: str) -> tuple[str, ...]:
    """How many others an embedding beats, is beaten by, is equivalent to, is undecided against."""
    coverage = percent(_coverage(results, name))
    if name in found.excluded:
        return shown(name), *(MISSING,) * 4, coverage
    seen = [_seen_from(name, pair) for pair in found.pairs if name in (pair.first, pair.second)]
    undecided = seen.count("undecided") + seen.count("mixed")
    counts = (seen.count("better"), seen.count("worse"), seen.count("equivalent"), undecided)
    return shown(name), *map(str, counts), coverage


def _seen_from(name: str, pair: PairComparison) -> str:
    if pair.outcome not in ("first", "second"):
        return pair.outcome
    return "better" if (pair.outcome == "first") == (name == pair.first) else "worse"


def _pair(pair: PairComparison) -> tuple[str, ...]:
    found = Counter(each.outcome for each in pair.datasets)
    name = f"{shown(pair.first)} and {shown(pair.second)}"
    return name, *(str(found[outcome]) for outcome in get_args(DatasetOutcome))


def _coverage(results: Results, embedding: str) -> float:
    own = [c for c in results.coverage if c.embedding == embedding]
    return sum(c.used for c in own) / max(1, sum(c.total for c in own))
