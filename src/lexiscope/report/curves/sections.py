"""Sections of the page on learning curves."""

from math import isinf
from typing import Any

from lexiscope.core.display import shown
from lexiscope.experiments.curves.results import BEST, Curve, CurveResults, LabelsNeeded
from lexiscope.report.charts.box_plots import BoxValue, box_plots
from lexiscope.report.charts.interval_bars import Bar, interval_bars
from lexiscope.report.charts.small_multiples import (
    CurvePoint,
    RankPoint,
    rank_slopes,
    small_multiples,
)
from lexiscope.report.curves import tables
from lexiscope.report.curves.verdict import (
    control_sentences,
    ratio_sentence,
    verdict_sentences,
)
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.sentences import counted

QUESTION = "Which embedding needs fewer labels?"
SHARED_WORDS = (
    "Words of test items occur in training items (shared words are allowed), so scores of pairs "
    "and analogies are too high."
)
_LONGEST = 400
_MODEL_FIGURES = 12  # datasets; those beyond have tables only


def sections(results: CurveResults) -> list[Section]:
    """Return all sections of the page."""
    found = [
        verdict(results), curves(results), summary(results), labels(results), differences(results),
        models(results), gaps(results), ranks(results), description(results), loss(results),
        datasets(results), settings(results),
    ]  # fmt: skip
    return [section for section in found if section.text or section.parts]


def lead(results: CurveResults) -> str:
    """Describe the size of the experiment."""
    repeats = max((each.repeats for each in results.datasets), default=0)
    return (
        f"{counted(len(results.embeddings), 'embedding')}, "
        f"{counted(len(results.datasets), 'dataset')}, {counted(repeats, 'repeat')}."
    )


def names(results: CurveResults) -> list[str]:
    """Return the embeddings, then the controls."""
    return [*results.embeddings, *results.controls]


def verdict(results: CurveResults) -> Section:
    """Which embedding needs fewer labels, and what is undecided."""
    text = verdict_sentences(results)
    notes = tuple(shown(warning, _LONGEST) for warning in results.warnings)
    limits = (
        "Limitations: intervals and tests describe other items of the same kind, not another "
        "training of the same embedding."
    )
    flags = (SHARED_WORDS,) if shares_words(results) else ()
    return Section(
        "Verdict", (*text, *control_sentences(results), limits), notes=notes, flags=flags
    )


def shares_words(results: CurveResults) -> bool:
    """Whether items were split regardless of their words."""
    several = any(each.family in ("pairs", "analogies") for each in results.datasets)
    return several and bool(results.manifest.get("protocol", {}).get("shared_words"))


def curves(results: CurveResults) -> Section:
    """Small multiples of the best curves."""
    best = [curve for curve in results.curves if curve.model == BEST]
    if not best:
        return Section("Learning curves")
    about = "Score of the best model of each embedding over the training size, by dataset."
    chart = small_multiples(_points(best, "dataset"), names(results), "score", False, about)
    text = (
        "The best model at each repeat and training size is the one with the highest validation "
        "score within the training items; test items are not used for the selection. Bands are "
        "95 % confidence intervals of the mean over repeats.",
    )
    table = tables.point_table(best, "Scores of the best models")
    return Section("Learning curves", text, (Figure("Best model of each embedding", chart, table),))


def _points(found: list[Curve], panel: str) -> list[CurvePoint]:
    return [
        CurvePoint(getattr(c, panel), c.embedding, size, point.value, point.low, point.high)
        for c in found
        for size, point in zip(c.sizes, c.points, strict=True)
        if point.value is not None
    ]


def summary(results: CurveResults) -> Section:
    """Area, start and end of the best curves."""
    text = (
        "The area is the mean score over the logarithm of the training size, from the smallest to "
        "the largest training set, so small training sets count. The last column is the area over "
        "30 to 100 % of the training items on a linear axis, as in the paper."
        + _other_sizes(results),
    )
    return Section("Summary", text, (tables.summary_table(results),))


def _other_sizes(results: CurveResults) -> str:
    if (tables.start_name(results), tables.end_name(results)) == ("30 %", "100 %"):
        return ""
    return " Where 30 or 100 % is not a training size, the smallest or the largest size is shown."


