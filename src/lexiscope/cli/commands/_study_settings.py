"""Settings of a study: when it is made, and changed later."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lexiscope.cli import options as shared

if TYPE_CHECKING:
    from lexiscope.core.study import StudySettings

_Command = TypeVar("_Command", bound=Callable[..., Any])

# The names are those of StudySettings. An option that is not given is None.
_OPTIONS = {
    "judges_per_item": click.option(
        "--judges-per-item", type=click.IntRange(1), metavar="N", help="[default: 7]"
    ),
    "items_per_judge": click.option(
        "--items-per-judge", type=click.IntRange(1), metavar="N", help="[default: 40]"
    ),
    "controls_per_judge": click.option(
        "--controls",
        "controls_per_judge",
        type=click.IntRange(0),
        metavar="N",
        help="Control items of a judge, with an obvious answer.  [default: 3]",
    ),
    "repeat_queries": click.option(
        "--repeat-queries/--no-repeat-queries",
        default=None,
        help="Whether a judge may get a query several times.  [default: no]",
    ),
    "title": click.option("--title", help="What judges see.  [default: Word study]"),
    "contact": click.option("--contact", help="Contact on the consent page."),
    "institution": click.option("--institution", help="Institution on the consent page."),
    "ethics": click.option("--ethics", help="Ethics approval on the consent page."),
    "retention": click.option("--retention", help="How long data are kept, on the consent page."),
    "pay_per_judge": click.option(
        "--pay",
        "pay_per_judge",
        type=click.FloatRange(0),
        metavar="X",
        help="Payment of a judge.  [default: 0]",
    ),
    "currency": click.option("--currency", help="Currency of the payment.  [default: USD]"),
    "completion_code": click.option("--completion-code", help="Prolific's completion code."),
    "full_code": click.option(
        "--full-code",
        help="A second code of Prolific, for people who arrive when the study is full or closed.",
    ),
    "ask_first_language": click.option(
        "--ask-first-language/--no-ask-first-language",
        default=None,
        help="Whether judges may name their first language at the end.  [default: no]",
    ),
    "ask_other_help": click.option(
        "--ask-other-help/--no-ask-other-help",
        default=None,
        help="Whether judges may say at the end that they used other help.  [default: no]",
    ),
    "language": click.option("--language", help="Language tag of the words.  [default: en]"),
}


def settings_options(command: _Command) -> _Command:
    """Add the options of a study's settings to a command."""
    for option in reversed(_OPTIONS.values()):
        command = option(command)
    return command


def given_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given, by their names in StudySettings."""
    return {name: options[name] for name in _OPTIONS if options[name] is not None}


@click.command("edit")
@click.argument("file", type=click.Path(dir_okay=False))
@settings_options
@shared.as_json
def edit(file: str, as_json: bool, **options: Any) -> None:
    """Change settings of the study FILE, such as its title, contact or completion code.

    What decides which items a judge gets cannot change after the first judge has started. A server
    that runs shows the change after a restart.
    """
    from lexiscope.core.errors import BadUsage
    from lexiscope.human.settings import change_settings
    from lexiscope.store.study_file import StudyFile

    changes = given_settings(options)
    if not changes:
        raise BadUsage("Give at least one setting to change, such as --contact.")
    with StudyFile(file) as opened:
        _print_changed(changes, change_settings(opened, changes), as_json)


def _print_changed(changes: dict[str, Any], after: "StudySettings", as_json: bool) -> None:
    from lexiscope.cli.json_output import print_json
    from lexiscope.core.display import shown

    found = {name: getattr(after, name) for name in changes}
    if as_json:
        print_json(found)
        return
    for name, value in found.items():
        click.echo(f"{name.replace('_', ' ')}: {shown(str(value), 200)}")
    click.echo("A server that runs shows the change after a restart.")
