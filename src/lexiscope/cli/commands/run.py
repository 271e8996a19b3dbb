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
    help="Break scores down by frequency, occurrences, pos or concreteness (repeatable).",
)
@click.option(
    "--frequencies",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Words and counts for --by frequency or occurrences; else those of the first vectors.",
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
@shared.of_a_run
@click.option("--force", is_flag=True, help="Ask again what the store has already.")
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Compare VECTORS on tasks and datasets: files, or names from the catalogue.

    FILE@first=N takes the first N words, FILE@centred takes the mean vector off. The same
    command after an interruption goes on where it stopped.
    """
    from lexiscope.cli.results import show_results
    from lexiscope.core.errors import BadUsage

    if options["fetch"]:
        from lexiscope.cli.fetching import fetch_named

        fetch_named([*vectors, *options["datasets"]], options["data_dir"])
    settings: dict[str, list[str]] = {}
    for text in options["settings"]:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadUsage(f"--set takes TASK.FIELD=VALUE, found '{text}'.")
        settings.setdefault(name, []).append(value)
    results = _run(vectors, settings, options)
    show_results(results, options["as_json"], options["page"])
    answered = any(result.value is not None for result in results.main())
    return 1 if results.failures or not answered else 0


def _run(vectors: tuple[str, ...], settings: dict[str, list[str]], options: Any) -> "Results":
    from lexiscope.bench.run import run
    from lexiscope.cli.progress import progress
    from lexiscope.core.policy import Policy

    with progress() as tell:
        return run(
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
            backend=shared.chosen_backend(options),
            jobs=options["jobs"],
            on_error=options["on_error"],
            data_dir=options["data_dir"],
            progress=tell,
            force=options["force"],
        )
