"""What a paper did, done again with more trials."""

from typing import Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.studying import of_a_study


@click.command()
@click.argument("paper")
@click.option(
    "--scale",
    type=click.Choice(["small", "paper"]),
    default="small",
    show_default=True,
    help="A sample in a few minutes, or as near to the paper's size as its data allow.",
)
@click.option(
    "--criterion", "criteria", multiple=True, metavar="NAME", help="s0: only this one (repeatable)."
)
@click.option(
    "--dimension",
    "dimensions",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="s3: only vectors of this dimensionality (repeatable).",
)
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="SOURCE",
    help="s3: train on this instead: a file, a folder, a name of the catalogue (repeatable).",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    default="vectors",
    show_default=True,
    help="s3: where trained vectors are kept.",
)
@shared.data_dir
@shared.fetch
@of_a_study
def command(paper: str, **options: Any) -> None:
    """Repeat the experiments of PAPER (s0, s3) and set what was found beside what it says.

    Every finished trial is kept: the same command after an interruption goes on.
    """
    from lexiscope.bench.studyfile import shipped

    if shipped(paper.lower()).get("kind") == "prediction":
        _predict(paper.lower(), options)
    else:
        _study(paper.lower(), options)


def _study(paper: str, options: dict[str, Any]) -> None:
    from lexiscope.bench.studyfile import of_paper
    from lexiscope.cli.studying import asked, carry_out

    _must_fit(paper, options, "dimensions", "texts")
    chosen = {"criteria": options["criteria"], **asked(options)}
    carry_out(of_paper(paper, options["scale"], **chosen), options)


def _predict(paper: str, options: dict[str, Any]) -> None:
    from lexiscope.bench.predictionplan import of_paper
    from lexiscope.cli.predicting import carry_out
    from lexiscope.cli.studying import asked

    _must_fit(paper, options, "criteria", "sentences")
    chosen = {**asked(options), **{name: options[name] for name in ("dimensions", "texts")}}
    chosen["runs"] = chosen.pop("trials", None)
    carry_out(of_paper(paper, options["scale"], **chosen), options)


def _must_fit(paper: str, options: dict[str, Any], *others: str) -> None:
    """Refuse what belongs to another paper."""
    from lexiscope.core.errors import BadUsage

    written = {"criteria": "criterion", "dimensions": "dimension", "texts": "text"}
    for name in others:
        if options[name]:
            raise BadUsage(f"--{written.get(name, name)} says nothing about {paper}.")
