import numpy as np
import pytest

from lexiscope.core.errors import BadData, BadUsage
from lexiscope.core.study import StudySettings
from lexiscope.data.inputs import Inputs
from lexiscope.human.new_study import new_study
from lexiscope.human.query_words import Words, word_counts
from tests.builders import counted, seeded, synthetic_words

WORDS = synthetic_words(300)
CHOICE = Words(["w1", "w2", "absent"])


def two():
    return [seeded("A", WORDS, 0), seeded("B", WORDS, 1)]


def test_a_study_records_what_it_was_made_of():
    study = new_study(two(), words=CHOICE, settings=StudySettings(seed=3), ranks=(1, 5))

    assert len(study.scored) == 4
    assert len(study.controls) == 12
    assert set(study.embeddings) == {"A", "B"}
    assert study.embeddings["A"] == two()[0].fingerprint
    assert study.manifest["left_out"] == ["absent: not in all embeddings"]
    assert study.manifest["ranks"] == [1, 5]


def test_the_same_seed_gives_the_same_study():
    one, again = (new_study(two(), words=CHOICE, ranks=(1, 5)) for _ in range(2))

    assert one == again
    assert new_study(two(), words=CHOICE, settings=StudySettings(seed=1), ranks=(1, 5)) != one


def test_neighbours_are_words_that_all_embeddings_have():
    wide = seeded("A", [*WORDS, *(f"only{k}" for k in range(200))], 0)
    study = new_study([wide, seeded("B", WORDS, 1)], words=CHOICE)

    assert all(word in WORDS for item in study.scored for word in item.options)


def test_case_is_folded_as_in_a_run():
    study = new_study(two(), words=Words(["W1"]), ranks=(1, 2))

    assert {item.query for item in study.scored} == {"w1"}


def test_intruders_need_frequencies():
    with pytest.raises(BadData, match=r"Intruders need word frequencies.*--frequencies"):
        new_study(two(), "intrusion", CHOICE)


def test_frequencies_come_from_a_table_or_from_the_first_counts(tmp_path):
    (tmp_path / "counts.tsv").write_text("word\tcount\nW1\t5\nw1\t2\n")
    numbers = np.arange(300, 0, -1)
    without, fake = seeded("A", WORDS), counted("B", WORDS, seeded("B", WORDS).vectors, numbers)
    real = counted("C", WORDS, fake.vectors, numbers**2)

    assert word_counts([without], Inputs(frequencies=tmp_path / "counts.tsv")) == {"w1": 7}
    assert word_counts([without], Inputs()) is None
    assert word_counts([fake], Inputs()) is None  # descending numbers are ranks, no counts
    found = word_counts([without, fake, real], Inputs())
    assert found is not None
    assert found["w0"] == 300**2


def test_thresholds_of_the_paper_are_scaled_to_the_corpus():
    numbers = np.sort(np.random.default_rng(0).integers(1, 1000, 300))[::-1]
    some = [counted(n, WORDS, seeded(n, WORDS, k).vectors, numbers) for k, n in enumerate("AB")]
    study = new_study(some, "intrusion", CHOICE)

    assert study.manifest["width"] == 1.0  # 500 of a billion tokens
    assert 2 <= study.manifest["rare_below"] <= 1000
    assert new_study(some, "intrusion", CHOICE, width=50).manifest["width"] == 50


def test_a_comparison_needs_two_embeddings():
    with pytest.raises(BadUsage, match="2 or more embeddings, found 1"):
        new_study(two()[:1], words=CHOICE)


def test_unknown_words_only_give_one_sentence():
    with pytest.raises(BadData, match="No item can be made: absent: not in all embeddings"):
        new_study(two(), words=Words(["absent"]))


def test_control_items_of_another_language_must_be_given():
    german = StudySettings(language="de")

    with pytest.raises(BadUsage, match="no control items in 'de'"):
        new_study(two(), words=CHOICE, settings=german)
    assert not new_study(
        two(), words=CHOICE, settings=StudySettings(language="de", controls_per_judge=0)
    ).controls
