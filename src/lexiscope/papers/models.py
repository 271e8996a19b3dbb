"""Models of papers as models of experiments."""

from collections.abc import Iterable, Mapping
from typing import Any

from lexiscope.core.errors import UnknownName
from lexiscope.experiments.models import Model
from lexiscope.papers.schema import CorrelationScale, ModelEntry, SyntheticScale


def experiment_models(
    entries: Iterable[ModelEntry], settings: Mapping[str, Mapping[str, Any]] | None = None
) -> list[Model]:
    """Convert the models of a paper file; `settings` of a scale replace those of a model."""
    scaled = settings or {}
    return [
        Model(
            each.name, each.trainer, {**each.settings, **scaled.get(each.name, {})}, each.family,
            each.base, each.lexicon, each.repeated,
        )
        for each in entries
    ]  # fmt: skip


def scale_of(
    scales: Mapping[str, SyntheticScale] | Mapping[str, CorrelationScale], name: str
) -> Any:
    """Return the scale with this name."""
    if name not in scales:
        raise UnknownName("scale", str(name), scales)
    return scales[name]
