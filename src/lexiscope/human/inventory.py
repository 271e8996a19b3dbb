"""Query words of a study: sampled from WordNet with quotas, or a list.

Schnabel et al. 2015, section 3.3: 10 words from each of 10 categories of WordNet, as many mostly
abstract as mostly concrete categories, and 3 rare words in each. The paper does not name its
categories; `CATEGORIES` is our choice.
"""

import csv
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from numpy.random import Generator

from lexiscope.core.display import guarded, shown
from lexiscope.core.errors import BadData, BadUsage
from lexiscope.data.datasets.formats.tables import main_separator, text_lines
from lexiscope.data.wordnet import FILES, WordNet

RARE_BELOW = 2500  # occurrences; of a corpus of about a billion tokens in the paper
WORDS_PER_CATEGORY = 10
RARE_PER_CATEGORY = 3

# 1 category of adjectives, 1 of adverbs, 4 of nouns and 4 of verbs; half of them are abstract.
CATEGORIES: Mapping[str, str] = {
    "adj.all": "concrete",
    "adv.all": "abstract",
    "noun.animal": "concrete",
    "noun.artifact": "concrete",
    "noun.cognition": "abstract",
    "noun.feeling": "abstract",
    "verb.cognition": "abstract",
    "verb.contact": "concrete",
    "verb.emotion": "abstract",
    "verb.motion": "concrete",
}
_PARTS = {"adj": "adjective", "adv": "adverb", "noun": "noun", "verb": "verb"}
_WORD_COLUMNS = ("word", "query", "term")
ATTRIBUTES = ("frequency", "part_of_speech", "concreteness", "category")


@dataclass(frozen=True)
class Query:
    """A query word with the attributes that results are broken down by."""

    word: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Quotas:
    """How many words are sampled from WordNet.

    Parameters
    ----------
    categories : mapping of str to str
        Lexicographer files of WordNet, each "abstract" or "concrete".
    words : int
        The number of words of a category.
    rare : int
        How many of them are rare.
    rare_below : int, optional
        A word that occurs less often is rare; the default is that of the study.
    """

    categories: Mapping[str, str] = field(default_factory=lambda: dict(CATEGORIES))
    words: int = WORDS_PER_CATEGORY
    rare: int = RARE_PER_CATEGORY
    rare_below: int | None = None

    @property
    def threshold(self) -> int:
        """The frequency below which a word is rare."""
        return RARE_BELOW if self.rare_below is None else self.rare_below

    def __post_init__(self) -> None:
        unknown = set(self.categories) - set(FILES)
        if unknown:
            raise BadUsage(f"WordNet has no category '{min(unknown)}'.")
        if not 0 <= self.rare <= self.words:
            raise BadUsage(f"{self.rare} rare words of {self.words} are impossible.")


def wordnet_queries(
    wordnet: WordNet,
    counts: Mapping[str, int],
    rng: Generator,
    quotas: Quotas | None = None,
    vocabulary: Collection[str] | None = None,
) -> tuple[Query, ...]:
    """Sample query words from WordNet with quotas of category and frequency.

    A word belongs to the category of its most frequent sense in its main part of speech. Words of
    several parts, abbreviations and names are not used.

    Parameters
    ----------
    counts : mapping of str to int
        Frequencies of words; a word without one is not used.
    vocabulary : collection of str, optional
        Only these words are used: those that all embeddings have.
    """
    rules = quotas or Quotas()
    pools = _pools(wordnet, counts, rules, vocabulary)
    queries: list[Query] = []
    for category, kind in rules.categories.items():
        for group, number in (("frequent", rules.words - rules.rare), ("rare", rules.rare)):
            pool = pools[category, group]
            if len(pool) < number:
                raise BadData(_too_few(category, group, number, len(pool), rules))
            chosen = rng.permutation(len(pool))[:number].tolist()
            queries += [Query(pool[k], _attributes(category, kind, group)) for k in sorted(chosen)]
    return tuple(queries)


def _pools(
    wordnet: WordNet,
    counts: Mapping[str, int],
    rules: Quotas,
    vocabulary: Collection[str] | None,
) -> dict[tuple[str, str], list[str]]:
    pools: dict[tuple[str, str], list[str]] = {
        (category, group): [] for category in rules.categories for group in ("frequent", "rare")
    }
    for lemma in sorted(wordnet.lemmas):
        if not (lemma.isalpha() and len(lemma) > 2 and counts.get(lemma, 0) > 0):
            continue
        if vocabulary is not None and lemma not in vocabulary:
            continue
        category = _category(wordnet, lemma)
        if category in rules.categories:
            group = "rare" if counts[lemma] < rules.threshold else "frequent"
            pools[category, group].append(lemma)
    return pools


