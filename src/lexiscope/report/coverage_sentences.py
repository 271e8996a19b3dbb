"""Sentences about the items and tokens that embeddings cover."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Coverage
from lexiscope.evaluation.results import Results
from lexiscope.report.numbers import count, percent
from lexiscope.report.sentences import counted, listed, named

_LOW_COVERAGE = 0.8


def low_coverage(results: Results) -> list[str]:
    """Which embeddings cover few items of a dataset, lowest coverage first."""
    found: dict[str, list[Coverage]] = {}
    for coverage in sorted(results.coverage, key=lambda c: c.used / max(1, c.total)):
        lacks = not coverage.tokens and (coverage.missing or coverage.zero)
        if lacks and coverage.used < _LOW_COVERAGE * coverage.total:
            found.setdefault(coverage.embedding, []).append(coverage)
    same: dict[str, list[str]] = {}
    for name, group in found.items():
        same.setdefault(_covered(group), []).append(shown(name))
    return [
        f"{named(names, 'embedding')} {'covers' if len(names) == 1 else 'cover'} only {covered}."
        for covered, names in same.items()
    ]


def _covered(group: Sequence[Coverage]) -> str:
    return listed(
        [f"{count(c.used)} of {counted(c.total, 'item')} of {shown(c.dataset)}" for c in group]
    )


def token_coverage(results: Results) -> list[str]:
    """The proportion of the tokens of each text dataset that each embedding has vectors for."""
    found: dict[str, list[str]] = {}
    for c in results.coverage:
        if c.tokens:
            covered = f"{shown(c.embedding)} {percent((c.known_tokens or 0) / c.tokens)}"
            found.setdefault(f"{shown(c.dataset)} ({count(c.tokens)} tokens)", []).append(covered)
    return [f"Token coverage of {text}: {', '.join(covered)}." for text, covered in found.items()]


def computed_vectors(results: Results) -> list[str]:
    """How many words outside the vocabulary each model computed vectors for."""
    found: dict[str, list[str]] = {}
    for c in results.coverage:
        if c.computed:
            found.setdefault(c.embedding, []).append(
                f"{counted(c.computed, 'word')} of {shown(c.dataset)}"
            )
    return [
        f"{shown(name)} computed vectors of words outside its vocabulary: {listed(texts)}. They "
        "count as covered."
        for name, texts in found.items()
    ]
