"""List, check and sample the grammars of synthetic languages."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options
from lexiscope.cli.paragraphs import print_paragraph
from lexiscope.cli.subcommands import Subcommands

if TYPE_CHECKING:
    from lexiscope.pcfg.grammar import Grammar

settings = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Set a parameter of the grammar (repeatable).",
)


@click.group(cls=Subcommands)
def command() -> None:
    """Grammars of synthetic languages: list, show, check, sample."""


@command.command("list")
@options.as_json
def list_grammars(as_json: bool) -> None:
    """List the included grammars."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.pcfg.reader import names, read

    found = {name: read(name).about for name in names()}
    if as_json:
        print_json([{"name": name, "about": about} for name, about in found.items()])
        return
    for name, about in found.items():
        print_paragraph(about, f"{name:<17} ")
    click.echo("\nNext: lexiscope grammar show NAME > mine.toml, then edit the file")


@command.command("show")
@click.argument("name")
@options.as_json
def show(name: str, as_json: bool) -> None:
    """Print the file of the included grammar NAME, as a starting point for your own."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.core.errors import UnknownName
    from lexiscope.pcfg.reader import included, names

    if name not in names():
        raise UnknownName("grammar", name, names())
    if as_json:
        print_json({"name": name, "text": included(name)})
    else:
        click.echo(included(name), nl=False)


@command.command("check")
@click.argument("source", metavar="FILE|NAME")
@settings
@options.as_json
def check(source: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Validate a grammar and summarise it, or report the line of an error."""
    from lexiscope.cli.json_output import print_json

    grammar = _read(source, settings)
    if as_json:
        print_json(_summary(grammar))
    else:
        _show(grammar)


def _summary(grammar: "Grammar") -> dict[str, Any]:
    return {
        "name": grammar.name,
        "about": grammar.about,
        "sha256": grammar.fingerprint,
        "rules": len(grammar.rules),
        "words": len(grammar.words),
        "sentence_length": grammar.length,
        "extra_sentences": len(grammar.extra),
        "parameters": dict(grammar.parameters),
        "sweep": grammar.sweep and {grammar.sweep.parameter: list(grammar.sweep.values)},
        "targets": {
            name: {
                kind: list(getattr(target, kind))
                for kind in ("positive", "negative", "held_out", "contexts")
            }
            for name, target in grammar.targets.items()
        },
        "types": {name: list(words) for name, words in grammar.types.items()},
    }


def _show(grammar: "Grammar") -> None:
    click.echo(
        f"{grammar.name}: {len(grammar.rules):,} rules, {len(grammar.words):,} words, "
        f"{grammar.length:.4g} words per sentence, {len(grammar.extra):,} extra sentences"
    )
    for name, value in grammar.parameters.items():
        click.echo(f"  parameter {name} = {value:.6g}")
    if grammar.sweep:
        click.echo(f"  sweep over {len(grammar.sweep.values)} values of {grammar.sweep.parameter}")
    if not grammar.targets:
        click.echo("  no target: lexiscope probe needs a [target] table")
    for name, target in grammar.targets.items():
        print_paragraph(
            f"{len(target.positive):,} positive and {len(target.negative):,} negative words; of "
            f"these {len(target.held_out):,} held out, {len(target.contexts):,} contexts",
            f"  target {name}: ",
            indent=4,
        )
    for name, words in grammar.types.items():
        click.echo(f"  type {name}: {len(words):,} words")


@command.command("sample")
@click.argument("source", metavar="FILE|NAME")
@click.option(
    "-n",
    "number",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Number of sentences.",
)
@settings
@options.seed
@options.as_json
def sample(source: str, number: int, settings: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Print sampled sentences of a grammar, one per line; extra sentences are added to them.

    The output is a corpus to train on: lexiscope train svd FILE --preset as-is.
    """
    import numpy as np

    from lexiscope.cli.json_output import print_json
    from lexiscope.core.corpus import sentences_of
    from lexiscope.pcfg.sampling import sample

    grammar = _read(source, settings)
    corpus = sample(grammar, number, np.random.default_rng(seed))
    sentences = [" ".join(sentence) for sentence in sentences_of(corpus)]
    if as_json:
        print_json({"name": grammar.name, "seed": seed, "sentences": sentences})
    else:
        click.echo("\n".join(sentences))


def _read(source: str, settings: tuple[str, ...]) -> "Grammar":
    from lexiscope.pcfg.reader import read

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
