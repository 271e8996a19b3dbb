"""The verdict of a study in words: which embeddings judges prefer, and how far they agree."""

from lexiscope.core.display import shown
from lexiscope.human.scoring.quality import (
    FAST_SECONDS,
    MAX_FAST,
    MAX_SAME_POSITION,
    MIN_CONTROL_ACCURACY,
)
from lexiscope.human.scoring.results import PairOutcome, StudyResults
from lexiscope.report.numbers import (
    interval,
    margin,
    p_equals,
    percent,
    score,
    signed,
    whole_percent,
    with_interval,
)
from lexiscope.report.sentences import counted, listed

_PAIRS = 4


def metric(results: StudyResults) -> str:
    """The name of the score."""
    return "win ratio" if results.kind == "comparison" else "precision"


def verdict_sentences(results: StudyResults) -> list[str]:
    """Which embedding has the highest score, and which differences are significant."""
    ranked = sorted(
        (each for each in results.scores if each.score.value is not None),
        key=lambda each: -(each.score.value or 0.0),
    )
    best = ranked[0]
    if len(results.scores) < 2:
        name = metric(results).capitalize()
        return [f"{name} of {shown(best.embedding)}: {with_interval(best.score)}."]
    beaten = [_other(pair, best.embedding) for pair in _won(results, best.embedding)]
    lead = f"{shown(best.embedding)} has the highest {metric(results)}, {with_interval(best.score)}"
    if beaten:
        names = listed([shown(name) for name in beaten])
        lead += f"; it is significantly above {names.removesuffix('.')}."
    else:
        lead += "; it is not significantly above any other embedding."
    return [lead, _counts(results)]


def _won(results: StudyResults, name: str) -> list[PairOutcome]:
    """The significant differences in favour of an embedding."""
    return [
        each
        for each in results.comparisons
        if each.outcome == "different"
        and name in (each.first, each.second)
        and ((each.difference.value or 0.0) > 0) == (each.first == name)
    ]


def _other(pair: PairOutcome, name: str) -> str:
    return pair.second if pair.first == name else pair.first


def _counts(results: StudyResults) -> str:
    outcomes = [each.outcome for each in results.comparisons]
    used = results.comparisons[0].margin if results.comparisons else 0.05
    text = (
        f"Of {counted(len(outcomes), 'pair')} of embeddings, {outcomes.count('different')} differ, "
        f"{outcomes.count('equivalent')} are equivalent within {margin(used)} and "
        f"{outcomes.count('undecided')} are undecided (Holm's correction)."
    )
    tested = [each for each in results.comparisons if each.p is not None]
    first = sorted(tested, key=lambda each: (each.outcome != "different", each.p or 0.0))
    some = [_pair(each) for each in first[:_PAIRS]]
    return f"{text} {'; '.join(some)}." if some else text


def _pair(each: PairOutcome) -> str:
    limits = interval(each.difference.low, each.difference.high, signed)
    return (
        f"{shown(each.first)} minus {shown(each.second)} {signed(each.difference.value)} "
        f"({limits}), {p_equals(each.p_holm or 0.0)}"
    )


def quality_sentences(results: StudyResults) -> list[str]:
    """How many judges answered, how far they agree, and who is flagged."""
    found = results.agreement
    lines = [
        f"{counted(results.judges, 'judge')}, {counted(results.judgments, 'judgment')}, "
        f"{counted(results.opt_outs, 'opt-out')} "
        f"({'in' if results.opt_out == 'include' else 'not in'} the denominator)."
    ]
    if found.alpha.value is not None:
        lines.append(
            f"Agreement: Krippendorff's alpha {with_interval(found.alpha)}; two judges give the "
            f"same answer to {percent(found.pairwise)} of items (chance level "
            f"{percent(found.chance)})."
        )
    lines.append(_flag_sentence(results))
    return lines


def _flag_sentence(results: StudyResults) -> str:
    rules = (
        f"control items below {whole_percent(MIN_CONTROL_ACCURACY)} correct, more than "
        f"{whole_percent(MAX_FAST)} of answers within {FAST_SECONDS:g} s, or the same position in "
        f"{whole_percent(MAX_SAME_POSITION)} of answers"
    )
    if not results.flagged:
        return f"No judge is flagged ({rules})."
    text = f"{counted(len(results.flagged), 'judge')} flagged ({rules}); nobody is left out."
    if results.unflagged is None:
        return text
    best = max(results.unflagged.scores, key=lambda each: each.score.value or 0.0)
    return (
        f"{text} Without them, {shown(best.embedding)} is highest with {score(best.score.value)}."
    )
