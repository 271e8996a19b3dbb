"""The query words with their attributes, as `lexiscope study new --words` reads them."""

from collections.abc import Mapping, Sequence

import msgspec

from lexiscope.core.errors import BadUsage
from lexiscope.core.study import Study
from lexiscope.human.export_files import ExportOptions
from lexiscope.human.inventory import ATTRIBUTES
from lexiscope.human.study_tables import csv_bytes
from lexiscope.store.study_file import StudyFile


def write(file: StudyFile, options: ExportOptions) -> Mapping[str, bytes]:
    """Return the query words, one per row."""
    if options.suffix != ".csv":
        raise BadUsage("An inventory is written to a .csv file.")
    return {"inventory.csv": inventory_csv(file.study)}


def inventory_csv(study: Study) -> bytes:
    """Return the query words as a table, also those without items."""
    return queries_csv(_words(study))


def queries_csv(words: Sequence[Mapping[str, str]]) -> bytes:
    """Return words with their attributes as a table."""
    known = [name for name in ATTRIBUTES if any(name in each for each in words)]
    return csv_bytes(["word", *known], words)


def _words(study: Study) -> list[dict[str, str]]:
    """The words that were asked for; those of the items if a study from elsewhere lists none."""
    try:
        return msgspec.convert(study.manifest["queries"], list[dict[str, str]])
    except (KeyError, msgspec.ValidationError):
        found = {item.query: item.attributes for item in study.scored}
        return [{"word": word, **attributes} for word, attributes in found.items()]
