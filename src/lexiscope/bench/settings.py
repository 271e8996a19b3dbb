"""Text from a command line or a plan file becomes the values of settings."""

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lexiscope.core.errors import BadUsage, UnknownName
from lexiscope.core.trainer import check_setting


def converted(kind: type, owner: str, name: str, value: Any) -> Any:
    """What the field `name` of a kind of task or trainer holds for `value`, which may be text."""
    import msgspec

    known = [field.name for field in fields(kind)]
    if name not in known:
        raise UnknownName(f"setting of {owner}", name, known)
    hint = get_type_hints(kind)[name]
    if get_origin(hint) is Literal and value not in get_args(hint):
        raise UnknownName(f"value of {owner}.{name}", str(value), get_args(hint))
    try:
        return msgspec.convert(value, hint, strict=False)
    except msgspec.ValidationError as problem:
        raise BadUsage(f"{owner}.{name}={value}: {problem}.") from None


def checked(kind: type[Any], owner: str, name: str, value: Any) -> Any:
    """What a field of a trainer or study holds for `value`, refused if it makes no sense."""
    found = converted(kind, owner, name, value)
    check_setting(kind, name, found)
    return found
