"""The command line: finds its commands by their files, prints errors as sentences."""

import os
import sys
from importlib import import_module
from typing import Any

import click

from lexiscope import __version__
from lexiscope.cli import commands
from lexiscope.core.discovery import names
from lexiscope.core.display import shown
from lexiscope.core.errors import LexiscopeError, UnknownName

_INTERRUPTED = 130
_GOES_ON = "Interrupted. The same command goes on from what was finished."


class Commands(click.Group):
    """Commands by file name; a file is imported when its command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return names(commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in names(commands):
            raise click.UsageError(str(UnknownName("command", cmd_name, names(commands))), ctx)
        module = import_module(f"lexiscope.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lexiscope")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def lexiscope() -> None:
    """Look at word embeddings through every lens the field has, and say how sure it is."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and end the process with the right code."""
    given = sys.argv[1:] if arguments is None else arguments
    # Wherever it stands, because that is where a person adds it to a command that failed.
    rest = [argument for argument in given if argument != "--debug"]
    sys.exit(_code(rest, debug=rest != given))


def _code(arguments: list[str], debug: bool) -> int:
    try:
        value: Any = lexiscope.main(arguments, prog_name="lexiscope", standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (KeyboardInterrupt, click.Abort) as problem:
        # Click wraps an interrupt; a command may have put a sentence of its own into it.
        return _say(str(problem.__cause__ or problem) or _GOES_ON, _INTERRUPTED)
    except (BrokenPipeError, SystemExit):
        # The reader has gone (click ends so): nothing more to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())  # type: ignore[union-attr]
        return 0
    except Exception as problem:
        if debug:
            raise
        return _told(problem)
    return value if isinstance(value, int) else 0


def _told(problem: Exception) -> int:
    if isinstance(problem, LexiscopeError):
        return _say(str(problem), problem.exit_code)
    what = f"{type(problem).__name__}: {problem}"
    return _say(f"This should not have happened ({what}). --debug shows where.", 1)


def _say(sentence: str, code: int) -> int:
    click.echo(f"lexiscope: {shown(sentence, 2000)}", err=True)
    return code
