"""A correlation for each query word, and their mean (Schnabel et al. 2015, section 3.1)."""

import numpy as np

from lexiscope.core.dataset import Units
from lexiscope.core.errors import Undefined
from lexiscope.core.measure import Floats, Measure, Moves, Values
from lexiscope.stats.measures import NOISE, average_ranks

FEWEST_PAIRS = 5  # that a word must stand in to have a ranking of its own


def _spearman_by_query(given: Values, gold: Values, units: Units | None) -> float:
    found = _spearman_of_each_query(given, gold, units)
    if not len(found):
        raise Undefined(f"no word stands in {FEWEST_PAIRS} or more pairs with different ratings")
    return float(found.mean())


def _spearman_of_each_query(given: Values, gold: Values, units: Units | None) -> Floats:
    """Spearman's correlation within the pairs of each word, in the order of the words' numbers.

    Words in fewer than 5 pairs, or whose answers or ratings are all equal, are left out.
    `units` are the numbers of a pair's two words (pairs, 2); None: every word stands once.
    """
    if units is None:
        return np.empty(0)
    word, pair = _sides(units)
    columns = np.stack([given[pair], gold[pair]]).astype(np.float64)
    word, columns = _with_an_order(word, columns)
    if not len(word):
        return np.empty(0)
    return _correlations(word, np.stack([_ranks_within(word, values) for values in columns]))


def _queries(given: Values, gold: Values, units: Units | None) -> Units:
    """The numbers of the words that have a ranking of their own."""
    if units is None:
        return np.empty(0, np.int64)
    word, pair = _sides(units)
    columns = np.stack([given[pair], gold[pair]]).astype(np.float64)
    return np.unique(_with_an_order(word, columns)[0])


def _moves_of_queries(given: Values, gold: Values, units: Units | None, only: Units) -> Moves:
    """How much each word and each pair moves the mean over the query words `only`.

    A word moves it by its own correlation, and by the place it has among its partners' pairs.
    """
    if units is None:
        return Moves(np.zeros(0), np.zeros(len(given)))
    word, pair = _sides(units)
    places = np.arange(1.0, len(word) + 1)  # never all equal: it only goes along
    columns = np.stack([given[pair], gold[pair], places]).astype(np.float64)
    word, columns = _with_an_order(word, columns)
    kept = np.isin(word, only)
    word, columns = word[kept], columns[:, kept]
    pair = pair[columns[2].astype(np.int64) - 1]
    every = _spearman_of_each_query(given, gold, units)
    scores = every[np.isin(_queries(given, gold, units), only)]
    within = _moves_within(word, np.stack([_ranks_within(word, values) for values in columns[:2]]))
    words = np.bincount(units[pair].sum(axis=1) - word, within, int(units.max()) + 1)
    words[np.unique(word)] += scores - scores.mean()
    pairs = np.bincount(pair, within, len(given))
    return Moves(words / len(scores), pairs / len(scores))


def _moves_within(word: Units, ranks: Floats) -> Floats:
    """How much each pair moves its word's correlation: `of_ranks` for every word at once."""
    starts, number = np.unique(word, return_index=True, return_inverse=True)[1:]
    sizes = np.diff([*starts, len(word)])

    def mean(values: Floats) -> Floats:
        return np.asarray((np.add.reduceat(values, starts) / sizes)[number])

    spreads = [np.sqrt(mean((row - mean(row)) ** 2)) for row in ranks]
    x, y = ((row - mean(row)) / spread for row, spread in zip(ranks, spreads, strict=True))
    rho = mean(x * y)
    moves = x * y - rho * (x**2 + y**2) / 2
    for row, spread, values in (
        (ranks[0], spreads[0], y - rho * x),
        (ranks[1], spreads[1], x - rho * y),
    ):
        moves += (_above_within(starts, number, row, values) - mean(row * values)) / spread
    return np.asarray(moves / sizes[number])


def _above_within(starts: Units, number: Units, ranks: Floats, values: Floats) -> Floats:
    """The sum of the values with a higher rank of the same word, plus half of equal ones."""
    groups = np.unique(ranks, return_inverse=True)[1].ravel()
    sums = np.bincount(groups, values)
    down = np.append(sums[::-1].cumsum()[::-1], 0.0)
    # Ranks of later words are higher: what stands from the next word's lowest on is not ours.
    lowest = np.append(np.minimum.reduceat(groups, starts), len(sums))
    return np.asarray(down[groups] - sums[groups] / 2 - down[lowest[number + 1]])


def _sides(units: Units) -> tuple[Units, Units]:
    """Words and the pairs they stand in, sorted by word; a word paired with itself stands once."""
    left, right = units.T
    words = np.concatenate([left, right[left != right]])
    pairs = np.concatenate([np.arange(len(units)), np.flatnonzero(left != right)])
    order = np.argsort(words, kind="stable")
    return words[order], pairs[order]


def _with_an_order(word: Units, columns: Floats) -> tuple[Units, Floats]:
    """The words in enough pairs whose values differ in both columns; `word` is sorted."""
    _, starts, sizes = np.unique(word, return_index=True, return_counts=True)
    span = np.maximum.reduceat(columns, starts, axis=1) - np.minimum.reduceat(
        columns, starts, axis=1
    )
    largest = np.maximum.reduceat(np.abs(columns), starts, axis=1)
    chosen = (sizes >= FEWEST_PAIRS) & (span > NOISE * largest).all(axis=0)
    kept = np.repeat(chosen, sizes)
    return word[kept], columns[:, kept]


def _ranks_within(word: Units, values: Floats) -> Floats:
    """Average ranks among the values of the same word, plus a number that is the word's own."""
    return average_ranks(word * (len(word) + 1.0) + average_ranks(values))


def _correlations(word: Units, columns: Floats) -> Floats:
    """Pearson's correlation of the two columns within each word."""
    starts = np.unique(word, return_index=True)[1]
    sizes = np.diff([*starts, len(word)])
    means = np.add.reduceat(columns, starts, axis=1) / sizes
    left, right = columns - np.repeat(means, sizes, axis=1)
    both, ours, theirs = np.add.reduceat([left * right, left**2, right**2], starts, axis=1)
    return np.asarray(both / np.sqrt(ours * theirs))


spearman_by_query = Measure(
    _spearman_by_query,
    "spearman_by_query",
    per_unit=_spearman_of_each_query,
    counted=_queries,
    moves=_moves_of_queries,
)
