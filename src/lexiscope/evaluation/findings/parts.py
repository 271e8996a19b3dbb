"""Findings of single evaluations, stored as they come, so that a killed run repeats few of them."""

import hashlib
from typing import Any, NamedTuple

import msgspec

from lexiscope import __version__
from lexiscope.core.result import Comparison, Disagreement, PolicyComparison, Result, SharedScore
from lexiscope.evaluation.comparison import HitComparison
from lexiscope.evaluation.load import LoadedEvaluation
from lexiscope.store.store import Store


class Findings(NamedTuple):
    """What was found between embeddings, and in parts of datasets."""

    comparisons: list[Comparison]
    control_comparisons: list[Comparison]
    model_comparisons: list[Comparison]
    policy_comparisons: list[PolicyComparison]
    shared_scores: list[SharedScore]
    breakdowns: list[Result]
    disagreements: list[Disagreement]

    @classmethod
    def empty(cls) -> "Findings":
        """Return findings to add to."""
        return cls(*([] for _ in cls._fields))

    def add(self, part: "Findings") -> None:
        """Add the findings of an evaluation."""
        for kind in self._fields:
            getattr(self, kind).extend(getattr(part, kind))


_KINDS: dict[str, Any] = {
    "comparisons": Comparison,
    "control_comparisons": Comparison,
    "model_comparisons": Comparison,
    "policy_comparisons": PolicyComparison,
    "shared_scores": SharedScore,
    "breakdowns": Result,
    "disagreements": Disagreement,
}


class StoredParts:
    """The findings of the evaluations of an unfinished run, not yet corrected over all of them."""

    def __init__(self, store: Store, run: str) -> None:
        self._store, self._run = store, run
        self._found = store.parts(run)

    def get(self, evaluation: LoadedEvaluation) -> Findings | None:
        """Return what was found in an evaluation before; None if it was not or is damaged."""
        stored = self._found.get(_key(evaluation))
        try:
            return None if stored is None else _decoded(stored)
        except (msgspec.ValidationError, AttributeError, KeyError, TypeError):
            return None

    def keep(self, evaluation: LoadedEvaluation, part: Findings) -> None:
        """Store what was found in an evaluation."""
        self._store.keep_part(self._run, _key(evaluation), part._asdict())


def _key(evaluation: LoadedEvaluation) -> str:
    """The version and the cells: the run itself depends on everything else."""
    cells = [cell["id"] for cell in (*evaluation.cells, *(c for c, _ in evaluation.controls))]
    about = [__version__, evaluation.predictions.variant, evaluation.predictions.dataset, *cells]
    return hashlib.sha256("\0".join(about).encode("utf-8", "surrogatepass")).hexdigest()


def _decoded(stored: dict[str, Any]) -> Findings:
    return Findings(*([_value(row, _KINDS[k]) for row in stored[k]] for k in Findings._fields))


def _value(row: dict[str, Any], kind: Any) -> Any:
    return msgspec.convert(row, HitComparison if "discordant" in row else kind)
