"""Learning curves: which embedding needs fewer labels."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.exports import export_options, model_setting, output

if TYPE_CHECKING:
    from lexiscope.experiments.curves.protocol import Protocol
    from lexiscope.experiments.curves.results import CurveResults


@click.command()
@click.argument("vectors", nargs=-1, required=True)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    required=True,
    metavar="NAME-OR-PATH",
    help="Labelled words, rated pairs, analogies, related pairs or labelled texts (repeatable).",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="Only this supervised model (repeatable). Default: all, except cnn.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="MODEL.FIELD=VALUE",
    help="A setting of a model, such as svm.c=1,10 (repeatable).",
)
@click.option(
    "--sizes",
    metavar="LIST",
    help="Training sizes, such as 10,20,50,30%,100%.  [default: 10, 20, 50, 100, ... below 30 %, "
    "then 30 % to 100 % in 8 steps]",
)
@click.option(
    "--repeats",
    type=click.IntRange(2),
    default=6,
    show_default=True,
    help="Random splits into training and test items.",
)
@click.option(
    "--test-fraction",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="P",
    help="Proportion of test items.  [default: 0.3; 0.2 for items with several words]",
)
@click.option(
    "--max-items",
    type=click.IntRange(20),
    default=2000,
    show_default=True,
    help="Sample larger datasets.",
)
@click.option(
    "--allow-shared-words",
    "shared_words",
    is_flag=True,
    help="Let test words occur in training items. Scores are too high then.",
)
@click.option(
    "--pair-features",
    type=click.Choice(["product-difference", "product", "difference", "sum-product"]),
    default="product-difference",
    show_default=True,
    help="Representation of a word pair.",
)
@click.option(
    "--candidates",
    type=click.IntRange(1),
    default=30_000,
    show_default=True,
    help="Most frequent words that can be predicted in analogies.",
)
@click.option(
    "--target",
    type=float,
    metavar="X",
    help="Score for which needed labels are computed.  [default: the lowest final score]",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="KIND.NAME=W",
    help="Weight in the expected loss: datasets.NAME, models.NAME or sizes.SIZE (repeatable).",
)
@click.option(
    "--weights",
    "weights_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="TOML file with such weights.",
)
@shared.margin
@shared.seed
@shared.run_options
@export_options("embedding, dataset, model and size")
@click.option("--force", is_flag=True, help="Repeat work that is already stored.")
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Measure how fast supervised models learn from VECTORS, and how many labels each needs.

    A dataset is a catalogue name or a table: word,label | word1,word2,score | a,b,c,d |
    word1,word2,relation | text,label. After an interruption, the same command continues.
    """
    from lexiscope.cli.download import fetch_named
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.report import curves as report

    fetch_named([*vectors, *options["datasets"]], options["data_dir"])
    results = _curves(vectors, options)
    for entry in results.manifest["embeddings"]:
        report_repairs(entry["name"], entry["repairs"], listed_in="the report and the JSON")
    output(results, report, options)
    return 0


def _curves(vectors: tuple[str, ...], options: dict[str, Any]) -> "CurveResults":
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.decision import DecisionRule
    from lexiscope.experiments.curves.run import curves

    with progress_bar() as progress:
        return curves(
            list(vectors),
            list(options["datasets"]),
            models=options["models"],
            settings=dict(map(model_setting, options["settings"])),
            protocol=_protocol(options),
            decision=DecisionRule(options["margin"]),
            weights=_weights(options),
            target=options["target"],
            seed=options["seed"],
            inputs=shared.inputs_from(options),
            execution=shared.execution_from(options, progress),
        )


def _protocol(options: dict[str, Any]) -> "Protocol":
    from lexiscope.experiments.curves.protocol import Protocol

    names = ("repeats", "test_fraction", "max_items", "shared_words", "pair_features", "candidates")
    sizes = tuple(options["sizes"].split(",")) if options["sizes"] else ()
    return Protocol(sizes=sizes, **{name: options[name] for name in names})


def _weights(options: dict[str, Any]) -> dict[str, dict[str, float]] | None:
    from lexiscope.experiments.curves.weights import parse_weights, read_weights

    if not options["weights"] and not options["weights_file"]:
        return None
    given = parse_weights(options["weights"])
    if not options["weights_file"]:
        return given
    return {
        kind: named | given[kind] for kind, named in read_weights(options["weights_file"]).items()
    }
