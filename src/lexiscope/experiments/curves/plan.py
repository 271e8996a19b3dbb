"""The plan of learning curves: embeddings, items, models, and the splits that all share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator

from lexiscope.core.contracts.learner import FAMILIES, Family, Indices, Learner
from lexiscope.core.contracts.registry import load, names
from lexiscope.core.contracts.settings import convert_setting
from lexiscope.core.errors import BadData, BadUsage, Undefined, UnknownName
from lexiscope.core.seeding import generator
from lexiscope.experiments.curves.items import CurveItems
from lexiscope.experiments.curves.protocol import Protocol
from lexiscope.experiments.curves.vectors import CurveVectors
from lexiscope.experiments.identity import hashed
from lexiscope.learners import models as model_package
from lexiscope.learners.curve_splits import OuterSplit, outer_split

OPTIONAL = ("cnn",)  # slow, and needs an extra: only if it is named
_MIN_TEST = 5

Models = dict[str, Learner]


@dataclass(frozen=True, eq=False)
class SplitPlan:
    """The repeats of a dataset: splits with equal training sizes, and pairs of questions.

    `partners` has, for every repeat, the pair in the question of each test item of an
    analogy dataset (-1 elsewhere); it is empty for other families.
    """

    splits: tuple[OuterSplit, ...]
    sizes: tuple[int, ...]
    partners: tuple[Indices, ...]

    @property
    def pool(self) -> int:
        """The number of training items at 100 %."""
        return len(self.splits[0].pool)


@dataclass(frozen=True, eq=False)
class CurvePlan:
    """Every model is trained on every dataset with every embedding, at every size."""

    vectors: tuple[CurveVectors, ...]
    items: tuple[CurveItems, ...]
    models: Models
    protocol: Protocol
    seed: int

    def models_of(self, family: Family) -> Models:
        """Return the models of a family."""
        return {name: each for name, each in self.models.items() if family in each.families}

    @cached_property
    def splits(self) -> tuple[SplitPlan, ...]:
        """The splits of every dataset."""
        return tuple(_split_plan(items, self.protocol, self.seed) for items in self.items)

    def split_id(self, number: int, repeat: int) -> str:
        """Hash everything that a split and its predictions depend on, except the embedding."""
        items, plan = self.items[number], self.splits[number]
        protocol = {
            name: value
            for name, value in self.protocol.as_dict().items()
            if name in ("shared_words", "test_fraction")
            or (name == "pair_features" and items.family == "pairs")
        }
        split = plan.splits[repeat]
        chosen = [split.test.tolist(), split.pool.tolist(), plan.sizes]
        shown = [items.fingerprint, items.family, items.gold.tolist(), items.needed_words]
        return hashed([shown, protocol, self.seed, repeat, chosen])


def curve_models(
    wanted: Iterable[str], families: Iterable[Family], settings: Sequence[tuple[str, Any]] = ()
) -> Models:
    """Return models by name, with the models that they fall back to; default: all but slow ones.

    `settings` are pairs such as ("svm.c", "1,10").
    """
    known, families = names(model_package), list(families)
    given = list(dict.fromkeys(wanted)) or [name for name in known if name not in OPTIONAL]
    for name in given:
        if name not in known:
            raise UnknownName("model", name, known)
    found: Models = {}
    for name in given:
        _add(found, name, families, settings, bool(list(wanted)))
    for key, _ in settings:
        if key.rpartition(".")[0] not in found:
            raise UnknownName("model in this experiment", key.rpartition(".")[0], list(found))
    lacking = [
        family for family in families if not any(family in m.families for m in found.values())
    ]
    if lacking:
        fitting = [n for n in known if lacking[0] in load(model_package, n, Learner).families]  # type: ignore[type-abstract]
        raise BadUsage(
            f"No chosen model learns {lacking[0]}. Models for them: {', '.join(fitting)}."
        )
    order = [name for name in known if name in found]
    return {name: found[name] for name in order}


def _check_families(found: Models, families: Iterable[Family]) -> None:
    """Raise an error if no model learns some family."""
    for family in families:
        if any(family in model.families for model in found.values()):
            continue
        fitting = [name for name in names(model_package) if family in _class(name).families]
        raise BadUsage(f"No chosen model learns {family}. Models for them: {', '.join(fitting)}.")


def _class(name: str) -> type[Learner]:
    return load(model_package, name, Learner)  # type: ignore[type-abstract]


def _add(
    found: Models,
    name: str,
    families: list[Family],
    settings: Sequence[tuple[str, Any]],
    is_named: bool,
) -> None:
    kind = _class(name)
    used = [family for family in families if family in kind.families]
    if name in found or (not used and not is_named):
        return
    own = {key.rpartition(".")[2]: value for key, value in settings
           if key.rpartition(".")[0] == name}  # fmt: skip
    values = {field: convert_setting(kind, name, field, value) for field, value in own.items()}
    for field, value in values.items():
        if value == ():
            raise BadUsage(f"{name}.{field} needs at least one value.")
    found[name] = kind(**values)
    for family in used:
        if family in kind.fallback:
            _add(found, kind.fallback[family], families, settings, False)


def _split_plan(items: CurveItems, protocol: Protocol, seed: int) -> SplitPlan:
    """Sample the splits of a dataset, with training sets of equal size in every repeat."""
    numbers = range(protocol.repeats)
    found = [_split(items, protocol, _generator(seed, items, "split", n)) for n in numbers]
    partners: tuple[Indices, ...] = ()
    if items.family == "analogies":
        paired = [
            _with_partners(items, split, _generator(seed, items, "questions", n))
            for n, split in zip(numbers, found, strict=True)
        ]
        found, partners = [split for split, _ in paired], tuple(each for _, each in paired)
    pool = min(len(split.pool) for split in found)
    if min(len(split.test) for split in found) < _MIN_TEST:
        raise BadData(
            f"{items.dataset}: there are fewer than {_MIN_TEST} test items{_why_few(items)}. Use "
            "more items or a larger test fraction."
        )
    sizes = protocol.training_sizes(items.dataset, pool)
    splits = tuple(split._replace(pool=split.pool[:pool]) for split in found)
    return SplitPlan(splits, sizes, partners)


def _why_few(items: CurveItems) -> str:
    if items.family != "analogies":
        return ""
    return ", each with another test pair of its relation without a common word"


def _split(items: CurveItems, protocol: Protocol, rng: Generator) -> OuterSplit:
    fraction = protocol.test_fraction_of(items.family)
    try:
        return outer_split(items.split_items(protocol.shared_words), fraction, rng)
    except Undefined as problem:
        raise BadData(
            f"{items.dataset}: {problem}. Use a smaller test fraction, or allow shared words."
        ) from None


def _with_partners(
    items: CurveItems, split: OuterSplit, rng: Generator
) -> tuple[OuterSplit, Indices]:
    """Give each test pair another test pair of its relation without a common word.

    A test pair without a partner is no question and is left out.
    """
    assert items.words is not None
    assert items.relation is not None
    partner = np.full(len(items), -1, np.int64)
    for item in split.test.tolist():
        others = split.test[items.relation[split.test] == items.relation[item]]
        for other in rng.permutation(others).tolist():
            if not set(items.words[item]) & set(items.words[other]):
                partner[item] = other
                break
    return split._replace(test=split.test[partner[split.test] >= 0]), partner


def _generator(seed: int, items: CurveItems, *labels: Any) -> Generator:
    return generator(seed, items.fingerprint, *map(str, labels))


def families_of(items: Iterable[CurveItems]) -> list[Family]:
    """Return the families of the items, in the usual order."""
    found = {each.family for each in items}
    return [family for family in FAMILIES if family in found]
