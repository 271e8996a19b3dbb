"""The format of FIGMENT (Yaghoobzadeh and Schütze 2015), for users who have its files.

A line has an entity (/m/...), its notable type, its other types separated by spaces and,
optionally, its frequency, all separated by tabs. The file Etrain in the same folder is the
training set; a file `types` in the same folder lists the types to use.
"""

from pathlib import Path

from lexiscope.core.datasets.entities import TYPE_SEPARATOR
from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.paths import is_file
from lexiscope.data.datasets.formats.columns import number_field, read_table, word_field
from lexiscope.data.datasets.formats.entity import Entity, check_distinct
from lexiscope.data.datasets.formats.tables import Row

_TRAIN, _TYPES = "Etrain", "types"


def is_figment(table: list[Row]) -> bool:
    """Whether the first row begins with a Freebase identifier."""
    return table[0].fields[0].startswith("/m/")


def entities(path: Path, table: list[Row]) -> tuple[list[Entity], list[Entity]]:
    """Return the entities of a file, and those of Etrain in the same folder if it exists."""
    known = _known(path.with_name(_TYPES))
    test, train_path = _entities(path, table, known), path.with_name(_TRAIN)
    if not is_file(train_path) or path.name == _TRAIN:
        return test, []
    train = _entities(train_path, read_table(train_path, "entities"), known)
    both = {entity.word for entity in test} & {entity.word for entity in train}
    if both:
        raise BadData(
            f"{path}: '{shown(min(both), 40)}' is in {train_path.name} too, so it would be in the "
            "training and the test set."
        )
    return test, train


def _known(path: Path) -> frozenset[str] | None:
    return frozenset(row.fields[0] for row in read_table(path, "types")) if is_file(path) else None


def _entities(path: Path, table: list[Row], known: frozenset[str] | None) -> list[Entity]:
    """The entities with a known type; others are skipped, as the authors do."""
    found = [_entity(path, row, known) for row in table]
    check_distinct(path, table, [entity.word for entity in found])
    kept = [entity for entity in found if entity.types]
    if not kept:
        raise BadData(
            f"{path}: no entity has one of the types in the file types in the same folder."
        )
    return kept


def _entity(path: Path, row: Row, known: frozenset[str] | None) -> Entity:
    if not 2 <= len(row.fields) <= 4 or not row.fields[0].startswith("/m/"):
        raise BadData(
            f"{path}:{row.line}: expected an entity such as /m/0abc, a type, further types and a "
            "frequency, separated by tabs, as in FIGMENT."
        )
    types = [word_field(path, row, 1, "type"), *" ".join(row.fields[2:3]).split()]
    if TYPE_SEPARATOR in "".join(types):
        raise BadData(
            f"{path}:{row.line}: a type contains {TYPE_SEPARATOR}, which separates types."
        )
    kept = [each for each in types if known is None or each in known]
    frequency = number_field(path, row, 3, "frequency") if len(row.fields) == 4 else float("nan")
    return Entity(row.fields[0], kept, frequency)
