"""Mean over query words of the rank correlation within the pairs of each word.

Schnabel et al. 2015, section 3.1.
"""

import numpy as np

from lexiscope.core.contracts.metric import Floats, Metric, UnitInfluence, Values
from lexiscope.core.datasets.base import Units
from lexiscope.core.errors import Undefined
from lexiscope.metrics.correlation import RELATIVE_TOLERANCE, average_ranks

MIN_PAIRS = 5  # that a word must occur in to be a query word


def _spearman_by_query(predicted: Values, gold: Values, units: Units | None) -> float:
    found = _spearman_of_each_query(predicted, gold, units)
    if not len(found):
        raise Undefined(f"no word occurs in {MIN_PAIRS} or more pairs with different ratings")
    return float(found.mean())


def _spearman_of_each_query(predicted: Values, gold: Values, units: Units | None) -> Floats:
    """Spearman's correlation within the pairs of each word, in the order of the words' codes.

    Words in fewer than 5 pairs, or whose predictions or ratings are all equal, are left out.
    `units` are the codes of the two words of each pair (pairs, 2); None if no word recurs.
    """
    if units is None:
        return np.empty(0)
    word, pair = _sides(units)
    columns = np.stack([predicted[pair], gold[pair]]).astype(np.float64)
    word, columns = _rankable(word, columns)
    if not len(word):
        return np.empty(0)
    return _correlations(word, np.stack([_ranks_within(word, values) for values in columns]))


def _queries(predicted: Values, gold: Values, units: Units | None) -> Units:
    """The codes of the query words."""
    if units is None:
        return np.empty(0, np.int64)
    word, pair = _sides(units)
    columns = np.stack([predicted[pair], gold[pair]]).astype(np.float64)
    return np.unique(_rankable(word, columns)[0])


def _influence_of_queries(
    predicted: Values, gold: Values, units: Units | None, only: Units
) -> UnitInfluence:
    """The influence of each word and of each pair on the mean over the query words `only`.

    A word has influence by its own correlation, and by its rank among the pairs of its partners.
    """
    if units is None:
        none = np.zeros(0)
        return UnitInfluence(none, none, np.zeros(len(predicted)), none)
    word, pair = _sides(units)
    positions = np.arange(1.0, len(word) + 1)  # never all equal: filtered with the other columns
    columns = np.stack([predicted[pair], gold[pair], positions]).astype(np.float64)
    word, columns = _rankable(word, columns)
    kept = np.isin(word, only)
    word, columns = word[kept], columns[:, kept]
    pair = pair[columns[2].astype(np.int64) - 1]
    every = _spearman_of_each_query(predicted, gold, units)
    scores = every[np.isin(_queries(predicted, gold, units), only)]
    within = _influence_within(
        word, np.stack([_ranks_within(word, values) for values in columns[:2]])
    )
    partners, number = units[pair].sum(axis=1) - word, int(units.max()) + 1
    partner = np.bincount(partners, within, number)
    partnerships = np.bincount(partners[partners != word], minlength=number)
    own = np.zeros(number)
    own[np.unique(word)] = scores - scores.mean()
    pairs = np.bincount(pair, within, len(predicted))
    queries = len(scores)
    return UnitInfluence(
        own / queries, partner / queries, pairs / queries, partnerships.astype(np.float64)
    )


def _influence_within(word: Units, ranks: Floats) -> Floats:
    """The influence of each pair on its word's correlation: `rank_influence` for all words."""
    starts, number = np.unique(word, return_index=True, return_inverse=True)[1:]
    sizes = np.diff([*starts, len(word)])

    def mean(values: Floats) -> Floats:
        return np.asarray((np.add.reduceat(values, starts) / sizes)[number])

    spreads = [np.sqrt(mean((row - mean(row)) ** 2)) for row in ranks]
    x, y = ((row - mean(row)) / spread for row, spread in zip(ranks, spreads, strict=True))
    rho = mean(x * y)
    influence = x * y - rho * (x**2 + y**2) / 2
    for row, spread, values in (
        (ranks[0], spreads[0], y - rho * x),
        (ranks[1], spreads[1], x - rho * y),
    ):
        influence += (_above_within(starts, number, row, values) - mean(row * values)) / spread
    return np.asarray(influence / sizes[number])


def _above_within(starts: Units, number: Units, ranks: Floats, values: Floats) -> Floats:
    """The sum of the values with a higher rank of the same word, plus half of tied ones."""
    groups = np.unique(ranks, return_inverse=True)[1].ravel()
    sums = np.bincount(groups, values)
    down = np.append(sums[::-1].cumsum()[::-1], 0.0)
    # Ranks of later words are higher: subtract the sum from the next word's lowest rank upwards.
    lowest = np.append(np.minimum.reduceat(groups, starts), len(sums))
    return np.asarray(down[groups] - sums[groups] / 2 - down[lowest[number + 1]])


def _sides(units: Units) -> tuple[Units, Units]:
    """Words and the pairs they occur in, sorted by word; a pair of equal words counts once."""
    left, right = units.T
    words = np.concatenate([left, right[left != right]])
    pairs = np.concatenate([np.arange(len(units)), np.flatnonzero(left != right)])
    order = np.argsort(words, kind="stable")
    return words[order], pairs[order]


def _rankable(word: Units, columns: Floats) -> tuple[Units, Floats]:
    """The words in enough pairs whose values vary in every column; `word` is sorted."""
    _, starts, sizes = np.unique(word, return_index=True, return_counts=True)
    span = np.maximum.reduceat(columns, starts, axis=1) - np.minimum.reduceat(
        columns, starts, axis=1
    )
    largest = np.maximum.reduceat(np.abs(columns), starts, axis=1)
    chosen = (sizes >= MIN_PAIRS) & (span > RELATIVE_TOLERANCE * largest).all(axis=0)
    kept = np.repeat(chosen, sizes)
    return word[kept], columns[:, kept]


def _ranks_within(word: Units, values: Floats) -> Floats:
    """Average ranks among the values of the same word, plus an offset for each word."""
    return average_ranks(word * (len(word) + 1.0) + average_ranks(values))


def _correlations(word: Units, columns: Floats) -> Floats:
    """Pearson's correlation of the two columns within each word."""
    starts = np.unique(word, return_index=True)[1]
    sizes = np.diff([*starts, len(word)])
    means = np.add.reduceat(columns, starts, axis=1) / sizes
    left, right = columns - np.repeat(means, sizes, axis=1)
    both, ours, theirs = np.add.reduceat([left * right, left**2, right**2], starts, axis=1)
    return np.asarray(both / np.sqrt(ours * theirs))


spearman_by_query = Metric(
    _spearman_by_query,
    "spearman_by_query",
    per_unit=_spearman_of_each_query,
    scored_units=_queries,
    unit_influence=_influence_of_queries,
    bounds=(-1.0, 1.0),
)
