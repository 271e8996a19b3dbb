"""The notation of rules: `S -> a V b [1/4] | b W b [3/4]`, `V -> v0..v4`.

An unquoted name with an initial capital is a symbol; everything else is a word. `mu(U)` is the word
that the map mu assigns to U. The ranges of one rule advance together.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lexiscope.core.display import shown
from lexiscope.core.errors import BadData
from lexiscope.pcfg.formula import Formula
from lexiscope.pcfg.rules import BadGrammar, Image, Part, Rule, Symbol, Word, Words

_TOKEN = re.compile(r'\s*("[^"]*"|\[[^\]]*\]|\||#.*|[^\s|\[\]"#]+)')
_RANGE = re.compile(r"(.*?)([0-9]{1,12})([^0-9]*)\.\.(.*?)([0-9]{1,12})([^0-9]*)")
_IMAGE = re.compile(r"([^\W\d]\w*)\(([^()]+)\)")
_LONGEST_RANGE = 10_000
_LONGEST_WORD = 1024  # bytes of a word in a vector file
_MOST = 200_000  # words and symbols of all rules, or of a list


class _Alternative(NamedTuple):
    """One alternative as written: the range of each of its parts, and its probability if given."""

    spreads: list[list[Part]]
    probability: Formula | None


def rules(text: str, first: int = 1) -> tuple[Rule, ...]:
    """Parse rules; `first` is the number of the first line."""
    found: dict[str, list[tuple[int, tuple[Part, ...], Formula | None]]] = {}
    number = 0
    for line, written in enumerate(text.split("\n"), first):
        try:
            for symbol, parts, probability in _of_line(written):
                found.setdefault(symbol, []).append((line, parts, probability))
                number += len(parts)
                _check_number(number)
        except BadData as problem:
            raise BadGrammar(str(problem), line) from None
    return tuple(
        rule
        for symbol, alternatives in found.items()
        for rule in _with_probabilities(symbol, alternatives)
    )


def _check_number(number: int) -> None:
    if number > _MOST:
        raise BadData(f"This expands to more than {_MOST:,} words and symbols.")


def _with_probabilities(
    symbol: str, alternatives: list[tuple[int, tuple[Part, ...], Formula | None]]
) -> Iterator[Rule]:
    """Create the rules of a symbol; without probabilities they are uniform."""
    equal = Formula(f"1/{len(alternatives)}")
    given = [probability is not None for _, _, probability in alternatives]
    seen: dict[tuple[Part, ...], int] = {}
    for line, parts, probability in alternatives:
        if probability is None and any(given):
            raise BadGrammar(
                f"Some rules of {shown(symbol)} have a probability and this one has none. Add one "
                "in brackets to every rule, or remove all for a uniform distribution.",
                line,
            )
        if parts in seen:
            raise BadGrammar(
                f"The same rule of {shown(symbol)} is already in line {seen[parts]}.", line
            )
        seen[parts] = line
        yield Rule(symbol, parts, probability or equal, line)


def _of_line(line: str) -> Iterator[tuple[str, tuple[Part, ...], Formula | None]]:
    if not line.strip() or line.lstrip()[0] == "#":
        return
    left, arrow, right = line.partition("->")
    if not arrow:
        raise BadData("A rule has the form SYMBOL -> WORDS AND SYMBOLS; '->' is missing.")
    symbols = _left(left)
    for alternative in _alternatives(right):
        if len(symbols) > 1:
            yield from _along(symbols, alternative)
        else:
            for parts in _together(alternative.spreads, _extent(alternative.spreads)):
                yield symbols[0], parts, alternative.probability


def _along(
    symbols: list[str], alternative: _Alternative
) -> Iterator[tuple[str, tuple[Part, ...], Formula | None]]:
    """Expand a range on the left-hand side together with the ranges on the right-hand side."""
    extent = _extent(alternative.spreads)
    if extent not in (1, len(symbols)):
        raise BadData(f"Ranges of {len(symbols)} and {extent} cannot be combined.")
    for symbol, parts in zip(symbols, _together(alternative.spreads, len(symbols)), strict=True):
        yield symbol, parts, alternative.probability


def _left(text: str) -> list[str]:
    tokens = list(_tokens(text))
    if len(tokens) != 1:
        raise BadData(f"Expected one symbol before '->', found '{shown(text.strip())}'.")
    symbols = expanded(tokens[0])
    for symbol in symbols:
        if not (symbol[:1].isupper() and symbol.replace("'", "").isidentifier()):
            raise BadData(f"A symbol is a name with an initial capital, found '{shown(symbol)}'.")
    return symbols


def _alternatives(text: str) -> Iterator[_Alternative]:
    parts: list[list[Part]] = []
    probability: Formula | None = None
    number = 0
    for token in (*_tokens(text), "|"):
        if token == "|":
            if not parts:
                raise BadData(
                    "A rule has an empty right-hand side; words or symbols must follow '->' or '|'."
                )
            yield _Alternative(parts, probability)
            parts, probability = [], None
        elif probability is not None:
            raise BadData(
                f"The probability [{probability}] must be the last part of a rule, before '|'."
            )
        elif token[0] == "[":
            probability = Formula(token[1:-1].strip())
        else:
            parts.append(_parts(token))
            number += len(parts[-1])
            _check_number(number)


def _tokens(text: str) -> Iterator[str]:
    """Split a line into names, quoted words, probabilities and bars, without its comment."""
    position = 0
    while token := _TOKEN.match(text, position):
        if token[1][0] == "#":
            return
        yield token[1]
        position = token.end()
    if text[position:].strip():
        raise BadData(f"'{shown(text[position:].strip())}' has an unclosed quote or bracket.")


def _parts(token: str) -> list[Part]:
    if token[0] == '"':
        return [Word(_word(token[1:-1]))]
    if image := _IMAGE.fullmatch(token):
        return [Image(image[1], key) for key in expanded(image[2])]
    if "(" in token or ")" in token:
        raise BadData(f"'{shown(token)}' has parentheses; quote a word that contains parentheses.")
    kind = Symbol if token[0].isupper() else Word
    return [kind(_word(name)) for name in expanded(token)]


def _word(word: str) -> str:
    if not word or len(word.split()) != 1 or word != word.strip():
        raise BadData(f"A word must not be empty or contain spaces, found '{shown(word)}'.")
    if not word.isprintable() and shown(word, len(word)) != word:
        raise BadData(f"The word '{shown(word)}' has invisible characters.")
    if len(word.encode("utf-8", "surrogatepass")) > _LONGEST_WORD:
        raise BadData(f"The word '{shown(word)}' is longer than {_LONGEST_WORD:,} bytes.")
    return word


def _extent(spreads: list[list[Part]]) -> int:
    extents = sorted({len(spread) for spread in spreads} - {1})
    if len(extents) > 1:
        raise BadData(f"Ranges of {extents[0]} and {extents[1]} cannot be combined.")
    return extents[0] if extents else 1


def _together(spreads: list[list[Part]], extent: int) -> Iterator[tuple[Part, ...]]:
    full = [spread if len(spread) > 1 else spread * extent for spread in spreads]
    return zip(*full, strict=True)


def expanded(token: str) -> list[str]:
    """Expand a range such as v0..v49; any other token is returned as it is."""
    if ".." not in token:
        return [token]
    found = _RANGE.fullmatch(token) if len(token) < 2 * _LONGEST_WORD else None
    if not found or found[1] != found[4] or found[3] != found[6]:
        raise BadData(f"A range has the form v0..v49, found '{shown(token)}'.")
    first, last = int(found[2]), int(found[5])
    if not 0 <= last - first < _LONGEST_RANGE:
        raise BadData(
            f"A range is increasing and has at most {_LONGEST_RANGE:,} words, "
            f"found '{shown(token)}'."
        )
    width = len(found[2]) if found[2][0] == "0" else 0
    return [f"{found[1]}{n:0{width}d}{found[3]}" for n in range(first, last + 1)]


def words(text: str) -> Words:
    """Parse a list of words such as `w0..w4 a b`."""
    found: list[str] = []
    for token in _tokens(text):
        if token[0] in "[|":
            raise BadData(f"Words are separated by spaces, found '{shown(token)}'.")
        found += [_word(token[1:-1])] if token[0] == '"' else map(_word, expanded(token))
        _check_number(len(found))
    return tuple(found)


def sentences(text: str) -> tuple[Words, ...]:
    """Expand a line with ranges to sentences; words with an initial capital are quoted."""
    alternatives = list(_alternatives(text))
    if len(alternatives) != 1 or alternatives[0].probability is not None:
        raise BadData(f"An extra sentence consists of words only, found '{shown(text)}'.")
    spreads = alternatives[0].spreads
    for part in (part for spread in spreads for part in spread):
        if not isinstance(part, Word):
            raise BadData(
                f"'{shown(text)}' is not a sentence: quote words with an initial capital."
            )
    full = _together(spreads, _extent(spreads))
    return tuple(tuple(part.text for part in parts if isinstance(part, Word)) for parts in full)
