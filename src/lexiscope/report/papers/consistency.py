"""Sections on the consistency of the texts of a paper."""

from dataclasses import replace

from lexiscope.core.display import shown
from lexiscope.papers.consistency import ConsistencyPaperResults
from lexiscope.report.consistency import sections, tables
from lexiscope.report.layout import Section, Table
from lexiscope.report.sentences import counted

QUESTION = "How consistently are vectors of terms learned from small texts?"


def lead(results: ConsistencyPaperResults) -> str:
    """Return what was measured."""
    return f"{counted(len(results.texts), 'text')}, background {shown(_background(results))}."


def summary(results: ConsistencyPaperResults) -> list[Section]:
    """Return the sections of every report."""
    found = [
        replace(table, caption=f"{shown(name)}: {table.caption}")
        for name, each in results.texts.items()
        for table in (tables.summary_table(each), tables.variant_table(each))
    ]
    listed = [Section("Consistency", (), tuple(found))]
    if results.not_run:
        rows = tuple((shown(each.what), shown(each.why, 300)) for each in results.not_run)
        listed.append(Section("Not run", (), (Table(("what", "why"), rows, "Not run"),)))
    return listed


def details(results: ConsistencyPaperResults) -> list[Section]:
    """Return the sections of the page and of Markdown only."""
    return [
        replace(section, title=f"{shown(name)}: {section.title}")
        for name, each in results.texts.items()
        for section in (
            sections.sizes(each),
            sections.drift(each),
            sections.slices(each),
            sections.neighbours(each),
            sections.verdict(each),
        )
        if section.text or section.parts
    ]


def provenance(results: ConsistencyPaperResults) -> Section:
    """Return where the texts come from."""
    rows = tuple(
        (shown(name), shown(str(each.manifest["source"])), shown(str(each.manifest["rule"]), 200))
        for name, each in results.texts.items()
    )
    return Section("Texts", (), (Table(("name", "source", "samples"), rows, "Texts"),))


def _background(results: ConsistencyPaperResults) -> str:
    return str(results.manifest["background"]["name"])
