import csv
import io
import zipfile

import pytest

from lexiscope.core.errors import BadData, BadUsage, UnknownName
from lexiscope.human.export_files import (
    ExportOptions,
    ImportOptions,
    format_named,
    formats,
    save_files,
)
from lexiscope.human.imports import import_files
from lexiscope.human.scoring.results import score_study
from tests.human.exchange.studies import FORMULA, PEOPLE, answer, copy_of, hostile, small

SUFFIXES = {
    "items": [".csv", ".jsonl"],
    "judgments": [".csv", ".jsonl"],
    "publish": [""],
    "spreadsheet": ["", ".csv"],
    "mturk": [""],
    "prolific": [""],
    "potato": [""],
}
EVERY = [(name, suffix) for name, suffixes in SUFFIXES.items() for suffix in suffixes]


def write(file, name, suffix="", **more):
    return dict(format_named(name, "write").write(file, ExportOptions(suffix, **more)))


def load(file, name, path, **more):
    return import_files(file.path, format_named(name, "read"), [path], ImportOptions(**more), 2e9)


def scored(file):
    return score_study(file.study, file.judgments(), file.judges()).to_dict()


@pytest.fixture
def answered(tmp_path):
    with answer(small(tmp_path / "a.study")) as file:
        yield file


def test_every_format_is_found_by_its_file_name():
    assert set(SUFFIXES) <= set(formats("write"))
    assert {"judgments", "publish", "spreadsheet", "mturk", "potato"} <= set(formats("read"))
    with pytest.raises(UnknownName, match="spreadsheet"):
        format_named("spreadshet", "write")


@pytest.mark.parametrize(("name", "suffix"), EVERY)
def test_no_export_has_platform_ids_unless_asked_for(tmp_path, name, suffix):
    with answer(hostile(tmp_path / "h.study", completion_code="C1", title="T")) as file:
        content = b"\n".join(write(file, name, suffix).values())

    assert not any(person.encode() in content for person in PEOPLE)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_judgments_have_platform_ids_when_asked_for(answered, suffix):
    content = write(answered, "judgments", suffix, with_platform_ids=True)

    assert all(person.encode() in b"".join(content.values()) for person in PEOPLE)


@pytest.mark.parametrize(("name", "suffix"), EVERY)
def test_no_cell_of_an_export_is_a_formula(tmp_path, name, suffix):
    with answer(hostile(tmp_path / "h.study")) as file:
        files = write(file, name, suffix, with_platform_ids=name == "prolific")

    for path, content in files.items():
        if path.endswith(".csv"):
            rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
            assert len(rows) > 1
            assert [cell for row in rows for cell in row if cell.startswith(FORMULA)] == []


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_judgments_return_as_they_were(answered, tmp_path, suffix):
    path = save_files(tmp_path / f"j{suffix}", write(answered, "judgments", suffix))[0]
    with copy_of(answered, tmp_path / "b.study") as copy:
        found = load(copy, "judgments", path)

        assert copy.judgments() == answered.judgments()
        assert found.judges == len(PEOPLE)
        assert [j.platform for j in copy.judges()] == ["prolific"] * len(PEOPLE)


@pytest.mark.parametrize("suffix", ["", ".zip"])
def test_a_publication_recreates_the_study_and_its_results(answered, tmp_path, suffix):
    out = tmp_path / f"published{suffix}"
    save_files(out, write(answered, "publish", suffix))
    target = tmp_path / "again.study"
    import_files(str(target), format_named("publish", "read"), [out], ImportOptions(), 0.0)

    from lexiscope.store.study_file import StudyFile

    with StudyFile(target) as again:
        assert again.study == answered.study
        assert scored(again) == scored(answered)
        assert len(again.revisions()) == len(answered.revisions()) > 0
        assert {j.finished is None for j in again.judges()} == {True, False}
        assert again.platform_ids() == {}
        before = again.judgments()
        assert load(again, "publish", out).judgments == 0
        assert again.judgments() == before
        assert len(again.revisions()) == len(answered.revisions())


def test_a_publication_has_no_dates_and_no_completion_code(tmp_path):
    with answer(
        small(tmp_path / "a.study", completion_code="SECRETCODE", full_code="SECRETCODE2")
    ) as file:
        content = b"".join(write(file, "publish").values())

    assert b"SECRETCODE" not in content
    assert b"1010." not in content


def test_simulated_judges_never_mix_with_people(answered, tmp_path):
    from lexiscope.human.rehearsal import rehearse

    with copy_of(answered, tmp_path / "s.study") as simulated:
        rehearse(simulated, 2, {})
        path = save_files(tmp_path / "s.jsonl", write(simulated, "judgments", ".jsonl"))[0]
        before = answered.judgments()
        with pytest.raises(BadData, match="never share a study"):
            load(answered, "judgments", path)
        assert answered.judgments() == before


