"""Text as paragraphs that fit the terminal: nothing is cut, and no word is broken."""

import shutil
from textwrap import fill

import click

_WIDEST = 120  # characters; longer lines are hard to read
_USUAL = 80  # characters, where the output is no terminal and COLUMNS is not set


def width() -> int:
    """The width of the terminal in characters, or COLUMNS; at most 120."""
    return min(_WIDEST, shutil.get_terminal_size((_USUAL, 24)).columns)


def paragraph(text: str, head: str = "", indent: int | None = None) -> str:
    """Return a text after a head, folded between words; later lines are indented like the text.

    Hyphens and long words, such as addresses and paths, are not broken.

    Parameters
    ----------
    text : str
        The text; white space is one space.
    head : str, optional
        What the first line begins with, such as a name and its padding.
    indent : int, optional
        The indentation of the other lines. The default is the length of the head.
    """
    space = " " * (len(head) if indent is None else indent)
    return fill(
        text, max(width(), len(space) + 20), initial_indent=head, subsequent_indent=space,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def print_paragraph(
    text: str, head: str = "", indent: int | None = None, err: bool = False
) -> None:
    """Print a paragraph; on standard error with `err`."""
    click.echo(paragraph(text, head, indent), err=err)


def print_text(text: str) -> None:
    """Print the paragraphs of a docstring; lists and indented lines, such as formulas, stay."""
    blocks = text.split("\n\n")
    for number, block in enumerate(blocks):
        is_laid_out = any(line.startswith((" ", "- ")) for line in block.splitlines())
        click.echo(block if is_laid_out else paragraph(block))
        if number + 1 < len(blocks):
            click.echo()
