"""The layout of FIGMENT (Yaghoobzadeh and Schütze 2015), for those who have its files.

A line is an entity (/m/...), its notable type, its other types with spaces between and, where
known, how often it occurs, with tabs between the four. Etrain beside the file is what to learn
from; a file `types` beside it names the types that count.
"""

from pathlib import Path

from lexiscope.core.display import shown
from lexiscope.core.entities import MARK
from lexiscope.core.errors import BadData
from lexiscope.data.datasets._columns import number_in, table_of, word_in
from lexiscope.data.datasets._entity import Entity, must_differ
from lexiscope.data.datasets._tables import Row
from lexiscope.data.unpacking import is_file

_LESSONS, _TYPES = "Etrain", "types"


def is_figment(table: list[Row]) -> bool:
    """Whether the first row begins with a Freebase identifier."""
    return table[0].fields[0].startswith("/m/")


def entities(path: Path, table: list[Row]) -> tuple[list[Entity], list[Entity]]:
    """The entities of a file, and those of Etrain beside it where there is one."""
    known = _known(path.with_name(_TYPES))
    asked, beside = _entities(path, table, known), path.with_name(_LESSONS)
    if not is_file(beside) or path.name == _LESSONS:
        return asked, []
    lessons = _entities(beside, table_of(beside, "entities"), known)
    both = {entity.word for entity in asked} & {entity.word for entity in lessons}
    if both:
        raise BadData(
            f"{path}: '{shown(min(both), 40)}' stands in {beside.name} too, so it would be learnt "
            "from and asked about."
        )
    return asked, lessons


def _known(path: Path) -> frozenset[str] | None:
    return frozenset(row.fields[0] for row in table_of(path, "types")) if is_file(path) else None


def _entities(path: Path, table: list[Row], known: frozenset[str] | None) -> list[Entity]:
    """The entities with a type that counts; others are passed over, as the authors do."""
    found = [_entity(path, row, known) for row in table]
    must_differ(path, table, [entity.word for entity in found])
    kept = [entity for entity in found if entity.types]
    if not kept:
        raise BadData(f"{path}: no entity has one of the types in the file types beside it.")
    return kept


def _entity(path: Path, row: Row, known: frozenset[str] | None) -> Entity:
    if not 2 <= len(row.fields) <= 4 or not row.fields[0].startswith("/m/"):
        raise BadData(
            f"{path}:{row.line}: expected an entity such as /m/0abc, a type, further types and a "
            "frequency with tabs between, as FIGMENT has them."
        )
    types = [word_in(path, row, 1, "type"), *" ".join(row.fields[2:3]).split()]
    if MARK in "".join(types):
        raise BadData(f"{path}:{row.line}: a type holds {MARK}, which stands between types here.")
    named = [each for each in types if known is None or each in known]
    often = number_in(path, row, 3, "frequency") if len(row.fields) == 4 else float("nan")
    return Entity(row.fields[0], named, often)
