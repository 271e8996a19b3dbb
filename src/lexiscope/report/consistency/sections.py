"""Sections of the page on consistency."""

from collections.abc import Sequence
from dataclasses import asdict
from math import dist, log10
from typing import Any

from lexiscope.core.display import shown
from lexiscope.experiments.consistency.results import (
    ConsistencyOptions,
    ConsistencyResults,
    ModelSummary,
    TermResult,
)
from lexiscope.report.consistency import tables
from lexiscope.report.consistency.charts import (
    SizeMark,
    TermPoint,
    distributions,
    scatter,
    size_effect,
)
from lexiscope.report.consistency.verdict import (
    SPLITS,
    by_verdict,
    chance_sentence,
    label,
    lead_sentence,
    names,
    verdict_sentences,
)
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import count, percent
from lexiscope.report.sentences import counted, listed

QUESTION = "Which terms can be learned from this text?"
_LONGEST = 400
_MOST_NAMED = 40  # terms of a verdict
_LABELS = 15  # terms named in a scatter plot, for each split
_ELSEWHERE = ("versions", "models", "left_out")  # in other tables
_NAMES = {"rule": "samples"}  # because the decision has a rule too


def sections(results: ConsistencyResults) -> list[Section]:
    """Return all sections of the page."""
    found = [
        verdict(results), cosine_and_rank(results), null(results), sizes(results),
        differences(results), neighbours(results), drift(results), slices(results),
        stability(results), terms(results), left_out(results), settings(results),
    ]  # fmt: skip
    return [section for section in found if section.text or section.parts]


def lead(results: ConsistencyResults) -> str:
    """Describe the size of the experiment."""
    names = {each.term for each in results.terms}
    return (
        f"{counted(len(results.names), 'model')}, {counted(len(names), 'term')}, "
        f"{counted(len(results.left_out), 'term')} left out before training."
    )


def splits(results: ConsistencyResults) -> list[str]:
    """Return the splits in the order of the models."""
    return list(dict.fromkeys(each.split for each in results.models))


def verdict(results: ConsistencyResults) -> Section:
    """What is learnable from the text."""
    lines = [lead_sentence(results), *verdict_sentences(results)]
    tested = any(each.centred.tested for each in results.models)
    if tested:
        lines += [
            "A term is learnable if its samples are more similar than 95 % of the assignments in "
            "which all but one of them come from other terms of similar frequency, and than 95 % "
            "of those in which all but one of them are noise, after the mean direction of all "
            "terms is removed. Noise is the difference between two samples of another term. Not "
            "shown to be learnable is not evidence that a term has no stable meaning: the text may "
            "be too short.",
            chance_sentence(results),
        ]
    lines.append(
        "Limitations: consistency is not quality. It shows that samples of this text agree, not "
        "that the vectors are correct. A term that occurs in one passage only may owe its "
        "consistency to the topic of that passage; compare the halves of the text. Intervals "
        "describe other terms of the same kind."
    )
    lines += [f"Note: {shown(note, _LONGEST)}" for note in results.notes]
    flags = tuple(shown(warning, _LONGEST) for warning in results.warnings)
    parts = [tables.variant_table(results)] if any(m.terms for m in results.models) else []
    if tested:
        parts += [_named_terms(results), tables.learnable_table(results)]
    return Section("Verdict", tuple(filter(None, lines)), tuple(parts), flags=flags)


def _named_terms(results: ConsistencyResults) -> Table:
    """Which terms are learnable with each model."""
    rows = tuple(
        (label(each), *(names(some, _MOST_NAMED) or "–" for some in by_verdict(results, each)))
        for each in results.models
    )
    head = ("model", "learnable", "not shown to be learnable")
    return Table(head, rows, "Terms by verdict, the most frequent first")


def cosine_and_rank(results: ConsistencyResults) -> Section:
    """Scatter of cosine against rank, with the summary."""
    own = "is counted" if results.options.keep_own_entry else "is not counted"
    text = [
        "Mean cosine over the pairs of samples of a term, and mean rank of the later sample's "
        "vector among all background vectors by cosine to the earlier one: 1 plus the number of "
        "background vectors with a strictly higher cosine. The term's own entry in the background "
        f"{own}. Read both: a high cosine with a high rank number is a crowded region; a low "
        "cosine with rank 1 is a vector far from all others.",
    ]
    text += [
        f"{label(each)}: {percent(each.saturation)} of terms have "
        f"{count(results.options.full_size)} or more sentences in every sample."
        for each in results.models
        if each.saturation is not None
    ]
    parts: list[Table | Figure] = [tables.summary_table(results)]
    for split in splits(results):
        found = [t for t in results.terms if t.split == split and t.rank is not None]
        if found:
            about = f"Mean cosine of each term over its mean rank, {SPLITS[split]}."
            chart = scatter(_points(found), results.names, about)
            table = tables.point_table(found, f"Cosine and rank by term, {SPLITS[split]}")
            title = f"Cosine against rank, {SPLITS[split]} (pale: not shown to be learnable)"
            parts.append(Figure(title, chart, table))
    return Section("Cosine and rank", tuple(text), tuple(parts))


