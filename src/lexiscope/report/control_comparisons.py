"""Sentences that compare embeddings with controls: random vectors, and no vectors."""

from collections.abc import Sequence

from lexiscope.core.display import shown
from lexiscope.core.result import Comparison
from lexiscope.evaluation.results import Results
from lexiscope.report.sentences import counted, evaluation_name, listed

_CONTROLS = {"random": "random vectors", "none": "predictions without vectors"}


def control_summary(results: Results) -> list[str]:
    """Whether embeddings are better than the controls, a sentence for each evaluation."""
    evaluations = dict.fromkeys((c.variant, c.dataset) for c in results.control_comparisons)
    lines = []
    for evaluation in evaluations:
        here = [c for c in results.control_comparisons if (c.variant, c.dataset) == evaluation]
        found = filter(None, (_compared(here, *control) for control in _CONTROLS.items()))
        text = "; ".join(found) or "not comparable"
        lines.append(f"Controls of {evaluation_name(*evaluation)}: {text}.")
    return lines and [
        *lines,
        "Comparisons with controls have a Holm correction of their own; groups leave them out.",
    ]


def _compared(comparisons: Sequence[Comparison], control: str, name: str) -> str:
    """How many embeddings are significantly better than a control, and which are not."""
    here = [c for c in comparisons if c.control == control and c.p is not None]
    if not here:
        return ""
    similar = [shown(c.first) for c in here if not c.significant]
    worse = [shown(c.first) for c in here if is_worse(c)]
    better = len(here) - len(similar) - len(worse)
    exceptions = [
        f"{listed(names)} {what}"
        for names, what in (
            (similar, "not significantly different"),
            (worse, "significantly worse"),
        )
        if names
    ]
    text = f"{better} of {counted(len(here), 'embedding')} significantly better than {name}"
    return f"{text} ({'; '.join(exceptions)})" if exceptions else text


def is_worse(comparison: Comparison) -> bool:
    """Whether the first of the two is significantly worse."""
    return comparison.significant and (comparison.difference or 0.0) < 0


def better_without_vectors(results: Results) -> list[str]:
    """A sentence for each evaluation where predictions without vectors are significantly better."""
    found: dict[tuple[str, str], list[str]] = {}
    for c in results.control_comparisons:
        if c.control == "none" and is_worse(c):
            found.setdefault((c.variant, c.dataset), []).append(shown(c.first))
    return [
        f"On {evaluation_name(*evaluation)} predictions without vectors are significantly better "
        f"than those with {listed(names, 'or')}."
        for evaluation, names in found.items()
    ]
