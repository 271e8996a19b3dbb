from io import StringIO

import pytest
from rich.console import Console

from lexiscope.report.console import GroupedTable, console, print_lines, shrunk, view
from lexiscope.report.layout import Table


def test_output_to_a_pipe_has_a_fixed_width(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    print_lines(console(width=20), ["a sentence that is longer than that"])

    assert max(map(len, capsys.readouterr().out.splitlines())) <= 20


def test_a_line_is_text_and_not_markup(capsys):
    print_lines(console(), ["[bold]word[/bold]"])

    assert capsys.readouterr().out == "[bold]word[/bold]\n"


_WIDE = Table(
    ("evaluation", "target", *(f"column {k}" for k in range(8)), "verdict"),
    tuple(
        (f"similarity on dataset-{k}", "classification of sentences", *["-0.123"] * 8, "predicts")
        for k in range(3)
    ),
    numeric=tuple(range(2, 10)),
)


def _printed(renderable, width):
    text = StringIO()
    Console(file=text, width=width).print(renderable)
    return text.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_a_wide_table_is_split_and_no_number_is_broken(width):
    text = _printed(view(_WIDE, left=2), width)

    assert max(map(len, text.splitlines())) <= width
    assert text.count("-0.123") == 24
    assert text.count("predicts") == 3
    assert text.count("dataset-0") >= 1  # no name is broken within a word
    assert text.count("evaluation") == (1 if width == 200 else text.count("target"))


def test_a_table_without_rows_has_its_heading():
    assert "verdict" in _printed(view(Table(("name", "verdict"), ()), left=1), 80)


def test_groups_have_columns_of_one_width_and_headings_of_any():
    groups = [
        ("a heading that is longer than the first column", [(("one", "0.5"), "bold")]),
        ("b", [(("a longer name", "10.25"), "")]),
    ]
    lines = _printed(GroupedTable(("name", "score"), groups, right=[1]), 80).splitlines()

    assert [line.rstrip() for line in lines] == [
        "name           score",
        "────────────────────",
        "a heading that is longer than the first column",
        "one              0.5",
        "b",
        "a longer name  10.25",
    ]


def test_the_widest_column_becomes_narrower_first():
    assert shrunk([10, 4, 20], [1, 1, 1], 24) == [10, 4, 10]
    assert shrunk([10, 4, 20], [1, 1, 15], 24) == [5, 4, 15]
    assert shrunk([3, 3], [3, 3], 4) == [2, 2]
