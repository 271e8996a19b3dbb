"""What the results of an experiment on consistency were computed with."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from lexiscope.core.contracts.term_model import TermModel
from lexiscope.core.contracts.trainer import Trainer
from lexiscope.core.versions import versions
from lexiscope.experiments.consistency.background import LoadedBackground
from lexiscope.experiments.consistency.source import Source
from lexiscope.learners.induction_map import InductionMap


def manifest_of(
    source: Source,
    loaded: LoadedBackground,
    models: Mapping[str, TermModel | Trainer],
    seed: int,
) -> dict[str, Any]:
    """Return text, background, samples and models with versions and hashes."""
    sampled, corpus, background = source.sampled, source.corpus, loaded.background
    return {
        "versions": versions(),
        "seed": seed,
        "text": {
            "name": sampled.name,
            "tokens": None if corpus is None else len(corpus),
            "sentences": None if corpus is None else corpus.sentences,
            "sha256": source.fingerprint,
            "coverage": sampled.coverage,
            "repairs": list(source.repairs),
        },
        "background": {
            "name": loaded.name,
            "words": len(background.words),
            "dimension": background.dimension,
            "sha256": loaded.fingerprint,
            "counts": background.counts is not None,
            "output": background.output is not None,
            "repairs": list(loaded.repairs),
        },
        "rule": {**asdict(sampled.rule), "cutoff": sampled.rule.least},
        "saturation": sampled.saturation,
        "left_out": [each._asdict() for each in sampled.left_out],
        "models": [
            {
                "name": name,
                "version": model.version,
                "settings": {key: _setting(value) for key, value in model.settings.items()},
            }
            for name, model in models.items()
        ],
    }


def _setting(value: Any) -> str:
    """A setting as text; a map by its text and its fingerprint."""
    if isinstance(value, InductionMap):
        return f"learned from {value.name}, sha256 {value.fingerprint}"
    return str(value)