def _category(wordnet: WordNet, lemma: str) -> str:
    """The lexicographer file of the most frequent sense; empty for names, such as Paris."""
    first = wordnet.of(lemma, wordnet.part_of_speech(lemma))[0]
    return first.file if lemma in first.lemmas else ""


def _attributes(category: str, kind: str, group: str) -> dict[str, str]:
    part = _PARTS[category.partition(".")[0]]
    return {
        "frequency": group, "part_of_speech": part, "concreteness": kind, "category": category,
    }  # fmt: skip


def _too_few(category: str, group: str, number: int, found: int, rules: Quotas) -> str:
    sign = "fewer than" if group == "rare" else "at least"
    return (
        f"{category}: {number} words that occur {sign} {rules.threshold:,} times are needed, and "
        f"the embeddings share {found}. Use another --rare-below, larger vocabularies, or --words."
    )


def listed_queries(
    words: Sequence[str],
    counts: Mapping[str, int] | None = None,
    rare_below: int = RARE_BELOW,
    wordnet: WordNet | None = None,
    concreteness: Callable[[str], str] | None = None,
) -> tuple[Query, ...]:
    """Make queries of a list of words, with the attributes that are known.

    These are frequency, part of speech and concreteness, for which `concreteness` gives the band
    of a word, empty if it has none.
    """
    return tuple(
        Query(word, _known_attributes(word, counts, rare_below, wordnet) | band)
        for word in dict.fromkeys(words)
        for band in [_band(word, concreteness)]
    )


def _band(word: str, concreteness: Callable[[str], str] | None) -> dict[str, str]:
    band = concreteness(word) if concreteness else ""
    return {"concreteness": band} if band else {}


def _known_attributes(
    word: str, counts: Mapping[str, int] | None, rare_below: int, wordnet: WordNet | None
) -> dict[str, str]:
    found = {}
    if counts is not None and counts.get(word, 0) > 0:
        found["frequency"] = "rare" if counts[word] < rare_below else "frequent"
    part = wordnet.part_of_speech(word.lower()) if wordnet else None
    if part:
        names = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
        found["part_of_speech"] = names[part]
    return found


def read_inventory(path: str | Path) -> tuple[Query, ...]:
    """Read query words with attributes: a table with a header, or one word per line.

    The header names a column `word`, `query` or `term`; columns frequency, part_of_speech,
    concreteness and category become attributes. An apostrophe that keeps a spreadsheet from running
    a word as a formula is dropped.
    """
    file = Path(path)
    lines = [line for line in text_lines(file) if line.strip() and not line.startswith("#")]
    if not lines:
        raise BadData(f"{path}: contains no words.")
    separator = main_separator(lines)
    rows = list(csv.reader(lines, delimiter=separator)) if separator else [[x] for x in lines]
    header = [name.strip().casefold() for name in rows[0]]
    column = next((header.index(name) for name in _WORD_COLUMNS if name in header), None)
    if column is None:
        if separator:
            raise BadData(f"{path}:1: no column is called word, query or term.")
        header, column, rows = ["word"], 0, [[], *rows]
    return _queries(file, header, column, rows[1:])


def _unguarded(word: str) -> str:
    """The word without the apostrophe that our tables put in front of formulas."""
    return word[1:] if word.startswith("'") and guarded(word[1:]) == word else word


def _queries(
    path: Path, header: list[str], column: int, rows: Sequence[Sequence[str]]
) -> tuple[Query, ...]:
    found: dict[str, Query] = {}
    for number, row in enumerate(rows, 2):
        if column >= len(row) or not row[column].strip():
            raise BadData(f"{path}: row {number} has no word.")
        word = _unguarded(row[column].strip())
        values = dict(zip(header, (cell.strip() for cell in row), strict=False))
        attributes = {name: values[name] for name in ATTRIBUTES if values.get(name)}
        if word in found:
            raise BadData(f"{path}: row {number} repeats the word '{shown(word)}'.")
        found[word] = Query(word, attributes)
    if not found:
        raise BadData(f"{path}: contains no words.")
    return tuple(found.values())
