"""Settings that change after a study was made."""

import pytest

from lexiscope.core.errors import BadUsage
from lexiscope.human.answers import fingerprint
from lexiscope.human.settings import FIXED, change_settings
from lexiscope.store.study_file import StudyFile
from tests.human.exchange.studies import small

OTHER = {"items_per_judge": 3, "controls_per_judge": 0, "repeat_queries": True, "language": "de"}


def test_statements_and_codes_can_change_at_any_time(tmp_path):
    with small(tmp_path / "a.study") as file:
        file.add_judge("link", 1.0)
        before = fingerprint(file.study)
        change_settings(file, {"contact": "new@example.org", "completion_code": "C2"})
    with StudyFile(tmp_path / "a.study") as again:
        found = again.study.settings
        assert (found.contact, found.completion_code) == ("new@example.org", "C2")
        assert fingerprint(again.study) == before


@pytest.mark.parametrize("name", FIXED)
def test_what_decides_on_the_items_of_a_judge_is_fixed_by_the_first_judge(tmp_path, name):
    with small(tmp_path / "a.study") as file:
        change_settings(file, {name: OTHER[name]})
        file.add_judge("link", 1.0)
        change_settings(file, {name: OTHER[name]})  # no change
        with pytest.raises(BadUsage, match=name.replace("_", " ")):
            change_settings(file, {name: getattr(type(file.study.settings)(), name)})
        assert getattr(file.study.settings, name) == OTHER[name]
