"""Evaluate and compare embeddings."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.evaluation.results import Results


@click.command()
@click.argument("vectors", nargs=-1, required=True)
@click.option(
    "--task",
    "tasks",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="Only this task: a name, or a Python file that defines one (repeatable).",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="TASK.FIELD=VALUE",
    help="A setting of a task; if repeated for one field, the task runs with each value.",
)
@click.option(
    "--dataset",
    "datasets",
    multiple=True,
    metavar="NAME-OR-PATH",
    help="Only this dataset (repeatable). Default: all that are available locally.",
)
@shared.language
@click.option(
    "--vocabulary",
    type=click.Choice(["own", "shared"]),
    default="own",
    show_default=True,
    help="Each embedding's own vocabulary, or the words that all have in common.",
)
@click.option(
    "--case",
    type=click.Choice(["exact", "fold"]),
    default="fold",
    show_default=True,
    help="Match letter case, or ignore it and use the most frequent variant.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Only the first N words of each."
)
@click.option(
    "--oov",
    type=click.Choice(["skip", "zero", "mean"]),
    default="skip",
    show_default=True,
    help="Items with an out-of-vocabulary word: left out, empty prediction, or mean vector.",
)
@click.option(
    "--digits",
    type=click.Choice(["keep", "zero"]),
    default="keep",
    show_default=True,
    help="Keep digits, or replace each with 0 in datasets and embeddings.",
)
@click.option(
    "--all-policies",
    is_flag=True,
    help="Also score under every other vocabulary policy, one change at a time.",
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
    help="Words and counts for --by frequency or occurrences; default: the first vectors.",
)
@click.option(
    "--fillers",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Slots and their typical words, for the task preference.",
)
@shared.decision_options
@shared.seed
@shared.run_options
@shared.brief
@shared.quiet
@click.option("--force", is_flag=True, help="Repeat work that is already stored.")
def command(vectors: tuple[str, ...], **options: Any) -> int:
    """Evaluate and compare VECTORS: files, or names from the catalogue.

    FILE@first=N keeps the first N words, FILE@centred subtracts the mean vector. After an
    interruption, the same command continues where it stopped.
    """
    from lexiscope.cli.results import exit_code, show_results
    from lexiscope.core.errors import BadData
    from lexiscope.core.paths import is_file

    frequencies = options["frequencies"]
    if frequencies and not is_file(frequencies):  # it is read only for some attributes
        raise BadData(f"{frequencies}: there is no such file of frequencies.")
    from lexiscope.cli.download import fetch_named

    fetch_named([*vectors, *options["datasets"]], options["data_dir"])
    results = _run(vectors, options)
    show_results(results, options["as_json"], options["page"], options["brief"], options["quiet"])
    return exit_code(results)


def _run(vectors: tuple[str, ...], options: dict[str, Any]) -> "Results":
    from lexiscope.cli.progress import progress_bar
    from lexiscope.core.policy import Policy

    names = ("vocabulary", "case", "limit", "oov", "digits")
    policy = {name: options[name] for name in names} | {"language": options["language"] or ""}
    with progress_bar(quiet=options["quiet"]) as progress:
        from lexiscope.evaluation.run import run  # takes a second, so after the bar is there

        return run(
            list(vectors),
            list(options["tasks"]),
            list(options["datasets"]) or None,
            execution=shared.execution_from(options, progress),
            inputs=shared.inputs_from(options),
            policy=Policy(**policy),
            all_policies=options["all_policies"],
            settings=_settings(options["settings"]),
            by=options["by"],
            decision=shared.decision_from(options),
            same_model=options["same_model"],
            seed=options["seed"],
        )


def _settings(texts: tuple[str, ...]) -> dict[str, list[str]]:
    """The values of each TASK.FIELD, in the given order."""
    from lexiscope.core.errors import BadUsage

    settings: dict[str, list[str]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadUsage(f"--set takes TASK.FIELD=VALUE, found '{text}'.")
        settings.setdefault(name, []).append(value)
    return settings
