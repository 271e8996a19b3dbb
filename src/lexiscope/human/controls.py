"""Control items: obvious answers that show whether a judge pays attention.

They look like all other items. A file of control items replaces these for other languages.
"""

from collections.abc import Sequence
from pathlib import Path

from numpy.random import Generator

from lexiscope.core.errors import BadData
from lexiscope.core.study import Item, Kind
from lexiscope.data.datasets.formats.tables import text_lines

# Query, its synonym, unrelated words.
_COMPARISONS = (
    "car automobile banana whisper february gravel",
    "sofa couch tornado arithmetic copper gentle",
    "big large kettle whistle seventeen oxygen",
    "begin start turquoise ladder insect republic",
    "physician doctor carpet volcano yesterday spoon",
    "quick fast marble senate tulip envelope",
    "happy glad concrete tractor bishop sodium",
    "gift present asphalt jury mosquito diagonal",
    "error mistake blanket ocean trumpet cinnamon",
    "rock stone weekday violin parliament sugar",
    "buy purchase glacier elbow grammar lantern",
    "child kid cement opera hurricane ledger",
)
# Three words of a category, and one of another.
_INTRUSIONS = (
    "apple pear banana senate",
    "monday tuesday friday hammer",
    "dog cat horse inflation",
    "red blue green parliament",
    "piano violin guitar tuesday",
    "uncle aunt cousin volcano",
    "shirt trousers jacket oxygen",
    "copper iron silver holiday",
    "doctor nurse surgeon pebble",
    "spoon fork knife autumn",
    "winter summer spring lawyer",
    "car bus train onion",
)


def control_items(kind: Kind, rng: Generator, path: str | Path | None = None) -> tuple[Item, ...]:
    """Make control items, in English or from a file.

    A line of the file has the query, the correct word and the other words of a comparison, or the
    related words and then the intruder.
    """
    lines: Sequence[str] = _COMPARISONS if kind == "comparison" else _INTRUSIONS
    where = "control items"
    if path is not None:
        lines = [line for line in text_lines(Path(path)) if line.strip()]
        where = str(path)
    make = _comparison if kind == "comparison" else _intrusion
    found = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) < 4 or len(set(words)) < len(words):
            raise BadData(f"{where}:{number}: expected four or more different words.")
        found.append(make(words, rng))
    return tuple(found)


def _comparison(words: Sequence[str], rng: Generator) -> Item:
    query, right, *others = words
    return _shuffled("comparison", query, [right, *others], right, rng)


def _intrusion(words: Sequence[str], rng: Generator) -> Item:
    return _shuffled("intrusion", words[0], list(words), words[-1], rng)


def _shuffled(kind: Kind, query: str, words: list[str], right: str, rng: Generator) -> Item:
    options = tuple(words[k] for k in rng.permutation(len(words)).tolist())
    return Item(
        rng.bytes(8).hex(), kind, query, options, ((),) * len(options),
        answer=options.index(right), control=True,
    )  # fmt: skip
