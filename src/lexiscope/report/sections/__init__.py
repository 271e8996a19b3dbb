"""The sections of a report: each turns results into text, tables and charts, and computes nothing.
A new table or figure is one function more in SECTIONS."""

from collections.abc import Callable

from lexiscope.bench.results import Results
from lexiscope.report.layout import Section
from lexiscope.report.sections.agreement import agreement
from lexiscope.report.sections.controls import controls
from lexiscope.report.sections.coverage import coverage, problems
from lexiscope.report.sections.differences import differences
from lexiscope.report.sections.dimensions import dimensions
from lexiscope.report.sections.items import items
from lexiscope.report.sections.making import manifest, sources
from lexiscope.report.sections.methods import methods
from lexiscope.report.sections.parts import parts
from lexiscope.report.sections.policies import policies
from lexiscope.report.sections.prediction import prediction
from lexiscope.report.sections.scores import beside, scores
from lexiscope.report.sections.verdict import verdict

SECTIONS: tuple[Callable[[Results], Section | None], ...] = (
    verdict, scores, controls, differences, agreement, prediction, methods, items, dimensions,
    parts, policies, beside, coverage, problems, manifest, sources,
)  # fmt: skip


def sections(results: Results) -> list[Section]:
    """The sections that these results have something to say in."""
    return [section for make in SECTIONS if (section := make(results)) is not None]
