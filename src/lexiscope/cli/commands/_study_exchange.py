"""Export and import of studies."""

from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexiscope.human.answers import Imported

_EXPORTS = (
    "inventory", "items", "judgments", "publish", "spreadsheet", "mturk", "prolific", "potato",
)  # fmt: skip
_IMPORTS = ("judgments", "publish", "spreadsheet", "mturk", "potato", "van_boven")


@click.command("export")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option(
    "--format", "name", required=True, metavar="FORMAT", help=f"One of {', '.join(_EXPORTS)}."
)
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    type=click.Path(),
    metavar="OUT",
    help="A .csv file (inventory, items, judgments), a .jsonl file (items, judgments), or a new "
    "folder or .zip file (others).",
)
@click.option(
    "--judges",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help="Number of spreadsheets, one for each judge.",
)
@click.option("--url", default="", help="HTTPS address of the study (mturk, prolific).")
@click.option(
    "--frame-height",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    help="Height of MTurk's frame in pixels; 0 fits the window.",
)
@click.option(
    "--with-platform-ids",
    is_flag=True,
    help="Also export the ids that platforms gave to people (judgments, prolific).",
)
@shared.as_json
def export(file: str, name: str, out: str, as_json: bool, **options: Any) -> None:
    """Export the study FILE: items, judgments, or files for other tools.

    Judges have random ids, and ids of platforms are left out unless you ask for them.
    """
    from lexiscope.human.export_files import ExportOptions, format_named, save_files
    from lexiscope.store.study_file import StudyFile

    chosen = format_named(name, "write")
    target = Path(out)
    with StudyFile(file) as opened:
        given = ExportOptions(target.suffix.casefold(), now=time(), **options)
        paths = save_files(target, chosen.write(opened, given))
    _print_written(paths, as_json)


def _print_written(paths: "Sequence[Path]", as_json: bool) -> None:
    from lexiscope.cli.json_output import print_json

    if as_json:
        print_json({"files": [str(path) for path in paths]})
        return
    for path in paths[:10]:
        click.echo(f"Written: {path}")
    if len(paths) > 10:
        click.echo(f"and {len(paths) - 10} more files")


@click.command("import")
@click.argument("file", type=click.Path(dir_okay=False))
@click.argument("sources", nargs=-1, required=True, type=click.Path())
@click.option(
    "--format",
    "name",
    metavar="FORMAT",
    help=f"One of {', '.join(_IMPORTS)}.  [default: publish for a publication, van_boven for "
    "the files of van Boven and Bloem 2021, else judgments]",
)
@click.option(
    "--task",
    "kind",
    type=click.Choice(["comparison", "intrusion"]),
    default="comparison",
    show_default=True,
    help="The task to read for a new FILE, if SOURCES hold both (van_boven).",
)
@click.option("--skip-rejected", is_flag=True, help="Leave out work that was rejected on MTurk.")
@shared.as_json
def import_(
    file: str, sources: "Sequence[str]", name: str | None, as_json: bool, **options: Any
) -> None:
    """Import judgments from SOURCES into the study FILE: all of them, or none.

    Judgments that the study has already change nothing. A publication or the files of van Boven
    and Bloem (2021) create FILE if it does not exist.
    """
    from lexiscope.human.export_files import ImportOptions, format_named
    from lexiscope.human.imports import import_files

    paths = [Path(source) for source in sources]
    chosen = format_named(name or _format_of(paths[0]), "read")
    found = import_files(file, chosen, paths, ImportOptions(**options), time())
    _print_imported(found, as_json)


def _format_of(path: Path) -> str:
    from lexiscope.human.exchange import publish, van_boven

    if van_boven.is_replication(path):
        return "van_boven"
    return "publish" if publish.is_publication(path) else "judgments"


def _print_imported(found: "Imported", as_json: bool) -> None:
    from dataclasses import asdict

    from lexiscope.cli.json_output import print_json
    from lexiscope.report.sentences import counted

    if as_json:
        print_json(asdict(found))
        return
    click.echo(
        f"{counted(found.judgments, 'new judgment')} and {counted(found.judges, 'new judge')}; "
        f"{counted(found.unchanged, 'judgment')} known already."
    )
    if found.skipped:
        click.echo(f"Left out: {len(found.skipped)}, such as {found.skipped[0]}.")
    for note in found.notes:
        click.echo(f"Note: {note}")
