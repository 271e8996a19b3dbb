"""Human studies: make, serve and score items that people judge."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared
from lexiscope.cli.commands._study_exchange import export, import_
from lexiscope.cli.commands._study_inventory import inventory, word_options, words_from
from lexiscope.cli.commands._study_power import power
from lexiscope.cli.commands._study_settings import edit, given_settings, settings_options
from lexiscope.cli.exports import export_options, output
from lexiscope.cli.subcommands import Subcommands

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexiscope.core.study import Judgment, Study, StudySettings
    from lexiscope.human.proxies import ProxyScore
    from lexiscope.store.study_file import StudyFile


study_file = click.argument("file", type=click.Path(dir_okay=False))
opt_outs = click.option(
    "--opt-outs",
    type=click.Choice(["exclude", "include"]),
    default="exclude",
    show_default=True,
    help="Whether 'I don't know' counts in the denominator of an item.",
)


@click.group(cls=Subcommands)
def command() -> None:
    """Studies with people: new, preview, serve, status, results, export, import and more."""


command.add_command(edit)
command.add_command(export)
command.add_command(import_)
command.add_command(inventory)
command.add_command(power)


@command.command("new")
@study_file
@click.argument("vectors", nargs=-1, required=True)
@click.option(
    "--task",
    "kind",
    type=click.Choice(["comparison", "intrusion"]),
    default="comparison",
    show_default=True,
    help="Choose the most similar neighbour, or find the intruder.",
)
@word_options
@click.option(
    "--rank",
    "ranks",
    type=click.IntRange(1),
    multiple=True,
    default=(1, 5, 50),
    show_default=True,
    help="Rank of the neighbours of a comparison (repeatable).",
)
@click.option(
    "--intruder-width",
    "width",
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    help="Largest difference of an intruder's frequency from the mean; doubled if no word fits.  "
    "[default: 500, scaled to the corpus]",
)
@settings_options
@click.option(
    "--control-items",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Control items of your own: query, correct word, other words; or words, then intruder.",
)
@shared.seed
@shared.offline
@shared.data_dir
@shared.on_error
@shared.as_json
def new(file: str, vectors: tuple[str, ...], kind: Any, **options: Any) -> None:
    """Write a new study to FILE: items from the neighbours of words in VECTORS."""
    from lexiscope.cli.download import fetch_named
    from lexiscope.human.new_study import new_study
    from lexiscope.store.study_file import StudyFile

    needed = [] if options["words"] else ["wordnet-3.1"]
    fetch_named([*vectors, *needed], options["data_dir"])
    study = new_study(
        vectors,
        kind,
        words_from(options),
        _settings(options),
        ranks=sorted(set(options["ranks"])),
        width=options["width"],
        controls=options["control_items"],
        inputs=shared.inputs_from(options),
    )
    StudyFile.create(file, study).close()
    _print_new(file, study, options["as_json"])


def _settings(options: dict[str, Any]) -> "StudySettings":
    from lexiscope.core.study import StudySettings

    return StudySettings(seed=options["seed"], **given_settings(options))


def _print_new(file: str, study: "Study", as_json: bool) -> None:
    from lexiscope.cli.json_output import print_json
    from lexiscope.report.study.overview import design, design_lines

    if as_json:
        print_json({"file": file, **design(study)})
        return
    for line in design_lines(study):
        click.echo(line)
    click.echo(f"Study: {file}")
    click.echo(f"Next: lexiscope study preview {file}, then lexiscope study serve {file}")


@command.command("preview")
@study_file
@click.option("-n", "--number", type=click.IntRange(1), default=5, show_default=True)
@click.option("--blind", is_flag=True, help="Without embeddings and answers, as judges see items.")
@shared.as_json
def preview(file: str, number: int, blind: bool, as_json: bool) -> None:
    """Show items of the study FILE."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.report.study.overview import item_lines, item_record

    with _opened(file) as opened:
        study = opened.study
    items = study.items[:number]
    if as_json:
        print_json([item_record(item, blind) for item in items])
        return
    for item in items:
        for line in item_lines(item, blind):
            click.echo(line)
    if len(study.items) > number:
        click.echo(f"{len(study.items) - number} more items; -n shows them.")


