"""The notation of rules: `S -> a V b [1/4] | b W b [3/4]`, `V -> v0..v4`.

A bare name with a capital letter is a symbol, everything else is a word, and so is what stands in
quotes. `mu(U)` is what the map mu has drawn for U. Ranges of one rule run together.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.core.formula import Formula
from lexiscope.core.rules import BadGrammar, Image, Part, Rule, Symbol, Word, Words

_TOKEN = re.compile(r'\s*("[^"]*"|\[[^\]]*\]|\||#.*|[^\s|\[\]"#]+)')
_RANGE = re.compile(r"(.*?)([0-9]{1,12})([^0-9]*)\.\.(.*?)([0-9]{1,12})([^0-9]*)")
_IMAGE = re.compile(r"([^\W\d]\w*)\(([^()]+)\)")
_LONGEST_RANGE = 10_000
_LONGEST_WORD = 1024  # bytes of a word in a vector file
_MOST = 200_000  # words and symbols of all rules, or of a list


class _Way(NamedTuple):
    """One alternative as written: the spread of each of its parts, and its weight if any."""

    spreads: list[list[Part]]
    weight: Formula | None


def rules(text: str, first: int = 1) -> tuple[Rule, ...]:
    """The rules in a text whose lines are numbered from `first` on."""
    found: dict[str, list[tuple[int, tuple[Part, ...], Formula | None]]] = {}
    number = 0
    for line, written in enumerate(text.split("\n"), first):
        try:
            for symbol, parts, weight in _of_line(written):
                found.setdefault(symbol, []).append((line, parts, weight))
                number += len(parts)
                _check_number(number)
        except BadData as problem:
            raise BadGrammar(str(problem), line) from None
    return tuple(rule for symbol, ways in found.items() for rule in _weighted(symbol, ways))


def _check_number(number: int) -> None:
    if number > _MOST:
        raise BadData(f"This makes more than {_MOST:,} words and symbols.")


def _weighted(
    symbol: str, ways: list[tuple[int, tuple[Part, ...], Formula | None]]
) -> Iterator[Rule]:
    """The rules of a symbol; where no weight is said, all are equally likely."""
    equal = Formula(f"1/{len(ways)}")
    said = [weight is not None for _, _, weight in ways]
    seen: dict[tuple[Part, ...], int] = {}
    for line, parts, weight in ways:
        if weight is None and any(said):
            raise BadGrammar(
                f"Some rules of {shown(symbol)} have a weight and this one has none. Write one in "
                "brackets behind each, or behind none to make them equally likely.",
                line,
            )
        if parts in seen:
            raise BadGrammar(
                f"The same rule of {shown(symbol)} stands in line {seen[parts]} already.", line
            )
        seen[parts] = line
        yield Rule(symbol, parts, weight or equal, line)


def _of_line(line: str) -> Iterator[tuple[str, tuple[Part, ...], Formula | None]]:
    if not line.strip() or line.lstrip()[0] == "#":
        return
    left, arrow, right = line.partition("->")
    if not arrow:
        raise BadData("A rule is written as SYMBOL -> WORDS AND SYMBOLS; there is no '->'.")
    symbols = _left(left)
    for way in _ways(right):
        if len(symbols) > 1:
            yield from _along(symbols, way)
        else:
            for parts in _together(way.spreads, _extent(way.spreads)):
                yield symbols[0], parts, way.weight


def _along(symbols: list[str], way: _Way) -> Iterator[tuple[str, tuple[Part, ...], Formula | None]]:
    """A range on the left: the ranges on the right run along with it."""
    extent = _extent(way.spreads)
    if extent not in (1, len(symbols)):
        raise BadData(f"Ranges of {len(symbols)} and {extent} cannot run together.")
    for symbol, parts in zip(symbols, _together(way.spreads, len(symbols)), strict=True):
        yield symbol, parts, way.weight


def _left(text: str) -> list[str]:
    tokens = list(_tokens(text))
    if len(tokens) != 1:
        raise BadData(f"One symbol stands before '->', found '{shown(text.strip())}'.")
    symbols = spelt(tokens[0])
    for symbol in symbols:
        if not (symbol[:1].isupper() and symbol.replace("'", "").isidentifier()):
            raise BadData(
                f"A symbol is a name that begins with a capital letter, found '{shown(symbol)}'."
            )
    return symbols


def _ways(text: str) -> Iterator[_Way]:
    parts: list[list[Part]] = []
    weight: Formula | None = None
    number = 0
    for token in (*_tokens(text), "|"):
        if token == "|":
            if not parts:
                raise BadData("A rule makes nothing; write words or symbols behind '->' and '|'.")
            yield _Way(parts, weight)
            parts, weight = [], None
        elif weight is not None:
            raise BadData(f"The weight [{weight}] is not the last thing; write '|' behind it.")
        elif token[0] == "[":
            weight = Formula(token[1:-1].strip())
        else:
            parts.append(_parts(token))
            number += len(parts[-1])
            _check_number(number)


def _tokens(text: str) -> Iterator[str]:
    """The names, quoted words, weights and bars of a line, without its remark."""
    place = 0
    while token := _TOKEN.match(text, place):
        if token[1][0] == "#":
            return
        yield token[1]
        place = token.end()
    if text[place:].strip():
        raise BadData(f"'{shown(text[place:].strip())}' has a quote or bracket left open.")


def _parts(token: str) -> list[Part]:
    if token[0] == '"':
        return [Word(_word(token[1:-1]))]
    if image := _IMAGE.fullmatch(token):
        return [Image(image[1], key) for key in spelt(image[2])]
    if "(" in token or ")" in token:
        raise BadData(f"'{shown(token)}' has brackets; write a word with brackets in quotes.")
    kind = Symbol if token[0].isupper() else Word
    return [kind(_word(name)) for name in spelt(token)]


def _word(word: str) -> str:
    if not word or len(word.split()) != 1 or word != word.strip():
        raise BadData(f"A word is not empty and has no spaces, found '{shown(word)}'.")
    if not word.isprintable() and shown(word, len(word)) != word:
        raise BadData(f"The word '{shown(word)}' has characters that cannot be seen.")
    if len(word.encode("utf-8", "surrogatepass")) > _LONGEST_WORD:
        raise BadData(f"The word '{shown(word)}' is longer than {_LONGEST_WORD:,} bytes.")
    return word


def _extent(spreads: list[list[Part]]) -> int:
    extents = sorted({len(spread) for spread in spreads} - {1})
    if len(extents) > 1:
        raise BadData(f"Ranges of {extents[0]} and {extents[1]} cannot run together.")
    return extents[0] if extents else 1


def _together(spreads: list[list[Part]], extent: int) -> Iterator[tuple[Part, ...]]:
    full = [spread if len(spread) > 1 else spread * extent for spread in spreads]
    return zip(*full, strict=True)


def spelt(token: str) -> list[str]:
    """The names that a token stands for: itself, or all of a range such as v0..v49."""
    if ".." not in token:
        return [token]
    found = _RANGE.fullmatch(token) if len(token) < 2 * _LONGEST_WORD else None
    if not found or found[1] != found[4] or found[3] != found[6]:
        raise BadData(f"A range is written as v0..v49, found '{shown(token)}'.")
    first, last = int(found[2]), int(found[5])
    if not 0 <= last - first < _LONGEST_RANGE:
        raise BadData(
            f"A range goes up, over at most {_LONGEST_RANGE:,} words, found '{shown(token)}'."
        )
    width = len(found[2]) if found[2][0] == "0" else 0
    return [f"{found[1]}{n:0{width}d}{found[3]}" for n in range(first, last + 1)]


def words(text: str) -> Words:
    """The words of a list such as `w0..w4 a b`."""
    found: list[str] = []
    for token in _tokens(text):
        if token[0] in "[|":
            raise BadData(f"Words stand with spaces between them, found '{shown(token)}'.")
        found += [_word(token[1:-1])] if token[0] == '"' else map(_word, spelt(token))
        _check_number(len(found))
    return tuple(found)


def sentences(text: str) -> tuple[Words, ...]:
    """The sentences that a line with ranges stands for; words with capitals are in quotes."""
    ways = list(_ways(text))
    if len(ways) != 1 or ways[0].weight is not None:
        raise BadData(f"An extra sentence has words only, found '{shown(text)}'.")
    spreads = ways[0].spreads
    for part in (part for spread in spreads for part in spread):
        if not isinstance(part, Word):
            raise BadData(f"'{shown(text)}' is no sentence: put words with capitals in quotes.")
    full = _together(spreads, _extent(spreads))
    return tuple(tuple(part.spelling for part in parts if isinstance(part, Word)) for parts in full)
