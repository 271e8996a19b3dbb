import pytest

from lexiscope.core.errors import BadData
from lexiscope.data import norms
from tests.data.local_files import shared


@pytest.fixture
def read(tmp_path):
    """Reads norms from text."""

    def read_norms(text, column=None):
        path = tmp_path / "norms.tsv"
        path.write_text(text, "utf-8")
        return norms.read(path, column)

    return read_norms


@pytest.mark.parametrize(
    "text",
    [
        "cat\t4.9\nidea\t1.6\n",
        "word\tconcreteness\ncat\t4.9\nidea\t1.6\n",
        "Word,Bigram,Conc.M\ncat,0,4.9\nidea,0,1.6\n",
    ],
)
def test_a_number_for_each_word(read, text):
    assert read(text) == {"cat": 4.9, "idea": 1.6}


def test_a_column_can_be_named(read):
    assert read("word,valence,arousal\ncat,7,4\n", "Arousal") == {"cat": 4}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("word\tconcreteness\n", ": contains no words"),
        ("word\tcolour\ncat\tred\n", ":1: the header must name a column word"),
        ("cat\t4.9\nidea\tlow\n", ":2: expected a number for the norm, found 'low'"),
        ("cat\t4.9\n\t1\n", ":2: the word is missing"),
        ("cat\t4.9\ncat\t4.8\n", ":2: 'cat' has a different number in an earlier line"),
        ("# a\n", ": contains no words"),
        ("cat\n", ":1: the header must name a column"),
    ],
)
def test_a_broken_file_is_refused_with_line_and_reason(read, text, reason):
    with pytest.raises(BadData) as problem:
        read(text)

    assert f"norms.tsv{reason}" in str(problem.value)


def test_a_named_column_must_be_there(read):
    with pytest.raises(BadData, match=":1: the header must name a column word and one of arousal"):
        read("word,valence\ncat,7\n", "arousal")


def test_both_copies_of_the_concreteness_norms_agree():
    first = norms.read(shared() / "norms" / "en-brysbaert-2014.tsv")
    second = norms.read(shared() / "concreteness" / "Concreteness_ratings_Brysbaert_et_al_BRM.txt")

    assert (len(first), len(second)) == (37_058, 39_954)
    assert all(second[word] == number for word, number in first.items() if word in second)
