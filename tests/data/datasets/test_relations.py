"""Pairs of words in named relations."""

import pytest

from lexiscope.core.datasets import Relations
from lexiscope.core.errors import BadData
from lexiscope.data.datasets import read

SPELLINGS = {
    "a header": "source,target,relation\ncat,cats,plural\nking,queen,female\n",
    "names of pairs": "word1\tword2\trelation\ncat\tcats\tplural\nking\tqueen\tfemale\n",
    "letters": "A;B;Relation\ncat;cats;plural\nking;queen;female\n",
    "another order": "relation,tail,head\nplural,cats,cat\nfemale,queen,king\n",
    "other columns": "id,w1,w2,section\n1,cat,cats,plural\n2,king,queen,female\n",
    "line ends of Windows": "source,target,relation\r\ncat,cats,plural\r\nking,queen,female\r\n",
    "comments and blanks": "# x\nsource,target,rel\n\ncat,cats,plural\n#\nking,queen,female",
}


@pytest.fixture
def relations(tmp_path):
    """Reads relations from text or bytes."""

    def read_relations(content):
        path = tmp_path / "pairs.tsv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read("relations", path, "given")

    return read_relations


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS)
def test_the_same_pairs_in_many_spellings(text, relations):
    found = relations(text)

    assert found.source.tolist() == ["cat", "king"]
    assert found.target.tolist() == ["cats", "queen"]
    assert found.relation.tolist() == ["plural", "female"]


@pytest.mark.parametrize("separator", ["\t", ",", ";", " "])
def test_without_a_header_the_third_column_is_the_relation(separator, relations):
    rows = ["cat cats plural", "dog dogs plural", "king queen female", "man woman female"]

    found = relations("\n".join(rows).replace(" ", separator))

    assert found.source.tolist() == ["cat", "dog", "king", "man"]
    assert found.relation.tolist() == ["plural", "plural", "female", "female"]


def test_source_and_target_alone_are_one_relation_without_a_name(relations):
    found = relations("source,target\ncat,cats\ndog,dogs\n")

    assert found.relation.tolist() == ["", ""]
    assert found.slices == {}
    assert found.strata is None


def test_pairs_that_share_a_word_have_a_common_unit():
    found = Relations.example()

    assert found.units is None
    assert set(found.slices) == {"plural", "female"}
    assert found.strata.tolist() == [1, 1, 1, 0, 0, 0]
    assert found.take(found.slices["female"]).gold.tolist() == ["queen", "woman", "aunt"]
    assert found.map_words(str.upper).labels[0] == "CAT : CATS"
    assert found.map_words(str.upper).relation[0] == "plural"


def test_formulas_and_control_characters_are_words_like_others(relations):
    found = relations("source,target,relation\n=1+1,@x,-r\n\x1b[2J,\u202eb,-r\n")

    assert found.source.tolist() == ["=1+1", "\x1b[2J"]
    assert found.target.tolist() == ["@x", "\u202eb"]


BROKEN = {
    "two fields": ("cat cats\ndog dogs\n", ":1: expected two words and a relation, found 2"),
    "one field": ("cat\ndog\n", ":1: expected two words and a relation, found 1 field."),
    "a later line too long": ("a\tb\tr\nc\td\tr\te\n", ":2: expected two words and a relation"),
    "an empty source": ("source,target\n,b\n", ":2: the source is missing"),
    "an empty target": ("source,target\na,\n", ":2: the target is missing"),
    "an empty relation": ("source,target,relation\na,b,\n", ":2: the relation is missing"),
    "a short row": ("source,target,relation\na,b\n", ":2: the relation is missing"),
    "ratings": ("cat,dog,9\nsun,moon,7\n", ": the column of the relation contains numbers"),
    "numbers for words": ("1,dog,r\n2,moon,r\n", ": the column of the source contains numbers"),
    "a relation for each pair": ("a,b,c\nd,e,f\n", ": the third column has 2 values in 2 rows"),
    "a header with other names": ("x,y,kind\na,b,r\nc,d,r\ne,f,r\n", ":1: 'kind' occurs once"),
    "a control character": ("x,y,\x1b[2J\na,b,r\nc,d,r\ne,f,r\n", ":1: '\ufffd[2J' occurs once"),
    "analogies": ("a,b,c,d\nking,queen,man,woman\n", ":1: expected two words and a relation"),
    "a rating of source and target": ("source,target,score\na,b,1\nc,d,1\n", ": the column"),
    "two columns of one name": ("source,target,relation,relation\na,b,c,c\n", ":1: two columns"),
    "a header only": ("source,target,relation\n", ": contains no pairs"),
    "comments only": ("# a\n", ": contains no pairs"),
    "nothing": ("", ": is empty"),
    "bytes of no text": (b"a,b,r\nc,\xff,r\n", ":2: is not UTF-8"),
}


@pytest.mark.parametrize(("content", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_line_and_reason(content, reason, relations):
    with pytest.raises(BadData) as problem:
        relations(content)

    assert f"pairs.tsv{reason}" in str(problem.value)
