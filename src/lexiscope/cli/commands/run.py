"""Ask embeddings, and print how well they answered."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.bench.results import Results


@click.command()
@click.argument("vectors", nargs=-1, required=True)
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="Only this task (repeatable).")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="TASK.FIELD=VALUE",
    help="A task's setting; given twice for one field, both values are asked.",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="Only this dataset (repeatable). All that are at hand by default.",
)
@click.option(
    "--vocabulary",
    type=click.Choice(["own", "shared"]),
    default="own",
    show_default=True,
    help="Each embedding's own words, or only those that all have.",
)
@click.option(
    "--case",
    type=click.Choice(["exact", "fold"]),
    default="fold",
    show_default=True,
    help="Letters must match, or are folded and the most frequent variant wins.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Only the first N words of each."
)
@click.option(
    "--unknown",
    type=click.Choice(["skip", "zero", "mean"]),
    default="skip",
    show_default=True,
    help="Items with an unknown word: left out, answered with nothing, or with the mean vector.",
)
@click.option(
    "--digits",
    type=click.Choice(["keep", "zero"]),
    default="keep",
    show_default=True,
    help="Keep digits, or write each as 0 in data and embeddings alike.",
)
@click.option(
    "--policies", is_flag=True, help="Also score under every other policy, one change at a time."
)
@click.option(
    "--by",
    multiple=True,
    metavar="ATTRIBUTE",
    help="Break scores down by frequency, pos or concreteness (repeatable).",
)
@click.option(
    "--frequencies",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Words and counts for --by frequency; else the order of the first vectors.",
)
@click.option(
    "--fillers",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Slots and their typical words, for the task preference.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip", "replace"]),
    default="stop",
    show_default=True,
    help="What to do about broken rows of a vector file.",
)
@shared.seed
@shared.jobs
@click.option(
    "--backend",
    type=click.Choice(["serial", "processes", "dask"]),
    help="serial, or processes with --jobs above 1; dask needs the extra.",
)
@shared.store
@click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a report, one HTML file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
@shared.data_dir
@shared.fetch
@click.option("--force", is_flag=True, help="Ask again what the store has already.")
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Compare VECTORS on tasks and datasets: files, or names from the catalogue.

    FILE@first=N takes the first N words, FILE@centred takes the mean vector off. The same
    command after an interruption goes on where it stopped.
    """
    from lexiscope.core.errors import BadUsage

    if options["fetch"]:
        _fetch([*(v.partition("@")[0] for v in vectors), *options["datasets"]], options["data_dir"])
    settings: dict[str, list[str]] = {}
    for text in options["settings"]:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadUsage(f"--set takes TASK.FIELD=VALUE, found '{text}'.")
        settings.setdefault(name, []).append(value)
    results = _run(vectors, settings, options)
    if options["page"]:
        from lexiscope.report.page import write

        write(results, options["page"])
    _print(results, options["as_json"], options["page"])
    return 1 if results.failures else 0


def _fetch(names: list[str], folder: str | None) -> None:
    from lexiscope.cli.progress import progress
    from lexiscope.data.catalogue import catalogue
    from lexiscope.data.fetching import fetch
    from lexiscope.data.library import Library

    with progress(counts_bytes=True) as tell:
        for name in names:
            if name in catalogue():
                fetch(Library(folder), catalogue()[name], tell)


def _run(vectors: tuple[str, ...], settings: dict[str, list[str]], options: Any) -> "Results":
    from lexiscope.bench.run import run
    from lexiscope.cli.progress import progress
    from lexiscope.core.policy import Policy

    backend = options["backend"] or ("processes" if options["jobs"] > 1 else "serial")
    with progress() as tell:
        results = run(
            list(vectors),
            options["tasks"] or None,
            options["datasets"] or None,
            settings=dict(settings),
            seed=options["seed"],
            policy=Policy(
                options["vocabulary"],
                options["case"],
                options["limit"],
                options["unknown"],
                options["digits"],
            ),
            policies=options["policies"],
            by=options["by"],
            frequencies=options["frequencies"],
            fillers=options["fillers"],
            store=options["store"],
            backend=backend,
            jobs=options["jobs"],
            on_error=options["on_error"],
            data_dir=options["data_dir"],
            progress=tell,
            force=options["force"],
        )
    from lexiscope.cli.repairs import tell_repairs

    for entry in results.manifest["embeddings"]:
        tell_repairs(entry["name"], entry["repairs"])
    return results


def _print(results: "Results", as_json: bool, page: str | None) -> None:
    if as_json:
        click.echo(results.to_json())
        return
    from lexiscope.report.terminal import show

    show(results)
    if page:
        click.echo(f"Report: {page}", err=True)
