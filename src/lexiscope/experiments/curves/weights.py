"""Weights of the expected loss, from a TOML file or from texts such as datasets.NAME=2."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from lexiscope.core.errors import BadData, BadUsage

Weights = dict[str, dict[str, float]]
KINDS = ("datasets", "models", "sizes")


class _File(msgspec.Struct, forbid_unknown_fields=True):
    datasets: dict[str, float] = {}
    models: dict[str, float] = {}
    sizes: dict[str, float] = {}


def read_weights(path: str | Path) -> Weights:
    """Read a TOML file with the tables datasets, models and sizes, each NAME = WEIGHT."""
    try:
        found = msgspec.convert(tomllib.loads(Path(path).read_text("utf-8")), _File)
    except OSError as problem:
        raise BadData(f"{path}: cannot be read ({problem.strerror}).") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise BadData(f"{path}: is not a file of weights ({problem}).") from None
    return _checked({kind: getattr(found, kind) for kind in KINDS}, f"{path}: ")


def parse_weights(texts: Iterable[str]) -> Weights:
    """Parse weights such as datasets.my-words=2, models.svm=0 or sizes.100%=3.

    >>> parse_weights(["models.svm=0", "sizes.100%=3"])
    {'datasets': {}, 'models': {'svm': 0.0}, 'sizes': {'100%': 3.0}}
    """
    found: Weights = {kind: {} for kind in KINDS}
    for text in texts:
        key, _, value = text.rpartition("=")
        kind, _, name = key.partition(".")
        try:
            found[kind][name] = float(value)
        except (KeyError, ValueError):
            raise BadUsage(
                f"A weight is datasets.NAME=W, models.NAME=W or sizes.SIZE=W, found '{text}'."
            ) from None
    return _checked(found, "")


def _checked(weights: Weights, where: str) -> Weights:
    for kind, named in weights.items():
        for name, value in named.items():
            if not 0 <= value < float("inf"):
                raise BadUsage(f"{where}the weight {kind}.{name} must be 0 or more, found {value}.")
    return weights