def _points(found: Sequence[TermResult]) -> list[TermPoint]:
    labelled = _labelled(found)
    return [
        TermPoint(
            t.model, t.term, t.cosine, t.rank, t.verdict,
            t.term if (t.model, t.term) in labelled else "",
        )
        for t in found
        if t.cosine is not None and t.rank is not None
    ]  # fmt: skip


def _labelled(found: Sequence[TermResult]) -> set[tuple[str, str]]:
    """Terms at the margins of the scatter first, as far as their labels do not overlap."""
    points = {
        (t.model, t.term): (log10(t.rank) / max(1.0, log10(_highest(found))), t.cosine)
        for t in found
        if t.cosine is not None and t.rank is not None
    }
    middle = [sum(axis) / len(points) for axis in zip(*points.values(), strict=True)]
    outward = sorted(points, key=lambda key: -dist(points[key], middle))
    chosen: list[tuple[str, str]] = []
    for key in outward:
        x, y = points[key]
        free = all(abs(x - points[c][0]) > 0.12 or abs(y - points[c][1]) > 0.05 for c in chosen)
        if free and len(chosen) < _LABELS:
            chosen.append(key)
    return set(chosen)


def _highest(found: Sequence[TermResult]) -> float:
    return max(t.rank or 1.0 for t in found)


def null(results: ConsistencyResults) -> Section:
    """The null distribution behind the observed one, and spaces without a mean direction."""
    text = (
        "A cosine depends on the space and on the number of sentences: sums of many vectors are "
        "similar whatever the term. The null is the cosine between samples of different terms of "
        "similar frequency; what the model learned about terms is the difference. Identified: the "
        "other sample of a term is nearer than that of every other term. In the raw space, terms "
        "near the mean have high cosines without being learnable, so verdicts and tests use the "
        "space without the mean direction of all terms. Intervals of the cosine describe other "
        "terms; those over samples describe other sentences of the same terms.",
    )
    parts: list[Table | Figure] = []
    for each in results.models:
        if each.observed and each.null_values:
            about = f"Cosines within and between terms, {label(each)}."
            chart = distributions(each.observed, each.null_values, about)
            parts.append(
                Figure(f"Null and observed cosines, {label(each)}", chart, _quantiles(each))
            )
    return Section("Compared with different terms", text if parts else (), tuple(parts))


def _quantiles(each: ModelSummary) -> Table:
    import numpy as np

    at = (0.05, 0.25, 0.5, 0.75, 0.95)
    rows = tuple(
        (name, *(f"{value:.3f}" for value in np.quantile(values, at)))
        for name, values in (("same term", each.observed), ("different terms", each.null_values))
    )
    head = ("samples of", *(f"{100 * each:g} %" for each in at))
    return Table(head, rows, "Quantiles of the cosine", numeric=(1, 2, 3, 4, 5))


def sizes(results: ConsistencyResults) -> Section:
    """The size effect with its band."""
    if not results.size_effect:
        return Section("Size of samples")
    parts = []
    for split in splits(results):
        found = [p for p in results.size_effect if p.split == split]
        for field, title, table in (
            ("cosine", "mean cosine", tables.size_table),
            ("excess", "cosine minus null", tables.size_difference_table),
        ):
            marks = [
                SizeMark(p.model, tables.size_text(p.sentences), e.value, e.low, e.high)
                for p in found
                if (e := getattr(p, field)).value is not None
            ]
            if marks:
                about = f"{title} over the number of sentences per sample, {SPLITS[split]}."
                chart = size_effect(marks, results.names, f"{title}, 95 % CI", about)
                name = f"{title.capitalize()} by sentences, {SPLITS[split]}"
                parts.append(Figure(name, chart, table(results, split)))
    text = (
        "Cosines rise with the number of sentences for samples of different terms too, so "
        "consistency is compared at equal sample size only. All sizes have the same terms if 10 or "
        "more terms have them all.",
    )
    return Section("Size of samples", text, tuple(parts))


