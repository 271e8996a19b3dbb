import os
import sqlite3
import stat
from dataclasses import replace

import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT, ClosingAnswers, Item, Judgment
from lexiscope.store.study_file import StudyFile
from tests.human.study_builders import study


@pytest.fixture
def file(tmp_path):
    with StudyFile.create(tmp_path / "words.study", study()) as opened:
        yield opened


def answer(judge, item="item0", choice=1, at=5.0):
    return Judgment(judge.id, item, choice, (2, 1, 0), 1.5, at)


def test_a_study_is_read_back_as_it_was_written(file, tmp_path):
    with StudyFile(tmp_path / "words.study") as again:
        assert again.study == study()
        assert again.secret == file.secret


def test_an_existing_file_is_never_overwritten(file, tmp_path):
    with pytest.raises(BadData, match="exists already"):
        StudyFile.create(tmp_path / "words.study", study())


def test_the_file_can_be_read_by_its_owner_only(file, tmp_path):
    assert stat.S_IMODE((tmp_path / "words.study").stat().st_mode) == 0o600


def test_a_repeated_answer_is_stored_once_and_a_changed_one_keeps_its_revision(file):
    judge = file.add_judge("link", 1.0)

    assert file.record(answer(judge))
    assert not file.record(answer(judge, at=6.0))
    assert file.record(answer(judge, choice=OPT_OUT, at=7.0))

    assert [each.choice for each in file.judgments()] == [OPT_OUT]
    assert file.revisions() == ((judge.id, "item0", 1, 5.0),)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"item": "other"}, "no item"),
        ({"choice": 3}, "no option 3"),
        ({"choice": -2}, "no option -2"),
        ({"order": (0, 1)}, "no permutation"),
    ],
)
def test_impossible_answers_are_refused(file, changes, message):
    judge = file.add_judge("link", 1.0)

    with pytest.raises(BadData, match=message):
        file.record(replace(answer(judge), **changes))
    assert file.judgments() == ()


def test_an_answer_of_an_unknown_judge_is_refused(file):
    judge = file.add_judge("link", 1.0)

    with pytest.raises(BadData, match="could not be written"):
        file.record(replace(answer(judge), judge="nobody"))


def test_several_answers_are_stored_all_or_none(file):
    judge = file.add_judge("link", 1.0)

    with pytest.raises(BadData):
        file.record_all([answer(judge), answer(judge, item="other")])
    assert file.judgments() == ()


def test_a_judge_is_found_by_person_and_session_together(file):
    judge = file.add_judge("prolific", 1.0, person="PERSON", session="SESSION")

    assert file.judge_of_session("PERSON", "SESSION") == judge
    assert file.judge_of_session("PERSON", "OTHER") is None


def test_only_judges_without_answers_are_discarded(file):
    judge, empty = file.add_judge("link", 1.0), file.add_judge("link", 2.0)
    file.record(answer(judge))

    file.discard(judge.id)
    file.discard(empty.id)

    assert file.judges() == (judge,)


def test_nothing_of_a_forgotten_judge_is_left_in_the_file(file, tmp_path):
    judge = file.add_judge("prolific", 1.0, person="PERSONALID", session="SESSIONID")
    other = file.add_judge("link", 1.0)
    file.assign(judge.id, ["item0"], 1.0)
    file.record(answer(judge))
    file.record(answer(judge, choice=0))
    file.record(answer(other))

    assert file.forget(judge.id) == 1

    assert [each.judge for each in file.judgments()] == [other.id]
    assert file.revisions() == ()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"PERSONALID" not in content
    assert judge.id.encode() not in content
    with pytest.raises(BadData, match="no judge"):
        file.forget(judge.id)


def test_platform_ids_can_be_deleted_while_judgments_stay(file, tmp_path):
    judge = file.add_judge("prolific", 1.0, person="PERSONALID", session="SESSIONID")
    file.record(answer(judge))

    assert file.forget_platform_ids() == 1

    assert len(file.judgments()) == 1
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"PERSONALID" not in content


def test_a_person_cannot_join_twice_with_the_same_session(file):
    file.add_judge("prolific", 1.0, person="P", session="S")

    with pytest.raises(BadData, match="could not be written"):
        file.add_judge("prolific", 2.0, person="P", session="S")
    assert len(file.judges()) == 1


def test_files_of_other_programs_are_refused(tmp_path):
    (tmp_path / "text.study").write_text("no database " * 100)
    sqlite3.connect(tmp_path / "other.study").execute("CREATE TABLE a (b)").connection.close()
    os.mkfifo(tmp_path / "pipe.study")
    for name, message in {
        "text.study": "not a database", "other.study": "not a study file",
        "absent.study": "no such study file", "pipe.study": "no such study file",
    }.items():  # fmt: skip
        with pytest.raises(BadData, match=message):
            StudyFile(tmp_path / name)


def test_a_study_of_a_newer_version_is_refused(tmp_path):
    StudyFile.create(tmp_path / "words.study", study()).close()
    database = sqlite3.connect(tmp_path / "words.study")
    database.execute("PRAGMA user_version = 99")
    database.close()

    with pytest.raises(BadData, match="newer lexiscope"):
        StudyFile(tmp_path / "words.study")


def test_a_study_of_the_first_format_is_extended(tmp_path):
    path = tmp_path / "words.study"
    with StudyFile.create(path, study()) as file:
        judge = file.add_judge("link", 1.0)
    database = sqlite3.connect(path)
    database.executescript("DROP TABLE closing; PRAGMA user_version = 1")
    database.close()

    with StudyFile(path) as file:
        assert file.judges() == (judge,)
        file.close_judge(judge.id, ClosingAnswers("Welsh", "no"))
    with StudyFile(path) as file:
        assert file.judges() == (replace(judge, closing=ClosingAnswers("Welsh", "no")),)
        file.close_judge("nobody", ClosingAnswers("Welsh"))
        file.forget(judge.id)
        assert file.judges() == ()


@pytest.mark.parametrize("values", ["'x', 'often'", f"'{'x' * 41}', ''"])
def test_impossible_closing_answers_are_refused(tmp_path, values):
    path = tmp_path / "words.study"
    with StudyFile.create(path, study()) as file:
        judge = file.add_judge("link", 1.0)
    database = sqlite3.connect(path)
    database.execute(f"INSERT INTO closing VALUES ('{judge.id}', {values})")
    database.commit()
    database.close()

    with pytest.raises(BadData, match="a closing question with an impossible answer"):
        StudyFile(path)


def test_a_damaged_study_gives_one_sentence(tmp_path):
    StudyFile.create(tmp_path / "words.study", study()).close()
    database = sqlite3.connect(tmp_path / "words.study")
    database.execute("UPDATE study SET content = ?", (b'{"kind": 3}',))
    database.commit()
    database.close()

    with pytest.raises(BadData, match="cannot be read"):
        StudyFile(tmp_path / "words.study")


@pytest.mark.parametrize(
    "changes",
    [
        {"options": ("a", "a", "b")},
        {"options": ("a",), "sources": (("A",),)},
        {"sources": (("A",),)},
        {"answer": 3},
        {"control": True},
    ],
)
def test_items_that_make_no_sense_are_refused(changes):
    item = Item("i", "comparison", "q", ("a", "b", "c"), (("A",), ("B",), ("C",)))

    with pytest.raises(BadData, match="Item i"):
        replace(item, **changes)
