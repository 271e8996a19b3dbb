"""Inspect embeddings: word frequency and the shape of the space."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.exports import export_options, output

if TYPE_CHECKING:
    from lexiscope.experiments.inspection.results import InspectionResults


@click.command()
@click.argument("vectors", nargs=-1, required=True)
@click.option(
    "--frequencies",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Table of words and counts.  [default: the counts of the vectors; without them, the "
    "order of the words]",
)
@click.option(
    "--corpus",
    multiple=True,
    metavar="TEXT",
    help="Count words in this file, folder or catalogue text instead (repeatable).",
)
@click.option(
    "--words",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Query words of the neighbours and of the map, one per line.  [default: WordSim-353]",
)
@click.option(
    "--threshold",
    "thresholds",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="Threshold of the frequency probe (repeatable).  [default: 100 to 50,000]",
)
@click.option(
    "--neighbours",
    type=click.IntRange(10),
    default=1000,
    show_default=True,
    help="Neighbours of each query word.",
)
@click.option(
    "--projection",
    type=click.Choice(["pca", "tsne", "umap"]),
    default="pca",
    show_default=True,
    help="Projection of the map; umap needs umap-learn.",
)
@click.option(
    "--transform",
    "transforms",
    multiple=True,
    metavar="NAME",
    help="Compare scores before and after this transform, such as centred, abtt=2, whiten or "
    "frequency, by paired tests (repeatable).",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="Dataset of these evaluations (repeatable).  [default: intrinsic ones that are "
    "downloaded]",
)
@click.option(
    "--bias",
    metavar="FILE-OR-NAME",
    help="Word sets for association tests (WEAT and RND) in TOML, JSON or CSV; 'weat' has those of "
    "Caliskan et al. 2017.",
)
@shared.seed
@shared.offline
@shared.data_dir
@shared.on_error
@shared.report
@shared.as_json
@export_options("embedding, quantity and point")
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Show what VECTORS encode of word frequency, and the shape of their space.

    A frequency probe, the frequency of neighbours, hubness, isotropy, norms, a map of words, and
    how far the spaces of several embeddings agree. VECTORS are files or catalogue names;
    SOURCE@abtt=2 and other transforms work as everywhere.
    """
    from lexiscope.cli.download import fetch_named
    from lexiscope.cli.repairs import report_repairs
    from lexiscope.report import inspection as report

    queries = None if options["words"] else "ws353"
    named = [*vectors, queries, *options["datasets"], options["bias"], *options["corpus"]]
    fetch_named(named, options["data_dir"])
    results = _inspected(vectors, options)
    for entry in results.manifest["embeddings"]:
        report_repairs(entry["name"], entry["repairs"], listed_in="the report and the JSON")
    output(results, report, options)
    return 0


def _inspected(vectors: tuple[str, ...], options: dict[str, Any]) -> "InspectionResults":
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.errors import BadUsage
    from lexiscope.core.execution import Execution
    from lexiscope.experiments.inspection.probe import THRESHOLDS
    from lexiscope.experiments.inspection.run import InspectionPlan, inspect

    if options["frequencies"] and options["corpus"]:
        raise BadUsage("Give --frequencies or --corpus, not both.")
    plan = InspectionPlan(
        options["words"],
        options["thresholds"] or THRESHOLDS,
        neighbours=options["neighbours"],
        projection=options["projection"],
        transforms=options["transforms"],
        datasets=options["datasets"],
        bias=options["bias"],
    )
    with progress_bar() as progress:
        return inspect(
            list(vectors),
            plan=plan,
            frequencies=_counted(options, progress),
            seed=options["seed"],
            inputs=shared.inputs_from(options),
            execution=Execution(progress=progress),
        )


def _counted(options: dict[str, Any], progress: Any) -> dict[str, int] | None:
    if not options["corpus"]:
        return None
    from lexiscope.training.train import read_corpus

    corpus = read_corpus(
        list(options["corpus"]), data_dir=options["data_dir"], progress=progress, min_count=1
    )
    return dict(zip(corpus.vocabulary.words, corpus.counts.tolist(), strict=True))
