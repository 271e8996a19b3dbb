"""Changes to the settings of a study that exists already."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lexiscope.core.errors import BadUsage
from lexiscope.core.study import StudySettings
from lexiscope.store.study_file import StudyFile

# They decide which items a judge gets. Judges before and after a change would not be comparable.
FIXED = ("items_per_judge", "controls_per_judge", "repeat_queries", "language")


def change_settings(file: StudyFile, changes: Mapping[str, Any]) -> StudySettings:
    """Change settings of a study; returns all settings after it.

    Raises `BadUsage` if a judge has started and a change would decide which items judges get.
    """
    before = file.study.settings
    fixed = [name for name in FIXED if name in changes and changes[name] != getattr(before, name)]
    if fixed and file.judges():
        raise BadUsage(
            f"{file.path}: judges have started, so that {fixed[0].replace('_', ' ')} cannot change "
            "any more. Make a new study with 'lexiscope study new'."
        )
    file.change_settings(replace(before, **changes))
    return file.study.settings
