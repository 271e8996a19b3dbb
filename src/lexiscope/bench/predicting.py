"""Which evaluation predicts which? Tsvetkov et al. 2015, section 5.

An evaluation predicts another if embeddings that score higher on the one score higher on the other.
Runs of one model are not independent of each other, so they count as one: their mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from lexiscope.bench.results import Results
from lexiscope.bench.training import trainer_names
from lexiscope.core.errors import Undefined, UnknownName
from lexiscope.core.measure import Floats
from lexiscope.stats.correlations import FEWEST, Correlation, correlation, hinge
from lexiscope.stats.many import holm
from lexiscope.stats.measures import average_ranks
from lexiscope.stats.orders import MOST_MEMBERS, Numbers, borda, kemeny

_ALPHA = 0.05


@dataclass(frozen=True)
class Scored:
    """Scores of embeddings (embeddings, evaluations), and which embeddings are runs of one unit.

    `dimension` is None where embeddings of several dimensionalities stand together; `left_out` are
    the evaluations that some of them have no score in, or that cannot compare them.
    """

    evaluations: tuple[str, ...]
    embeddings: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats
    dimension: int | None = None
    left_out: tuple[str, ...] = ()

    @property
    def members(self) -> list[str]:
        """The units, in order."""
        return list(dict.fromkeys(self.units))

    @property
    def means(self) -> Floats:
        """The mean of the runs of each unit (units, evaluations)."""
        whose = np.array(self.units, object)
        return np.array([self.values[whose == unit].mean(axis=0) for unit in self.members])

    def of(self, evaluation: str) -> Floats:
        """The scores of the units on an evaluation."""
        return self.means[:, self.evaluations.index(evaluation)]


@dataclass(frozen=True)
class Pair:
    """How far one evaluation predicts another, over units.

    `hinge` is the unit without which Pearson's correlation would change most, to `without`;
    `as_points` is Pearson's with every run as a point of its own, as papers give it.
    """

    first: str
    second: str
    dimension: int | None
    pearson: Correlation
    spearman: Correlation
    p_holm: float | None
    hinge: str
    without: float | None
    as_points: float | None
    points: int

    @property
    def verdict(self) -> str:
        """Whether they go together beyond chance, after Holm's correction."""
        if self.p_holm is None or self.pearson.value is None:
            return "not known"
        if self.p_holm >= _ALPHA:
            return "may be chance"
        return "predicts" if self.pearson.value > 0 else "predicts the opposite"


@dataclass(frozen=True)
class Joined:
    """An evaluation's order of the units beside the one order that fits the others best.

    With several best orders, units have their mean ranks; the correlation with each single order
    lies between `least` and `most`.
    """

    evaluation: str
    dimension: int | None
    spearman: Correlation
    least: float | None
    most: float | None
    orders: int
    method: str


