"""Power of a study: how many judges and query words detect a difference."""

from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.core.study import Study
    from lexiscope.human.power.settings import PowerSettings

_SYNTHETIC = ("kind", "embeddings", "ranks", "items_per_judge")


@click.command("power")
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@click.option(
    "--difference",
    type=float,
    default=0.05,
    show_default=True,
    metavar="X",
    help="The difference of scores to detect: of win ratios, or of precisions.",
)
@click.option(
    "--queries",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="Number of query words (repeatable).  [default: 25, 50, 100; half, all and twice those "
    "of FILE]",
)
@click.option(
    "--judges-per-item",
    type=click.IntRange(1),
    multiple=True,
    default=(3, 5, 7, 10),
    show_default=True,
    metavar="N",
    help="Number of judges of an item (repeatable).",
)
@click.option("--better", default="", metavar="NAME", help="The better embedding.  [default: "
              "the first]")  # fmt: skip
@click.option(
    "--target",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.8,
    show_default=True,
    help="The power that the smallest design must reach.",
)
@click.option(
    "--replicates",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="Simulated studies per design.",
)
@click.option(
    "--seconds",
    "seconds_per_item",
    type=click.FloatRange(0, min_open=True),
    default=8.0,
    show_default=True,
    help="Time of one answer.",
)
@click.option("--wage", type=click.FloatRange(0), default=0.0, help="Pay per hour, for the costs.")
@click.option(
    "--item-effect",
    type=click.FloatRange(0),
    default=0.7,
    show_default=True,
    help="Standard deviation between the options of an item, on the logit scale.",
)
@click.option(
    "--judge-effect",
    type=click.FloatRange(0),
    default=0.2,
    show_default=True,
    help="Standard deviation between judges in their preference for an embedding.",
)
@click.option("--opt-out", type=click.FloatRange(0, 0.9), default=0.03, show_default=True,
              help="Probability of \"I don't know\".")  # fmt: skip
@click.option("--task", "kind", type=click.Choice(["comparison", "intrusion"]),
              help="Without FILE: the task.  [default: comparison]")  # fmt: skip
@click.option("--embeddings", type=click.IntRange(2, 100), metavar="N",
              help="Without FILE: number of embeddings.  [default: 6]")  # fmt: skip
@click.option("--ranks", type=click.IntRange(1, 100), metavar="N",
              help="Without FILE: ranks per query word of a comparison.  [default: 3]")  # fmt: skip
@click.option("--items-per-judge", type=click.IntRange(1), metavar="N",
              help="Without FILE: items of a judge.  [default: 40]")  # fmt: skip
@shared.seed
@shared.as_json
def power(file: str | None, as_json: bool, **options: Any) -> None:
    """Estimate by simulation how many judges and query words detect a difference.

    Items are those of the study FILE. Without FILE, each of --embeddings has a neighbour of its
    own at each of --ranks.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.cli.progress import progress_bar
    from lexiscope.human.power.estimate import power as estimate
    from lexiscope.report.study import power as report

    study = _study(file, {name: options.pop(name) for name in _SYNTHETIC})
    settings = _settings(study, file is not None, options)
    with progress_bar() as progress:
        found = estimate(study, settings, progress)
    if as_json:
        print_json(found.to_dict())
    else:
        report.show(found)


def _study(file: str | None, options: dict[str, Any]) -> "Study":
    from lexiscope.core.errors import BadUsage
    from lexiscope.human.power.synthetic import synthetic_study
    from lexiscope.store.study_file import StudyFile

    given = {name: value for name, value in options.items() if value is not None}
    if file is None:
        return synthetic_study(**given)
    if given:
        name = min(given).replace("kind", "task").replace("_", "-")
        raise BadUsage(f"--{name} describes a study without FILE. {file} has its own.")
    with StudyFile(file) as opened:
        return opened.study


def _settings(study: "Study", own: bool, options: dict[str, Any]) -> "PowerSettings":
    from lexiscope.human.power.settings import QUERIES, PowerSettings
    from lexiscope.human.simulation import Behaviour

    behaviour = Behaviour(
        item_effect=options.pop("item_effect"),
        judge_effect=options.pop("judge_effect"),
        opt_out=options.pop("opt_out"),
    )
    number = len({item.query for item in study.scored})
    sizes = sorted({max(6, number // 2), max(6, number), max(6, 2 * number)}) if own else QUERIES
    queries = options.pop("queries") or tuple(sizes)
    return PowerSettings(behaviour=behaviour, queries=queries, **options)
