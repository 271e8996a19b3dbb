"""The report of a reproduction or an experiment: one document as page, terminal and Markdown."""

from dataclasses import dataclass
from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.data.atomic_write import replacing
from lexiscope.experiments.correlation.results import CorrelationResults
from lexiscope.experiments.synthetic.results import SyntheticResults
from lexiscope.papers.consistency import ConsistencyPaperResults
from lexiscope.papers.curves import CurvePaperResults
from lexiscope.papers.reproduce import Reproduction
from lexiscope.papers.scores import ScoreResults
from lexiscope.report.console import console, view
from lexiscope.report.exports.tables import markdown_table, markdown_text
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.page import Heading, rendered
from lexiscope.report.papers import consistency, correlation, curves, scores, synthetic
from lexiscope.report.papers.claims import claims_section, verdict_sentence

_WIDTH = 180  # characters, where the output is not a terminal

Found = Reproduction | SyntheticResults | CorrelationResults


@dataclass(frozen=True)
class Document:
    """A heading and sections: `summary` in every report, `details` on the page and in Markdown.

    `provenance` is on the page only. `verdict` is the last line in a terminal.
    """

    heading: Heading
    summary: tuple[Section, ...]
    details: tuple[Section, ...]
    provenance: tuple[Section, ...]
    verdict: str = ""


def document(found: Found) -> Document:
    """Build the document of a reproduction, or of an experiment without claims."""
    citation, departures = _citation(found), _departures(found)
    results = found.results if isinstance(found, Reproduction) else found
    if isinstance(results, ConsistencyPaperResults):
        question, size = consistency.QUESTION, consistency.lead(results)
        parts = consistency.summary(results), consistency.details(results)
        settings = consistency.provenance(results)
    elif isinstance(results, CurvePaperResults):
        question, size = curves.QUESTION, curves.lead(results)
        parts = curves.summary(results), curves.details(results)
        settings = curves.provenance(results)
    elif isinstance(results, ScoreResults):
        question, size = scores.QUESTION, correlation.lead(results)
        printed = found.paper.claims if isinstance(found, Reproduction) else ()
        parts = scores.summary(results, printed), scores.details(results)
        settings = correlation.provenance(results)
    elif isinstance(results, SyntheticResults):
        question, size = synthetic.QUESTION, synthetic.lead(results)
        parts = synthetic.summary(results), synthetic.details(results)
        settings = synthetic.provenance(results)
    else:
        question, size = correlation.QUESTION, correlation.lead(results)
        parts = correlation.summary(results), correlation.details(results)
        settings = correlation.provenance(results)
    name = found.paper.name if isinstance(found, Reproduction) else results.plan.name
    title = f"Lexiscope: {shown(name)}"
    version = results.manifest["versions"]["lexiscope"]
    heading = Heading(title, question, f"{citation}{size}", version)
    claims = [_claims(found)] if isinstance(found, Reproduction) else []
    return Document(
        heading,
        (*claims, *parts[0]),
        tuple(parts[1]),
        (*departures, settings),
        verdict_sentence(found.verdicts) if isinstance(found, Reproduction) else "",
    )


def _claims(found: Reproduction) -> Section:
    return claims_section(found.verdicts, found.results.manifest.get("corpus", {}).get("words"))


def _citation(found: Found) -> str:
    """Return what is reproduced; a smaller scale than that of the paper comes first."""
    if not isinstance(found, Reproduction):
        return f"{shown(found.plan.name)}: "
    smaller = f"{shown(found.smaller_scale, 500)} " if found.smaller_scale else ""
    return f"{smaller}{shown(found.paper.citation, 80)}, scale {shown(found.scale)}: "


def _departures(found: Found) -> list[Section]:
    if not isinstance(found, Reproduction) or not found.paper.departures:
        return []
    return [Section("Departures from the paper", tuple(found.paper.departures))]


def write(found: Found, path: str | Path) -> Path:
    """Write the HTML page."""
    target = Path(path)
    with replacing(target) as file:
        file.write(page(found).encode("utf-8"))
    return target


def page(found: Found) -> str:
    """Return the HTML page."""
    whole = document(found)
    return rendered(whole.heading, [*whole.summary, *whole.details, *whole.provenance])


def show(found: Found) -> None:
    """Print the summary tables."""
    from rich.text import Text

    whole = document(found)
    out = console(_WIDTH)
    out.print(Text(whole.heading.lead))
    for section in whole.summary:
        for table in _tables(section):
            out.print(Text(f"{table.caption}:"))
            out.print(view(table, _left(table)))
    if whole.verdict:
        out.print(Text(whole.verdict))


def to_markdown(found: Found) -> str:
    """Return the tables in Markdown."""
    whole = document(found)
    lines = [markdown_text(whole.heading.lead), *([whole.verdict] if whole.verdict else [])]
    for section in (*whole.summary, *whole.details):
        lines.append(f"### {markdown_text(section.title)}")
        for table in _tables(section):
            lines += [f"#### {markdown_text(table.caption)}", markdown_table(table)]
    return "\n\n".join(lines) + "\n"


def _tables(section: Section) -> list[Table]:
    found = [part.table if isinstance(part, Figure) else part for part in section.parts]
    return [part for part in found if isinstance(part, Table)]


def _left(table: Table) -> int:
    """Return the number of columns before the first numeric one."""
    return min(table.numeric, default=len(table.head))
