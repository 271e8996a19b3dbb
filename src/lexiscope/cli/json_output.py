"""JSON on standard output: one serialisation rule for all commands."""

from math import isfinite
from typing import Any

import click


def print_json(document: Any) -> None:
    """Print one JSON document in UTF-8; the encoding of the terminal does not matter."""
    click.echo(json_text(document).encode())


def json_text(document: Any) -> str:
    """Return a document as JSON text.

    The text is indented and keeps all characters but control characters, which are escaped. Bytes
    of a file name that are not text become question marks. Numbers that JSON does not have (NaN
    and infinity) become null.
    """
    import json

    from lexiscope.core.display import escaped

    text = json.dumps(_finite(document), ensure_ascii=False, indent=2, allow_nan=False)
    return escaped(text.encode("utf-8", "replace").decode())


def _finite(value: Any) -> Any:
    """Replace numbers that are not finite with None."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
