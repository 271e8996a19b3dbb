"""Grammars that make small languages, on the command line."""

from typing import TYPE_CHECKING

import click

from lexiscope.cli import options

if TYPE_CHECKING:
    from lexiscope.core.grammar import Grammar

settings = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Set a parameter of the grammar (repeatable).",
)


@click.group()
def command() -> None:
    """Grammars that make small languages: list, show, check, sample."""


@command.command("list")
def list_grammars() -> None:
    """The grammars that come with the product."""
    from lexiscope.data.grammars import names, read

    for name in names():
        click.echo(f"{name:<17} {read(name).about}")
    click.echo("\nNext: lexiscope grammar show NAME > mine.toml, then change it")


@command.command("show")
@click.argument("name")
def show(name: str) -> None:
    """Print the file of the grammar NAME, to be copied and changed."""
    from lexiscope.core.errors import UnknownName
    from lexiscope.data.grammars import names, shipped

    if name not in names():
        raise UnknownName("grammar", name, names())
    click.echo(shipped(name), nl=False)


@command.command("check")
@click.argument("source", metavar="FILE|NAME")
@settings
def check(source: str, settings: tuple[str, ...]) -> None:
    """Read a grammar and say what it makes and asks, or what is wrong and where."""
    grammar = _read(source, settings)
    click.echo(
        f"{grammar.name}: {len(grammar.rules):,} rules, {len(grammar.words):,} words, "
        f"{grammar.length:.4g} words in a sentence, {len(grammar.extra):,} extra sentences"
    )
    for name, value in grammar.parameters.items():
        click.echo(f"  parameter {name} = {value:.6g}")
    if grammar.sweep:
        click.echo(f"  sweep over {len(grammar.sweep.values)} values of {grammar.sweep.parameter}")
    if not grammar.questions:
        click.echo("  asks nothing: lexiscope study needs a [question]")
    for name, question in grammar.questions.items():
        click.echo(
            f"  question {name}: {len(question.positive):,} positive and "
            f"{len(question.negative):,} negative words; of these {len(question.held_out):,} held "
            f"out, {len(question.contexts):,} contexts"
        )
    for name, words in grammar.types.items():
        click.echo(f"  type {name}: {len(words):,} words")


@command.command("sample")
@click.argument("source", metavar="FILE|NAME")
@click.option(
    "-n", "number", type=click.IntRange(1), default=20, show_default=True, help="Sentences."
)
@settings
@options.seed
def sample(source: str, number: int, settings: tuple[str, ...], seed: int) -> None:
    """Print sentences of a grammar, one on each line; extra sentences come on top of the number.

    The lines are a text to train on: lexiscope train svd FILE --preset as-is.
    """
    import numpy as np

    from lexiscope.core.corpus import sentences_of
    from lexiscope.stats.grammars import sample

    corpus = sample(_read(source, settings), number, np.random.default_rng(seed))
    click.echo("\n".join(" ".join(sentence) for sentence in sentences_of(corpus)))


def _read(source: str, settings: tuple[str, ...]) -> "Grammar":
    from lexiscope.data.grammars import read

    grammar = read(source)
    values = dict(_setting(text) for text in settings)
    return grammar.at(**values) if values else grammar


def _setting(text: str) -> tuple[str, float]:
    from lexiscope.core.errors import BadUsage

    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise BadUsage(f"--set takes NAME=NUMBER, such as beta=0.3, found '{text}'.") from None
