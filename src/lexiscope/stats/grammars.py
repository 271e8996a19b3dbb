"""Sentences from a grammar: all of them grow together, one layer of their trees after another."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadUsage, TooLarge
from lexiscope.core.grammar import Grammar
from lexiscope.core.preparation import PRESETS
from lexiscope.core.rules import Image, Part, Symbol, Word
from lexiscope.core.vocabulary import Vocabulary

_MOST = 1 << 26  # words and symbols of all sentences
Numbers = NDArray[np.int64]


class _Tables(NamedTuple):
    """A grammar in numbers: words are 0, 1, ...; the symbol s is written as -1 - s.

    Way w of replacing something is parts[starts[w]:starts[w + 1]]. The ways of symbol s end before
    ends[s]; one is found by looking s + chance up among the bounds. Every extra sentence is a
    symbol of its own with one way.
    """

    parts: Numbers
    starts: Numbers
    ends: Numbers
    bounds: NDArray[np.float64]


class _Layer(NamedTuple):
    """Words and symbols equally deep in all trees, in order, and how many children each has."""

    items: Numbers
    children: Numbers


def sample(grammar: Grammar, sentences: int, rng: Generator) -> Corpus:
    """A corpus of so many sampled sentences, with the extra ones at random places among them."""
    if sentences < 1:
        raise BadUsage(f"The number of sentences must be 1 or more, found {sentences}.")
    _check_size(grammar, sentences * grammar.length)
    tables = _tables(grammar, rng)
    roots = np.full(sentences + len(grammar.extra), -1, np.int64)  # the first symbol
    extra = np.arange(len(grammar.extra)) + len(grammar.symbols)
    roots[rng.choice(len(roots), len(extra), replace=False)] = -1 - extra
    layers = _grown(grammar, roots, tables, rng)
    words, starts = _read_off(layers)
    return _corpus(grammar, words, starts, sentences)


def _check_size(grammar: Grammar, size: float) -> None:
    if size > _MOST:
        raise TooLarge(
            f"The grammar {grammar.name} would make about {size:,.0f} words and symbols; at most "
            f"{_MOST:,} are sampled. Ask for fewer sentences."
        )


def _tables(grammar: Grammar, rng: Generator) -> _Tables:
    ways, ends, bounds = [], [], []
    symbols = _ways(grammar, rng)
    for symbol, choices in enumerate(symbols):
        weights = np.array([weight for weight, _ in choices])
        ways += [parts for _, parts in choices]
        ends.append(len(ways))
        bounds.append(symbol + np.cumsum(weights) / weights.sum())
    starts = np.cumsum([0, *map(len, ways)])
    return _Tables(np.concatenate(ways), starts, np.array(ends), np.concatenate(bounds))


def _ways(grammar: Grammar, rng: Generator) -> list[list[tuple[float, Numbers]]]:
    """For each symbol its likely ways, then the one way of each extra sentence."""
    word = {spelling: number for number, spelling in enumerate(grammar.words)}
    symbol = {name: number for number, name in enumerate(grammar.symbols)}
    image = _drawn(grammar, rng)

    def numbered(part: Part) -> int:
        if isinstance(part, Symbol):
            return -1 - symbol[part.name]
        return word[part.spelling if isinstance(part, Word) else image[part]]

    ways: list[list[tuple[float, Numbers]]] = [[] for _ in symbol]
    for rule, weight in zip(grammar.rules, grammar.weights.tolist(), strict=True):
        if weight > 0:
            parts = np.array([numbered(part) for part in rule.parts], np.int64)
            ways[symbol[rule.symbol]].append((weight, parts))
    extra = [np.array([word[each] for each in sentence], np.int64) for sentence in grammar.extra]
    return [*ways, *([(1.0, parts)] for parts in extra)]


def _drawn(grammar: Grammar, rng: Generator) -> dict[Image, str]:
    """What each map gives for each of its keys in this corpus, in the order of the rules."""
    parts = (part for rule in grammar.rules for part in rule.parts)
    keys = dict.fromkeys(part for part in parts if isinstance(part, Image))
    return {key: str(rng.choice(np.array(grammar.maps[key.map], object))) for key in keys}


def _grown(grammar: Grammar, roots: Numbers, tables: _Tables, rng: Generator) -> list[_Layer]:
    """The layers of the trees of all sentences; the last one holds only words."""
    layers, items, size = [], roots, 0
    while True:
        size += len(items)
        _check_size(grammar, size)
        inner = items < 0
        children = np.zeros(len(items), np.int64)
        layers.append(_Layer(items, children))
        if not inner.any():
            return layers
        symbols = -1 - items[inner]
        found = np.searchsorted(tables.bounds, symbols + rng.random(len(symbols)), side="right")
        ways = np.minimum(found, tables.ends[symbols] - 1)  # a sum may be rounded up
        lengths = tables.starts[ways + 1] - tables.starts[ways]
        children[inner] = lengths
        items = tables.parts[_spread(tables.starts[ways], lengths)]


def _spread(starts: Numbers, lengths: Numbers) -> Numbers:
    """The numbers start, start + 1, ... of each run, one run after another."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(lengths.sum())


def _read_off(layers: list[_Layer]) -> tuple[Numbers, Numbers]:
    """The words of all trees from left to right, and where each tree starts and ends."""
    sizes = _sizes(layers)
    ends = np.cumsum(sizes[0])
    words = np.empty(ends[-1], np.int64)
    places = ends - sizes[0]
    for layer, below in zip(layers, [*sizes[1:], np.zeros(0, np.int64)], strict=True):
        leaves = layer.items >= 0
        words[places[leaves]] = layer.items[leaves]
        if len(below):
            places = _places(places[~leaves], layer.children[~leaves], below)
    return words, np.concatenate(([0], ends))


def _sizes(layers: list[_Layer]) -> list[Numbers]:
    """How many words each item of each layer becomes."""
    sizes = [np.ones(len(layers[-1].items), np.int64)]
    for layer in layers[-2::-1]:
        inner = layer.children > 0
        own = np.ones(len(layer.items), np.int64)
        firsts = np.cumsum(layer.children[inner]) - layer.children[inner]
        own[inner] = np.add.reduceat(sizes[-1], firsts)
        sizes.append(own)
    return sizes[::-1]


def _places(parents: Numbers, children: Numbers, sizes: Numbers) -> Numbers:
    """Where the words of each child begin: where its parent begins, after its elder siblings."""
    before = np.cumsum(sizes) - sizes
    firsts = np.cumsum(children) - children
    found: Numbers = np.repeat(parents - before[firsts], children) + before
    return found


def _corpus(grammar: Grammar, words: Numbers, starts: Numbers, sentences: int) -> Corpus:
    """The sentences with words as places in their vocabulary: the most frequent first."""
    counts = np.bincount(words, minlength=len(grammar.words))
    seen = np.flatnonzero(counts).tolist()
    kept = sorted(seen, key=lambda number: (-counts[number], grammar.words[number]))
    places = np.zeros(len(counts), np.int32)
    places[kept] = np.arange(len(kept), dtype=np.int32)
    return Corpus(
        grammar.name,
        Vocabulary(tuple(grammar.words[number] for number in kept)),
        places[words],
        starts.astype(np.int64),
        PRESETS["as-is"],
        origin=_origin(grammar, sentences),
    )


def _origin(grammar: Grammar, sentences: int) -> str:
    set_to = "".join(f", {name} = {value:.6g}" for name, value in grammar.parameters.items())
    return f"{sentences:,} sentences of the grammar {grammar.name}{set_to}"
