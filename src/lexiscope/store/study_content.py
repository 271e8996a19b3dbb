"""The content of a study file is validated when it is opened: it may come from somebody else."""

import sqlite3
from collections.abc import Mapping
from math import isfinite
from typing import Any, cast, get_args

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT, ClosingAnswers, Item, OtherHelp, Platform

_TIMES = (
    "SELECT started FROM judge UNION ALL SELECT finished FROM judge UNION ALL "
    "SELECT reserved FROM assignment UNION ALL SELECT shown FROM assignment UNION ALL "
    "SELECT seconds FROM judgment UNION ALL SELECT answered FROM judgment UNION ALL "
    "SELECT answered FROM revision UNION ALL SELECT closed FROM study"
)
_FOREIGN = (
    "SELECT 1 FROM (SELECT judge FROM judgment UNION SELECT judge FROM assignment UNION "
    "SELECT judge FROM revision UNION SELECT judge FROM platform_id UNION "
    "SELECT judge FROM closing) "
    "WHERE judge NOT IN (SELECT id FROM judge) LIMIT 1"
)
_LATEST = 253_402_300_000.0  # seconds: the year 9999, the last that a date can have


def check_content(database: sqlite3.Connection, path: str, items: Mapping[str, Item]) -> None:
    """Raise BadData for judges, assignments and judgments that lexiscope does not write."""
    try:
        # An index that differs from its table gives other judges than the table.
        if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise ValueError("damaged pages")
        _check_times(database)
        if database.execute(_FOREIGN).fetchone():
            raise ValueError("a judgment of a judge that it lacks")
        for (platform,) in database.execute("SELECT DISTINCT platform FROM judge"):
            if platform not in get_args(Platform):
                raise ValueError("a judge of an unknown platform")
        for answers in database.execute("SELECT first_language, other_help FROM closing"):
            _check_closing(*answers)
        for (item,) in database.execute("SELECT DISTINCT item FROM assignment"):
            _item(items, item)
        for item, choice in database.execute("SELECT item, choice FROM revision"):
            _check_choice(_item(items, item), choice)
        for row in database.execute("SELECT item, choice, shown_order FROM judgment"):
            _check_judgment(items, *row)
    except ValueError as problem:
        raise BadData(
            f"{path}: has {problem}, so the file is damaged or was changed by another program. "
            "Restore a copy of it."
        ) from None


def _check_times(database: sqlite3.Connection) -> None:
    for (time,) in database.execute(_TIMES):
        if time is not None and not (isfinite(time) and -_LATEST < time < _LATEST):
            raise ValueError("a time that no clock shows")


def _check_closing(first_language: str, other_help: str) -> None:
    try:
        ClosingAnswers(first_language, cast("OtherHelp", other_help))
    except BadData:
        raise ValueError("a closing question with an impossible answer") from None


def _item(items: Mapping[str, Item], item: str) -> Item:
    if item not in items:
        raise ValueError("an item that the study lacks")
    return items[item]


def _check_choice(item: Item, choice: int) -> None:
    if choice != OPT_OUT and not 0 <= choice < len(item.options):
        raise ValueError("a judgment without an option")


def _check_judgment(items: Mapping[str, Item], item: str, choice: int, order: Any) -> None:
    found = _item(items, item)
    _check_choice(found, choice)
    if sorted(order) != list(range(len(found.options))):
        raise ValueError("a judgment whose options are in an impossible order")
