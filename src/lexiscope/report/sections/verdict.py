"""Verdict: which embedding to use and why, what is not known, and the limitations."""

from collections import Counter
from typing import get_args

from lexiscope.core.display import shown
from lexiscope.evaluation.analysis.recommendation import (
    DatasetOutcome,
    PairComparison,
    Recommendation,
)
from lexiscope.evaluation.results import Results
from lexiscope.report.control_comparisons import better_without_vectors
from lexiscope.report.coverage_sentences import low_coverage
from lexiscope.report.layout import Section, Table
from lexiscope.report.model_comparisons import model_summary
from lexiscope.report.numbers import MISSING, margin, percent
from lexiscope.report.policy_changes import insignificant_changes, policy_change_summary
from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.sentences import comparison_counts, not_tested

_OPEN = 12  # rows; longer tables are folded


def verdict(results: Results) -> Section:
    """Which embedding to use, what is not known, and how many comparisons have each outcome."""
    untested = (f"Not tested: {sentence}" for sentence in not_tested(results))
    warnings = (*results.warnings, *low_coverage(results), *untested)
    notes = tuple(shown(sentence, 400) for sentence in warnings)
    flags = tuple(policy_change_summary(results))
    text = [*recommendation_sentences(results)]
    if results.comparisons:
        text.append(comparison_counts(results))
        text += better_without_vectors(results) if results.control_comparisons else []
        text += [*model_summary(results), *insignificant_changes(results), *_limitations(results)]
    tables = _tables(results, results.recommendation) if results.recommendation.pairs else ()
    return Section("Verdict", tuple(text), tables, notes=notes, flags=flags)


def _limitations(results: Results) -> list[str]:
    parts = []
    if not results.model_comparisons:
        parts.append("another training run of the same model may score differently")
    if not results.other_policies:
        parts.append("other vocabulary policies were not evaluated")
    return [f"Limitations: {'; '.join(parts)}."] if parts else []


def _tables(results: Results, found: Recommendation) -> tuple[Table, ...]:
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
