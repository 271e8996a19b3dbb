"""How many items a judge gets, and how long they take."""

from collections.abc import Mapping

from lexiscope.core.study import Study

SECONDS_PER_ITEM = 8.0  # assumed before anybody has answered


def scored_items_of_judge(study: Study) -> int:
    """Return the number of items that a judge usually gets, without control items.

    A judge gets no query twice, unless the study allows it.
    """
    repeated = study.settings.repeat_queries
    most = len(study.scored) if repeated else len({item.query for item in study.scored})
    return min(study.settings.items_per_judge, most)


def items_of_judge(study: Study) -> int:
    """Return the number of items that a judge usually gets, with control items."""
    controls = min(study.settings.controls_per_judge, len(study.controls))
    return scored_items_of_judge(study) + controls


def judges_needed(study: Study, judgments: Mapping[str, int] | None = None) -> int:
    """Return how many judges are needed for all judgments that are still missing, by item."""
    per_judge, target = scored_items_of_judge(study), study.settings.judges_per_item
    had = judgments or {}
    missing = sum(max(0, target - had.get(item.id, 0)) for item in study.scored)
    return -(-missing // per_judge) if per_judge else 0


def minutes_of_judge(study: Study) -> float:
    """Return the expected duration for one judge."""
    return items_of_judge(study) * SECONDS_PER_ITEM / 60.0
