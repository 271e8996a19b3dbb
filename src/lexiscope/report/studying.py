"""A study of made languages as a page, as tables for a terminal and as Markdown."""

from pathlib import Path

from lexiscope.bench.studied import Studied
from lexiscope.core.display import shown
from lexiscope.data.files import replacing
from lexiscope.report.page import Heading, rendered
from lexiscope.report.study_sections import study_sections
from lexiscope.report.study_tables import (
    curve_table,
    order_table,
    score_table,
    variant_table,
    verdict_sentence,
    verdict_table,
)
from lexiscope.report.tables import markdown, safe, view
from lexiscope.report.wording import counted


def write(studied: Studied, path: str | Path) -> Path:
    """Write the report of a study."""
    place = Path(path)
    with replacing(place) as file:
        file.write(page(studied).encode("utf-8"))
    return place


def page(studied: Studied) -> str:
    """The report as HTML."""
    plan = studied.plan
    heading = Heading(
        f"Lexiscope study: {shown(plan.name)}",
        "Which information do models keep, and where in the space?",
        f"{shown(plan.name)}: {lead(studied)}",
        studied.manifest["versions"]["lexiscope"],
    )
    return rendered(heading, study_sections(studied))


def lead(studied: Studied) -> str:
    """How large the study is."""
    plan = studied.plan
    return (
        f"{counted(len(plan.models), 'model')}, {counted(len(plan.criteria), 'question')}, "
        f"{counted(plan.trials, 'trial')} of {counted(plan.sentences, 'sentence')} each, seed "
        f"{plan.seed}."
    )


def show(studied: Studied) -> None:
    """Print what was found."""
    import sys

    from rich.console import Console
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(Text(lead(studied)))
    console.print(view(score_table(studied), left=2))
    for criterion in studied.plan.criteria:
        if len(criterion.points) > 1:
            console.print(Text(f"{shown(criterion.name)}, subspace, right answers in %:"))
            console.print(view(curve_table(studied, criterion.name), left=0))
    if studied.verdicts:
        console.print(view(verdict_table(studied), left=4))
        console.print(Text(verdict_sentence(studied)))
    if studied.orders:
        console.print(view(order_table(studied), left=2))


def to_markdown(studied: Studied) -> str:
    """The finished tables of a page about a paper."""
    parts = [f"{lead(studied)}"]
    if studied.verdicts:
        parts += [verdict_sentence(studied), markdown(verdict_table(studied))]
    if studied.orders:
        parts += [markdown(order_table(studied))]
    parts += ["### Subspace beside neighbours", markdown(score_table(studied))]
    for criterion in studied.plan.criteria:
        if len(criterion.points) > 1:
            parts += [
                f"### {safe(criterion.name)}",
                markdown(curve_table(studied, criterion.name)),
            ]
    parts.append("### What hangs on how one asks")
    for criterion in studied.plan.criteria:
        parts += [
            f"#### {safe(criterion.name)}",
            markdown(variant_table(studied, criterion.name)),
        ]
    return "\n\n".join(parts) + "\n"
