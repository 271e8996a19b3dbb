"""Association tests of word sets on one embedding: WEAT and RND.

A word is looked up as it is written, then in lower case. Words that the embedding lacks are left
out and reported. WEAT needs as many words in X as in Y: the larger set loses words at random, as
in Caliskan et al. 2017, and they are reported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.contracts.metric import Floats
from lexiscope.core.embedding import Embedding
from lexiscope.core.errors import Undefined
from lexiscope.core.estimate import Estimate
from lexiscope.core.seeding import generator
from lexiscope.data.word_sets import AssociationTest, WordSet
from lexiscope.experiments.inspection.results import BiasResult
from lexiscope.experiments.inspection.word_map import MOST_NUMBERS
from lexiscope.metrics.association import (
    associations,
    relative_norm_distance,
    weat_effect_size,
    weat_statistic,
    weat_test,
)

FEWEST = 2  # words of a target set


class _Found(NamedTuple):
    """The rows of the words that an embedding has, these words, and those that it lacks."""

    rows: NDArray[np.int64]
    words: tuple[str, ...]
    absent: tuple[str, ...]


def bias_results(
    embedding: Embedding, tests: Sequence[AssociationTest], seed: int
) -> tuple[BiasResult, ...]:
    """Run all tests. The words left out do not depend on the order of the tests."""
    return tuple(
        bias_result(embedding, test, generator(seed, "inspection", "bias", test.name))
        for test in tests
    )


def bias_result(embedding: Embedding, test: AssociationTest, rng: Generator) -> BiasResult:
    """Run one test; without an effect size, its state says why."""
    found = [_look_up(embedding, each) for each in test.sets]
    first, second, left_out = _of_equal_size(found[0], found[1], rng)
    used = [first, second, found[2], found[3]]
    numbers = (len(first.rows), len(second.rows), len(found[2].rows), len(found[3].rows))
    unmeasured = BiasResult(
        test.name,
        (test.targets[0].name, test.targets[1].name),
        (test.attributes[0].name, test.attributes[1].name),
        numbers,
        Estimate(None),
        absent=tuple(word for each in found for word in each.absent),
        left_out=left_out,
    )
    try:
        _check(numbers)
        return _measured(unmeasured, [_vectors(embedding, each.rows) for each in used], rng)
    except Undefined as reason:
        return replace(unmeasured, effect_size=Estimate(None, state=str(reason)))


def _look_up(embedding: Embedding, words: WordSet) -> _Found:
    given = embedding.vocabulary.find(words.words)
    lowered = embedding.vocabulary.find([word.lower() for word in words.words])
    rows = np.where(given >= 0, given, lowered)
    rows[rows >= 0] = np.where(embedding.lengths[rows[rows >= 0]] > 0, rows[rows >= 0], -1)
    _, first = np.unique(rows, return_index=True)  # two spellings of a word can have one vector
    kept = [k for k in sorted(first.tolist()) if rows[k] >= 0]
    absent = [word for word, row in zip(words.words, rows.tolist(), strict=True) if row < 0]
    return _Found(rows[kept], tuple(words.words[k] for k in kept), tuple(absent))


def _of_equal_size(
    first: _Found, second: _Found, rng: Generator
) -> tuple[_Found, _Found, tuple[str, ...]]:
    """Leave out random words of the larger set."""
    size = min(len(first.rows), len(second.rows))
    kept, left_out = [], []
    for each in (first, second):
        order = rng.permutation(len(each.rows))
        chosen = sorted(order[:size].tolist())
        kept.append(_Found(each.rows[chosen], tuple(each.words[k] for k in chosen), each.absent))
        left_out += [each.words[k] for k in sorted(order[size:].tolist())]
    return kept[0], kept[1], tuple(left_out)


def _check(numbers: Sequence[int]) -> None:
    if min(numbers[:2]) < FEWEST or min(numbers[2:]) < 1:
        raise Undefined(
            f"the embedding has {numbers[0]} and {numbers[1]} targets, {numbers[2]} and "
            f"{numbers[3]} attributes; a test needs {FEWEST} of each target set and 1 attribute"
        )


def _vectors(embedding: Embedding, rows: NDArray[np.int64]) -> Floats:
    if len(rows) * embedding.dimension > MOST_NUMBERS:
        raise Undefined(f"{embedding.dimension:,} dimensions are too many")
    found = embedding.vectors[rows]
    return np.asarray(found if isinstance(found, np.ndarray) else found.toarray(), np.float64)


def _measured(unmeasured: BiasResult, sets: Sequence[Floats], rng: Generator) -> BiasResult:
    x, y, a, b = sets
    first, second = associations(x, a, b), associations(y, a, b)
    value = weat_effect_size(first, second)
    others = list(_without_one(sets))
    test = weat_test(first, second, rng)
    return replace(
        unmeasured,
        effect_size=Estimate(value, min(others, default=None), max(others, default=None)),
        statistic=weat_statistic(first, second),
        p=test.p,
        partitions=test.partitions,
        exact=test.exact,
        norm_distances=(relative_norm_distance(x, y, a), relative_norm_distance(x, y, b)),
    )


def _without_one(sets: Sequence[Floats]) -> Iterator[float]:
    """The effect size without each of the words, where it is defined."""
    for k, words in enumerate(sets):
        for row in range(len(words)) if len(words) > 1 else ():
            x, y, a, b = (
                np.delete(each, row, axis=0) if k == position else each
                for position, each in enumerate(sets)
            )
            try:
                yield weat_effect_size(associations(x, a, b), associations(y, a, b))
            except Undefined:
                continue
