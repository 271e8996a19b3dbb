"""The command line: finds commands by their file names and prints errors as sentences."""

import io
import os
import sys
import warnings
from importlib import import_module
from typing import Any, TextIO

import click

from lexiscope import __version__
from lexiscope.cli import commands
from lexiscope.cli.bus_errors import explain_bus_errors
from lexiscope.cli.interrupts import INTERRUPTED, interruptible
from lexiscope.core.contracts.registry import BrokenPlugin, names, summary
from lexiscope.core.display import shown
from lexiscope.core.errors import LexiscopeError, UnknownName

_RESUME = "Interrupted. Run the same command again to continue from the finished work."
_NO_MEMORY = (
    "The memory is full. Use fewer jobs (--jobs), fewer words (--limit) or a larger machine; what "
    "was stored before is safe."
)

# The help lists commands by what people want to do; a new file joins the last group.
GROUPS = {
    "Compare embeddings": (
        "run",
        "curves",
        "consistency",
        "report",
        "export",
        "check",
        "correlate",
    ),
    "Look into embeddings": ("neighbours", "inspect", "map", "dimensions"),
    "Ask people": ("study",),
    "Train embeddings": ("train", "trainers", "experiment"),
    "Probe synthetic languages": ("probe", "grammar"),
    "Reproduce papers": ("reproduce",),
    "Data": ("data", "convert", "tags"),
    "Tools": ("tasks", "doctor", "demo"),
}


class Commands(click.Group):
    """Commands by file name; a file is imported when its command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        grouped = [name for group in GROUPS.values() for name in group]
        return [*grouped, *(name for name in names(commands) if name not in grouped)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in names(commands):
            raise click.UsageError(str(UnknownName("command", cmd_name, names(commands))), ctx)
        module = import_module(f"lexiscope.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands of each group under its title."""
        known = self.list_commands(ctx)
        width = max(map(len, known))
        for title, group in GROUPS.items():
            last = title == list(GROUPS)[-1]
            shown_here = [n for n in known if n in group or (last and not _is_grouped(n))]
            with formatter.section(title):
                formatter.write_dl([(n.ljust(width), summary(commands, n)) for n in shown_here])


def _is_grouped(name: str) -> bool:
    return any(name in group for group in GROUPS.values())


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="lexiscope")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def lexiscope() -> None:
    """Evaluate word embeddings, and report how certain each result is."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and end the process with the right code."""
    if arguments is None:
        explain_bus_errors()
    given = sys.argv[1:] if arguments is None else arguments
    # Accepted anywhere: people append it to the command that failed.
    rest = [argument for argument in given if argument != "--debug"]
    with warnings.catch_warnings(), interruptible():
        warnings.showwarning = _show_warning
        code = _code(rest, debug=rest != given)
    sys.exit(code)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning on standard error: our own as a sentence, others as Python does."""
    if issubclass(category, BrokenPlugin) or category.__module__.startswith("lexiscope."):
        _print_error(str(message), 0)
    else:
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))


def _code(arguments: list[str], debug: bool) -> int:
    try:
        value: Any = lexiscope.main(arguments, prog_name="lexiscope", standalone_mode=False)
    except click.ClickException as problem:
        # The message may quote an argument, with escape sequences for the terminal.
        message = io.StringIO()
        problem.show(message)
        lines = message.getvalue().removesuffix("\n").split("\n")
        click.echo("\n".join(shown(line, 2000) for line in lines), err=True)
        return problem.exit_code
    except (KeyboardInterrupt, click.Abort) as problem:
        # Click wraps an interrupt; a command may have given it a message.
        return _print_error(str(problem.__cause__ or problem) or _RESUME, INTERRUPTED)
    except (BrokenPipeError, SystemExit):
        # The reader of the output has gone; click raises SystemExit then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())  # type: ignore[union-attr]
        return 0
    except Exception as problem:
        if debug:
            raise
        return _report(problem)
    return value if isinstance(value, int) else 0


def _report(problem: Exception) -> int:
    if isinstance(problem, LexiscopeError):
        return _print_error(str(problem), problem.exit_code)
    if isinstance(problem, MemoryError):
        return _print_error(_NO_MEMORY, 1)
    if isinstance(problem, OSError) and problem.strerror:
        where = f"{problem.filename}: " if problem.filename else ""
        return _print_error(f"{where}cannot be read or written ({problem.strerror}).", 3)
    what = f"{type(problem).__name__}: {problem}"
    return _print_error(f"Internal error ({what}). Add --debug for a traceback.", 1)


def _print_error(sentence: str, code: int) -> int:
    click.echo(f"lexiscope: {shown(sentence, 2000)}", err=True)
    return code
