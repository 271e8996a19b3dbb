"""Tables of consistency, for the page, the terminal and the exports."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.estimate import Estimate
from lexiscope.experiments.consistency.results import (
    ALL,
    ConsistencyResults,
    ModelSummary,
    SizePoint,
    Slice,
    TermResult,
)
from lexiscope.report.consistency.verdict import REPEATED, SPLITS
from lexiscope.report.layout import Table
from lexiscope.report.numbers import (
    MISSING,
    count,
    interval_of,
    p_value,
    percent,
    score,
    signed,
    with_interval,
)
from lexiscope.report.sentences import listed

_FOLDED = 20  # rows; longer tables are folded


def rank_text(value: float | None) -> str:
    """A rank or a mean of ranks: 1, 22.4, 22,947."""
    if value is None:
        return MISSING
    return f"{value:,.0f}" if value == int(value) or value >= 1000 else f"{value:,.1f}"


def short_table(results: ConsistencyResults) -> Table:
    """One row for each model, in narrow columns."""
    rows = tuple(
        (
            shown(each.model, 14),
            each.split,
            count(each.terms),
            score(each.raw.cosine.value),
            score(each.raw.null.value),
            signed(each.raw.excess.value),
            rank_text(each.median_rank),
            percent(each.centred.identified.value),
            count(each.centred.learnable) if each.centred.tested else MISSING,
        )
        for each in results.models
    )
    head = ("model", "split", "terms", "cosine", "null", "excess", "rank", "ident.", "learn.")
    return Table(head, rows, "Consistency", numeric=tuple(range(2, 9)))


def summary_table(results: ConsistencyResults) -> Table:
    """Cosine, null, excess, rank and identification of every model."""
    rows = tuple(
        (
            shown(each.model),
            SPLITS[each.split],
            count(each.terms),
            with_interval(each.raw.cosine),
            with_interval(each.raw.null),
            with_interval(each.raw.excess, signed),
            _rank_interval(each.rank),
            rank_text(each.median_rank),
            percent(each.first.value),
            percent(each.saturation),
        )
        for each in results.models
    )
    head = (
        "model", "split", "terms", "cosine", "different terms", "difference", "mean rank",
        "median rank", "rank 1", "full samples",
    )  # fmt: skip
    caption = "Consistency over terms, as trained (95 % CI)"
    return Table(head, rows, caption, numeric=(2, 7, 8, 9))


def variant_table(results: ConsistencyResults) -> Table:
    """Raw space and spaces without a mean direction, side by side."""
    several = len({each.split for each in results.models}) > 1
    rows = tuple(
        (
            shown(each.model) + (f" ({SPLITS[each.split]})" if several else ""),
            variant.variant,
            with_interval(variant.cosine),
            interval_of(variant.over_samples, score),
            score(variant.null.value),
            with_interval(variant.excess, signed),
            with_interval(variant.identified, percent),
            score(variant.reciprocal_rank.value),
            percent(variant.chance),
            p_value(variant.p),
        )
        for each in results.models
        for variant in each.variants
    )
    head = (
        "model", "space", "cosine", "over samples", "different terms", "difference", "identified",
        "MRR", "chance level", "p",
    )  # fmt: skip
    return Table(
        head, rows, "What the cosine adds over different terms (95 % CI)", numeric=(4, 7, 8)
    )


def learnable_table(results: ConsistencyResults) -> Table:
    """The numbers of tested and learnable terms."""
    rows = tuple(
        (
            shown(each.model), SPLITS[each.split], count(each.centred.tested),
            count(each.centred.learnable), _corrected(each),
            count(each.centred.tested - each.centred.learnable), count(each.left_out),
        )
        for each in results.models
    )  # fmt: skip
    head = (
        "model", "split", "tested", "learnable", "learnable, corrected", "not shown", "no vectors",
    )  # fmt: skip
    return Table(head, rows, "Learnable terms", numeric=(2, 3, 4, 5, 6))


def _corrected(each: ModelSummary) -> str:
    """The number of terms after correction; 0 is not shown bare, but says why."""
    found = each.corrected
    if found.learnable or found.smallest_p is None:
        return count(found.learnable) if found.learnable else MISSING
    return "cannot select any" if found.fewest is None else "none significant"


def _rank_interval(rank: Estimate) -> str:
    return with_interval(rank, rank_text)


def term_table(terms: Sequence[TermResult], caption: str) -> Table:
    """A row for each term."""
    rows = tuple(
        (
            shown(each.term),
            count(each.frequency),
            each.verdict,
            score(each.cosine),
            rank_text(each.rank),
            score(each.null),
            signed(each.centred),
            signed(each.limit),
            p_value(each.p),
            percent(each.identified),
            score(each.drift_cosine),
            rank_text(each.drift_rank),
        )
        for each in terms
    )
    head = (
        "term", "frequency", "verdict", "cosine", "rank", "different terms", "centred",
        "95 % of null", "p", "identified", "drift cosine", "drift rank",
    )  # fmt: skip
    numeric = (1, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    return Table(head, rows, caption, len(rows) > _FOLDED, numeric)


def point_table(terms: Sequence[TermResult], caption: str) -> Table:
    """The points of a scatter plot: a row for each term of each model."""
    rows = tuple(
        (shown(each.model), shown(each.term), each.verdict, score(each.cosine),
         rank_text(each.rank), rank_text(each.worst_rank))
        for each in terms
    )  # fmt: skip
    head = ("model", "term", "verdict", "cosine", "mean rank", "worst rank")
    return Table(head, rows, caption, len(rows) > _FOLDED, (3, 4, 5))


def comparison_table(results: ConsistencyResults) -> Table:
    """Differences between models on the same terms and samples."""
    names = {"excess": "difference to the null", "identified": "terms identified"}
    rows = tuple(
        (
            SPLITS[each.split], names[each.quantity], shown(each.first), shown(each.second),
            count(each.terms), signed(each.value), interval_of(each, signed), p_value(each.p_holm),
            each.outcome,
        )
        for each in results.comparisons
    )  # fmt: skip
    head = (
        "split", "quantity", "first", "second", "terms", "first - second", "95 % CI", "p (Holm)",
        "outcome",
    )  # fmt: skip
    return Table(head, rows, "Differences between models", numeric=(4, 5, 7))


def size_text(sentences: int) -> str:
    """A number of sentences, or all."""
    return "all" if sentences == ALL else count(sentences)


def size_table(results: ConsistencyResults, split: str) -> Table:
    """Cosine within and between terms by sentences per sample."""
    rows = tuple(
        (*_size_cells(each), with_interval(each.cosine), with_interval(each.null))
        for each in results.size_effect
        if each.split == split
    )
    head = ("model", "sentences", "terms", "cosine", "different terms")
    return Table(head, rows, "Cosine by sentences per sample (95 % CI)", numeric=(1, 2))


def size_difference_table(results: ConsistencyResults, split: str) -> Table:
    """Cosine minus null by sentences per sample."""
    rows = tuple(
        (*_size_cells(each), with_interval(each.excess, signed))
        for each in results.size_effect
        if each.split == split
    )
    head = ("model", "sentences", "terms", "difference")
    return Table(head, rows, "Cosine minus null by sentences per sample (95 % CI)", numeric=(1, 2))


def _size_cells(each: SizePoint) -> tuple[str, str, str]:
    return shown(each.model), size_text(each.sentences), count(each.terms)


def slice_table(found: Sequence[Slice], caption: str) -> Table:
    """Consistency of groups of terms."""
    rows = tuple(
        (
            shown(each.model), SPLITS[each.split], each.name, count(each.terms),
            MISSING if each.sentences is None else f"{each.sentences:.1f}",
            with_interval(each.cosine), with_interval(each.equal_cosine),
            with_interval(each.excess, signed), percent(each.identified.value),
            count(each.learnable), with_interval(each.drift_cosine),
        )
        for each in found
    )  # fmt: skip
    head = (
        "model", "split", "group", "terms", "sentences", "cosine", "cosine, equal size",
        "difference", "identified", "learnable", "drift cosine",
    )  # fmt: skip
    return Table(head, rows, caption, len(rows) > _FOLDED, (3, 4, 8, 9))


def neighbour_table(results: ConsistencyResults, each: ModelSummary) -> Table:
    """The neighbours of two samples side by side."""
    rows = tuple(
        (shown(n.term), score(n.cosine), count(n.shared), _words(n.first), _words(n.second))
        for n in results.neighbours
        if (n.model, n.split) == (each.model, each.split)
    )
    head = ("term", "cosine", "shared", "sample 1", "sample 2")
    caption = f"{shown(each.model)} ({SPLITS[each.split]}): nearest words of two samples"
    return Table(head, rows, caption, numeric=(1, 2))


def _words(words: Sequence[str]) -> str:
    return ", ".join(shown(word, 30) for word in words)


def drift_table(results: ConsistencyResults) -> Table:
    """Cosine and rank between learned and background vectors."""
    rows = tuple(
        (
            shown(each.model), SPLITS[each.split], count(each.drift_terms),
            with_interval(each.drift_cosine), _rank_interval(each.drift_rank),
        )
        for each in results.models
        if each.drift_terms
    )  # fmt: skip
    head = ("model", "split", "terms", "cosine", "mean rank")
    return Table(head, rows, "Drift from the background vector (95 % CI)", numeric=(2,))


def stability_table(results: ConsistencyResults) -> Table:
    """Agreement of neighbours over repeated trainings."""
    rows = tuple(
        (
            shown(each.model), shown(each.source), count(each.repeats), count(each.neighbours),
            count(each.terms), with_interval(each.common), with_interval(each.jaccard),
            with_interval(each.overlap),
        )
        for each in results.stability
    )  # fmt: skip
    head = (
        "model", "source", "repeats", "neighbours", "terms", "common to all", "Jaccard index",
        "rank-biased overlap",
    )  # fmt: skip
    return Table(head, rows, "Agreement of neighbours (95 % CI)", numeric=(2, 3, 4))


def stable_table(results: ConsistencyResults) -> Table:
    """The neighbours of each term in half or more of the resamples or trainings."""
    rows = tuple(
        (
            shown(each.model),
            shown(each.term),
            ", ".join(f"{shown(word)} ({share:.0%})" for word, share in each.neighbours) or "none",
        )
        for each in results.stable_neighbours
    )
    sources = dict.fromkeys(each.source for each in results.stability)
    repeated = listed([REPEATED.get(source, shown(source)) for source in sources])
    head = ("model", "term", f"neighbours ({repeated})")
    return Table(head, rows, f"Neighbours in half or more of the {repeated}", folded=True)


def left_out_table(results: ConsistencyResults) -> Table:
    """Terms without a result, and why."""
    without = [
        (shown(each.term), f"{shown(each.model)}, {SPLITS[each.split]}", each.state)
        for each in results.terms
        if each.state
    ]
    rows = (*((shown(term), "all", shown(why, 300)) for term, why in results.left_out), *without)
    return Table(("term", "model", "reason"), rows, "Terms left out", len(rows) > _FOLDED)
