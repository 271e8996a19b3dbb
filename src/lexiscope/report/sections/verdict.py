"""Verdict: which embedding to use and why, what is not known, and the limitations."""

from lexiscope.core.display import shown
from lexiscope.evaluation.results import Results
from lexiscope.report.control_comparisons import better_without_vectors
from lexiscope.report.coverage_sentences import low_coverage
from lexiscope.report.layout import Section
from lexiscope.report.model_comparisons import model_summary
from lexiscope.report.policy_changes import policy_change_summary
from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.sentences import comparison_counts, evaluation_name, not_tested


def verdict(results: Results) -> Section:
    """Which embedding to use, what is not known, and how many comparisons have each outcome."""
    untested = (f"Not tested: {sentence}" for sentence in not_tested(results))
    failed = tuple(
        f"Failed: {shown(f.embedding)}, {evaluation_name(f.task, f.dataset)}"
        for f in results.failures
    )
    warnings = (*failed, *results.warnings, *low_coverage(results), *untested)
    notes = tuple(shown(sentence, 400) for sentence in warnings)
    flags = tuple(policy_change_summary(results))
    text = [*recommendation_sentences(results)]
    if results.comparisons:
        text.append(comparison_counts(results))
        text += better_without_vectors(results) if results.control_comparisons else []
        text += [*model_summary(results), *_limitations(results)]
    return Section("Verdict", tuple(text), notes=notes, flags=flags)


def _limitations(results: Results) -> list[str]:
    parts = []
    if not results.model_comparisons:
        parts.append("another training run of the same model may score differently")
    if not results.other_policies:
        parts.append("other vocabulary policies were not evaluated")
    return [f"Limitations: {'; '.join(parts)}."] if parts else []
