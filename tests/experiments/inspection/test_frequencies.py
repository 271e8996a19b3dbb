import numpy as np
import pytest

import lexiscope
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.experiments.inspection.frequencies import UNKNOWN, frequencies_of, read_table


def pets(counts=None):
    words = Vocabulary(("cat", "dog", "cow", "emu"))
    return Embedding("pets", words, np.eye(4, dtype=np.float32), counts)


def test_counts_of_a_table_come_before_those_of_the_embedding():
    found = frequencies_of(pets(np.array([9, 8, 3, 1])), {"dog": 7, "cow": 20}, "table.csv")

    assert found.values.tolist() == [UNKNOWN, 7, 20, UNKNOWN]
    assert found.by_frequency.tolist() == [2, 1]
    assert found.ranks.tolist() == [UNKNOWN, 2, 1, UNKNOWN]
    assert found.source().to_dict() == {
        "unit": "count", "name": "table.csv", "known": 2, "words": 4
    }  # fmt: skip


def test_equal_counts_are_ranked_by_position():
    found = frequencies_of(pets(np.array([3, 9, 3, 9])), None, "")

    assert found.ranks.tolist() == [3, 1, 4, 2]
    assert found.source().name == "counts of the embedding"
    assert found.is_frequent(9).tolist() == [False, True, False, True]


@pytest.mark.parametrize("counts", [None, np.array([4, 3, 2, 1]), np.zeros(4, np.int64)])
def test_frequencies_are_never_invented(counts):
    found = frequencies_of(pets(counts), None, "")

    assert found.unit == "rank"
    assert found.source().name == "order of the words in the file"
    assert found.ranks.tolist() == [1, 2, 3, 4]
    assert found.is_frequent(2).tolist() == [True, True, False, False]


def test_a_table_without_a_known_word_is_refused():
    with pytest.raises(BadData, match=r"chats.csv: has no word of pets. Is it another language"):
        frequencies_of(pets(), {"chat": 3}, "chats.csv")


@pytest.mark.parametrize("count", ["-3", "2.5"])
def test_a_count_is_a_whole_number(tmp_path, count):
    (tmp_path / "counts.csv").write_text(f"word,count\ncat,4\ndog,{count}\n")

    with pytest.raises(BadData, match=r"the count of 'dog' is .*, not a whole number"):
        read_table(tmp_path / "counts.csv")


def test_a_table_is_read(tmp_path):
    (tmp_path / "counts.csv").write_text("word,count\ncat,4\ndog,0\n")

    assert read_table(tmp_path / "counts.csv") == {"cat": 4, "dog": 0}
    assert lexiscope.inspect({"pets": pets()}, frequencies=tmp_path / "counts.csv").embeddings[
        0
    ].source.to_dict() == {"unit": "count", "name": "counts.csv", "known": 2, "words": 4}
