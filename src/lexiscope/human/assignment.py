"""Assignment of items to judges, and the order in which a judge sees items and options.

Items with the fewest judgments and reservations come first, at random within ties, so that every
item reaches its number of judges. The order is drawn from the seed, the judge and the item.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from lexiscope.core.seeding import generator
from lexiscope.core.study import Item, Study
from lexiscope.store.study_file import Assigned, StudyFile


def option_order(study: Study, judge: str, item: Item) -> tuple[int, ...]:
    """Return the indices of the options in the order in which a judge sees them.

    >>> from lexiscope.core.study import StudySettings
    >>> item = Item("i1", "comparison", "cat", ("dog", "car"), (("A",), ("B",)))
    >>> study = Study("comparison", StudySettings(), {"A": "", "B": ""}, (item,))
    >>> sorted(option_order(study, "judge", item))
    [0, 1]
    """
    return _permutation(study.settings.seed, judge, item.id, len(item.options))


@lru_cache(4096)  # a page and its answer need the same order
def _permutation(seed: int, judge: str, item: str, options: int) -> tuple[int, ...]:
    rng = generator(seed, "option order", judge, item)
    return tuple(rng.permutation(options).tolist())


def choose_items(
    study: Study, loads: Mapping[str, int], judge: str, answered: Collection[str] = ()
) -> list[str]:
    """Choose the items that a judge gets next, with control items in random positions.

    Parameters
    ----------
    study : Study
        The study.
    loads : mapping of str to int
        Judgments and reservations of each item.
    judge : str
        The id of the judge, which the random order depends on.
    answered : collection of str
        Items that the judge has answered already; they count towards the judge's number of items.

    Returns
    -------
    list of str
        Ids of items. It is empty if the judge is done, or if all items have enough judgments.
    """
    settings, scored = study.settings, study.scored
    rng = generator(settings.seed, "items", judge)
    done = set(answered)
    queries = {item.query for item in scored if item.id in done}
    order = rng.permutation(len(scored)).tolist()
    by_load = sorted((scored[k] for k in order), key=lambda item: loads.get(item.id, 0))
    needed = [
        item
        for item in by_load
        if item.id not in done and loads.get(item.id, 0) < settings.judges_per_item
    ]
    number = settings.items_per_judge - sum(item.id in done for item in scored)
    chosen = list(_distinct(needed, queries, max(0, number), settings.repeat_queries))
    if not chosen:
        return []
    return _with_controls([item.id for item in chosen], study, done, rng)


def _distinct(
    items: Sequence[Item], queries: set[str], number: int, repeat: bool
) -> Iterator[Item]:
    """The first items, with queries that the judge has not had unless they may be repeated."""
    for item in items:
        if number == 0:
            return
        if repeat or item.query not in queries:
            queries.add(item.query)
            number -= 1
            yield item


def _with_controls(
    items: list[str], study: Study, done: set[str], rng: np.random.Generator
) -> list[str]:
    """The items in random order, with control items at random positions after the first."""
    shuffled = [items[k] for k in rng.permutation(len(items)).tolist()]
    controls = [item.id for item in study.controls if item.id not in done]
    had = len(study.controls) - len(controls)
    number = max(0, min(study.settings.controls_per_judge - had, len(controls)))
    for k in rng.permutation(len(controls)).tolist()[:number]:
        shuffled.insert(int(rng.integers(1, len(shuffled) + 1)), controls[k])
    return shuffled


def needs_items(study: Study, assigned: Sequence[Assigned], now: float) -> bool:
    """Return whether a judge has no items yet, or unanswered ones whose reservation expired."""
    since = now - 60.0 * study.settings.reservation_minutes
    waiting = [each.reserved for each in assigned if not each.answered]
    return not assigned or (bool(waiting) and min(waiting) <= since)


def current_items(file: StudyFile, judge: str, now: float) -> tuple[Assigned, ...]:
    """Return the items of a judge, after assigning new ones where that is needed.

    The first call reserves the judge's items. If the reservation of unanswered items has expired,
    they are replaced by the items that need judgments now.
    """
    found = file.assigned(judge)
    if not needs_items(file.study, found, now):
        return found
    answered = [each.item for each in found if each.answered]
    items = choose_items(file.study, file.loads(now, without=judge), judge, answered)
    file.assign(judge, items, now)
    return file.assigned(judge)
