"""Studies without embeddings, and studies of another size."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexiscope.core.errors import BadUsage
from lexiscope.core.seeding import generator
from lexiscope.core.study import Item, Kind, Study, StudySettings


def synthetic_study(
    kind: Kind = "comparison", embeddings: int = 6, ranks: int = 3, items_per_judge: int = 40
) -> Study:
    """Return a study of one query word, which `power` enlarges; no embeddings share a neighbour."""
    if embeddings < 2:
        raise BadUsage(f"A comparison needs 2 or more embeddings, found {embeddings}.")
    names = [f"embedding{k + 1}" for k in range(embeddings)]
    make = _comparisons if kind == "comparison" else _intrusions
    settings = StudySettings(items_per_judge=items_per_judge)
    return Study(kind, settings, dict.fromkeys(names, ""), tuple(make(names, ranks)))


def _comparisons(names: Sequence[str], ranks: int) -> Iterator[Item]:
    words = tuple(f"word{k}" for k in range(len(names)))
    for rank in range(1, ranks + 1):
        sources = tuple((name,) for name in names)
        yield Item(f"rank{rank}", "comparison", "query", words, sources, rank=rank)


def _intrusions(names: Sequence[str], ranks: int) -> Iterator[Item]:
    words = ("query", "near", "next", "intruder")
    for name in names:
        sources: tuple[tuple[str, ...], ...] = ((), (name,), (name,), (name,))
        yield Item(name, "intrusion", "query", words, sources, answer=3)


def resized(study: Study, queries: int, seed: int) -> Study:
    """Return a study with this number of query words, chosen at random and repeated if needed."""
    known = list(dict.fromkeys(item.query for item in study.scored))
    by_query: dict[str, list[Item]] = {}
    for item in study.scored:
        by_query.setdefault(item.query, []).append(item)
    order = generator(seed, "power", "queries").permutation(len(known)).tolist()
    items = [
        replace(item, id=f"{copy}.{item.id}", query=f"{copy}.{item.query}")
        for copy, k in ((n // len(known), order[n % len(known)]) for n in range(queries))
        for item in by_query[known[k]]
    ]
    return replace(study, items=tuple(items))
