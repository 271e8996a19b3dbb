"""Score tables: the scores of embeddings in every evaluation, for analyses over embeddings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import UnknownName
from lexiscope.evaluation.run_data import RunData
from lexiscope.stats.correlations import MIN_MEMBERS


@dataclass(frozen=True)
class ScoreTable:
    """Scores (embeddings, evaluations), and the model of each embedding.

    Embeddings of one model are repeated runs of it. `dimension` is None where embeddings of several
    dimensions are in one table; `left_out` are evaluations in which some embeddings have no score,
    cover too few items or cannot be compared. Where coverage differs, scores are those on shared
    items.
    """

    evaluations: tuple[str, ...]
    embeddings: tuple[str, ...]
    models: tuple[str, ...]
    values: Floats
    dimension: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def model_names(self) -> list[str]:
        """The models, in order."""
        return list(dict.fromkeys(self.models))

    @property
    def means(self) -> Floats:
        """The mean over the runs of each model (models, evaluations)."""
        models = np.array(self.models, object)
        return np.array([self.values[models == name].mean(axis=0) for name in self.model_names])

    def of(self, evaluation: str) -> Floats:
        """The scores of the models in an evaluation."""
        return self.means[:, self.evaluations.index(evaluation)]


class CompleteScores(NamedTuple):
    """The evaluations in which all embeddings have a comparable score, and those left out."""

    embeddings: list[str]
    evaluations: list[tuple[str, str]]
    values: Floats
    left_out: list[tuple[str, str]]


def complete_scores(results: RunData, names: Sequence[str]) -> CompleteScores:
    """The scores (embeddings, evaluations) of these embeddings, on shared items.

    An embedding that covers enough items of no dataset is left out.
    """
    scored = {each: results.shared_scores(*each) for each in results.evaluations}
    known = [name for name in names if any(name in scores for scores in scored.values())]
    known = known or list(names)
    columns = {
        each: [scores[name] for name in known]
        for each, scores in scored.items()
        if all(name in scores for name in known)
        if not _has_incomparable(results, *each, set(known))
    }
    values = np.array(list(columns.values()), np.float64).reshape(len(columns), len(known)).T
    left_out = [each for each in results.evaluations if each not in columns]
    return CompleteScores(known, list(columns), values, left_out)


def _has_incomparable(results: RunData, task: str, dataset: str, names: set[str]) -> bool:
    comparisons = results.comparisons_on(task, dataset)
    return any(c.difference is None for c in comparisons if {c.first, c.second} <= names)


def score_tables(results: RunData, models: Mapping[str, str]) -> list[ScoreTable]:
    """The scores of a run, one table for each dimension that has enough models.

    If none has, one table holds all embeddings.
    """
    dimensions = {entry["name"]: entry["dimension"] for entry in results.manifest["embeddings"]}
    groups: dict[int, list[str]] = {}
    for name, dimension in dimensions.items():
        groups.setdefault(dimension, []).append(name)
    enough = {d: n for d, n in groups.items() if len({models[name] for name in n}) >= MIN_MEMBERS}
    if enough:
        return [
            _score_table(results, names, models, dimension)
            for dimension, names in sorted(enough.items())
        ]
    only = next(iter(groups)) if len(groups) == 1 else None
    return [_score_table(results, list(dimensions), models, only)]


def _score_table(
    results: RunData, names: Sequence[str], models: Mapping[str, str], dimension: int | None
) -> ScoreTable:
    found = complete_scores(results, names)
    labels, left_out = (
        tuple(f"{task} on {dataset}" for task, dataset in evaluations)
        for evaluations in (found.evaluations, found.left_out)
    )
    names = tuple(found.embeddings)
    own_models = tuple(models[name] for name in names)
    return ScoreTable(labels, names, own_models, found.values, dimension, left_out)


def models_of(results: RunData, same_model: Sequence[str] = ()) -> dict[str, str]:
    """The model of each embedding of a run, with the patterns of the run unless some are given."""
    patterns = same_model or results.manifest.get("same_model", ())
    return models_from(results.manifest["embeddings"], patterns)


def models_from(
    entries: Sequence[Mapping[str, Any]], same_model: Sequence[str] = ()
) -> dict[str, str]:
    """The model of each embedding, from the entries of a manifest.

    Embeddings are runs of one model if their names match one pattern of `same_model`, if their
    content is equal, or if they were trained with all settings equal except the seed.
    """
    check_patterns([entry["name"] for entry in entries], same_model)
    found: dict[str, str] = {}
    first: dict[Any, str] = {}
    for entry in entries:
        name = entry["name"]
        pattern = next((p for p in same_model if fnmatchcase(name, p)), None)
        key = pattern or _training(entry) or entry["sha256"]
        found[name] = first.setdefault(key, pattern or name)
    return found


def check_patterns(names: Sequence[str], same_model: Sequence[str]) -> None:
    """Raise an error for a pattern that no embedding matches."""
    for each in same_model:
        if not any(fnmatchcase(name, each) for name in names):
            raise UnknownName("embedding of this run", each, names)


def _training(entry: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What trainings that differ only in the seed have in common; None for other vectors."""
    if not entry["trainer"]:
        return None
    return entry["trainer"], entry["origin"], entry["dimension"], entry["words"]
