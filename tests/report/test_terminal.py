from dataclasses import replace
from io import StringIO

from rich.console import Console

from lexiscope.report.recommendation import recommendation_sentences
from lexiscope.report.terminal import summary, table


def test_the_summary_reports_low_coverage_and_policies_that_change_the_highest_score(results):
    lines = summary(results)

    assert any(line.startswith("With another vocabulary policy") for line in lines)
    assert any(line.startswith("Low coverage: short") for line in lines)


def test_the_last_two_lines_are_the_recommendation(results, different, alone):
    for each in (results, different, alone):
        assert tuple(summary(each)[-2:]) == recommendation_sentences(each)


def test_the_summary_has_the_warnings(results):
    warned = replace(results, manifest={**results.manifest, "warnings": ["Mind the case."]})

    assert "Warning: Mind the case." in summary(warned)


def test_one_comparison_is_reported_in_the_singular(different):
    lines = summary(replace(different, comparisons=different.comparisons[:1]))

    assert lines[1].startswith("1 comparison: 1 different, 0 equivalent within ±0.05, 0 undecided.")


def test_letters_are_corrected_and_intervals_are_not(different):
    sentence = "Intervals are not corrected for multiple comparisons, letters are."

    assert sum(line.count(sentence) for line in summary(different)) == 1


def test_the_table_fits_80_columns(results):
    text = StringIO()

    Console(file=text, width=80).print(table(results))

    assert max(map(len, text.getvalue().splitlines())) <= 80
    assert "seed 0" in text.getvalue()


def test_words_cannot_send_control_characters_to_the_terminal(hostile):
    text = "\n".join(summary(hostile))

    assert "\u202e" not in text
    assert "\x1b" not in text
