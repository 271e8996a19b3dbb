"""The report of a study, from the scores of its judgments."""

from importlib import import_module

from lexiscope.core.study import OPT_OUT
from lexiscope.store.study_file import StudyFile


def report(file: StudyFile) -> str | None:
    """Return the HTML report of a study; None without a judgment that can be scored."""
    judgments, scored = file.judgments(), {item.id for item in file.study.scored}
    if not any(each.item in scored and each.choice != OPT_OUT for each in judgments):
        return None
    scoring = import_module("lexiscope.human.scoring.results")
    pages = import_module("lexiscope.report.study")
    return str(pages.page(scoring.score_study(file.study, judgments, file.judges())))