def labels(results: CurveResults) -> Section:
    """Labels needed, with their ratios."""
    if not results.labels:
        return Section("Labels needed")
    default = any(each.target_is_default for each in results.datasets)
    target = (
        "the lowest score with the largest training set among the embeddings, so that all reach it"
        if default
        else "the given score"
    )
    text = (
        "The smallest training size at which the mean curve of the best model reaches the target, "
        f"which is {target}. The curve is made non-decreasing (isotonic regression) and "
        "interpolated on the logarithm of the training size.",
        *(ratio_sentence(each) for each in results.ratios if each.decided),
    )
    about = "Labels that each embedding needs to reach the target score, by dataset."
    bars = [_bar(results, each) for each in results.labels]
    title = "labels needed (log scale), 95 % confidence interval"
    chart = interval_bars(bars, names(results), title, about)
    figure = Figure("Labels needed", chart, tables.labels_table(results))
    ratios = (tables.ratio_table(results),) if results.ratios else ()
    return Section("Labels needed", text, (figure, *ratios))


def _bar(results: CurveResults, each: LabelsNeeded) -> Bar:
    sizes = next(about.sizes for about in results.datasets if about.dataset == each.dataset)
    low = max(each.low, 1.0)
    high = float(sizes[-1]) if isinf(each.high) else max(each.high, 1.0)
    note = f"{tables.size_text(each)} ({tables.label_limits(each)})"
    return Bar(each.dataset, each.embedding, each.value, low, max(low, high), note)


def differences(results: CurveResults) -> Section:
    """Comparisons of every two embeddings."""
    if not results.comparisons:
        return Section("Differences")
    rule = results.rule
    text = (
        "Differences between the best curves of two embeddings on the same splits, with the "
        "corrected resampled t-test. Different: the p-value after Holm's correction over all "
        f"comparisons of the table is below {rule.alpha:g}. Equivalent: the difference is smaller "
        f"than {rule.margin:g} by two one-sided tests. Undecided: neither is shown. A difference "
        "that is not significant is not evidence of equality.",
    )
    parts = tuple(
        tables.comparison_table(results, quantity)
        for quantity in ("area", "end")
        if results.compared(quantity)
    )
    return Section("Differences", text, parts)


def models(results: CurveResults) -> Section:
    """Curves by model for every dataset, side by side."""
    parts: list[Table | Figure] = []
    for number, each in enumerate(results.datasets):
        found = [c for c in results.curves if c.dataset == each.dataset]
        single = [c for c in found if c.model in results.models(each.dataset)]
        parts.append(tables.model_table(results, each.dataset))
        if number < _MODEL_FIGURES and single:
            about = f"{each.metric} of every model on {shown(each.dataset)}, by embedding."
            chart = small_multiples(
                _points(single, "model"), names(results), each.metric, True, about
            )
            table = tables.point_table(single, f"{shown(each.dataset)}: scores by model")
            parts.append(Figure(shown(each.dataset), chart, table))
    text = (
        "A panel for each model. The search of a non-linear model contains its simpler fallback.",
    )
    return Section("Curves by model", text if parts else (), tuple(parts))


def gaps(results: CurveResults) -> Section:
    """Box plots of the difference between non-linear and linear models."""
    found = [each for each in results.gaps if not each.control]
    if not found:
        return Section("Non-linear and linear models")
    values = [BoxValue(each.embedding, each.dataset, each.value) for each in found]
    present = list(dict.fromkeys(each.embedding for each in found))
    title = "(non-linear - linear) / larger absolute score"
    about = "Normalised difference of the best non-linear and the best linear score, by embedding."
    chart = box_plots(values, present, title, about)
    text = (
        "Normalised difference with the largest training set: best non-linear minus best linear "
        "score, divided by the larger absolute value of the two. Above 0, the non-linear model is "
        "better. Points are datasets.",
    )
    figure = Figure("Normalised difference", chart, tables.gap_table(results))
    return Section("Non-linear and linear models", text, (figure,))


