"""Consistency: which terms of a small text can be learned."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.exports import export_options, model_setting, output

if TYPE_CHECKING:
    from lexiscope.experiments.consistency.results import ConsistencyResults
    from lexiscope.experiments.consistency.source import TermChoice


@click.command()
@click.argument("texts", nargs=-1, required=True)
@click.option(
    "--background",
    default="glove-6b-50d",
    show_default=True,
    metavar="VECTORS",
    help="Pretrained vectors that stay frozen: a file, or a name from the catalogue.",
)
@click.option(
    "--terms",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Terms, one per line or in a column `term`; they may have several words.",
)
@click.option(
    "--index",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="The index of a book: terms with page numbers.",
)
@click.option(
    "--keywords",
    type=click.IntRange(1),
    metavar="N",
    help="The N words most typical of the text.  [default: 100, if no terms are given]",
)
@click.option("--random", type=click.IntRange(1), metavar="N", help="N random words of the text.")
@click.option(
    "--part",
    type=click.Choice(["development", "test"]),
    help="Only the development terms (70 %), to choose settings, or only the other terms.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="[LABEL=]NAME",
    help="Only this model: additive, alacarte, nonce2vec, or a trainer on marked text, such as "
    "svd (repeatable). With labels, a model can be compared with itself under other settings.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="MODEL.FIELD=VALUE",
    help="A setting of a model, such as additive.window=5 (repeatable).",
)
@click.option(
    "--split",
    type=click.Choice(["random", "halves", "documents"]),
    default="random",
    show_default=True,
    help="Random samples of sentences, the halves of the text, or its documents.",
)
@click.option(
    "--samples", type=click.IntRange(2), default=5, show_default=True, help="Random samples."
)
@click.option(
    "--size",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Sentences in a random sample, at most.",
)
@click.option(
    "--cutoff",
    type=click.IntRange(1),
    metavar="N",
    help="Leave out rarer terms.  [default: 10; 2 in each half or document]",
)
@click.option(
    "--background-text",
    multiple=True,
    metavar="SOURCE",
    help="Text for the map of alacarte, and to which marked samples are added (repeatable).",
)
@click.option(
    "--frequencies",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Words and counts of general language, instead of those of the background: for keywords "
    "and for subsampling.",
)
@click.option(
    "--resamples",
    type=click.IntRange(2),
    metavar="N",
    help="Also learn from N resamples of the documents of the text (of the sentences of each term, "
    "if there is one document): which neighbours are stable?",
)
@click.option(
    "--retrain",
    "retrainings",
    type=click.IntRange(2),
    metavar="N",
    help="Also learn N times with other seeds: how far do neighbours depend on them?",
)
@shared.margin
@shared.seed
@shared.offline
@shared.data_dir
@shared.as_json
@shared.report
@shared.store
@shared.on_error
@export_options("model and term")
@click.option("--force", is_flag=True, help="Repeat work that is already stored.")
def command(texts: tuple[str, ...], **options: Any) -> int:
    """Measure how consistently vectors of terms can be learned from TEXTS.

    A model is consistent if it learns similar vectors of a term from different samples of the same
    text. After an interruption, the same command continues.
    """
    from lexiscope.cli.download import fetch_named
    from lexiscope.report import consistency as report

    fetch_named([*texts, options["background"]], options["data_dir"])
    results = _run(texts, options)
    output(results, report, options)
    return 0


def _run(texts: tuple[str, ...], options: dict[str, Any]) -> "ConsistencyResults":
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.decision import DecisionRule
    from lexiscope.experiments.consistency.run import consistency
    from lexiscope.experiments.consistency.samples import SamplingRule

    with progress_bar() as progress:
        return consistency(
            list(texts),
            options["background"],
            choice=_choice(options),
            models=_models(options["models"]),
            settings=dict(map(model_setting, options["settings"])),
            rule=SamplingRule(
                options["split"], options["samples"], options["size"], options["cutoff"]
            ),
            background_text=list(options["background_text"]) or None,
            resamples=options["resamples"] or 0,
            retrainings=options["retrainings"] or 0,
            decision=DecisionRule(options["margin"]),
            seed=options["seed"],
            inputs=shared.inputs_from(options),
            execution=shared.execution_from({"jobs": 1, **options}, progress),
        )


def _models(wanted: tuple[str, ...]) -> dict[str, str]:
    """The models by label: `LABEL=NAME`, or a name that is its own label."""
    from lexiscope.core.errors import BadUsage

    found: dict[str, str] = {}
    for each in wanted:
        label, equals, name = each.partition("=")
        if "." in label or (equals and not (label and name)):
            raise BadUsage(
                f"--model takes NAME or LABEL=NAME (no dot in the label), found '{each}'."
            )
        if label in found:
            raise BadUsage(
                f"Two models are called '{label}'. Give one a label: --model LABEL=NAME."
            )
        found[label] = name or label
    return found


def _choice(options: dict[str, Any]) -> "TermChoice":
    from lexiscope.experiments.consistency.source import TermChoice

    sources = ("terms", "index", "keywords", "random", "part")
    return TermChoice(**{name: options[name] for name in sources})
