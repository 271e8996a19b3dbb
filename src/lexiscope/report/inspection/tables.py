"""Tables of an inspection."""

from lexiscope.core.display import shown
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.inspection.results import (
    BiasResult,
    Inspected,
    InspectionResults,
    MappedWords,
)
from lexiscope.report.inspection.verdict import best_point, widest
from lexiscope.report.layout import Table
from lexiscope.report.numbers import (
    MISSING,
    count,
    p_value,
    percent,
    score,
    signed,
    significant,
    with_interval,
)


def summary_table(results: InspectionResults) -> Table:
    """One row per embedding, for the terminal."""
    head = ("embedding", "words", "probe", "exponent", "mean cos", "IsoScore", "hubness", "norm ρ")
    rows = tuple(_summary(each) for each in results.embeddings)
    return Table(head, rows, numeric=tuple(range(1, 8)))


def _summary(each: Inspected) -> tuple[str, ...]:
    best = best_point(each)
    values = {name: widest(each, name) for name in ("mean cosine", "IsoScore", "hubness")}
    return (
        shown(each.embedding, 24),
        count(each.words),
        percent(best.accuracy.value) if best else MISSING,
        score(each.neighbours.exponent.value),
        *(score(point.value.value) if point else MISSING for point in values.values()),
        signed(each.norms.correlation.value, 2) if each.norms else MISSING,
    )


def source_table(results: InspectionResults) -> Table:
    """Where frequencies come from."""
    rows = tuple(
        (
            shown(each.embedding),
            count(each.words),
            count(each.dimension),
            shown(each.source.name),
            each.source.unit,
            count(each.source.known),
        )
        for each in results.embeddings
    )
    head = ("embedding", "words", "dimensions", "frequencies", "unit", "words with a frequency")
    return Table(head, rows, "Embeddings and their frequencies", numeric=(1, 2, 5))


def probe_table(results: InspectionResults) -> Table:
    """The frequency probe at all thresholds."""
    rows = tuple(
        (
            shown(each.embedding),
            count(point.threshold),
            each.source.unit,
            count(point.words),
            with_interval(point.accuracy),
            score(point.spread),
            with_interval(point.control),
            score(point.next_direction),
            score(point.same_direction),
        )
        for each in results.embeddings
        for point in each.probe.points
    )
    head = (
        "embedding", "threshold", "unit", "words", "accuracy", "σ over folds", "permuted labels",
        "cosine with next", "cosine with itself",
    )  # fmt: skip
    return Table(head, rows, "Frequency probe (95 % CI)", folded=True, numeric=(1, 3, 5, 7, 8))


def fit_table(results: InspectionResults) -> Table:
    """The power laws of neighbour ranks."""
    rows = tuple(
        (
            shown(each.embedding),
            count(each.neighbours.queries),
            count(each.neighbours.neighbours),
            with_interval(each.neighbours.exponent),
            _number(each.neighbours.coefficient),
            with_interval(each.neighbours.inverse_exponent),
            _number(each.neighbours.inverse_coefficient),
            score(each.neighbours.r_squared),
            MISSING
            if each.neighbours.random_rank is None
            else count(round(each.neighbours.random_rank)),
        )
        for each in results.embeddings
    )
    head = (
        "embedding", "queries", "neighbours", "corpus rank on neighbour rank: exponent",
        "coefficient", "neighbour rank on corpus rank: exponent", "coefficient", "R²",
        "corpus rank of random words",
    )  # fmt: skip
    return Table(head, rows, "Power laws (95 % CI over query words)", numeric=(1, 2, 4, 6, 7, 8))


def _number(value: float | None) -> str:
    return MISSING if value is None else significant(value, 4)


def rank_table(results: InspectionResults) -> Table:
    """The mean corpus rank by neighbour rank."""
    rows = tuple(
        (
            shown(each.embedding),
            count(point.neighbour_rank),
            with_interval(point.corpus_rank, lambda v: MISSING if v is None else f"{v:,.0f}"),
        )
        for each in results.embeddings
        for point in each.neighbours.points
    )
    head = ("embedding", "neighbour rank", "mean corpus rank")
    return Table(head, rows, "Corpus rank of neighbours (95 % CI)", folded=True, numeric=(1,))


def shape_table(results: InspectionResults) -> Table:
    """All properties of the space."""
    rows = tuple(
        (
            shown(each.embedding),
            point.metric,
            count(point.words),
            with_interval(point.value),
            count(point.subsample),
        )
        for each in results.embeddings
        for point in each.shape
    )
    head = ("embedding", "property", "most frequent words", "value", "words of a subsample")
    caption = "Shape of the space (95 % CI over words)"
    return Table(head, rows, caption, folded=True, numeric=(2, 4))


