from lexiscope.report.console import console, print_lines


def test_output_to_a_pipe_has_a_fixed_width(capsys):
    print_lines(console(width=20), ["a sentence that is longer than that"])

    assert max(map(len, capsys.readouterr().out.splitlines())) <= 20


def test_a_line_is_text_and_not_markup(capsys):
    print_lines(console(), ["[bold]word[/bold]"])

    assert capsys.readouterr().out == "[bold]word[/bold]\n"
