"""Groups of subcommands whose help shows every summary in full."""

import click


class Subcommands(click.Group):
    """A group of commands; click itself cuts the summaries of its commands to one line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List each command with the first paragraph of its help, folded."""
        found = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        rows = [(name, _summary(command)) for name, command in found if not command.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _summary(command: click.Command) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())
