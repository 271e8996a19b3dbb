"""What judges choose on another platform comes back as the same words."""

import csv
import io
import json
import re
from html import unescape

import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT
from lexiscope.human.export_files import ExportOptions, ImportOptions, format_named
from lexiscope.human.imports import import_files
from tests.human.exchange.studies import copy_of, small

WORKERS = ("A1WORKER", "A2WORKER", "A3WORKER")
COLUMNS = ("WorkerId", "AssignmentId", "AssignmentStatus", "WorkTimeInSeconds")


@pytest.fixture
def file(tmp_path):
    with small(tmp_path / "a.study") as opened:
        yield opened


def exported(file, name):
    return dict(format_named(name, "write").write(file, ExportOptions("")))


def load(file, name, path, **more):
    return import_files(file.path, format_named(name, "read"), [path], ImportOptions(**more), 2e9)


def chosen_words(file):
    """The word that each person chose for each item; None for an opt-out."""
    person = {judge: ids[0] for judge, ids in file.platform_ids().items()}
    return {
        (person[each.judge], each.item): None
        if each.choice == OPT_OUT
        else file.items[each.item].options[each.choice]
        for each in file.judgments()
    }


def preferred(words, worker, number):
    """What a judge chooses: a word that depends on judge and item, or an opt-out."""
    return None if number == 2 else sorted(words)[(number + WORKERS.index(worker)) % len(words)]


def mturk_forms(file):
    """Each HIT with its questions: the words on the page by the value of the form."""
    table = csv.DictReader(io.StringIO(exported(file, "mturk")["hits.csv"].decode("utf-8-sig")))
    for row in table:
        blocks = row["questions"].split("<fieldset>")[1:]
        words = [
            {int(value): unescape(word) for value, word in
             re.findall(r"value=(\d+) required> <bdi>(.*?)</bdi>", block)}
            for block in blocks
        ]  # fmt: skip
        orders = [re.search(r'type=hidden name=o\d+ value="([\d ]+)"', b)[1] for b in blocks]
        yield row, words, orders


def plain_answers(values, orders):
    given = {f"Answer.a{n}": str(value) for n, value in enumerate(values, 1)}
    return given | {f"Answer.o{n}": order for n, order in enumerate(orders, 1)}


def boolean_answers(values, orders):
    given = {f"Answer.a{n}.{value}": "true" for n, value in enumerate(values, 1)}
    return given | {f"Answer.o{n}": order for n, order in enumerate(orders, 1)}


def json_answers(values, orders):
    entry = {f"a{n}": {str(value): True} for n, value in enumerate(values, 1)}
    entry |= {f"o{n}": order for n, order in enumerate(orders, 1)}
    return {"Answer.taskAnswers": json.dumps([entry])}


def mturk_results(file, path, shape):
    """Write the table that MTurk returns, and what each worker chose."""
    rows, expected = [], {}
    for row, questions, orders in mturk_forms(file):
        keys = [key.removeprefix("i") for key in row["items"].split()]
        for worker in WORKERS:
            words = [preferred(q.values(), worker, n) for n, q in enumerate(questions)]
            values = [
                0 if word is None else next(v for v, w in question.items() if w == word)
                for word, question in zip(words, questions, strict=True)
            ]
            status = "Rejected" if worker == WORKERS[2] else "Approved"
            about = worker, f"{row['hit']}-{worker}", status, "60"
            rows.append(
                dict(zip(COLUMNS, about, strict=True))
                | {f"Input.{name}": value for name, value in row.items()}
                | shape(values, orders)
            )
            for key, word in zip(keys, words, strict=True):
                expected.setdefault((worker, key), word)
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, names)
        writer.writeheader()
        writer.writerows(rows)
    return expected


@pytest.mark.parametrize("shape", [plain_answers, boolean_answers, json_answers])
def test_answers_on_mechanical_turk_come_back_as_the_same_words(file, tmp_path, shape):
    expected = mturk_results(file, tmp_path / "results.csv", shape)
    with copy_of(file, tmp_path / "b.study") as copy:
        load(copy, "mturk", tmp_path / "results.csv")

        found = chosen_words(copy)

        assert found == expected
        assert {each.seconds is None for each in copy.judgments()} == {False}
        assert load(copy, "mturk", tmp_path / "results.csv").judgments == 0


def test_rejected_work_is_left_out_if_wanted(file, tmp_path):
    expected = mturk_results(file, tmp_path / "results.csv", plain_answers)
    with copy_of(file, tmp_path / "b.study") as copy:
        load(copy, "mturk", tmp_path / "results.csv", skip_rejected=True)

        assert len(copy.judgments()) == sum(worker != WORKERS[2] for worker, _ in expected)


def test_an_answer_on_mechanical_turk_that_no_option_has_is_refused(file, tmp_path):
    mturk_results(file, tmp_path / "results.csv", plain_answers)
    text = (tmp_path / "results.csv").read_text("utf-8")
    broken = re.sub(r"(Approved,60,.*?</fieldset>\"?,)\d", r"\g<1>99", text, count=1, flags=re.S)
    (tmp_path / "broken.csv").write_text(broken, "utf-8")
    assert broken != text

    with copy_of(file, tmp_path / "b.study") as copy:
        with pytest.raises(BadData, match=r"99|option"):
            load(copy, "mturk", tmp_path / "broken.csv")
        assert copy.judgments() == ()


def test_answers_in_potato_come_back_as_the_same_words(file, tmp_path):
    lines = exported(file, "potato")["data/items.jsonl"].decode().splitlines()
    expected, instances = {}, [json.loads(line) for line in lines]
    for worker in WORKERS:
        labels = {}
        for number, each in enumerate(instances):
            words = [unescape(word) for word in re.findall(r"<li>(.*?)</li>", each["text"])]
            word = preferred(words, worker, number)
            label = "I don't know" if word is None else str(words.index(word) + 1)
            labels[each["id"]] = [[{"schema": "choice", "name": label}, "true"]]
            expected[worker, each["id"].partition(".")[2]] = word
        folder = tmp_path / "annotation_output" / worker
        folder.mkdir(parents=True)
        state = {"user_id": worker, "instance_id_to_label_to_value": labels}
        (folder / "user_state.json").write_text(json.dumps(state), "utf-8")

    with copy_of(file, tmp_path / "b.study") as copy:
        load(copy, "potato", tmp_path / "annotation_output")
        found = chosen_words(copy)

        assert found == expected


def test_prolific_gets_the_placeholders_of_its_ids(tmp_path):
    with small(tmp_path / "p.study", completion_code="C1", full_code="F2") as file:
        options = ExportOptions("", url="https://study.example.org/")
        content = dict(format_named("prolific", "write").write(file, options))

    text = b"\n".join(content.values()).decode()
    for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"):
        assert f"{name}={{{{%{name}%}}}}" in text
    assert "C1" in text
    assert "study is full or closed:\nF2\n" in text