def edited(content, line, old, new):
    lines = content.decode().split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"item":"', '"item":"x', "j.jsonl:3: the study has no item 'x"),
        ('"choice":', '"choice":9', "j.jsonl:3: item .* has no option 9"),
        ('"order":[', '"order":[1,', "j.jsonl:3: the order must list"),
        ('"study":"', '"study":"x', "j.jsonl:3: belongs to another study"),
        ('"seconds":', '"seconds":"y","s":', "j.jsonl:3: expected a number as seconds"),
        ('{"', '{"x', "j.jsonl:3: belongs to another study"),
        ('{"', '["', "j.jsonl:3: is not JSON"),
        ('"platform":"prolific"', '"platform":"x"', "j.jsonl:3: expected a judge and a platform"),
    ],
)
def test_a_wrong_line_changes_nothing(answered, tmp_path, old, new, message):
    path = tmp_path / "j.jsonl"
    content = write(answered, "judgments", ".jsonl")["judgments.jsonl"]
    path.write_bytes(edited(content, 3, old, new))
    with copy_of(answered, tmp_path / "b.study") as copy:
        with pytest.raises(BadData, match=message):
            load(copy, "judgments", path)
        assert copy.judgments() == ()
        assert copy.judges() == ()


def test_an_answer_that_occurs_twice_or_differs_is_refused(answered, tmp_path):
    content = write(answered, "judgments", ".jsonl")["judgments.jsonl"]
    path = tmp_path / "j.jsonl"
    path.write_bytes(content + content.split(b"\n")[0] + b"\n")
    with pytest.raises(BadData, match=r"j.jsonl:\d+: the judge has answered item .* already"):
        load(answered, "judgments", path)
    line = content.split(b"\n")[2]
    other = b'"choice":2' if b'"choice":1' in line else b'"choice":1'
    path.write_bytes(__import__("re").sub(rb'"choice":\d', other, line))
    with pytest.raises(BadData, match="another answer"):
        load(answered, "judgments", path)


def test_names_of_people_become_random_ids(answered, tmp_path):
    text = write(answered, "judgments", ".csv")["judgments.csv"].decode()
    for number, judge in enumerate(answered.judges()):
        text = text.replace(judge.id, f"Anna{number}")
    path = tmp_path / "j.csv"
    path.write_text(text, "utf-8")
    with copy_of(answered, tmp_path / "b.study") as copy:
        load(copy, "judgments", path)

        assert not any("Anna" in judge.id for judge in copy.judges())
        assert {person for person, _ in copy.platform_ids().values()} == {"Anna0", "Anna1", "Anna2"}
        assert load(copy, "judgments", path).judgments == 0
        copy.forget_platform_ids()
        assert load(copy, "judgments", path).judgments == 0


def test_files_are_never_written_over_a_folder(answered, tmp_path):
    files = write(answered, "publish")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x")
    with pytest.raises(BadData, match="not an empty folder"):
        save_files(tmp_path / "full", files)
    with pytest.raises(BadUsage, match="Give a folder"):
        save_files(tmp_path / "one.csv", files)


def test_an_archive_that_is_no_publication_or_too_large_is_refused(answered, tmp_path, monkeypatch):
    from lexiscope.human.exchange import publish

    bad = tmp_path / "bad.zip"
    bad.write_bytes(b"PK\x03\x04nonsense")
    with pytest.raises(BadData, match="is no publication"):
        load(answered, "publish", bad)
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("../../evil", "x")
    with pytest.raises(BadData, match="is no publication"):
        load(answered, "publish", other)
    good = tmp_path / "good.zip"
    save_files(good, write(answered, "publish", ".zip"))
    monkeypatch.setattr(publish, "MAX_BYTES", 100)
    with pytest.raises(BadData, match="more than 100 bytes"):
        load(answered, "publish", good)


def test_a_failed_import_of_a_publication_leaves_no_study(answered, tmp_path):
    out = tmp_path / "p"
    save_files(out, write(answered, "publish"))
    path = out / "judgments.jsonl"
    path.write_bytes(edited(path.read_bytes(), 1, '"item":"', '"item":"x'))
    target = tmp_path / "new.study"
    with pytest.raises(BadData, match="has no item"):
        import_files(str(target), format_named("publish", "read"), [out], ImportOptions(), 0.0)

    assert not list(tmp_path.glob("new.study*"))


@pytest.mark.parametrize(("judges", "hits"), [(9, 1), (10, 2), (100, 12)])
def test_a_study_on_a_server_gets_hits_of_at_most_nine_assignments(tmp_path, judges, hits):
    settings = {"items_per_judge": 10, "judges_per_item": judges}
    with small(tmp_path / "a.study", **settings) as file:
        files = write(file, "mturk", url="https://example.org")

    notes = files["mturk.txt"].decode()
    assert f"Assignments in all: {judges}," in notes
    assert f"HITs: {hits} of at most 9 assignments each" in notes


@pytest.mark.parametrize(("judges", "several"), [(7, False), (9, False), (10, True)])
def test_a_batch_of_hits_says_how_many_assignments_each_needs(tmp_path, judges, several):
    with small(tmp_path / "a.study", judges_per_item=judges) as file:
        notes = write(file, "mturk")["mturk.txt"].decode()

    assert f"Assignments per HIT: {judges}," in notes
    assert ("qualification" in notes) == several
