"""Cards: every kind of results as a verdict and one table, for notebooks."""

from collections.abc import Callable, Sequence
from typing import Any

from lexiscope.core.errors import BadUsage
from lexiscope.report.layout import Figure, Section, Table
from lexiscope.report.notebook import card, html, table_card

# By the name of the class: each kind of results needs other modules.
Card = Callable[[Any], str]


def card_of(results: Any) -> str:
    """The card of results of any kind."""
    for kind in type(results).__mro__:
        if kind.__name__ in _CARDS:
            return _CARDS[kind.__name__](results)
    raise BadUsage(f"{type(results).__name__} has no card for notebooks.")


def _correlations(found: Any) -> str:
    from lexiscope.report.correlation_tables import sentences, short_pair_table

    texts = sentences(found) or ["No two evaluations can be correlated."]
    return table_card(texts, short_pair_table(found.pairs)) if found.pairs else card(texts)


def _check(found: Any) -> str:
    from lexiscope.report.regression import outcome, plain_table

    return table_card([outcome(found)], plain_table(found))


def _experiment(found: Any) -> str:
    from lexiscope.report.papers.document import document

    whole = document(found)
    texts = [text for text in (whole.verdict, whole.heading.lead) if text]
    tables = _tables(whole.summary)
    return table_card(texts, tables[0]) if tables else card(texts)


def _tables(sections: Sequence[Section]) -> list[Table]:
    parts = [part for section in sections for part in section.parts]
    found = [part.table if isinstance(part, Figure) else part for part in parts]
    return [part for part in found if isinstance(part, Table)]


def _curves(found: Any) -> str:
    from lexiscope.report.curves.tables import short_table
    from lexiscope.report.curves.verdict import verdict_sentences

    return table_card(verdict_sentences(found), short_table(found))


def _consistency(found: Any) -> str:
    from lexiscope.report.consistency.tables import short_table
    from lexiscope.report.consistency.verdict import verdict_sentences

    return table_card(verdict_sentences(found), short_table(found))


def _inspection(found: Any) -> str:
    from lexiscope.report.inspection.tables import summary_table
    from lexiscope.report.inspection.verdict import verdict_sentences

    return table_card(verdict_sentences(found), summary_table(found))


def _study(found: Any) -> str:
    from lexiscope.report.study.tables import short_table
    from lexiscope.report.study.verdict import verdict_sentences

    return table_card(verdict_sentences(found), short_table(found))


def _power(found: Any) -> str:
    from lexiscope.report.study.power import conclusion, design_table

    return table_card([" ".join(conclusion(found))], design_table(found))


_CARDS: dict[str, Card] = {
    "Results": html,
    "Correlations": _correlations,
    "Check": _check,
    "Reproduction": _experiment,
    "SyntheticResults": _experiment,
    "CorrelationResults": _experiment,
    "CurveResults": _curves,
    "ConsistencyResults": _consistency,
    "InspectionResults": _inspection,
    "StudyResults": _study,
    "PowerResults": _power,
}
