"""What a paper did, done again with more trials."""

from typing import Any

import click

from lexiscope.cli.studying import of_a_study


@click.command()
@click.argument("paper")
@click.option(
    "--scale",
    type=click.Choice(["small", "paper"]),
    default="small",
    show_default=True,
    help="A sample in about a minute, or the paper's size.",
)
@click.option(
    "--criterion", "criteria", multiple=True, metavar="NAME", help="Only this one (repeatable)."
)
@of_a_study
def command(paper: str, scale: str, criteria: tuple[str, ...], **options: Any) -> None:
    """Repeat the experiments of PAPER (s0) and set what was found beside what it says.

    Every finished trial is kept in the store: the same command after an interruption goes on.
    """
    from lexiscope.bench.studyfile import of_paper
    from lexiscope.cli.studying import asked, carry_out

    carry_out(of_paper(paper.lower(), scale, criteria=criteria, **asked(options)), options)
