"""A rehearsal: simulated judges fill a study file that no person has answered."""

from collections.abc import Mapping

from lexiscope.core.errors import BadData
from lexiscope.core.seeding import generator
from lexiscope.human.simulation import simulate
from lexiscope.store.study_file import StudyFile


def rehearse(
    file: StudyFile, judges: int | None, quality: Mapping[str, float], seed: int = 0
) -> int:
    """Store judgments of simulated judges; returns the number of judges.

    Raises `BadData` if the study has judges already: simulated and human judgments never mix.
    """
    if file.judges():
        raise BadData(
            f"{file.path}: the study has judges already. Simulate with a new study or a copy that "
            "nobody has answered."
        )
    found, judgments = simulate(file.study, generator(seed, "simulation"), judges, quality)
    for each in found:
        file.add_judge("simulation", each.started, judge_id=each.id)
    file.record_all(judgments)
    for each in found:
        file.finish(each.id, each.finished or each.started)
    return len(found)
