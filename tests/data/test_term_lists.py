"""Lists of terms: plain lists, tables and indexes of books."""

import pytest

from lexiscope.core.errors import BadData
from lexiscope.data.term_lists import read_index, read_terms


def _path(folder, text):
    path = folder / "terms.txt"
    path.write_text(text, "utf-8")
    return path


def test_a_plain_list_has_a_term_on_each_line(tmp_path):
    path = _path(tmp_path, "# my terms\nanalytical hypotheses\n\n  mind \nmind\nPlato, Republic\n")

    assert read_terms(path) == ("analytical hypotheses", "mind", "Plato, Republic")


@pytest.mark.parametrize(
    "text",
    [
        'count,term\n3,"sense data"\n5,mind\n',
        "term;note\nsense data;a, b\nmind;\n",
        "x\tTerm\n1\tsense data\n2\tmind\n",
        "term\nsense data\nmind\n",
    ],
)
def test_a_header_names_the_column_of_terms(tmp_path, text):
    assert read_terms(_path(tmp_path, text)) == ("sense data", "mind")


INDEX = """\
analytical hypotheses, 68-72, 94
    rivalry of, 73
behaviourism 5, 12f.
civil law, ix, 4
Descartes (René), 17 n.
101, 103-4
"given," the, 40
meaning. See synonymy
stimulus, see also response, 31
words . . . 12
xii, 5
"""


def test_an_entry_of_an_index_ends_before_its_pages(tmp_path):
    expected = (
        "analytical hypotheses", "behaviourism", "civil law", "Descartes", "given", "meaning",
        "stimulus", "words",
    )  # fmt: skip

    assert read_index(_path(tmp_path, INDEX)) == expected
    assert read_terms(_path(tmp_path, INDEX)) == expected


def test_an_indented_index_has_a_margin(tmp_path):
    assert read_index(_path(tmp_path, "  mind, 4\n    and body, 5\n  world, 6\n")) == (
        "mind",
        "world",
    )


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments\n"])
def test_an_empty_list_is_refused(tmp_path, text):
    with pytest.raises(BadData, match=r"terms\.txt: (is empty|contains no terms)\."):
        read_terms(_path(tmp_path, text))


def test_an_index_without_terms_is_refused(tmp_path):
    with pytest.raises(BadData, match="contains no terms"):
        read_index(_path(tmp_path, "12, 13\n14\n"))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadData, match="there is no such file"):
        read_terms(tmp_path / "none.txt")