def differences(results: ConsistencyResults) -> Section:
    """Comparisons of models."""
    if not results.comparisons:
        return Section("Differences between models")
    rule = results.rule
    text = (
        "Paired t-tests over the terms that both models have, in the space without the mean "
        "direction of all terms. Different: the p-value after Holm's correction over all "
        f"comparisons of a quantity is below {rule.alpha:g}. Equivalent: the difference is smaller "
        f"than {rule.margin:g} by two one-sided tests. Undecided: neither is shown.",
    )
    return Section("Differences between models", text, (tables.comparison_table(results),))


def neighbours(results: ConsistencyResults) -> Section:
    """Neighbours of two samples side by side."""
    parts = [
        table for each in results.models if (table := tables.neighbour_table(results, each)).rows
    ]
    text = (
        "The nearest background words of the first two samples, from the most to the least "
        "consistent of evenly spaced terms. The term itself is left out.",
    )
    return Section("Neighbours side by side", text if parts else (), tuple(parts))


def drift(results: ConsistencyResults) -> Section:
    """Drift from the background."""
    table = tables.drift_table(results)
    if not table.rows:
        return Section("Drift from the background")
    text = (
        "Cosine of the learned vectors with the term's own background vector, and the rank of that "
        "vector by cosine to the learned one. A model that never moves from the background is "
        "consistent, but has learned nothing from the text.",
    )
    return Section("Drift from the background", text, (table,))


def slices(results: ConsistencyResults) -> Section:
    """Slices by frequency, and groups of domain difference."""
    parts = []
    for by in dict.fromkeys(each.by for each in results.slices):
        found = [each for each in results.slices if each.by == by and each.terms]
        if found:
            parts.append(tables.slice_table(found, f"By {by} (95 % CI)"))
    text = "Frequencies are divided into thirds of the terms."
    sizes = sorted({each.equal_size for each in results.slices if each.equal_size is not None})
    if sizes:
        text += (
            " Rare terms have fewer sentences in a sample (column sentences), which lowers their "
            f"cosine. At equal size, two samples of {listed([str(size) for size in sizes])} "
            f"sentence{'s' * (sizes != [1])} are compared, so groups can be compared with each "
            "other in this column only."
        )
    if any(each.by == "domain" for each in results.slices):
        text += f" {_domain_text(results.options)}"
    return Section("Frequency", (text,) if parts else (), tuple(parts))


def _domain_text(options: ConsistencyOptions) -> str:
    return (
        f"Domain groups: low in the text below {options.low_in_text:g} of all tokens, high above "
        f"{options.high_in_text:g}; low in the background below {options.low_in_background:g}, "
        f"high above {options.high_in_background:g}. Terms in between belong to no group."
    )


def stability(results: ConsistencyResults) -> Section:
    """Agreement of neighbours over repeated trainings."""
    if not results.stability:
        return Section("Stability")
    text = (
        "Agreement of the nearest neighbours of each term over repeated trainings. The source is "
        "what differs between them; a model without randomness has full agreement by construction.",
        "A neighbour that only some resamples have depends on single documents or sentences and "
        "should not be interpreted.",
    )
    parts = [tables.stability_table(results)]
    if results.stable_neighbours:
        parts.append(tables.stable_table(results))
    return Section("Stability", text, tuple(parts))


def terms(results: ConsistencyResults) -> Section:
    """All terms of all models."""
    parts = tuple(
        tables.term_table(results.of_model(each.model, each.split), label(each))
        for each in results.models
        if each.terms
    )
    return Section("Terms", ("All values of every term.",) if parts else (), parts)


def left_out(results: ConsistencyResults) -> Section:
    """Terms left out and why."""
    table = tables.left_out_table(results)
    return Section("Terms left out", (), (table,) if table.rows else ())


def settings(results: ConsistencyResults) -> Section:
    """Everything that determines the numbers."""
    about = results.manifest
    rows = [
        (shown(_NAMES.get(key, key)), _text(value))
        for key, value in about.items()
        if key not in _ELSEWHERE
    ]
    rows += [
        (f"model {shown(each['name'])}", _text(each["settings"]))
        for each in about.get("models", ())
    ]
    options = asdict(results.options)
    rows += [("decision", _text(results.rule.as_dict())), ("summary", _text(options))]
    parts = [Table(("key", "value"), tuple(rows), "Settings")]
    versions = about.get("versions", {})
    if versions:
        pairs = tuple((str(key), str(value)) for key, value in versions.items())
        parts.append(Table(("package", "version"), pairs, "Versions", folded=True))
    text = ("The same settings, seed and versions give the same numbers.",)
    return Section("Settings", text, tuple(parts))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return shown(", ".join(f"{key} {entry}" for key, entry in value.items()), _LONGEST)
    if isinstance(value, list | tuple):
        return shown(", ".join(map(str, value)), _LONGEST)
    return shown(str(value), _LONGEST)
