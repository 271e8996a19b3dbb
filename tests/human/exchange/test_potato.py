"""Annotations in the layout that Potato 2.12 writes."""

import json
from dataclasses import replace

import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT
from lexiscope.human.answers import fingerprint
from lexiscope.human.assignment import option_order
from lexiscope.human.export_files import ExportOptions, ImportOptions, format_named
from lexiscope.human.imports import import_files
from lexiscope.store.study_file import StudyFile
from tests.human.exchange.studies import small


@pytest.fixture
def file(tmp_path):
    with small(tmp_path / "a.study") as opened:
        yield opened


def load(file, path):
    return import_files(file.path, format_named("potato", "read"), [path], ImportOptions(), 2e9)


def instance(file, item):
    return f"{fingerprint(file.study)}.{item}"


def write_state(file, folder, user, labels):
    """The state of an annotator, with the fields of Potato 2.12.1 that matter and some others."""
    own = folder / user
    own.mkdir(parents=True)
    state = {
        "user_id": user,
        "instance_id_ordering": [instance(file, item) for item in labels],
        "current_phase_and_page": ["annotation", None],
        "max_assignments": 43,
        "instance_id_to_behavioral_data": {},
        "instance_id_to_label_to_value": {
            instance(file, item): [[{"schema": "choice", "name": label}, label]]
            for item, label in labels.items()
        },
        "phase_to_page_to_label_to_value": {
            "consent": {"consent": [[{"schema": "consent", "name": "I agree"}, "I agree"]]}
        },
        "instance_id_to_presentation_order": {
            instance(file, item): {"choice": ["1", "2", "3", "I don't know"]} for item in labels
        },
    }
    (own / "user_state.json").write_text(json.dumps(state), "utf-8")
    return folder


def test_the_folder_of_annotators_is_read(file, tmp_path):
    write_state(file, tmp_path / "out", "anna", {"item0": "2", "item1": "I don't know"})

    assert load(file, tmp_path / "out").judgments == 2

    order = option_order(file.study, "potato", file.items["item0"])
    found = {each.item: each.choice for each in file.judgments()}
    assert found == {"item0": order[1], "item1": OPT_OUT}


def test_the_export_as_json_lines_is_read(file, tmp_path):
    row = {"instance_id": instance(file, "item0"), "user_id": "anna",
           "labels": {"choice": {"2": "2"}}, "spans": {}, "links": {}}  # fmt: skip
    (tmp_path / "annotations.jsonl").write_text(json.dumps(row) + "\n", "utf-8")

    assert load(file, tmp_path / "annotations.jsonl").judgments == 1


@pytest.mark.parametrize("label", ["4", "9", "0", "²", "yes"])
def test_a_label_that_the_item_does_not_have_is_left_out_and_reported(file, tmp_path, label):
    write_state(file, tmp_path / "out", "anna", {"item0": label, "item1": "1"})

    found = load(file, tmp_path / "out")

    assert [each.item for each in file.judgments()] == ["item1"]
    assert found.judgments == 1
    (reason,) = found.skipped
    assert f"item 'item0' has no option '{label}'" in reason


def test_a_query_that_a_judge_had_twice_is_noted(tmp_path):
    with small(tmp_path / "a.study") as file:
        pass
    study = file.study
    twin = replace(study.items[0], id="twin", rank=5)
    items = (*study.items, twin)
    with StudyFile.create(tmp_path / "b.study", replace(study, items=items)) as opened:
        out = write_state(opened, tmp_path / "out", "anna", {"item0": "1", "twin": "2"})
        write_state(opened, out, "berta", {"item0": "1", "item1": "2"})

        (note,) = load(opened, out).notes

    assert note == "1 of 2 judges had a query word several times."


def test_annotations_of_other_schemes_only_are_an_error(file, tmp_path):
    row = {"instance_id": instance(file, "item0"), "user_id": "anna", "labels": {"other": {"1": 1}}}
    (tmp_path / "annotations.jsonl").write_text(json.dumps(row), "utf-8")

    with pytest.raises(BadData, match="no annotations of the scheme 'choice'"):
        load(file, tmp_path / "annotations.jsonl")


def test_an_item_says_which_labels_it_has_and_nothing_limits_control_items(file):
    files = dict(format_named("potato", "write").write(file, ExportOptions("")))

    rows = [json.loads(line) for line in files["data/items.jsonl"].splitlines()]
    assert all("Answer 1 to 3, or I don" in row["text"] for row in rows)
    assert b"annotations_per_item" not in files["config.yaml"]
