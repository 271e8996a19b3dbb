"""Sections of the page on a study."""

from collections.abc import Sequence
from dataclasses import replace

from lexiscope.core.display import shown
from lexiscope.human.scoring.results import Slice, StudyResults
from lexiscope.report.charts.forest import Mark, forest_of_marks
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.numbers import percent
from lexiscope.report.sentences import counted
from lexiscope.report.study import tables
from lexiscope.report.study.verdict import metric, quality_sentences, verdict_sentences

_ORDER = ("frequency", "rank", "part_of_speech", "concreteness")
_SETTINGS = "Settings"
_LIMITS = (
    "Intervals and tests are over query words and judges. Opinions of these judges need not be "
    "those of other people, and a preferred neighbour need not help in a task."
)


def question(results: StudyResults) -> str:
    """The question that judges answered."""
    if results.kind == "comparison":
        return "Whose neighbours do people prefer?"
    return "Whose neighbours belong together?"


def lead(results: StudyResults) -> str:
    """Describe the size of the study."""
    return (
        f"{counted(len(results.embeddings), 'embedding')}, "
        f"{counted(results.queries, 'query word')}, {counted(results.judges, 'judge')}, "
        f"{counted(results.judgments, 'judgment')}."
    )


def sections(results: StudyResults) -> list[Section]:
    """Return all sections of the page."""
    found = [
        verdict(results), scores(results), breakdown(results), differences(results),
        judges(results), without_flagged(results), proxies(results), settings(results),
    ]  # fmt: skip
    return [section for section in found if section.text or section.parts]


def every_table(results: StudyResults) -> list[Table]:
    """Return the tables of all sections, without the settings."""
    parts = [part for each in sections(results) if each.title != _SETTINGS for part in each.parts]
    found = [part.table if isinstance(part, Figure) else part for part in parts]
    return [table for table in found if isinstance(table, Table) and table.rows]


def verdict(results: StudyResults) -> Section:
    """Which embedding judges prefer."""
    text = (*verdict_sentences(results), *quality_sentences(results), _LIMITS)
    return Section("Verdict", text, flags=results.cautions)


def scores(results: StudyResults) -> Section:
    """Scores of all embeddings."""
    if results.kind == "comparison":
        text = (
            "Win ratio: the proportion of judges of an item who chose the word of an embedding, "
            "averaged over items. A word that several embeddings offer is credited to all of "
            "them, so win ratios can sum to more than one. Ability: Luce's choice model, which "
            "generalises Bradley-Terry to several options; abilities sum to one."
        )
    else:
        text = (
            "Precision: the proportion of judges of an item who found the intruder, averaged over "
            f"items; pooled: over all ratings. Chance level {percent(results.chance)}."
        )
    whole = [Slice("", "all items", 0, results.queries, results.scores)]
    figure = _figure(results, whole, f"{metric(results).capitalize()}, all items",
                     tables.score_table(results))  # fmt: skip
    return Section("Scores", (text,), (figure,))


def breakdown(results: StudyResults) -> Section:
    """Scores by frequency, rank, part of speech and concreteness, in the order of the paper."""
    parts: list[Figure | Table] = []
    whole = Slice("", "all items", len({each.item for each in results.items}), results.queries,
                  results.scores)  # fmt: skip
    for by in sorted({each.by for each in results.slices}, key=_order):
        chosen = [each for each in results.slices if each.by == by]
        if by == _ORDER[0]:
            chosen = [whole, *chosen]
        name = by.replace("_", " ")
        parts.append(_figure(results, chosen, f"By {name}", tables.slice_table(chosen, name)))
        second = tables.normalised_table if results.kind == "comparison" else tables.pooled_table
        parts.append(second(chosen, name))
    text = results.cautions
    if parts and results.kind == "comparison":
        text = (*text, "Normalised win ratios are divided by their sum over embeddings, as in "
                "figure 1 of Schnabel et al. 2015; tests use those that are not.")  # fmt: skip
    elif parts:
        text = (*text, "Pooled precision is the micro-average of figure 2 of Schnabel et al. 2015.")
    return Section("Breakdown", text if parts else (), tuple(parts))


def _order(by: str) -> tuple[int, str]:
    return (_ORDER.index(by) if by in _ORDER else len(_ORDER)), by


def _figure(results: StudyResults, slices: Sequence[Slice], title: str, table: Table) -> Figure:
    marks = [
        Mark(shown(each.name), shown(s.embedding), s.score.value, s.score.low, s.score.high,
             f"{counted(s.items, 'item')}, {counted(s.ratings, 'rating')}")
        for each in slices
        for s in each.scores
        if s.score.value is not None
    ]  # fmt: skip
    name = metric(results)
    about = f"{name.capitalize()} of each embedding with 95 % confidence interval. {title}."
    axis = f"{name}, 95 % confidence interval"
    if results.chance is not None:
        axis = f"{name}, 95 % CI; dashed: chance level"  # longer ones are cut on phones
    spec = forest_of_marks(marks, results.embeddings, axis, about, results.chance)
    return Figure(title, spec, table)


def differences(results: StudyResults) -> Section:
    """Tests of all pairs, if there are any."""
    if not results.comparisons:
        return Section("Differences")
    text = (
        "The p-value is the largest of three: a permutation test that flips the sign of the "
        "difference of each query word, which holds for these judges (Schnabel et al. 2015), a t "
        "test whose error includes query words and judges, and a t test over judges. Outcomes are "
        "decided after Holm's correction over all pairs."
    )
    return Section("Differences", (text,), (tables.comparison_table(results),))


def judges(results: StudyResults) -> Section:
    """Agreement and quality of judges."""
    text = quality_sentences(results)
    if results.median_seconds is not None:
        text.append(f"Median time per item: {results.median_seconds:.1f} s.")
    parts = (tables.position_table(results), tables.judge_table(results))
    return Section("Judges", tuple(text), parts)


def without_flagged(results: StudyResults) -> Section:
    """The scores without flagged judges."""
    if results.unflagged is None:
        return Section("Without flagged judges")
    found = results.unflagged
    parts = [
        replace(table, caption=f"{table.caption}, without flagged judges")
        for table in (tables.score_table(found), tables.comparison_table(found))
        if table.rows
    ]
    return Section("Without flagged judges", tuple(verdict_sentences(found)), tuple(parts))


def proxies(results: StudyResults) -> Section:
    """How machine proxies solve the same intrusion items."""
    text = (
        "Found: the proportion of intruders that another embedding, or WordNet's path similarity, "
        "finds; coherence is its mean over the proxies of an item. Items with a word that a proxy "
        "does not know are unsolved. Correlation: Spearman's, with the precision of judges over "
        "items. A proxy is no person."
    )
    if not results.proxies:
        return Section("Machine proxies")
    found = (tables.coherence_table(results.proxies), tables.proxy_table(results.proxies))
    return Section("Machine proxies", (text,), tuple(table for table in found if table.rows))


def settings(results: StudyResults) -> Section:
    """Versions, seeds and options of the study."""
    skipped = ("queries", "left_out")
    rows = [(shown(name), shown(str(value), 300)) for name, value in results.manifest.items()
            if name not in skipped]  # fmt: skip
    return Section(
        _SETTINGS, (), (Table(("setting", "value"), tuple(rows), "Settings", folded=True),)
    )
