"""A grammar of one's own, asked of six models."""

from typing import Any

import click

from lexiscope.cli.studying import of_a_study


@click.command()
@click.argument("grammar")
@click.option(
    "--question", "questions", multiple=True, metavar="NAME", help="Only this one (repeatable)."
)
@of_a_study
def command(grammar: str, questions: tuple[str, ...], **options: Any) -> None:
    """Sample sentences of GRAMMAR (a file or a name), train models on them, ask what they keep.

    Every finished trial is kept in the store: the same command after an interruption goes on.
    """
    from lexiscope.bench.studyfile import of_grammar
    from lexiscope.cli.studying import asked, carry_out

    carry_out(of_grammar(grammar, questions=questions, **asked(options)), options)