@command.command("serve")
@study_file
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--mode",
    type=click.Choice(["link", "class", "prolific", "mturk"]),
    default="link",
    show_default=True,
    help="One link for everybody, a class with a QR code, or a crowdsourcing platform.",
)
@click.option("--behind-proxy", is_flag=True, help="A reverse proxy with HTTPS is in front.")
@click.option("--base-url", metavar="URL", help="The address under which judges reach the study.")
@shared.as_json
def serve(file: str, as_json: bool, **options: Any) -> None:
    """Serve the study FILE to judges as web pages, until Ctrl-C.

    With --json, the document has the addresses for judges and for the administrator.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.web.serve import serve as start

    start(file, **options, started=print_json if as_json else None)


@command.command("status")
@study_file
@shared.as_json
def status(file: str, as_json: bool) -> None:
    """Show how many judges and judgments the study FILE has."""
    from lexiscope.cli.json_output import print_json
    from lexiscope.report.study.overview import progress, progress_lines

    with _opened(file) as opened:
        found = progress(opened.study, opened.judges(), opened.judgments(), opened.closed)
    if as_json:
        print_json(found)
        return
    for line in progress_lines(found):
        click.echo(line)


@command.command("results")
@study_file
@opt_outs
@click.option(
    "--proxy",
    "vectors",
    multiple=True,
    metavar="VECTORS",
    help="Vectors that solve the intrusion items too (repeatable); WordNet joins if downloaded.",
)
@shared.margin
@shared.seed
@shared.data_dir
@shared.on_error
@shared.report
@shared.as_json
@export_options("item and embedding")
@click.option("--tables", metavar="FOLDER", help="Also write every table as a CSV file.")
def results(file: str, **options: Any) -> None:
    """Score the judgments of the study FILE, with intervals and tests."""
    from dataclasses import replace
    from pathlib import Path

    from lexiscope.core.decision import DecisionRule
    from lexiscope.human.export_files import save_files
    from lexiscope.human.scoring.results import score_study
    from lexiscope.report import study as report

    with _opened(file) as opened:
        study, judgments, judges = opened.study, opened.judgments(), opened.judges()
    found = score_study(
        study,
        judgments,
        judges,
        opt_out=options["opt_outs"],
        seed=options["seed"],
        rule=DecisionRule(options["margin"]),
    )
    if options["vectors"]:
        found = replace(found, proxies=_proxies(study, options, judgments))
    if options["tables"]:
        save_files(Path(options["tables"]), report.table_files(found))
    output(found, report, options)


@command.command("proxies")
@study_file
@click.argument("vectors", nargs=-1)
@shared.data_dir
@shared.on_error
@shared.as_json
def proxies(file: str, vectors: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Solve the intrusion items of FILE by other VECTORS and by WordNet, instead of people."""
    from lexiscope.cli.json_output import print_json

    with _opened(file) as opened:
        study, judgments = opened.study, opened.judgments()
    found = _proxies(study, {**options, "vectors": vectors}, judgments)
    if as_json:
        print_json([each._asdict() for each in found])
    else:
        _print_proxies(found)


def _proxies(
    study: "Study", options: dict[str, Any], judgments: "Sequence[Judgment]"
) -> "tuple[ProxyScore, ...]":
    from lexiscope.human.new_study import load_aligned
    from lexiscope.human.proxies import coherence_scores
    from lexiscope.human.query_words import wordnet_if_downloaded

    inputs = shared.inputs_from(options)
    embeddings = load_aligned(options["vectors"], inputs) if options["vectors"] else []
    return coherence_scores(study, embeddings, wordnet_if_downloaded(inputs), judgments)


def _print_proxies(found: "Sequence[ProxyScore]") -> None:
    from lexiscope.core.errors import BadUsage
    from lexiscope.report.study.overview import proxy_lines

    if not found:
        raise BadUsage("There is no proxy: give vectors, or get WordNet with "
                       "'lexiscope data get wordnet-3.1'.")  # fmt: skip
    for line in proxy_lines(found):
        click.echo(line)


@command.command("simulate")
@study_file
@click.option("--judges", type=click.IntRange(1), metavar="N", help="Default: as many as needed.")
@click.option(
    "--quality",
    multiple=True,
    metavar="NAME=X",
    help="How good an embedding is to the simulated judges (repeatable).  [default: 0]",
)
@shared.seed
@shared.as_json
def simulate(
    file: str, judges: int | None, quality: tuple[str, ...], seed: int, as_json: bool
) -> None:
    """Fill the study FILE with simulated judges of known preferences, to rehearse the analysis.

    The file must not have judgments of people.
    """
    from lexiscope.cli.json_output import print_json
    from lexiscope.human.rehearsal import rehearse

    with _opened(file) as opened:
        number = rehearse(opened, judges, dict(map(_quality, quality)), seed)
        judged = len(opened.judgments())
    if as_json:
        print_json({"judges": number, "judgments": judged})
    else:
        click.echo(f"{number} simulated judges gave {judged:,} judgments. Use a copy of the study "
                   f"for people. Next: lexiscope study results {file}")  # fmt: skip


def _quality(text: str) -> tuple[str, float]:
    from lexiscope.core.errors import BadUsage

    name, _, value = text.rpartition("=")
    try:
        return name, float(value)
    except ValueError:
        raise BadUsage(f"--quality takes NAME=NUMBER, found '{text}'.") from None


@command.command("forget")
@study_file
@click.argument("judge", required=False)
@click.option("--platform-ids", is_flag=True, help="Delete the ids of all judges' platforms.")
@shared.as_json
def forget(file: str, judge: str | None, platform_ids: bool, as_json: bool) -> None:
    """Delete everything about one JUDGE, or the platform ids of all, from the study FILE."""
    from lexiscope.core.errors import BadUsage

    if (judge is None) == (not platform_ids):
        raise BadUsage("Give the id of a judge, or --platform-ids.")
    with _opened(file) as opened:
        number = opened.forget_platform_ids() if judge is None else opened.forget(judge)
    what = "platform_ids" if judge is None else "judgments"
    sentence = f"Deleted judge {judge} with {number} judgments."
    if judge is None:
        sentence = f"Deleted {number} platform ids; judgments stay."
    _print({"judge": judge, f"deleted_{what}": number}, sentence, as_json)


@command.command("close")
@study_file
@click.option("--reopen", is_flag=True, help="Open the study again.")
@shared.as_json
def close(file: str, reopen: bool, as_json: bool) -> None:
    """Close the study FILE: judges cannot answer any more."""
    from time import time

    with _opened(file) as opened:
        opened.close_study(None if reopen else time())
    sentence = "The study is open." if reopen else "The study is closed."
    _print({"closed": not reopen}, sentence, as_json)


def _print(document: dict[str, Any], sentence: str, as_json: bool) -> None:
    from lexiscope.cli.json_output import print_json

    if as_json:
        print_json(document)
    else:
        click.echo(sentence)


@contextmanager
def _opened(file: str) -> "Iterator[StudyFile]":
    from lexiscope.store.study_file import StudyFile

    with StudyFile(file) as opened:
        yield opened
