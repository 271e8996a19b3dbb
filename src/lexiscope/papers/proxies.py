"""Machine proxies of a paper's human studies: the items of its studies, answered by machines.

A proxy is no person, and no claim about judges is decided by one. Two proxies choose the option
that is most similar to the query: WordNet, and each of the *other* embeddings, which do not choose
among words that only they offer. Intruders are found by the proxies of `lexiscope.human.proxies`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadData, BadUsage, NotDownloaded
from lexiscope.core.estimate import Estimate
from lexiscope.core.seeding import generator
from lexiscope.core.study import Item, Study, StudySettings
from lexiscope.data.inputs import Inputs
from lexiscope.data.vectors.resolve import Reading, embeddings_from
from lexiscope.data.wordnet import WordNet
from lexiscope.experiments.correlation.plan import CorrelationPlan, NotRun
from lexiscope.human.new_study import aligned_embeddings, new_study
from lexiscope.human.proxies import WORDNET, PathSimilarity, ProxyScore, proxy_scores
from lexiscope.human.query_words import wordnet_if_downloaded
from lexiscope.human.scoring.comparisons import sign_flip_tests
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.papers.schema import StudyEntry
from lexiscope.stats.randomization import enough_permutations

Floats = NDArray[np.float64]
Choice = Callable[[Item], Floats | None]  # the credit of each embedding, NaN if it is not judged

OTHERS = "the other embeddings"
ALL = "all"
_MIN_QUERIES = 2


class WinRatio(NamedTuple):
    """How often a proxy chooses the neighbours of an embedding, with its interval over queries.

    `by` and `group` name the items: all of them, those of a rank, or with an attribute.
    """

    proxy: str
    embedding: str
    by: str
    group: str
    items: int
    ratio: Estimate


class ProxyPair(NamedTuple):
    """The difference of two win ratios, with the p-value of a permutation test over queries."""

    proxy: str
    first: str
    second: str
    difference: float
    p: float


@dataclass(frozen=True)
class Proxies:
    """What machines answer to the items of human studies.

    `queries` is the number of query words; `missing` says what could not be made.
    """

    queries: int = 0
    ratios: tuple[WinRatio, ...] = ()
    pairs: tuple[ProxyPair, ...] = ()
    intrusion: tuple[ProxyScore, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[NotRun, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "queries": self.queries,
            "comparison": [{**each._asdict(), "ratio": asdict(each.ratio)} for each in self.ratios],
            "comparison_pairs": [each._asdict() for each in self.pairs],
            "intrusion": [each._asdict() for each in self.intrusion],
            "notes": list(self.notes),
            "not_run": [each._asdict() for each in self.missing],
        }


def measure(entry: StudyEntry, plan: CorrelationPlan, folder: Path, inputs: Inputs) -> Proxies:
    """Make the items of each study from the first runs of the models, and let proxies answer."""
    models = {name: model for name, model in plan.embeddings(plan.table_dimension).items()
              if name.endswith("-1")}  # fmt: skip
    paths = [str(folder / f"{name}.safetensors") for name in models]
    loaded = embeddings_from(paths, reading=Reading(local_data=inputs.local_data))
    named = [replace(each, name=models[each.name]) for each in loaded]
    wordnet, found, missing = wordnet_if_downloaded(inputs), Proxies(), []
    settings = StudySettings(seed=plan.seed, controls_per_judge=0)
    for kind in entry.kinds:
        try:
            study = new_study(named, kind, settings=settings, ranks=entry.ranks, inputs=inputs)
        except (BadData, BadUsage, NotDownloaded) as reason:
            missing.append(NotRun(f"machine proxies of the {kind} study", str(reason)))
            continue
        aligned = aligned_embeddings(named)
        found = replace(
            found,
            queries=len({item.query for item in study.items}),
            notes=(*found.notes, *_notes(study)),
        )
        if kind == "intrusion":
            found = replace(found, intrusion=proxy_scores(study, aligned, wordnet))
        else:
            ratios, pairs = compare(study, aligned, wordnet, plan.seed)
            found = replace(found, ratios=ratios, pairs=pairs)
    return replace(found, missing=tuple(missing))


def _notes(study: Study) -> Iterator[str]:
    about = study.manifest
    yield (
        f"{study.kind.capitalize()}: {len(study.items)} items from {len(about['queries'])} query "
        f"words among {about['shared_words']:,} shared words; a query is rare below "
        f"{about['rare_below']:,} occurrences."
    )
    if study.kind == "intrusion":
        yield (
            f"The frequency of an intruder differs from the mean of the other words by at most "
            f"{about['width']:g}; of {about['widened']} items by more, because no word qualified."
        )


def compare(
    study: Study, embeddings: Sequence[Embedding], wordnet: WordNet | None, seed: int
) -> tuple[tuple[WinRatio, ...], tuple[ProxyPair, ...]]:
    """Let every proxy choose the most similar option of each comparison item."""
    names = list(study.embeddings)
    proxies: dict[str, Choice] = {OTHERS: _ByEmbeddings(names, embeddings)}
    if wordnet is not None:
        proxies[WORDNET] = _ByWordNet(names, wordnet)
    ratios: list[WinRatio] = []
    pairs: list[ProxyPair] = []
    for proxy, choose in proxies.items():
        solved = [(item, credit) for item in study.scored if (credit := choose(item)) is not None]
        if not solved:
            continue
        items, table = [item for item, _ in solved], np.array([credit for _, credit in solved])
        ratios += _ratios(proxy, names, items, table)
        pairs += _pairs(proxy, names, items, table, seed)
    return tuple(ratios), tuple(pairs)


def _ratios(
    proxy: str, names: Sequence[str], items: Sequence[Item], table: Floats
) -> Iterator[WinRatio]:
    for (by, group), rows in groups(items).items():
        by_query = query_means([items[k] for k in rows], table[rows])
        for column, name in enumerate(names):
            yield WinRatio(proxy, name, by, group, len(rows), _mean(by_query[:, column]))


def groups(items: Sequence[Item]) -> Mapping[tuple[str, str], list[int]]:
    """Return the indices of all items, of those of each rank, and with each attribute."""
    found: dict[tuple[str, str], list[int]] = {("", ALL): list(range(len(items)))}
    for rank in sorted({item.rank for item in items if item.rank is not None}):
        found["rank", str(rank)] = [k for k, item in enumerate(items) if item.rank == rank]
    for key in sorted({pair for item in items for pair in item.attributes.items()}):
        if key[0] != "category":
            found[key] = [k for k, item in enumerate(items) if key in item.attributes.items()]
    return found


def query_means(items: Sequence[Item], table: Floats) -> Floats:
    """Return the mean credit of each embedding over the items of each query."""
    codes = {query: k for k, query in enumerate(dict.fromkeys(item.query for item in items))}
    rows = np.array([codes[item.query] for item in items])
    return np.array([table[rows == k].mean(axis=0) for k in range(len(codes))])


def _mean(values: Floats) -> Estimate:
    from scipy.stats import t

    mean = float(values.mean())
    if len(values) < _MIN_QUERIES:
        return Estimate(mean, state="one query")
    error = float(values.std(ddof=1)) / np.sqrt(len(values))
    half = float(t.ppf(0.975, len(values) - 1) * error)
    return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))


def _pairs(
    proxy: str, names: Sequence[str], items: Sequence[Item], table: Floats, seed: int
) -> Iterator[ProxyPair]:
    by_query = query_means(items, table)
    both = list(combinations(range(len(names)), 2))
    gaps = np.array([by_query[:, one] - by_query[:, two] for one, two in both])
    rng = generator(seed, "proxies", proxy)
    ps = sign_flip_tests(gaps, rng, enough_permutations(len(both)))
    for (one, two), row, p in zip(both, gaps, ps, strict=True):
        yield ProxyPair(proxy, names[one], names[two], float(row.mean()), p)


class _ByWordNet:
    """Chooses the option with the highest path similarity; WordNet must know two options."""

    def __init__(self, names: Sequence[str], wordnet: WordNet) -> None:
        self.names, self.similarity = names, PathSimilarity(wordnet)

    def __call__(self, item: Item) -> Floats | None:
        tables = [self.similarity((item.query, option)) for option in item.options]
        known = np.array([-1.0 if each is None else each[0, 1] for each in tables])
        if np.count_nonzero(known >= 0) < 2:
            return None
        chosen = np.isclose(known, known.max(), rtol=0, atol=1e-12)
        return credit(item, chosen / chosen.sum(), self.names)


class _ByEmbeddings:
    """The mean choice of the other embeddings, among the options that they do not offer alone."""

    def __init__(self, names: Sequence[str], embeddings: Sequence[Embedding]) -> None:
        self.names, self.embeddings = names, embeddings

    def __call__(self, item: Item) -> Floats | None:
        rows = [self._of(judge, item) for judge in self.embeddings]
        known = np.array([row for row in rows if row is not None])
        if len(known) < 2 or np.isnan(known).all(axis=0).any():
            return None
        return np.asarray(np.nanmean(known, axis=0))

    def _of(self, judge: Embedding, item: Item) -> Floats | None:
        allowed = np.array([sources != (judge.name,) for sources in item.sources])
        if np.count_nonzero(allowed) < 2:
            return None
        indices = judge.vocabulary.find([item.query, *item.options])
        units = normalize_rows(judge.vectors[indices])
        product = units[1:] @ units[:1].T
        cosines = (product if isinstance(product, np.ndarray) else product.toarray()).ravel()
        chosen = np.zeros(len(item.options))
        chosen[int(np.where(allowed, cosines, -np.inf).argmax())] = 1.0
        found = credit(item, chosen, self.names)
        found[self.names.index(judge.name)] = np.nan
        return found


def credit(item: Item, chosen: Floats, names: Sequence[str]) -> Floats:
    """Return the credit of each embedding: the proportion of choices of words that it offers."""
    return np.array(
        [
            sum(part for part, sources in zip(chosen, item.sources, strict=True) if name in sources)
            for name in names
        ],
        np.float64,
    )
