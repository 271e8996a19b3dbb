"""Query words of a study: options for quotas, and inventories without embeddings."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.human.inventory import Query, Quotas
    from lexiscope.human.query_words import Words

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OPTIONS = (
    click.option(
        "--words",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Query words: one per line, or a table with attributes (frequency, part_of_speech, "
        "concreteness, category).  [default: 100 words of WordNet with the quotas of the paper]",
    ),
    click.option(
        "--frequencies",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Table of words and counts.  [default: the counts of the first vectors that have "
        "them]",
    ),
    click.option(
        "--rare-below",
        type=click.IntRange(1),
        metavar="N",
        help="A word that occurs less often is rare.  [default: 2,500, scaled to the corpus]",
    ),
    click.option(
        "--category",
        "categories",
        multiple=True,
        metavar="NAME=KIND",
        help="Category of WordNet to sample, abstract or concrete, such as noun.food=concrete "
        "(repeatable).  [default: ten categories]",
    ),
    click.option(
        "--words-per-category",
        type=click.IntRange(1),
        metavar="N",
        help="Words sampled from each category.  [default: 10]",
    ),
    click.option(
        "--rare-per-category",
        type=click.IntRange(0),
        metavar="N",
        help="How many of them are rare.  [default: 3 of 10]",
    ),
)


def word_options(command: _Command) -> _Command:
    """Add the options that choose query words to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def words_from(options: dict[str, Any]) -> "Words":
    """Return where the query words come from."""
    from lexiscope.core.errors import BadUsage
    from lexiscope.human.query_words import Words

    names = ("categories", "words_per_category", "rare_per_category")
    sampled = any(options[name] not in (None, ()) for name in names)
    if sampled and options["words"]:
        raise BadUsage("Quotas are for words that are sampled: leave out --words.")
    return Words(
        inventory=options["words"],
        rare_below=options["rare_below"],
        quotas=_quotas(options) if sampled else None,
    )


def _quotas(options: dict[str, Any]) -> "Quotas":
    from lexiscope.human.inventory import CATEGORIES, RARE_PER_CATEGORY, WORDS_PER_CATEGORY, Quotas

    words, rare = options["words_per_category"], options["rare_per_category"]
    number = words or WORDS_PER_CATEGORY
    if rare is None:  # in the proportion of the paper
        rare = round(number * RARE_PER_CATEGORY / WORDS_PER_CATEGORY)
    chosen = dict(map(_category, options["categories"])) or CATEGORIES
    return Quotas(chosen, number, rare)


def _category(text: str) -> tuple[str, str]:
    from lexiscope.core.errors import BadUsage

    name, _, kind = text.partition("=")
    if kind not in ("abstract", "concrete"):
        raise BadUsage(f"--category takes NAME=abstract or NAME=concrete, found '{text[:60]}'.")
    return name, kind


@click.command("inventory")
@click.argument("out", type=click.Path(dir_okay=False))
@word_options
@shared.seed
@shared.offline
@shared.data_dir
@shared.as_json
def inventory(out: str, as_json: bool, **options: Any) -> None:
    """Write query words with their attributes to the CSV file OUT, without any vectors.

    Words are sampled from WordNet by --frequencies, or --words get the attributes that are known.
    'study new --words OUT' reads them.
    """
    from lexiscope.cli.download import fetch_named
    from lexiscope.human.query_words import new_inventory

    choice = words_from(options)
    fetch_named([] if options["words"] else ["wordnet-3.1"], options["data_dir"])
    found = new_inventory(choice, shared.inputs_from(options), options["seed"])
    _save(out, found, as_json)


def _save(out: str, found: "Sequence[Query]", as_json: bool) -> None:
    from lexiscope.cli.json_output import print_json
    from lexiscope.human.exchange.inventory import queries_csv
    from lexiscope.human.export_files import save_files

    rows = [{"word": query.word, **query.attributes} for query in found]
    save_files(Path(out), {"inventory.csv": queries_csv(rows)})
    if as_json:
        print_json({"file": out, "words": len(rows)})
    else:
        click.echo(f"Written: {out}, {len(rows)} words")
