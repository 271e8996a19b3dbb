"""What sets of types are worth against those that people gave.

An answer is the types of an entity as one text, sorted, with a mark between: "city|place". An
empty answer names no type.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.entities import MARK, joined
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Values
from lexiscope.stats.measures import accuracy, summed
from lexiscope.stats.randomization import f1_of_totals

Members = NDArray[np.bool_]

_SHUFFLES = 50


class Sets(NamedTuple):
    """Which types each item has (items, types), and the types' names in order."""

    names: list[str]
    members: Members


def sets_of(texts: Values, names: list[str] | None = None) -> Sets:
    """Texts as sets, of their own types or of those named."""
    found = [text.split(MARK) if text else [] for text in texts]
    known = sorted({name for row in found for name in row}) if names is None else names
    places = {name: place for place, name in enumerate(known)}
    members = np.zeros((len(found), len(known)), bool)
    for item, row in enumerate(found):
        members[item, [places[name] for name in row]] = True
    return Sets(known, members)


def _both(given: Values, gold: Values) -> tuple[Members, Members]:
    if not len(given):
        raise Undefined("no item could be asked")
    members = sets_of(np.concatenate([given, gold])).members
    return members[: len(given)], members[len(given) :]


def type_counts(given: Values, gold: Values) -> Floats:
    """Types that are right, wrongly given and missed for each item (items, 3)."""
    return _counts(*_both(given, gold))


def _counts(given: Members, gold: Members) -> Floats:
    columns = given & gold, given & ~gold, gold & ~given
    return np.stack([column.sum(axis=1) for column in columns], axis=1).astype(np.float64)


def _f1_of_items(given: Values, gold: Values) -> Floats:
    return f1_of_totals(type_counts(given, gold))


def _item_f1(given: Values, gold: Values) -> float:
    return float(_f1_of_items(given, gold).mean())


def _by_chance(given: Values, gold: Values) -> float:
    """The mean F1 of the same answers dealt out anew to the items."""
    # A measure is a function: the same answers must give the same number.
    rng = np.random.default_rng(0)
    answered, right = _both(given, gold)
    dealt = (rng.permutation(answered) for _ in range(_SHUFFLES))
    return float(np.mean([f1_of_totals(_counts(each, right)).mean() for each in dealt]))


class OneAnswer(NamedTuple):
    """One answer for all items, and its mean F1."""

    types: str
    f1: float


def one_answer(gold: Values) -> OneAnswer:
    """The best of the answers that are the same for all items: so many of the commonest types."""
    if not len(gold):
        raise Undefined("there is no entity to learn from")
    names, right = sets_of(gold)
    order = np.argsort(-right.sum(axis=0), kind="stable")
    hits = np.cumsum(right[:, order], axis=1)  # (items, so many types)
    sizes = np.arange(1, hits.shape[1] + 1) + right.sum(axis=1)[:, None]
    scores = (2 * hits / sizes).mean(axis=0)
    best = int(np.argmax(scores))
    return OneAnswer(joined(names[place] for place in order[: best + 1]), float(scores[best]))


def _of_one_answer(given: Values, gold: Values) -> float:
    return one_answer(gold).f1


item_f1 = Measure(_item_f1, "item_f1", per_item=_f1_of_items)
micro_f1 = summed("micro_f1", type_counts, f1_of_totals)
exact_match = Measure(accuracy.function, "exact_match", per_item=accuracy.per_item)
item_f1_by_chance = Measure(_by_chance, "item_f1_by_chance", reference=True)
item_f1_of_one_answer = Measure(_of_one_answer, "item_f1_of_one_answer", reference=True)
