"""Machine proxies of judges: intrusion items solved by other embeddings and by WordNet.

A proxy is no person. It shows how coherent the neighbours of an embedding look to another source
of similarity, and it agrees with judges only as far as the correlation with their answers says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import BadUsage
from lexiscope.core.study import OPT_OUT, Item, Judgment, Study
from lexiscope.data.wordnet import Synset, WordNet
from lexiscope.linalg.normalization import normalize_rows
from lexiscope.stats.between_terms import proportion_interval
from lexiscope.stats.correlations import Correlation, correlation

Floats = NDArray[np.float64]
Similarities = Callable[[Sequence[str]], Floats | None]  # (words, words), or None if unknown

# Whether each item is solved, by item: a probability; None if the proxy does not know a word.
Solution = dict[str, float | None]

ALL = "all proxies"
WORDNET = "WordNet path similarity"
_MIN_ITEMS = 4  # for a correlation with judges


class ProxyScore(NamedTuple):
    """How often a proxy finds the intruder among the neighbours of an embedding.

    `precision` counts a tie as its share; `low` and `high` are the Wilson interval over items.
    `correlation` is Spearman's correlation with the precision of judges over `judged_items`, with
    its interval; None without judges or if it is undefined. `frequency` is that of the query words
    if only these items count.
    """

    embedding: str
    proxy: str
    items: int
    unsolved: int
    precision: float
    low: float
    high: float
    correlation: float | None
    judged_items: int
    correlation_low: float | None = None
    correlation_high: float | None = None
    frequency: str = ""


def proxy_scores(
    study: Study,
    embeddings: Sequence[Embedding],
    wordnet: WordNet | None = None,
    judgments: Sequence[Judgment] = (),
) -> tuple[ProxyScore, ...]:
    """Solve the intrusion items of a study by each *other* embedding and by WordNet.

    The intruder is the option with the lowest mean similarity to the others. An item with a word
    that the proxy does not know is unsolved and left out.
    """
    judged = _judged_precision(study, judgments)
    return tuple(
        _score(name, proxy, found, judged)
        for (name, proxy), found in _solutions(study, embeddings, wordnet).items()
    )


def coherence_scores(
    study: Study,
    embeddings: Sequence[Embedding],
    wordnet: WordNet | None = None,
    judgments: Sequence[Judgment] = (),
) -> tuple[ProxyScore, ...]:
    """Return one coherence score of each embedding, best first, and then each proxy's score.

    The coherence score is the mean over the proxies that solve an item, averaged over items; it
    follows for rare and frequent query words. Each embedding is judged by the others, so that the
    proxies are not the same for all unless they come from outside the study.
    """
    judged = _judged_precision(study, judgments)
    solutions = _solutions(study, embeddings, wordnet)
    whole: list[ProxyScore] = []
    parts: list[ProxyScore] = []
    for name in dict.fromkeys(name for name, _ in solutions):
        mean = _mean([found for (each, _), found in solutions.items() if each == name])
        whole.append(_score(name, ALL, mean, judged))
        parts += _by_frequency(study, name, mean, judged)
    details = (_score(*key, found, judged) for key, found in solutions.items())
    ranked = sorted(whole, key=lambda each: -each.precision if each.items else 1.0)
    return (*ranked, *parts, *details)


def _solutions(
    study: Study, embeddings: Sequence[Embedding], wordnet: WordNet | None
) -> dict[tuple[str, str], Solution]:
    """What each proxy finds among the neighbours of each other embedding."""
    if study.kind != "intrusion":
        raise BadUsage("Proxies solve items of intrusion studies.")
    solvers: dict[str, Similarities] = {each.name: _cosines(each) for each in embeddings}
    if wordnet is not None:
        solvers[WORDNET] = PathSimilarity(wordnet)
    by_embedding: dict[str, list[Item]] = {name: [] for name in study.embeddings}
    for item in study.scored:
        by_embedding[item.embeddings[0]].append(item)
    return {
        (name, proxy): _solution(items, similarities)
        for name, items in by_embedding.items()
        for proxy, similarities in solvers.items()
        if proxy != name and items
    }


def _solution(items: Sequence[Item], similarities: Similarities) -> Solution:
    found: Solution = {}
    for item in items:
        table = similarities(item.options)
        found[item.id] = None if table is None else solved(item, table)
    return found


def _mean(solutions: Sequence[Solution]) -> Solution:
    """The mean over the proxies that solve an item."""
    found: Solution = {}
    for item in solutions[0]:
        values = [value for each in solutions if (value := each[item]) is not None]
        found[item] = float(np.mean(values)) if values else None
    return found


def _by_frequency(
    study: Study, name: str, solution: Solution, judged: Mapping[str, float]
) -> Iterator[ProxyScore]:
    frequency = {item.id: item.attributes.get("frequency", "") for item in study.scored}
    for value in sorted({frequency[item] for item in solution} - {""}):
        part = {item: found for item, found in solution.items() if frequency[item] == value}
        yield _score(name, ALL, part, judged)._replace(frequency=value)


def solved(item: Item, similarities: Floats) -> float:
    """Return the probability that the least similar option is the intruder, 1/n for n ties.

    >>> item = Item("i", "intrusion", "a", ("a", "b", "c"), ((), ("A",), ("A",)), answer=2)
    >>> solved(item, np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]))
    1.0
    """
    means = (similarities.sum(axis=1) - np.diagonal(similarities)) / (len(item.options) - 1)
    lowest = np.isclose(means, means.min(), rtol=0, atol=1e-12)
    return float(lowest[item.answer] / lowest.sum())


def _score(
    embedding: str, proxy: str, solution: Solution, judged: Mapping[str, float]
) -> ProxyScore:
    found = {item: value for item, value in solution.items() if value is not None}
    unsolved = len(solution) - len(found)
    if not found:
        nan = float("nan")
        return ProxyScore(embedding, proxy, 0, unsolved, nan, nan, nan, None, 0)
    precision = float(np.mean(list(found.values())))
    low, high = proportion_interval(precision, len(found))
    both = [key for key in found if key in judged]
    agreement = _spearman([found[k] for k in both], [judged[k] for k in both])
    return ProxyScore(
        embedding, proxy, len(found), unsolved, precision, low, high, agreement.value, len(both),
        agreement.low, agreement.high,
    )  # fmt: skip


def _spearman(ours: Sequence[float], theirs: Sequence[float]) -> Correlation:
    if len(ours) < _MIN_ITEMS:
        return Correlation(None, None, None, None, len(ours), "too few items")
    return correlation(np.asarray(ours), np.asarray(theirs), "spearman")


def _judged_precision(study: Study, judgments: Sequence[Judgment]) -> dict[str, float]:
    """The proportion of judges who found the intruder of each item, without opt-outs."""
    answers = {item.id: item.answer for item in study.scored}
    hits: dict[str, list[bool]] = {}
    for each in judgments:
        if each.item in answers and each.choice != OPT_OUT:
            hits.setdefault(each.item, []).append(each.choice == answers[each.item])
    return {item: float(np.mean(found)) for item, found in hits.items()}


def _cosines(embedding: Embedding) -> Similarities:
    def similarities(words: Sequence[str]) -> Floats | None:
        rows = embedding.vocabulary.find(list(words))
        if rows.min() < 0:
            return None
        units = normalize_rows(embedding.vectors[rows])
        product = units @ units.T
        return np.asarray(product if isinstance(product, np.ndarray) else product.toarray())

    return similarities


class PathSimilarity:
    """1 / (1 + shortest path of hypernyms) of the most similar senses of two words."""

    def __init__(self, wordnet: WordNet) -> None:
        self.wordnet = wordnet
        self._depths: dict[str, dict[str, int]] = {}

    def __call__(self, words: Sequence[str]) -> Floats | None:
        senses = [self.wordnet.of(word.lower().replace(" ", "_")) for word in words]
        if not all(senses):
            return None
        table = np.eye(len(words))
        for i, ours in enumerate(senses):
            for j in range(i):
                paths = (self._path(one, two) for one in ours for two in senses[j])
                table[i, j] = table[j, i] = max(
                    (1 / (1 + path) for path in paths if path is not None), default=0.0
                )
        return table

    def _path(self, one: Synset, two: Synset) -> int | None:
        """The shortest path through a common hypernym; None if there is none."""
        ours, theirs = self._above(one), self._above(two)
        common = ours.keys() & theirs.keys()
        return min((ours[key] + theirs[key] for key in common), default=None)

    def _above(self, synset: Synset) -> dict[str, int]:
        """The distances of a synset's hypernyms, itself included."""
        if synset.id not in self._depths:
            found, layer, depth = {synset.id: 0}, [synset], 0
            while layer:
                depth += 1
                above = {t.id: t for s in layer for t in self.wordnet.related(s, "@", "@i")}
                layer = [target for key, target in above.items() if key not in found]
                found.update({target.id: depth for target in layer})
            self._depths[synset.id] = found
        return self._depths[synset.id]
