"""Judgments of experts: made-up files in the published layout, and the published ones."""

import os
from pathlib import Path

import pytest

from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT
from lexiscope.human.exchange import van_boven
from lexiscope.human.exchange.van_boven_files import MODELS, OUTLIER_MODELS
from lexiscope.human.export_files import ImportOptions
from lexiscope.human.imports import import_files
from lexiscope.human.scoring.results import score_study
from lexiscope.store.study_file import StudyFile
from tests.human.exchange import quine

NAMES = list(MODELS)
PUBLISHED = Path(
    os.environ.get("LEXISCOPE_DATA_DIR", Path(__file__).parents[4] / "shared" / "datasets"),
    "human-judgments",
)
published = pytest.mark.skipif(
    not van_boven.is_replication(PUBLISHED), reason="needs the published files"
)


@pytest.fixture
def folder(tmp_path):
    return quine.write(tmp_path / "quine")


def scores(folder, kind, opt_out="exclude"):
    found = van_boven.replayed(folder, kind)
    results = score_study(found.study, found.judgments, opt_out=opt_out)
    return {each.embedding: each.score.value for each in results.scores}


def test_the_comparison_has_the_words_of_the_models_and_merges_equal_ones(folder):
    study = van_boven.replayed(folder, "comparison").study
    green, datum = study.items[1], study.items[2]

    assert (green.query, green.rank, green.attributes) == ("green", 10, {"frequency": "low"})
    assert set(green.options) == {f"green-{k}-at-10" for k in range(1, 7)}
    assert datum.query == "sense_datum"
    assert datum.sources[datum.options.index("sense_datum-1-at-2")] == tuple(NAMES[:2])
    assert len(datum.options) == 5


def test_win_ratios_are_those_counted_by_hand(folder):
    # Without opt-outs, per question: A 1/3 of red and 2/3 of sense datum; and so on.
    assert scores(folder, "comparison") == pytest.approx(
        dict(zip(NAMES, [1 / 4, 1 / 6, 1 / 4, 1 / 12, 1 / 4, 1 / 6], strict=True))
    )
    assert scores(folder, "comparison", "include") == pytest.approx(
        dict(zip(NAMES, [1 / 4, 1 / 6, 1 / 6, 1 / 12, 1 / 6, 1 / 6], strict=True))
    )


def test_precisions_are_those_counted_by_hand(folder):
    # Outliers found / answers that are not 5: W2V 1, -, 1/2, 1/2; N2V 1, 1/2, 1, 1; SVD 1/2, 1, 0,
    # 1/2. Of all answers: W2V 4 of 8, N2V 6 of 8, SVD 4 of 8.
    assert scores(folder, "intrusion") == pytest.approx(
        dict(zip(OUTLIER_MODELS, [2 / 3, 3.5 / 4, 2 / 4], strict=True))
    )
    assert scores(folder, "intrusion", "include") == pytest.approx(
        dict(zip(OUTLIER_MODELS, [0.5, 0.75, 0.5], strict=True))
    )


def test_times_are_those_of_question_and_participant(folder):
    found = van_boven.replayed(folder, "comparison")
    seconds = {(each.judge, each.item): each.seconds for each in found.judgments}

    assert seconds["participant 2", "comparison03"] == 21.5
    assert seconds["participant 3", "comparison03"] is None
    assert found.notes == ()


def test_positions_are_not_tested_because_the_order_is_not_recorded(folder):
    found = van_boven.replayed(folder, "comparison")
    results = score_study(found.study, found.judgments)

    assert results.positions == ()
    assert {each.same_position for each in results.quality} == {None}


@pytest.mark.parametrize("kind", ["comparison", "intrusion"])
def test_an_import_creates_the_study_and_can_be_repeated(folder, tmp_path, kind):
    target, options = str(tmp_path / f"{kind}.study"), ImportOptions(kind=kind)
    first, again = (import_files(target, van_boven, [folder], options, 0.0) for _ in range(2))

    with StudyFile(target) as file:
        assert file.study.kind == kind
        assert len(file.judgments()) == first.judgments == (12 if kind == "comparison" else 24)
        assert again.judgments == 0
        assert len(file.judges()) == (3 if kind == "comparison" else 2)
        assert not any("participant" in judge.id for judge in file.judges())


