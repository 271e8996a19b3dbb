"""Sample sentences from a grammar: all parse trees are expanded together, level by level."""

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from lexiscope.core.corpus import Corpus
from lexiscope.core.errors import BadUsage, TooLarge
from lexiscope.core.preprocessing import PRESETS
from lexiscope.core.vocabulary import Vocabulary
from lexiscope.pcfg.grammar import Grammar
from lexiscope.pcfg.rules import Image, Part, Symbol, Word

_MOST = 1 << 26  # words and symbols of all sentences
Numbers = NDArray[np.int64]


class _Tables(NamedTuple):
    """A grammar as arrays: words are 0, 1, ...; the symbol s is encoded as -1 - s.

    Expansion e is parts[starts[e]:starts[e + 1]]. The expansions of symbol s end before ends[s];
    one is sampled by searching s + a uniform number in `bounds`. Every extra sentence is a
    separate symbol with one expansion.
    """

    parts: Numbers
    starts: Numbers
    ends: Numbers
    bounds: NDArray[np.float64]


class _Level(NamedTuple):
    """The nodes of one level of all trees, in order, and the number of children of each."""

    items: Numbers
    children: Numbers


def sample(grammar: Grammar, sentences: int, rng: Generator) -> Corpus:
    """Sample a corpus of `sentences` sentences, with the extra sentences at random positions."""
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
            f"The grammar {grammar.name} would generate about {size:,.0f} words and symbols; the "
            f"limit is {_MOST:,}. Sample fewer sentences."
        )


def _tables(grammar: Grammar, rng: Generator) -> _Tables:
    expansions, ends, bounds = [], [], []
    symbols = _expansions(grammar, rng)
    for symbol, choices in enumerate(symbols):
        probabilities = np.array([probability for probability, _ in choices])
        expansions += [parts for _, parts in choices]
        ends.append(len(expansions))
        bounds.append(symbol + np.cumsum(probabilities) / probabilities.sum())
    starts = np.cumsum([0, *map(len, expansions)])
    return _Tables(np.concatenate(expansions), starts, np.array(ends), np.concatenate(bounds))


def _expansions(grammar: Grammar, rng: Generator) -> list[list[tuple[float, Numbers]]]:
    """Return the expansions of each symbol, then the one expansion of each extra sentence."""
    word = {text: number for number, text in enumerate(grammar.words)}
    symbol = {name: number for number, name in enumerate(grammar.symbols)}
    image = _assigned(grammar, rng)

    def numbered(part: Part) -> int:
        if isinstance(part, Symbol):
            return -1 - symbol[part.name]
        return word[part.text if isinstance(part, Word) else image[part]]

    expansions: list[list[tuple[float, Numbers]]] = [[] for _ in symbol]
    for rule, probability in zip(grammar.rules, grammar.probabilities.tolist(), strict=True):
        if probability > 0:
            parts = np.array([numbered(part) for part in rule.parts], np.int64)
            expansions[symbol[rule.symbol]].append((probability, parts))
    extra = [np.array([word[each] for each in sentence], np.int64) for sentence in grammar.extra]
    return [*expansions, *([(1.0, parts)] for parts in extra)]


def _assigned(grammar: Grammar, rng: Generator) -> dict[Image, str]:
    """Assign a word to each key of each map for this corpus, in the order of the rules."""
    parts = (part for rule in grammar.rules for part in rule.parts)
    keys = dict.fromkeys(part for part in parts if isinstance(part, Image))
    return {key: str(rng.choice(np.array(grammar.maps[key.map], object))) for key in keys}


def _grown(grammar: Grammar, roots: Numbers, tables: _Tables, rng: Generator) -> list[_Level]:
    """Expand the trees of all sentences level by level; the last level has only words."""
    layers, items, size = [], roots, 0
    while True:
        size += len(items)
        _check_size(grammar, size)
        inner = items < 0
        children = np.zeros(len(items), np.int64)
        layers.append(_Level(items, children))
        if not inner.any():
            return layers
        symbols = -1 - items[inner]
        found = np.searchsorted(tables.bounds, symbols + rng.random(len(symbols)), side="right")
        expansions = np.minimum(found, tables.ends[symbols] - 1)  # a sum may be rounded up
        lengths = tables.starts[expansions + 1] - tables.starts[expansions]
        children[inner] = lengths
        items = tables.parts[_spread(tables.starts[expansions], lengths)]


def _spread(starts: Numbers, lengths: Numbers) -> Numbers:
    """Concatenate the ranges start, start + 1, ... of the given lengths."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(lengths.sum())


def _read_off(layers: list[_Level]) -> tuple[Numbers, Numbers]:
    """Return the words of all trees from left to right, and the offsets of the trees."""
    sizes = _sizes(layers)
    ends = np.cumsum(sizes[0])
    words = np.empty(ends[-1], np.int64)
    positions = ends - sizes[0]
    for layer, below in zip(layers, [*sizes[1:], np.zeros(0, np.int64)], strict=True):
        leaves = layer.items >= 0
        words[positions[leaves]] = layer.items[leaves]
        if len(below):
            positions = _positions(positions[~leaves], layer.children[~leaves], below)
    return words, np.concatenate(([0], ends))


def _sizes(layers: list[_Level]) -> list[Numbers]:
    """Count the words below each node of each level."""
    sizes = [np.ones(len(layers[-1].items), np.int64)]
    for layer in layers[-2::-1]:
        inner = layer.children > 0
        own = np.ones(len(layer.items), np.int64)
        firsts = np.cumsum(layer.children[inner]) - layer.children[inner]
        own[inner] = np.add.reduceat(sizes[-1], firsts)
        sizes.append(own)
    return sizes[::-1]


def _positions(parents: Numbers, children: Numbers, sizes: Numbers) -> Numbers:
    """Return the position of the first word of each child: after those of its left siblings."""
    before = np.cumsum(sizes) - sizes
    firsts = np.cumsum(children) - children
    found: Numbers = np.repeat(parents - before[firsts], children) + before
    return found


def _corpus(grammar: Grammar, words: Numbers, starts: Numbers, sentences: int) -> Corpus:
    """Create the corpus, with the vocabulary in order of decreasing frequency."""
    counts = np.bincount(words, minlength=len(grammar.words))
    seen = np.flatnonzero(counts).tolist()
    kept = sorted(seen, key=lambda number: (-counts[number], grammar.words[number]))
    indices = np.zeros(len(counts), np.int32)
    indices[kept] = np.arange(len(kept), dtype=np.int32)
    return Corpus(
        grammar.name,
        Vocabulary(tuple(grammar.words[number] for number in kept)),
        indices[words],
        starts.astype(np.int64),
        PRESETS["as-is"],
        origin=_origin(grammar, sentences),
    )


def _origin(grammar: Grammar, sentences: int) -> str:
    set_to = "".join(f", {name} = {value:.6g}" for name, value in grammar.parameters.items())
    return f"{sentences:,} sentences of the grammar {grammar.name}{set_to}"