@dataclass(frozen=True)
class Predictions:
    """All that the scores of embeddings say about evaluations, dimensionality by dimensionality."""

    scored: tuple[Scored, ...]
    pairs: tuple[Pair, ...]

    @cached_property
    def joined(self) -> tuple[Joined, ...]:
        """Each evaluation beside the joint order of the others; found when first asked for."""
        return tuple(found for each in self.scored for found in _joined(each))

    def between(self, first: str, second: str, dimension: int | None) -> Pair | None:
        """The pair of two evaluations at a dimensionality, whichever stands first."""
        return next(
            (
                each
                for each in self.pairs
                if {each.first, each.second} == {first, second} and each.dimension == dimension
            ),
            None,
        )

    def of(self, target: str) -> list[Pair]:
        """The pairs with an evaluation, the best predictors first, the target second."""
        found = [
            each if each.second == target else replace(each, first=each.second, second=each.first)
            for each in self.pairs
            if target in (each.first, each.second)
        ]
        return sorted(found, key=lambda p: (p.dimension or 0, -_known(p.pearson.value)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data with stable keys."""
        return {
            "units": [
                {
                    "dimension": each.dimension,
                    "embeddings": dict(zip(each.embeddings, each.units, strict=True)),
                    "evaluations": list(each.evaluations),
                    "left_out": list(each.left_out),
                }
                for each in self.scored
            ],
            "pairs": [_plain(each) | {"verdict": each.verdict} for each in self.pairs],
            "joined": [_plain(each) for each in self.joined],
        }


def _known(value: float | None) -> float:
    return -2.0 if value is None else value


def _plain(each: Pair | Joined) -> dict[str, Any]:
    named = {n: v._asdict() for n, v in vars(each).items() if isinstance(v, Correlation)}
    return asdict(each) | named


def predictions(scored: Sequence[Scored]) -> Predictions:
    """Every two evaluations, and each beside the joint order of the others."""
    pairs = [pair for each in scored for pair in _corrected(list(_pairs(each)))]
    return Predictions(tuple(scored), tuple(pairs))


def _pairs(scored: Scored) -> Iterator[Pair]:
    means, members = scored.means, scored.members
    for i, j in combinations(range(len(scored.evaluations)), 2):
        one, other = means[:, i], means[:, j]
        turns = hinge(one, other)
        every = correlation(scored.values[:, i], scored.values[:, j], "pearson")
        yield Pair(
            scored.evaluations[i], scored.evaluations[j], scored.dimension,
            correlation(one, other, "pearson"), correlation(one, other, "spearman"), None,
            members[turns.member] if turns else "", turns.without if turns else None,
            every.value, every.number,
        )  # fmt: skip


def _corrected(pairs: list[Pair]) -> list[Pair]:
    """Holm's correction over the pairs of one dimensionality."""
    tested = [k for k, pair in enumerate(pairs) if pair.pearson.p is not None]
    corrected = holm([float(pairs[k].pearson.p or 0.0) for k in tested])
    for k, p in zip(tested, corrected.tolist(), strict=True):
        pairs[k] = replace(pairs[k], p_holm=p)
    return pairs


def _joined(scored: Scored) -> Iterator[Joined]:
    for place, evaluation in enumerate(scored.evaluations):
        others = np.delete(scored.means, place, axis=1)
        if others.shape[1] > 1:
            yield beside(scored, evaluation, others)


def beside(scored: Scored, evaluation: str, others: Floats) -> Joined:
    """An evaluation's order beside the joint order of other scores (units, evaluations)."""
    own = scored.of(evaluation)
    orders, method = joint_orders(others)
    ranks = -np.argsort(orders, axis=1).astype(np.float64)  # higher is better
    if method == "borda":
        ranks = average_ranks(borda(others.T))[None]
    each = [correlation(own, rank, "spearman").value for rank in ranks]
    found = [value for value in each if value is not None]
    whole = correlation(own, ranks.mean(axis=0), "spearman")
    least, most = min(found, default=None), max(found, default=None)
    return Joined(evaluation, scored.dimension, whole, least, most, len(orders), method)


def joint_orders(scores: Floats) -> tuple[Numbers, str]:
    """All best orders of units by their scores (units, evaluations): Kemeny's, else Borda's."""
    if len(scores) <= MOST_MEMBERS:
        try:
            return kemeny(scores.T).orders, "kemeny"
        except Undefined:  # the rankings hardly prefer anyone
            pass
    return np.argsort(-borda(scores.T), kind="stable")[None], "borda"


def of_results(results: Results, same: Sequence[str] = ()) -> Predictions:
    """What a run says about its evaluations; `same` are patterns of names that are runs of one."""
    return predictions(scored_of(results, units_of(results, same)))


def scored_of(results: Results, units: Mapping[str, str]) -> list[Scored]:
    """The scores of a run, apart by dimensionality where that leaves enough units to say something.

    Where no dimensionality has four units, all embeddings stand together.
    """
    widths = {entry["name"]: entry["dimension"] for entry in results.manifest["embeddings"]}
    groups: dict[int, list[str]] = {}
    for name, width in widths.items():
        groups.setdefault(width, []).append(name)
    enough = {w: n for w, n in groups.items() if len({units[name] for name in n}) >= FEWEST}
    if enough:
        return [_scored(results, names, units, width) for width, names in sorted(enough.items())]
    only = next(iter(groups)) if len(groups) == 1 else None
    return [_scored(results, list(widths), units, only)]


def _scored(
    results: Results, names: Sequence[str], units: Mapping[str, str], dimension: int | None
) -> Scored:
    columns, left_out = {}, []
    for task, dataset in results.columns:
        scores, label = results.scores(task, dataset), f"{task} on {dataset}"
        whole = all(name in scores for name in names)
        if whole and not _refused(results, task, dataset, set(names)):
            columns[label] = [scores[name] for name in names]
        else:
            left_out.append(label)
    values = np.array(list(columns.values()), np.float64).reshape(len(columns), len(names)).T
    whose = tuple(units[name] for name in names)
    return Scored(tuple(columns), tuple(names), whose, values, dimension, tuple(left_out))


def _refused(results: Results, task: str, dataset: str, names: set[str]) -> bool:
    """Whether some of these embeddings cannot be put in an order on a question."""
    compared = results.compared(task, dataset)
    return any(c.p is None for c in compared if {c.first, c.second} <= names)


def units_of(results: Results, same: Sequence[str] = ()) -> dict[str, str]:
    """Which embeddings are runs of one: those of a pattern, equal ones, and trainings that differ
    in their seed only.
    """
    names = [entry["name"] for entry in results.manifest["embeddings"]]
    for each in same:
        if not any(fnmatchcase(name, each) for name in names):
            raise UnknownName("embedding of this run", each, names)
    found: dict[str, str] = {}
    first: dict[Any, str] = {}
    for entry in results.manifest["embeddings"]:
        name = entry["name"]
        pattern = next((p for p in same if fnmatchcase(name, p)), None)
        key = pattern or _training(entry) or entry["sha256"]
        found[name] = first.setdefault(key, pattern or name)
    return found


def _training(entry: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What is equal for trainings that differ in their seed only; None for other vectors."""
    origin = str(entry["origin"])
    ours = origin.partition(" ")[0].rstrip(",") in trainer_names()
    return (
        (origin, entry["dimension"], entry["words"]) if ours and "@" not in entry["name"] else None
    )