def test_disagreements_between_files_are_noted(folder):
    path = folder / "Test_results" / "syn_det_results-word-freqs.csv"
    path.write_text(path.read_text().replace("1;6;6", "1;6;5"))
    path = folder / "Test_results" / "Results_SynDet_part2_participant1.csv"
    path.write_text(path.read_text().replace("1;1;0;0;0;0;0;0;2", "1;1;0;0;0;0;0;0;2", 1)
                    .replace("3;1;1", "3;1;0"))  # fmt: skip
    path = folder / "Test_results" / "Results_OutDet_participant1.csv"
    path.write_text(path.read_text().replace("2;-1;1;1", "2;-1;0;1"))

    notes = van_boven.replayed(folder, "comparison").notes
    assert any("Question 1: answers 6 and 5" in note for note in notes)
    assert any("N2V standard offered the chosen word" in note for note in notes)
    notes = van_boven.replayed(folder, "intrusion").notes
    assert any("green: 1 outcome differs" in note for note in notes)


@pytest.mark.parametrize(
    ("name", "old", "new", "kind", "message"),
    [
        ("Results_SynDet_part1_participant1.csv", "1;0;0;0;0;0;1;0;2", "1;0;0;0;0;0;0;0;2",
         "comparison", "participant1.csv:2: expected a model or 'None is related'"),
        ("Results_SynDet_part1_participant1.csv", "1;0;0;0;0;0;1;0;2", "1;0;0;0;0;0;x;0;2",
         "comparison", "participant1.csv:2: expected a number, seven columns"),
        ("Results_SynDet_part1_participant2.csv", "1;0;0;0;0;0;1;0;2", "1;0;0;0;0;0;1;0;10",
         "comparison", "question 1 has the ranks"),
        ("syn_det_results-word-freqs.csv", "high;red", "high;pink", "comparison", "not laid out"),
        ("outlier_participant_res.csv", ";red;", ";pink;", "intrusion", "questions for 3 models"),
        ("outlier_participant_res.csv", ";4;4;red", ";7;4;red", "intrusion", "not laid out"),
    ],
)  # fmt: skip
def test_a_wrong_file_gives_one_sentence(folder, name, old, new, kind, message):
    path = folder / "Test_results" / name
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())

    with pytest.raises(BadData, match=message):
        van_boven.replayed(folder, kind)


def test_a_folder_without_the_files_is_refused(tmp_path):
    assert not van_boven.is_replication(tmp_path)
    with pytest.raises(BadData):
        van_boven.replayed(tmp_path, "comparison")


@published
def test_the_published_choices_are_those_of_the_columns():
    # Counted straight from the columns, whose sums the publication is based on.
    sums = dict.fromkeys(NAMES, 0)
    nobody = 0
    for path in sorted((PUBLISHED / "Test_results").glob("Results_SynDet_part*.csv")):
        lines = path.read_bytes().decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
        for line in filter(str.strip, lines.split("\n")[1:]):
            cells = line.split(";")
            nobody += int(cells[7])
            for name, mark in zip(NAMES, cells[1:7], strict=True):
                sums[name] += int(mark)
    found = van_boven.replayed(PUBLISHED, "comparison")
    results = score_study(found.study, found.judgments, opt_out="include")
    ours = {each.embedding: round(each.pooled.value * each.ratings) for each in results.scores}

    sums["SVD Quine + wiki"] += 1  # it offered a chosen word, too, but was not marked
    assert ours == sums
    assert sum(each.choice == OPT_OUT for each in found.judgments) == nobody == 51
    assert (len(found.study.items), len(found.judgments)) == (62, 186)


@published
def test_the_published_outliers_are_those_of_the_outcomes():
    found = van_boven.replayed(PUBLISHED, "intrusion")
    results = score_study(found.study, found.judgments, opt_out="include")
    ours = {each.embedding: round(each.pooled.value * each.ratings) for each in results.scores}
    sums = dict.fromkeys(OUTLIER_MODELS, 0)
    for path in sorted((PUBLISHED / "Test_results").glob("Results_OutDet_*.csv")):
        for line in filter(str.strip, path.read_text("latin-1").splitlines()[1:]):
            for name, mark in zip(OUTLIER_MODELS, line.split(";")[1:4], strict=True):
                sums[name] += mark == "1"

    assert sum(abs(ours[name] - sums[name]) for name in sums) <= 2  # two outcomes differ
    assert (len(found.study.items), len(found.judgments)) == (60, 120)