def norm_table(results: InspectionResults) -> Table:
    """Mean norms in bands of frequency."""
    rows = tuple(
        (shown(each.embedding), band.band, count(band.words), with_interval(band.norm))
        for each in results.embeddings
        if each.norms
        for band in each.norms.bands
    )
    head = ("embedding", "frequency rank", "words", "mean norm")
    return Table(head, rows, "Norm by frequency (95 % CI)", folded=True, numeric=(2,))


def agreement_table(results: InspectionResults) -> Table:
    """The agreement of every two spaces on the largest number of shared words."""
    rows = tuple(
        (
            shown(each.first, 24),
            shown(each.second, 24),
            count(each.points[-1].words),
            score(each.points[-1].cka.value),
            with_interval(each.points[-1].jaccard),
        )
        for each in results.agreement
        if each.points
    )
    head = ("embedding", "other", "words", "CKA", "neighbour Jaccard")
    return Table(head, rows, "Agreement of spaces (95 % CI over query words)", numeric=(2, 3))


def agreement_curves(results: InspectionResults) -> Table:
    """The agreement of every two spaces on growing numbers of shared words."""
    rows = tuple(
        (
            shown(each.first, 24),
            shown(each.second, 24),
            count(point.words),
            with_interval(point.cka),
            with_interval(point.jaccard),
        )
        for each in results.agreement
        for point in each.points
    )
    head = ("embedding", "other", "most frequent shared words", "CKA", "neighbour Jaccard")
    caption = "Agreement of spaces (95 % CI over words and over query words)"
    return Table(head, rows, caption, folded=True, numeric=(2,))


def transform_table(results: InspectionResults) -> Table:
    """Scores before and after each transform."""
    rows = tuple(
        (
            shown(each.embedding, 24),
            each.transform,
            f"{shown(each.task)} on {shown(each.dataset)}",
            score(each.before),
            score(each.after),
            with_interval(each.difference, signed),
            p_value(each.p_holm),
            each.outcome,
        )
        for each in results.transforms
    )
    head = (
        "embedding", "transform", "evaluation", "before", "after", "difference", "p (Holm)",
        "outcome",
    )  # fmt: skip
    return Table(head, rows, "Effect of transforms (95 % CI)", numeric=(3, 4, 6))


def probe_change_table(results: InspectionResults) -> Table:
    """The frequency probe before and after each transform."""
    rows = tuple(
        (
            shown(each.embedding, 24),
            each.transform,
            count(point.threshold),
            with_interval(before[each.embedding, point.threshold])
            if (each.embedding, point.threshold) in before
            else MISSING,
            with_interval(point.accuracy),
        )
        for before in [_probe_accuracies(results)]
        for each in results.transform_probes
        for point in each.probe.points
    )
    head = ("embedding", "transform", "threshold", "accuracy before", "accuracy after")
    caption = "Frequency probe before and after transforms (95 % CI)"
    return Table(head, rows, caption, folded=True, numeric=(2,))


def _probe_accuracies(results: InspectionResults) -> dict[tuple[str, int], Estimate]:
    return {
        (each.embedding, point.threshold): point.accuracy
        for each in results.embeddings
        for point in each.probe.points
    }


def map_table(each: MappedWords) -> Table:
    """The coordinates of a map."""
    rows = tuple(
        (
            shown(point.word),
            score(point.x),
            score(point.y),
            MISSING if point.frequency is None else count(point.frequency),
        )
        for point in each.map.points
    )
    caption = f"Coordinates of {count(len(rows))} words"
    return Table(
        ("word", "x", "y", each.source.unit), rows, caption, folded=True, numeric=(1, 2, 3)
    )


def bias_table(results: InspectionResults) -> Table:
    """Association tests."""
    rows = tuple(
        (
            shown(each.embedding, 24),
            shown(test.test),
            f"{shown(test.targets[0])} / {shown(test.targets[1])}",
            f"{shown(test.attributes[0])} / {shown(test.attributes[1])}",
            " ".join(map(str, test.words)),
            shown(test.effect_size.state, 200) or with_interval(test.effect_size),
            p_value(test.p),
            _partitions(test),
            *(map(signed, test.norm_distances) if test.norm_distances else (MISSING, MISSING)),
        )
        for each in results.embeddings
        for test in each.bias
    )
    head = (
        "embedding", "test", "targets X / Y", "attributes A / B", "words",
        "effect size d (range without one word)", "p (one-sided)", "partitions", "RND to A",
        "RND to B",
    )  # fmt: skip
    return Table(head, rows, "Word embedding association tests", numeric=(6, 8, 9))


def _partitions(test: BiasResult) -> str:
    if test.p is None:
        return MISSING
    return f"{'all' if test.exact else 'sampled'} {count(test.partitions)}"
