"""The verdict in words: what is learnable from this text, and how models compare."""

from collections import Counter
from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.experiments.consistency.results import (
    ConsistencyResults,
    ModelComparison,
    ModelSummary,
    TermResult,
)
from lexiscope.report.numbers import (
    count,
    interval,
    margin,
    percent,
    score,
    signed,
    with_interval,
)
from lexiscope.report.sentences import counted, listed

_NAMED = 12  # terms in one sentence
_PAIRS = 3  # comparisons in one sentence
_LEFT_OUT = 5  # terms left out
SPLITS = {
    "random": "random samples",
    "halves": "two halves",
    "documents": "documents",
    "published": "published samples",
}
REPEATED = {
    "resampled sentences": "resamples of sentences",
    "resampled documents": "resamples of documents",
    "seed": "trainings",
}


def verdict_sentences(results: ConsistencyResults) -> list[str]:
    """What is learnable with each model, then how the models compare."""
    if not any(each.terms for each in results.models):
        return ["No term has vectors of two samples, so consistency cannot be computed."]
    found = [model_sentence(results, each) for each in results.models if each.terms]
    return found + comparison_sentences(results)


def lead_sentence(results: ConsistencyResults) -> str:
    """How many terms are learnable with each model; empty if none can be tested."""
    tested = [each for each in results.models if each.centred.tested]
    if not tested:
        return ""
    parts = [
        f"{count(each.centred.learnable)} of {count(each.centred.tested)} with {label(each)}"
        for each in tested
    ]
    return f"Terms that can be learned from this text: {listed(parts)}."


def model_sentence(results: ConsistencyResults, each: ModelSummary) -> str:
    """The number of learnable terms, the excess over the null, and the terms identified."""
    raw, centred = each.raw, each.centred
    lead = f"{label(each)}: "
    if centred.tested:
        lead += (
            f"{learnable(each)} learnable from this text, {count(not_learnable(each))} "
            f"{'is' if not_learnable(each) == 1 else 'are'} not shown to be. "
        )
    else:
        lead += f"no term can be tested ({counted(each.terms, 'term')} with vectors). "
    if raw.excess.value is None or centred.excess.value is None:
        return f"{lead}Cosine {score(raw.cosine.value)} within terms."
    chance = "" if centred.chance is None else f" (chance level {percent(centred.chance)})"
    return (
        f"{lead}Cosine within terms minus cosine between different terms: "
        f"{with_interval(raw.excess, signed)}, from {score(raw.cosine.value)} and "
        f"{score(raw.null.value)}; {percent(raw.identified.value)} of terms are identified"
        f"{chance}. "
        f"Without the mean direction of all terms: {with_interval(centred.excess, signed)}; "
        f"{percent(centred.identified.value)} are identified."
    )


def learnable(each: ModelSummary) -> str:
    """The number of learnable terms: 41 of 53 tested terms are."""
    found = each.centred
    verb = "is" if found.learnable == 1 else "are"
    return f"{count(found.learnable)} of {counted(found.tested, 'tested term')} {verb}"


def not_learnable(each: ModelSummary) -> int:
    """The number of tested terms that are not shown to be learnable."""
    return each.centred.tested - each.centred.learnable


def label(each: ModelSummary | ModelComparison) -> str:
    """The model and the split: additive (random samples)."""
    name = each.model if isinstance(each, ModelSummary) else f"{each.first} and {each.second}"
    return f"{shown(name)} ({SPLITS[each.split]})"


def term_sentences(results: ConsistencyResults, each: ModelSummary) -> list[str]:
    """The names of learnable and of other terms, the most frequent first."""
    parts = zip(("Learnable", "Not shown to be learnable"), by_verdict(results, each), strict=True)
    return [f"{label(each)}. {name}: {names(some)}." for name, some in parts if some]


def left_out_sentence(results: ConsistencyResults) -> str:
    """The terms that have no samples, and why."""
    found = [f"{shown(term)} ({shown(why, 200)})" for term, why in results.left_out]
    more = len(found) - _LEFT_OUT
    named = "; ".join(found[:_LEFT_OUT]) + (f"; and {count(more)} more" if more > 0 else "")
    return f"Left out: {counted(len(found), 'term')}: {named}."


def stability_sentences(results: ConsistencyResults) -> list[str]:
    """How many neighbours of a term are the same in all repeated trainings of each model."""
    return [
        f"{shown(each.model)}: of {count(each.neighbours)} nearest words of a term, "
        f"{percent(each.common.value)} are the same in all {count(each.repeats)} "
        f"{REPEATED.get(each.source, shown(each.source))}."
        for each in results.stability
    ]


def by_verdict(
    results: ConsistencyResults, each: ModelSummary
) -> tuple[list[TermResult], list[TermResult]]:
    """The learnable terms of a model, and those not shown to be."""
    terms = results.of_model(each.model, each.split)
    return (
        [t for t in terms if t.verdict == "learnable"],
        [t for t in terms if t.verdict == "not learnable"],
    )


def names(terms: Sequence[TermResult], most: int = _NAMED) -> str:
    """The names of terms, the most frequent first."""
    found = [shown(t.term) for t in sorted(terms, key=lambda t: -t.frequency)]
    more = len(found) - most
    return listed(found) if more <= 0 else f"{', '.join(found[:most])} and {count(more)} more"


def chance_sentence(results: ConsistencyResults) -> str:
    """How many terms would be called learnable if none was, and how many are after correction."""
    parts = [corrected_text(m) for m in results.models if m.centred.tested]
    if not parts:
        return ""
    return (
        f"If no term was learnable, up to about {100 * results.rule.alpha:g} % of the tested terms "
        f"would still be called learnable. Learnable after the correction of Benjamini and "
        f"Hochberg: {'; '.join(parts)}."
    )


def corrected_text(each: ModelSummary) -> str:
    """The number of terms after correction; if it is 0, what the correction needs."""
    found = each.corrected
    tested = counted(each.centred.tested, "tested term")
    if found.learnable:
        return f"{label(each)}, {count(found.learnable)} of {tested}"
    smallest = f"the smallest possible p-value is {found.smallest_p:.2g}"
    if found.fewest is None:
        return f"{label(each)}, the correction cannot select any of {tested}, because {smallest}"
    needed = f"{counted(found.fewest, 'term')} with this p-value would be selected"
    return f"{label(each)}, none of {tested} significant ({smallest}; {needed})"


def comparison_sentences(results: ConsistencyResults) -> list[str]:
    """Which models differ in the excess over the null."""
    found = [each for each in results.comparisons if each.quantity == "excess"]
    if not found:
        return []
    counts = Counter(each.outcome for each in found)
    parts = [
        f"{counts['different']} {'is' if counts['different'] == 1 else 'are'} different",
        f"{counts['equivalent']} equivalent within {margin(results.rule.margin)}",
        f"{counts['undecided']} undecided",
    ]
    text = (
        f"Of {counted(len(found), 'comparison')} of models by cosine minus null, without the mean "
        f"direction of all terms, {listed(parts)}"
    )
    shown_pairs = sorted(found, key=lambda each: each.outcome == "undecided")[:_PAIRS]
    such = "; ".join(map(_difference, shown_pairs))
    return [f"{text}: {such}." if len(found) <= _PAIRS else f"{text}; for example, {such}."]


def _difference(each: ModelComparison) -> str:
    limits = f" ({interval(each.low, each.high, signed)})" if each.low is not None else ""
    return (
        f"{shown(each.first)} minus {shown(each.second)} on {SPLITS[each.split]} is "
        f"{signed(each.value)}{limits}, {each.outcome}"
    )
