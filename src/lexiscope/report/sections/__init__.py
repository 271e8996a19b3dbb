"""The sections of a report: each turns results into text, tables and charts, and computes nothing.

A new table or figure is one more function in SECTIONS.
"""

from collections.abc import Callable

from lexiscope.evaluation.results import Results
from lexiscope.report.layout import Section
from lexiscope.report.sections.agreement import agreement
from lexiscope.report.sections.breakdowns import breakdowns
from lexiscope.report.sections.controls import controls
from lexiscope.report.sections.correlations import correlations
from lexiscope.report.sections.coverage import coverage
from lexiscope.report.sections.differences import differences
from lexiscope.report.sections.dimensions import dimensions
from lexiscope.report.sections.disagreements import disagreements
from lexiscope.report.sections.forests import forests
from lexiscope.report.sections.overview import overview
from lexiscope.report.sections.pairs import pairs
from lexiscope.report.sections.policy_sensitivity import policy_sensitivity
from lexiscope.report.sections.problems import problems
from lexiscope.report.sections.provenance import citations, provenance
from lexiscope.report.sections.scores import scores
from lexiscope.report.sections.secondary_metrics import secondary_metrics
from lexiscope.report.sections.solver_agreement import solver_agreement
from lexiscope.report.sections.verdict import verdict
from lexiscope.stats.correlations import MIN_MEMBERS

# Sections about an optional part of a run, and whether these results have that part.
_OPTIONAL: dict[Callable[[Results], Section | None], Callable[[Results], bool]] = {
    controls: lambda results: bool(results.controls),
    correlations: lambda results: len(results.embeddings) >= MIN_MEMBERS,
    solver_agreement: lambda results: results.has_variants,
    dimensions: lambda results: bool(results.dimensions),
    policy_sensitivity: lambda results: bool(results.other_policies),
}
SECTIONS: tuple[Callable[[Results], Section | None], ...] = (
    verdict, overview, pairs, forests,
    scores, differences, policy_sensitivity, breakdowns, disagreements, agreement, correlations,
    solver_agreement, controls, secondary_metrics, dimensions, coverage, problems, provenance,
    citations,
)  # fmt: skip


def sections(results: Results) -> list[Section]:
    """The sections that have content for these results."""
    applicable = [make for make in SECTIONS if make not in _OPTIONAL or _OPTIONAL[make](results)]
    return [section for make in applicable if (section := make(results)) is not None]
