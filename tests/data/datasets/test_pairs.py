"""Rated pairs in published formats."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read

SPELLINGS = {
    "tabs": "cat\tdog\t9\nsun\tmoon\t7.5\n",
    "commas": "cat,dog,9\nsun,moon,7.5\n",
    "semicolons": "cat;dog;9\nsun;moon;7.5\n",
    "spaces": "cat dog 9\nsun  moon   7.5\n",
    "quotes": '"cat","dog",9\n"sun","moon","7.5"\n',
    "outer spaces": "cat , dog , 9\n sun , moon , 7.5 \n",
    "no last line end": "cat\tdog\t9\nsun\tmoon\t7.5",
    "line ends of Windows": "cat\tdog\t9\r\nsun\tmoon\t7.5\r\n",
    "line ends of old": "cat\tdog\t9\rsun\tmoon\t7.5\r",
    "a byte order mark": "\ufeffcat\tdog\t9\nsun\tmoon\t7.5\n",
    "comments and blank lines": "# about\n\ncat\tdog\t9\n  \n# more\nsun\tmoon\t7.5\n\n",
    "a header": "word1\tword2\trating\ncat\tdog\t9\nsun\tmoon\t7.5\n",
    "a header with spaces": "Word 1,Word 2,Human (mean)\ncat,dog,9\nsun,moon,7.5\n",
    "a header behind a comment": "# about\nword1\tword2\tsimilarity\ncat\tdog\t9\nsun\tmoon\t7.5\n",
    "columns in another order": "score,w2,w1\n9,dog,cat\n7.5,moon,sun\n",
    "more columns": "cat\tdog\t9\tN\t1\nsun\tmoon\t7.5\tN\t2\n",
    "numbers in other forms": "cat\tdog\t9.000\nsun\tmoon\t.75e1\n",
    "decimal commas after semicolons": "cat;dog;9,0\nsun;moon;7,5\n",
    "decimal commas after tabs": "cat\tdog\t9\nsun\tmoon\t7,5\n",
    "names of a spreadsheet": "Term A;Term B;Mean score\ncat;dog;9,0\nsun;moon;7,5\n",
    "term1 and term2": "score,term1,term2\n9,cat,dog\n7.5,sun,moon\n",
    "names joined by underscores": "id,word_1,word_2,Human_Rating\n1,cat,dog,9\n2,sun,moon,7.5\n",
    "a label": "word1,word2,label\ncat,dog,9\nsun,moon,7.5\n",
    "names in camel case": "wordA,wordB,gold\ncat,dog,9\nsun,moon,7.5\n",
    "a scale in brackets": "word1,word2,Similarity (0-10)\ncat,dog,9\nsun,moon,7.5\n",
    "a mean besides other numbers": "word1,word2,sd,human_mean\ncat,dog,1,9\nsun,moon,2,7.5\n",
    "a standardised rating": "word1,word2,z-score\ncat,dog,9\nsun,moon,7.5\n",
    "one letter": "word1,word2,y\ncat,dog,9\nsun,moon,7.5\n",
    "an unknown name of the only numbers": "word1,pos,word2,liking\ncat,N,dog,9\nsun,N,moon,7.5\n",
    "row numbers of pandas": "Unnamed: 0,word1,word2,liking\n0,cat,dog,9\n1,sun,moon,7.5\n",
    "names in German": "Wort1;Wort2;Bewertung\ncat;dog;9,0\nsun;moon;7,5\n",
    "names in French": "note,mot A,mot B\n9,cat,dog\n7.5,sun,moon\n",
    "percentages": "word1,word2,rating\ncat,dog,9%\nsun,moon,7.5 %\n",
    "percentages without a header": "cat\tdog\t9%\nsun\tmoon\t7.5%\n",
    "UTF-16 of a spreadsheet": "cat\tdog\t9\nsun\tmoon\t7.5\n".encode("utf-16"),
}


@pytest.fixture
def pairs(tmp_path):
    """Reads pairs from text or bytes."""

    def read_pairs(content):
        path = tmp_path / "pairs.tsv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read("pairs", path, "given")

    return read_pairs


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_pairs_in_many_spellings(text, pairs):
    found = pairs(text)

    assert found.name == "given"
    assert found.left.tolist() == ["cat", "sun"]
    assert found.right.tolist() == ["dog", "moon"]
    assert found.rating.tolist() == [9, 7.5]


def test_the_columns_of_simlex_are_found_by_name(pairs):
    found = pairs(
        "word1\tword2\tPOS\tSimLex999\tconc(w1)\tconc(w2)\tconcQ\tAssoc(USF)\tSimAssoc333\tSD(SimLex)\n"
        "old\tnew\tA\t1.58\t2.72\t2.81\t2\t7.25\t1\t0.41\n"
        "smart\tintelligent\tA\t9.2\t1.75\t2.46\t1\t7.11\t1\t0.67\n"
    )

    assert found.left.tolist() == ["old", "smart"]
    assert found.rating.tolist() == [1.58, 9.2]


def test_ratings_are_numbers_not_text(pairs):
    found = pairs("a\tb\t10.0\nc\td\t2.0\ne\tf\t-1\n")

    assert found.rating.dtype == float
    assert found.rating.argsort().tolist() == [2, 1, 0]


def test_repeated_and_reversed_pairs_are_all_kept(pairs):
    assert len(pairs("money\tcash\t9.15\nmoney\tcash\t9.08\ncash\tmoney\t9\n")) == 3


def test_one_pair_is_enough(pairs):
    assert pairs("cat\tdog\t9\n").rating.tolist() == [9]


@pytest.mark.parametrize("space", "\xa0\u3000\u2028\u2003\x85")
def test_only_plain_spaces_and_tabs_separate(space, pairs):
    for text in (
        f"a{space}b c 1\nd e 2\n",
        f"a{space}b\tc\t1\nd\te\t2\n",
        f"a{space}b,c,1\nd,e,2\n",
    ):
        assert pairs(text).left.tolist() == [f"a{space}b", "d"]


def test_words_between_tabs_may_contain_commas_and_spaces(pairs):
    found = pairs("New York\tsalt, pepper\t3\ncat\tdog\t9\n")

    assert found.left.tolist() == ["New York", "cat"]
    assert found.right.tolist() == ["salt, pepper", "dog"]


@pytest.mark.parametrize(
    "rating", ["high", "9,5,1", "", "nan", "inf", "-inf", "1_0", "9 5", "0x9", "1e999"]
)
@pytest.mark.parametrize("line", [1, 2, 3])
def test_a_rating_that_is_not_a_number_is_reported_in_any_column(rating, line, pairs):
    rows = ["cat\tdog\t9", "sun\tmoon\t7", "cup\ttea\t6"]
    rows[line - 1] = f"odd\teven\t{rating}"

    with pytest.raises(
        BadData, match=rf"pairs\.tsv:{line}: expected a number for the rating, found"
    ):
        pairs("\n".join(rows))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            "cat\tdog\t9\nsun\tmoon\n",
            r"pairs\.tsv:2: expected two words and a number, found 2 fields",
        ),
        ("cat\tdog\t9\nsun\n", r"pairs\.tsv:2: expected two words and a number, found 1 field\."),
        ("cat\tdog\t9\n\tmoon\t7\n", r"pairs\.tsv:2: a word is empty"),
        ("cat\tdog\t9\nsun\t\t7\n", r"pairs\.tsv:2: a word is empty"),
        ("# a\n\ncat dog 9\nsun moon x\n", r"pairs\.tsv:4: expected a number"),
        ("cat\tdog\t9\r\nsun\tmoon\tx\r\n", r"pairs\.tsv:2: expected a number .* found 'x'"),
        (
            "word1\tword2\tword2\tscore\na\tb\tc\t1\n",
            r"pairs\.tsv:1: two columns have the same name",
        ),
        ("word1\tword2\tscore\n", r"pairs\.tsv: contains no pairs"),
        ("# nothing\n", r"pairs\.tsv: contains no pairs"),
        ("", r"pairs\.tsv: is empty"),
        (" \n\n", r"pairs\.tsv: is empty"),
        (b"cat\tdog\t9\nsun\0\tmoon\t7\n", r"pairs\.tsv:2: a NUL byte"),
        (b"cat\tdog\t9\n\xe9t\xe9\tmoon\t7\n", r"pairs\.tsv:2: is not UTF-8 \(byte 10\)"),
        ("cat\tdog\t9\n".encode("utf-16-le"), r"pairs\.tsv:1: a NUL byte"),
        ("x" * (1 << 20) + "xx\tb\t1\n", r"pairs\.tsv:1: a line of more than"),
        ("a," + "x" * 200_000 + ",1\n", r"pairs\.tsv:1: the line cannot be split into fields"),
        ("a\tb\t\x1b[2J\n", r"found '\ufffd\[2J'"),
    ],
)
def test_the_error_names_the_line_and_the_problem(content, sentence, pairs):
    with pytest.raises(BadData, match=sentence) as caught:
        pairs(content)

    assert caught.value.exit_code == 3


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(BadData, match="none: there is no such file"):
        read("pairs", tmp_path / "none", "given")
    with pytest.raises(BadData, match="is a folder"):
        read("pairs", tmp_path, "given")
    with pytest.raises(BadData, match="cannot be opened"):
        read("pairs", tmp_path / ("x" * 5000), "given")


def test_a_comma_between_commas_is_no_decimal_comma(pairs):
    with pytest.raises(BadData, match=r"pairs\.tsv:2: expected a number for the rating"):
        pairs('word1,word2,rating\ncat,dog,"9,5"\n')


def test_broken_utf_16_is_reported(pairs):
    with pytest.raises(BadData, match="is not UTF-16"):
        pairs("cat\tdog\t9\n".encode("utf-16") + b"\x00")


def test_a_header_can_have_numbers_for_columns_of_single_raters(tmp_path):
    path = tmp_path / "raters.csv"
    path.write_text("Word1,Word2,1,2,Average Score\nalt,neu,0,1,0.5\nklug,dumm,1,2,1.5\n", "utf-8")

    found = read("pairs", path, "raters")

    assert list(zip(found.left, found.right, found.rating, strict=True)) == [
        ("alt", "neu", 0.5),
        ("klug", "dumm", 1.5),
    ]


def test_a_standard_deviation_is_not_taken_for_the_rating(pairs):
    assert pairs("word1,word2,score (sd),score\ncat,dog,1,9\n").rating.tolist() == [9]
    with pytest.raises(BadData, match="Call the column of the ratings 'rating'"):
        pairs("word1,word2,score (sd),score (n)\ncat,dog,1,9\n")


def test_several_unknown_columns_of_numbers_need_a_name(pairs):
    with pytest.raises(BadData, match=r":1: .*'liking'\. Call the column of the ratings 'rating'"):
        pairs("word1,word2,liking,age\ncat,dog,9,30\nsun,moon,7,40\n")


def test_the_only_other_column_is_no_rating_if_it_is_not_all_numbers(pairs):
    with pytest.raises(BadData, match=r":1: expected a number for the rating, found 'liking'"):
        pairs("word1,word2,liking\ncat,dog,9\nsun,moon,high\n")


def test_a_mixture_of_percentages_and_numbers_is_refused(pairs):
    with pytest.raises(BadData, match=r"pairs\.tsv:2: the rating is a percentage, but not all"):
        pairs("cat\tdog\t0.9\nsun\tmoon\t75%\n")


def test_numbers_of_relations_are_no_ratings(pairs):
    with pytest.raises(BadData, match="expected a number"):
        pairs("word1,word2,relation\ncat,cats,1\nking,queen,2\n")


def test_a_rating_is_not_taken_for_a_word(pairs):
    with pytest.raises(BadData, match="expected two words and a number, found 2 fields"):
        pairs("word1,rating\ncat,9\n")
