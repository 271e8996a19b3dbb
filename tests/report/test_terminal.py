from dataclasses import replace
from io import StringIO

from rich.console import Console

from lexiscope.report.terminal import summary, table


def test_the_summary_says_where_the_winner_changes(results):
    lines = summary(results)

    assert any(line.startswith("The winner depends on the policy") for line in lines)
    assert any(line.startswith("Low coverage: short") for line in lines)


def test_the_summary_warns(results):
    warned = replace(results, manifest={**results.manifest, "warnings": ["Mind the case."]})

    assert "Warning: Mind the case." in summary(warned)


def test_one_difference_is_told_in_the_singular(apart):
    lines = summary(replace(apart, comparisons=apart.comparisons[:1]))

    assert lines[1].startswith("1 of 1 difference is real")


def test_the_table_fits_80_columns(results):
    text = StringIO()

    Console(file=text, width=80).print(table(results))

    assert max(map(len, text.getvalue().splitlines())) <= 80
    assert "seed 0" in text.getvalue()


def test_words_cannot_steer_the_terminal(hostile):
    told = "\n".join(summary(hostile))

    assert "\u202e" not in told
    assert "\x1b" not in told