def ranks(results: CurveResults) -> Section:
    """Mean ranks at the start, at the end and by area."""
    if not results.mean_ranks:
        return Section("Ranks")
    own = [each for each in results.mean_ranks if each.rule == "corrected t-test"]
    start, end = tables.start_name(results), tables.end_name(results)
    points = [
        RankPoint(each.family, each.embedding, at, getattr(each, field).mean)
        for each in own
        for at, field in ((start, "start"), (end, "end"))
    ]
    about = f"Mean rank of each embedding at {start} and {end} of the training items, by family."
    chart = rank_slopes(points, results.embeddings, about)
    table = tables.rank_table(results, "corrected t-test")
    figure = Figure("Rank at the start and at the end", chart, table)
    text = (
        "Ranks are from 0. By the corrected t-test, the rank of an embedding is the number of "
        "embeddings that are significantly better on the dataset (Holm's correction over pairs). "
        "By the greedy ANOVA of the paper, embeddings share a rank if they do not differ "
        "significantly from the best member of their group; scores of repeats are not "
        "independent, so these ranks summarise, they are no tests.",
    )
    parts = (figure, tables.rank_table(results, "ANOVA"), tables.change_table(results))
    return Section("Ranks", text, parts)


def description(results: CurveResults) -> Section:
    """Description lengths."""
    if not results.description_lengths:
        return Section("Description length")
    text = (
        "Bits needed to transmit the labels of the training items to a receiver who has the "
        "vectors: the first block with the uniform code, each further block with the model "
        "trained on all blocks before it. Fewer bits mean that the labels are easier to learn; "
        "compression is the length of the uniform code divided by this length.",
    )
    return Section("Description length", text, (tables.length_table(results),))


def loss(results: CurveResults) -> Section:
    """Expected losses."""
    if not results.losses:
        return Section("Expected loss")
    text = (
        "The mean loss (1 minus score) over datasets, models and training sizes, with equal "
        "weights unless others were given.",
    )
    return Section("Expected loss", text, (tables.loss_table(results),))


def datasets(results: CurveResults) -> Section:
    """Sizes, classes and coverage."""
    parts = [tables.dataset_table(results)]
    rows = tuple(
        (shown(str(each.get("name", ""))), f"{each['items']:,} of {each['total']:,}",
         shown(" ".join(map(str, each.get("notes", ()))), _LONGEST))
        for each in results.manifest.get("datasets", ())
        if isinstance(each, dict) and "items" in each and "total" in each
    )  # fmt: skip
    if rows:
        parts.append(Table(("dataset", "items used", "notes"), rows, "Coverage"))
    text = ("Only items that all embeddings cover are used, so that scores are comparable.",)
    return Section("Datasets and coverage", text, tuple(parts))


def settings(results: CurveResults) -> Section:
    """Everything that determines the numbers."""
    about = results.manifest
    parts = [
        _entries(each, title)
        for title in ("embeddings", "models")
        if (each := [row for row in about.get(title, ()) if isinstance(row, dict)])
    ]
    rest = {key: value for key, value in about.items() if key not in _ELSEWHERE}
    rows = tuple((shown(key), _text(value)) for key, value in rest.items())
    rule = (("rule", _text(results.rule.as_dict())),)
    parts.append(Table(("key", "value"), (*rule, *rows), "Settings"))
    versions = about.get("versions", {})
    if versions:
        rows = tuple((str(key), str(value)) for key, value in versions.items())
        parts.append(Table(("package", "version"), rows, "Versions", folded=True))
    text = ("The same settings, seed and versions give the same numbers.",)
    return Section("Settings", text, tuple(parts))


_ELSEWHERE = ("embeddings", "models", "datasets", "versions")


def _entries(rows: list[dict[str, Any]], title: str) -> Table:
    head = tuple(dict.fromkeys(key for row in rows for key in row))
    cells = tuple(tuple(_text(row.get(key, "")) for key in head) for row in rows)
    return Table(tuple(map(shown, head)), cells, title.capitalize())


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return shown(", ".join(f"{key} {entry}" for key, entry in value.items()), _LONGEST)
    if isinstance(value, list | tuple):
        return shown(", ".join(map(str, value)), _LONGEST)
    return shown(str(value), _LONGEST)
