"""Judgments as arrays: which embeddings each rating credits, and what ratings share.

A comparison credits all embeddings that offered the chosen option. An intrusion item credits its
embedding if the judge found the intruder.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.errors import BadData
from lexiscope.core.study import OPT_OUT, Item, Judgment, Study

Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]
OptOuts = Literal["exclude", "include"]


@dataclass(frozen=True, eq=False)
class Ratings:
    """All ratings of a study, one row each.

    Parameters
    ----------
    embeddings : tuple of str
        The embeddings, in the order of the columns of `credit`.
    items : tuple of Item
        The items that judge embeddings.
    credit : ndarray of shape (ratings, embeddings)
        1 if the rating credits the embedding, 0 if not, NaN if the item does not judge it.
    item, query, cell, judge : ndarray of shape (ratings,)
        Codes. A cell is a query at one rank, on which embeddings are compared.
    """

    embeddings: tuple[str, ...]
    items: tuple[Item, ...]
    credit: Floats
    item: Codes
    query: Codes
    cell: Codes
    judge: Codes

    def __len__(self) -> int:
        return len(self.item)

    @property
    def units(self) -> Codes:
        """The sampling units of each rating (ratings, 2): query and judge."""
        offset = int(self.query.max(initial=-1)) + 1
        return np.column_stack([self.query, self.judge + offset])

    def take(self, chosen: Mask) -> "Ratings":
        """Return some of the ratings."""
        columns = ("credit", "item", "query", "cell", "judge")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})

    def of_items(self, chosen: Iterable[int]) -> "Ratings":
        """Return the ratings of some items, given by their indices."""
        return self.take(np.isin(self.item, list(chosen)))


def ratings_of(study: Study, judgments: Sequence[Judgment], opt_outs: OptOuts) -> Ratings:
    """Convert judgments of scored items to arrays.

    An opt-out is left out, or with `opt_outs="include"` a rating that credits no embedding.
    """
    items, embeddings = study.scored, tuple(study.embeddings)
    index = {item.id: k for k, item in enumerate(items)}
    used = [
        each
        for each in judgments
        if each.item in index and (each.choice != OPT_OUT or opt_outs == "include")
    ]
    rows = np.array([index[each.item] for each in used], np.int64)
    tables = [credit_table(item, embeddings) for item in items]
    credit = [tables[row][each.choice] for row, each in zip(rows.tolist(), used, strict=True)]
    queries, cells = _codes(i.query for i in items), _codes((i.query, i.rank) for i in items)
    return Ratings(
        embeddings,
        items,
        np.array(credit, np.float64).reshape(len(used), len(embeddings)),
        rows,
        queries[rows],
        cells[rows],
        _codes(each.judge for each in used),
    )


def credit_table(item: Item, embeddings: Sequence[str]) -> Floats:
    """Return the credit of each option (options + 1, embeddings); the last row is the opt-out."""
    judged = set(item.embeddings)
    rows = [_credited(item, option) for option in range(len(item.options))]
    return np.array(
        [
            [float(name in credited) if name in judged else np.nan for name in embeddings]
            for credited in [*rows, set[str]()]
        ]
    )


def _credited(item: Item, option: int) -> set[str]:
    if item.kind == "comparison":
        return set(item.sources[option])
    return set(item.embeddings) if option == item.answer else set()


def check_judgments(study: Study, judgments: Sequence[Judgment]) -> None:
    """Raise `BadData` for a judgment that the study cannot have."""
    options = {item.id: len(item.options) for item in study.items}
    seen: set[tuple[str, str]] = set()
    for each in judgments:
        about = f"Judgment of '{each.judge}' on item '{each.item}'"
        if each.item not in options:
            raise BadData(f"{about}: the study has no such item.")
        if each.choice != OPT_OUT and not 0 <= each.choice < options[each.item]:
            raise BadData(f"{about}: the item has no option {each.choice}.")
        if sorted(each.order) != list(range(options[each.item])):
            raise BadData(f"{about}: the order of display must list every option once.")
        if (each.judge, each.item) in seen:
            raise BadData(f"{about}: it occurs twice.")
        seen.add((each.judge, each.item))


def _codes(values: Iterable[Hashable]) -> Codes:
    """Number the distinct values in order of appearance."""
    found: dict[Hashable, int] = {}
    return np.array([found.setdefault(value, len(found)) for value in values], np.int64)
